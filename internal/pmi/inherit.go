package pmi

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Inherit takes over the control socket that a process manager left open as descriptor fd (PMI_FD), ready for
// NewClient. Programs that this rank starts will not inherit it: held open by them it would hide this rank's end from
// the manager. Reads of it do not occupy a thread and end when it is closed.
func Inherit(fd int) (*os.File, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return nil, fmt.Errorf("descriptor %d of the process manager is not open: %w", fd, err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return nil, fmt.Errorf("descriptor %d is no socket of a process manager", fd)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("descriptor %d of the process manager: %w", fd, err)
	}
	return os.NewFile(uintptr(fd), "process manager"), nil
}
