package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// status is how a process ended.
type status struct {
	code   int         // exit code, when it exited
	signal unix.Signal // the signal that ended it, or 0
	lost   bool        // nobody knows: its host is gone
}

// exitCode is the status as a shell writes it.
func (s status) exitCode() int {
	if s.lost {
		return CodeHostLost
	}
	if s.signal != 0 {
		return codeSignal + int(s.signal)
	}
	return s.code
}

func (s status) String() string {
	if s.lost {
		return "was lost with its host"
	}
	if s.signal != 0 {
		return fmt.Sprintf("was killed by signal %d (%v)", int(s.signal), s.signal)
	}
	return fmt.Sprintf("exited with code %d", s.code)
}

// ended tells whether the child pid has ended, and how, without reaping it. As long as the zombie stays its number
// cannot be given to another process, so its process group can be signalled without hitting a stranger.
func ended(pid int) (status, bool) {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return status{code: CodeFailure}, true // no such child: somebody else has reaped it
		}
		break
	}
	if info.Signo == 0 {
		return status{}, false
	}
	if word := childStatus(&info); info.Code == cldExited {
		return status{code: word}, true
	} else {
		return status{signal: unix.Signal(word)}, true
	}
}

// cldExited is CLD_EXITED of <signal.h>: the child called exit, and the status word is its code. Otherwise the word is
// the signal that ended it.
const cldExited = 1

// childStatus reads si_status. The kernel's siginfo_t is a union whose members the unix package does not name: after
// three ints, aligned to a pointer, a child's record is pid, uid, status.
func childStatus(info *unix.Siginfo) int {
	const union = (3*4 + unsafe.Sizeof(uintptr(0)) - 1) / unsafe.Sizeof(uintptr(0)) * unsafe.Sizeof(uintptr(0))
	raw := (*[128]byte)(unsafe.Pointer(info))
	return int(int32(binary.NativeEndian.Uint32(raw[union+8:])))
}

// signalGroup sends sig to every process in the group of which pid is or was the leader. An empty group is no error.
func signalGroup(pid int, sig unix.Signal) {
	_ = unix.Kill(-pid, sig)
}

// reap frees the zombie of pid.
func reap(pid int) {
	for {
		_, err := unix.Wait4(pid, nil, 0, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
