package ssh

import (
	"os"
	"path/filepath"
	"regexp"
)

// plainPath is an absolute path that means itself to every shell.
var plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._+-]+$`)

// Names returns the words by which weft may be known on other hosts, in the order to try them: its
// name in their PATH, and own, the path that it has here, since hosts often share their files. A
// path is left out that says something else to a shell, or that leads through a directory which
// everybody can write to, as /tmp is: on another host, anybody may have put something there.
func Names(own string) []string {
	names := []string{"weft"}
	if !plainPath.MatchString(own) {
		return names
	}
	for dir := filepath.Dir(own); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&0o002 != 0 {
			return names
		}
		if dir == "/" {
			return append(names, own)
		}
	}
}
