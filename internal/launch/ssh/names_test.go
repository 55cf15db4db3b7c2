package ssh

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What is in a directory for everybody is not asked for on other hosts, where it may be anybody's.
func TestNames(t *testing.T) {
	open := t.TempDir()
	if err := os.Chmod(open, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(open, "mine")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	for own, want := range map[string]string{
		"/usr/bin/weft":               "[weft /usr/bin/weft]",
		"/weft":                       "[weft /weft]",
		filepath.Join(open, "weft"):   "[weft]",
		filepath.Join(below, "weft"):  "[weft]",
		"/usr/bin/we ft":              "[weft]",
		"/usr/bin/$(x)":               "[weft]",
		"bin/weft":                    "[weft]",
		"":                            "[weft]",
		"/no/such/directory/has/weft": "[weft]",
	} {
		if got := fmt.Sprint(Names(own)); got != want {
			t.Errorf("%q: %s, want %s", own, got, want)
		}
	}
}
