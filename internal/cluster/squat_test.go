package cluster

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// squat has another user listen on the socket of a cluster.
func squat(t *testing.T, name string, uid int) {
	t.Helper()
	address, err := socketOf(name)
	if err != nil {
		t.Fatal(err)
	}
	fds, errs := make(chan int, 1), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread, which becomes somebody else, ends here
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if _, _, no := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); err == nil && no != 0 {
			err = no
		}
		if err == nil {
			err = unix.Bind(fd, &unix.SockaddrUnix{Name: address.Name})
		}
		if err == nil {
			err = unix.Listen(fd, 8)
		}
		fds <- fd
		errs <- err
	}()
	fd := <-fds
	t.Cleanup(func() { unix.Close(fd) })
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
}

// Somebody else has taken the name of a cluster: whoever wants to make or use it hears who, and is
// not sent to become somebody that he is already.
func TestNameTakenByAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("takes root to be somebody else")
	}
	const nobody = 65534
	name := fmt.Sprintf("squatted-%d", os.Getpid())
	squat(t, name, nobody)
	_, made := listen(name)
	_, asked := Ask(name, Request{Op: OpShow})
	for what, err := range map[string]error{"made": made, "asked": asked} {
		if err == nil || !strings.Contains(err.Error(), "belongs to user 65534 (process ") || strings.Contains(err.Error(), "sudo") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
