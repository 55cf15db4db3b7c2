package interop

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Stand-ins for programs of Debian. The index names kernel 6.1.0-1, which nobody has any more,
// until it is updated.
var debian = map[string]string{
	"apt-get": `echo "apt-get $*" >>"$STAND/log"
case " $* " in
*" update "*) touch "$STAND/updated" ;;
*" download "*) exit 1 ;; # far enough
esac`,
	"apt-cache": `new=6.1.0-1; test -e "$STAND/updated" && new=6.1.0-2
case $1 in
depends) echo "linux-image-amd64"; echo "  Depends: linux-image-$new-amd64" ;;
show) case $2 in *6.1.0-1*|"$LACKING") exit 100 ;; esac ;;
esac`,
	"dpkg": `exit 1`, // nothing is installed
	"sudo": `exec "$@"`,
}

// setUp runs the setup of vm.sh among the stand-ins, with an index that lacks a package. It
// ends at the latest when it fetches the kernel; what it said and what it asked of apt-get is
// returned.
func setUp(t *testing.T, lacking string) (said, asked string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash")
	}
	dir := t.TempDir()
	for name, script := range debian {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("../../../../tools/interop/vm.sh", "setup")
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "STAND="+dir, "LACKING="+lacking, "WEFT_VM_DIR="+filepath.Join(dir, "siw"))
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("setup found a kernel where there is none:\n%s", out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(out), string(log)
}

// TestSetupUpdatesIndex: an index that is out of date names packages that are gone.
func TestSetupUpdatesIndex(t *testing.T) {
	said, asked := setUp(t, "")
	for _, want := range []string{" linux-headers-6.1.0-2-amd64 ", " linux-source-6.1 ", "download -q linux-image-6.1.0-2-amd64"} {
		if !strings.Contains(asked, want) {
			t.Errorf("apt-get was not asked for %q but for:\n%s", want, asked)
		}
	}
	if strings.Contains(asked, "6.1.0-1") {
		t.Errorf("apt-get was asked for a package that is gone:\n%s", asked)
	}
	if !strings.Contains(said, "cannot fetch and unpack linux-image-6.1.0-2-amd64") {
		t.Errorf("a kernel that could not be fetched is not named:\n%s", said)
	}
}

// TestSetupNamesWhatIsMissing: of several packages, that one.
func TestSetupNamesWhatIsMissing(t *testing.T) {
	said, asked := setUp(t, "perftest")
	if !strings.Contains(said, "apt's index lacks perftest;") || strings.Contains(asked, " install ") {
		t.Errorf("said:\n%s\nasked:\n%s", said, asked)
	}
}
