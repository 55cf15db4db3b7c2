package launch

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// watchdogScript reads one process group per line. The word "end" lets it go; the end of its input without that word
// means that the launcher is dead, and it does what the launcher no longer can: end all groups, remove the directory
// in $1, twice, since a dying process may just be writing to it. It ignores the signals that may be meant for the
// launcher.
const watchdogScript = `trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE
groups=
while read -r line; do
	case $line in
	end) exit 0 ;;
	*) groups="$groups -$line" ;;
	esac
done
[ -n "$groups" ] && kill -s KILL -- $groups 2>/dev/null
[ -n "$1" ] || exit 0
rm -rf -- "$1"
sleep 1
rm -rf -- "$1"`

// watchdog is a shell that outlives a launcher killed by SIGKILL. It is a second line of defence, for the children of
// ranks: the ranks themselves die by PDEATHSIG. Without a shell on the host there is no watchdog.
type watchdog struct {
	cmd  *exec.Cmd
	pipe *os.File
}

func startWatchdog(tempDir string) *watchdog {
	near, far, err := os.Pipe()
	if err != nil {
		return nil
	}
	cmd := exec.Command("/bin/sh", "-c", watchdogScript, "weft-watchdog", tempDir)
	cmd.Stdin = near
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	near.Close()
	if err != nil {
		far.Close()
		return nil
	}
	return &watchdog{cmd, far}
}

// guard adds the process group of pid.
func (w *watchdog) guard(pid int) {
	if w != nil {
		fmt.Fprintln(w.pipe, pid)
	}
}

// release ends the watchdog; the launcher has done the work itself.
func (w *watchdog) release() {
	if w != nil {
		fmt.Fprintln(w.pipe, "end")
		w.pipe.Close()
		_ = w.cmd.Wait()
	}
}
