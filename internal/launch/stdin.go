package launch

import (
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// input gives every rank its standard input. Where it can, it hands the launcher's own descriptor on; it copies only
// when several ranks read, or when the input is a terminal, from which a rank in its own process group may not read.
type input struct {
	null    *os.File
	direct  *os.File // handed to the one rank to
	to      int
	readers []*os.File       // read ends of pipes, by rank; nil without copying
	writers []io.WriteCloser // pipes, and the way to ranks on other hosts
	remote  []bool           // ranks on other hosts that are fed
	from    int              // descriptor to copy from, when there are writers
	wake    [2]*os.File      // closing the second ends the copying
	copying sync.WaitGroup
}

func newInput(r *run) (*input, error) {
	job := &r.job
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	in := &input{null: null, to: job.StdinTo}
	if job.Stdin == nil || job.StdinTo == StdinNone {
		in.to = StdinNone
		return in, nil
	}
	fd := int(job.Stdin.Fd())
	if isTerminal(fd) {
		if !inForeground(fd) {
			in.to = StdinNone // reading would stop the launcher
			return in, nil
		}
	} else if job.StdinTo != StdinAll && !r.ranks[job.StdinTo].host.away {
		in.direct = job.Stdin
		return in, nil
	}
	if err := in.openPipes(r.ranks); err != nil {
		in.close()
		return nil, err
	}
	in.from = fd
	return in, nil
}

func isTerminal(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	return err == nil
}

func inForeground(fd int) bool {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (in *input) openPipes(ranks []*rank) (err error) {
	if in.wake[0], in.wake[1], err = os.Pipe(); err != nil {
		return err
	}
	in.readers = make([]*os.File, len(ranks))
	in.remote = make([]bool, len(ranks))
	for rank, rk := range ranks {
		if in.to != StdinAll && in.to != rank {
			continue
		}
		if rk.host.away {
			in.remote[rank] = true
			in.writers = append(in.writers, rk.host.link.feed(rank))
			continue
		}
		near, far, err := os.Pipe()
		if err != nil {
			return pipeError(rank, err)
		}
		in.readers[rank] = near
		in.writers = append(in.writers, far)
	}
	return nil
}

// file returns what rank inherits as descriptor 0; it stays the input's.
func (in *input) file(rank int) *os.File {
	switch {
	case in.direct != nil && rank == in.to:
		return in.direct
	case in.readers != nil && in.readers[rank] != nil:
		return in.readers[rank]
	}
	return in.null
}

// feeds tells whether rank, on another host, gets standard input from here.
func (in *input) feeds(rank int) bool { return in.remote != nil && in.remote[rank] }

// begin starts the copying, once every rank is started, or has been ordered to.
func (in *input) begin() {
	in.closeReaders()
	if len(in.writers) > 0 {
		in.copying.Go(func() { in.copy(in.from) })
	}
}

// closeReaders closes what only the ranks need.
func (in *input) closeReaders() {
	for i, f := range in.readers {
		if f != nil {
			f.Close()
			in.readers[i] = nil
		}
	}
}

// copy moves standard input to the pipes until it ends, nobody reads any more, or close is called.
func (in *input) copy(fd int) {
	wake := int(in.wake[0].Fd())
	buf := make([]byte, 16<<10)
	writers := slices.Clone(in.writers)
	for len(writers) > 0 {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(wake), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err == unix.EINTR {
			continue
		} else if err != nil || ready[1].Revents != 0 {
			break
		}
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		still := writers[:0]
		for _, w := range writers {
			if _, err := w.Write(buf[:n]); err == nil {
				still = append(still, w) // a rank that closed its input needs no more of it
			}
		}
		writers = still
	}
	for _, w := range in.writers {
		w.Close()
	}
}

// close ends the copying and frees everything but the launcher's own descriptor.
func (in *input) close() {
	in.closeReaders()
	for _, w := range in.writers {
		w.Close() // unblocks a write to a rank that does not read
	}
	if in.wake[1] != nil {
		in.wake[1].Close()
	}
	in.copying.Wait()
	if in.wake[0] != nil {
		in.wake[0].Close()
	}
	in.null.Close()
}
