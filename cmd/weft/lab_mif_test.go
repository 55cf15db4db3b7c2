package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMIFOfWhatFits: a way that does not fit has no row under its name, whatever else could serve: two
// ranks put 4 MB into node memory for blocks of 512 KB. Others have theirs, and ranks report that it was
// they who ran: Direct was held up by ranks that had not arrived, PAP_Direct was not.
func TestMIFOfWhatFits(t *testing.T) {
	mif := func(words string, env ...string) (all []mifResult) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program(t), strings.Fields("lab mif alltoall --factors 1 --json "+words)...)
		cmd.Env = append(os.Environ(), append(env, asWeft+"=1")...)
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &all)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
		return all
	}
	all := mif("-n 2 --size 512K --calls 2 --ways shm_direct,pairwise")
	if len(all) != 2 || len(all[0].Rows) != 0 || len(all[1].Rows) != 1 {
		t.Errorf("%+v", all)
	}
	for way, held := range map[string]bool{"direct_zero": true, "pap_direct": false} {
		dir := t.TempDir()
		mif("-n 3 --size 8K --calls 200 --message 500 --ways "+way, "WEFT_LINKS=rail", "WEFT_REPORT="+dir)
		blocked := uint64(0)
		for _, file := range []string{"rank-0.json", "rank-1.json", "rank-2.json"} {
			var r struct {
				Plans struct {
					Runs         map[string]uint64
					BlockedSends uint64
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err != nil || r.Plans.Runs["alltoall/"+way] < 200 {
				t.Errorf("%s: %s: %v, %+v", way, file, err, r)
			}
			blocked += r.Plans.BlockedSends
		}
		if (blocked > 0) != held {
			t.Errorf("%s: %d sends were held up and held up others", way, blocked)
		}
	}
}
