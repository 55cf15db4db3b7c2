package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSlowBuildIsTold: somebody who waits for a compiler reads what is compiled. The compiler is a script
// that ends when that has been said.
func TestSlowBuildIsTold(t *testing.T) {
	bin, told := t.TempDir(), filepath.Join(t.TempDir(), "told")
	script := "#!/bin/sh\nwhile [ ! -e '" + told + "' ]; do sleep 0.01; done\n: > \"$3/prog\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var said []string
	p := programs{ctx: t.Context(), dir: t.TempDir(), built: map[string]string{}, slow: 1}
	p.say = func(format string, args ...any) {
		said = append(said, fmt.Sprintf(format, args...))
		if err := os.WriteFile(told, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	path, err := p.path(Spec{Argv: []string{"./launchtest"}}, 0)
	if err != nil || filepath.Base(path) != "prog" || !slices.Equal(said, []string{"building ./launchtest ..."}) {
		t.Errorf("%s, %v, said %q", path, err, said)
	}
}
