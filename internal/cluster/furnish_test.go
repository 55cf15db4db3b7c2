package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnlocked replaces a password file only when the ssh server would refuse root because of it.
func TestUnlocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shadow")
	for text, want := range map[string]bool{
		"root:!:1:0:9:7:::\nu:x:1::::::\n":           true,
		"u:x:1::::::\nroot:!$6$abc:1:0:9:7:::":       true,
		"root:*:1:0:9:7:::\n":                        false,
		"root:$6$abc:1:0:9:7:::\nrooted:!:1::::::\n": false,
		"": false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := unlocked(path); (got != "") != want || want && !strings.HasPrefix(got, "root:*:") {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := unlocked(path + "-not-there"); got != "" {
		t.Errorf("no file: %q", got)
	}
}
