package boot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/tune"
)

func TestCollRulesFromAFile(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	if err := os.WriteFile(good, []byte("# made on this host\nbcast:-1K=flat\n\nallgather=ring # always\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("bcast=nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rules, inline, err := boot.CollRules("barrier=flat,@" + good + ",scan=chain")
	if err != nil || len(rules) != 4 || inline != "barrier=flat,bcast:0-1K=flat,allgather=ring,scan=chain" {
		t.Errorf("%v, %q, %v", rules, inline, err)
	}
	for text, want := range map[string]string{"@" + bad: bad, "@" + dir + "/none": "weft tune", "bcast": "no '='"} {
		if _, _, err := boot.CollRules(text); !errors.Is(err, tune.ErrBad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
