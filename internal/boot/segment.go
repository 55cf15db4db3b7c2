package boot

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/tune"
)

// Segments returns a function that makes the shared segment of a job of n ranks on this host with these
// settings; a launcher passes the segment on to the ranks.
func Segments(set *tune.Settings) func(n int) (*os.File, error) {
	return func(n int) (*os.File, error) { return shm.Create(shm.GeometryFor(n, set.Arena)) }
}

const segmentKey = "weft-segment"

// segmentFile gets hold of the job's segment: inherited from weft run, or from rank 0, which makes it.
func segmentFile(p place, client *pmi.Client, set *tune.Settings) (*os.File, error) {
	if p.starter == byWeft {
		if !isOpen(p.shmFD) {
			return nil, badSegment(p, errors.New("is not open"))
		}
		return os.NewFile(uintptr(p.shmFD), "weft-segment"), nil
	}
	if p.rank == 0 {
		f, err := shm.Create(shm.GeometryFor(p.size, set.Arena))
		if err != nil {
			return nil, err
		}
		if err := client.Put(segmentKey, fmt.Sprintf("%d:%d", os.Getpid(), f.Fd())); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
		}
		if err := twice(client.Barrier); err != nil { // the second barrier: everybody has opened it
			return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
		}
		return f, nil
	}
	return openRankZeros(client)
}

// badSegment says that what the launcher has passed on as the job's segment is none, and what to do.
func badSegment(p place, err error) error {
	if p.starter != byWeft {
		return fmt.Errorf("%w: rank 0's segment %w", ErrLauncher, err)
	}
	return fmt.Errorf("%w: file descriptor %d of WEFT_SHM_FD %w. Nothing between weft run and the program may close or "+
		"replace its descriptors; unset WEFT_LAUNCHER and PMI_FD to run alone", ErrLauncher, p.shmFD, err)
}

func twice(f func() error) error {
	if err := f(); err != nil {
		return err
	}
	return f()
}

// openRankZeros opens the segment through rank 0's descriptor, which works on the same host only.
func openRankZeros(client *pmi.Client) (*os.File, error) {
	if err := client.Barrier(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	where, found, err := client.Get(segmentKey)
	if err != nil || !found {
		return nil, fmt.Errorf("%w: rank 0 has not published the shared segment: %v", ErrLauncher, err)
	}
	pid, fd, _ := strings.Cut(where, ":")
	if _, err := strconv.Atoi(pid + fd); err != nil {
		return nil, fmt.Errorf("%w: rank 0 published %q", ErrLauncher, where)
	}
	path := fmt.Sprintf("/proc/%s/fd/%s", pid, fd)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: rank 0's shared memory is out of reach (%w); all ranks must be on one host", ErrLauncher, err)
	}
	if err := client.Barrier(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return f, nil
}

func isOpen(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	return err == nil
}
