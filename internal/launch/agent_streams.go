package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// streams carries what the ranks of an agent write to the launcher, and their standard input from it. One goroutine
// per stream; methods are for the agent's loop.
type streams struct {
	pipes  []*os.File       // near ends of outputs, read until their end
	valves map[flow]*valve  // room at the launcher
	inputs map[int]*mailbox // standard input of a rank
	wg     sync.WaitGroup
	ended  chan struct{} // closed when finish was called and all outputs have ended
}

// ends are the pipes of one rank: those that it inherits, and our ends of them.
type ends struct {
	stdin, out, errOut     *os.File // the rank's
	feed, fromOut, fromErr *os.File // ours; feed is nil when the rank reads nothing
}

// openEnds makes the pipes of a rank.
func openEnds(rank int, stdin bool) (e ends, err error) {
	if stdin {
		e.stdin, e.feed, err = os.Pipe()
	} else {
		e.stdin, err = os.Open(os.DevNull)
	}
	if err == nil {
		e.fromOut, e.out, err = os.Pipe()
	}
	if err == nil {
		e.fromErr, e.errOut, err = os.Pipe()
	}
	if err != nil {
		e.close()
		closeSome(e.feed, e.fromOut, e.fromErr)
		return e, fmt.Errorf("cannot make a pipe for rank %d: %w%s", rank, err, descriptorHint(err))
	}
	return e, nil
}

// close closes the rank's ends: it has its own copies, or will never need them.
func (e ends) close() { closeSome(e.stdin, e.out, e.errOut) }

func closeSome(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// carry begins to carry all streams of a rank. control belongs to the crew and may be nil.
func (s *streams) carry(rank int, e ends, control *os.File, say func(frame.Message)) {
	if s.valves == nil {
		s.valves, s.inputs = map[flow]*valve{}, map[int]*mailbox{}
	}
	s.pipes = append(s.pipes, e.fromOut, e.fromErr)
	for stream, pipe := range map[frame.Stream]*os.File{frame.Stdout: e.fromOut, frame.Stderr: e.fromErr} {
		v := s.valve(rank, stream)
		s.wg.Go(func() {
			defer pipe.Close()
			forward(pipe, rank, stream, v, say)
		})
	}
	v := s.valve(rank, frame.Control)
	if control == nil {
		say(&frame.Data{Rank: rank, Stream: frame.Control})
	} else {
		go forward(control, rank, frame.Control, v, say) // ends when the crew closes the socket, with the rank at the latest
	}
	if e.feed != nil {
		box := newMailbox(func(n int) { say(&frame.Credit{Rank: rank, Stream: frame.Stdin, N: n}) })
		s.inputs[rank] = box
		go feedPipe(e.feed, box)
	}
}

func (s *streams) valve(rank int, stream frame.Stream) *valve {
	v := newValve()
	s.valves[flow{rank, stream}] = v
	return v
}

// forward sends what pipe brings, as there is room for it, and then its end. A read deadline, set by
// finish, means: take what is there and stop.
func forward(pipe *os.File, rank int, stream frame.Stream, room *valve, say func(frame.Message)) {
	buf := make([]byte, frame.PieceMax)
	send := func(read func([]byte) (int, error)) error {
		n := room.take(len(buf))
		if n == 0 {
			return io.ErrClosedPipe
		}
		got, err := read(buf[:n])
		_ = room.add(n - got)
		if got > 0 {
			say(&frame.Data{Rank: rank, Stream: stream, Data: buf[:got]})
		}
		return err
	}
	var err error
	for err == nil {
		err = send(pipe.Read)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		for left := remainsMax; err != io.EOF && left > 0; left -= frame.PieceMax {
			err = send(func(b []byte) (int, error) { return readNow(pipe, b) })
		}
	}
	say(&frame.Data{Rank: rank, Stream: stream})
}

// feedPipe writes standard input to a rank until its end. A rank that has closed its input needs no more of it, but the
// launcher must go on getting credit: others may read the same.
func feedPipe(pipe *os.File, box *mailbox) {
	defer pipe.Close()
	buf := make([]byte, frame.PieceMax)
	deaf := false
	for {
		n, err := box.Read(buf)
		if err != nil {
			return
		}
		if !deaf {
			_, err = pipe.Write(buf[:n])
			deaf = err != nil
		}
	}
}

// credit makes room for more of a stream.
func (s *streams) credit(m *frame.Credit) error {
	v := s.valves[flow{m.Rank, m.Stream}]
	if v == nil {
		return fmt.Errorf("%w: credit for a stream that nobody sends", frame.ErrFrame)
	}
	if err := v.add(m.N); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrFrame, err)
	}
	return nil
}

// input takes standard input for a rank. One that failed to start has no use for it.
func (s *streams) input(m *frame.Data) error {
	box := s.inputs[m.Rank]
	if box == nil {
		return nil
	}
	if err := box.put(m.Data); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrFrame, err)
	}
	return nil
}

// finish ends all outputs although somebody may still hold their far ends. patience is how long the next byte is waited
// for. They are through when also has returned, too.
func (s *streams) finish(patience time.Duration, also func()) {
	for _, p := range s.pipes {
		_ = p.SetReadDeadline(time.Now().Add(patience))
	}
	for _, box := range s.inputs {
		box.Close()
	}
	s.ended = make(chan struct{})
	go func() {
		s.wg.Wait()
		also()
		close(s.ended)
	}()
}

// finished is closed when all outputs are through after finish; before that it is nil, for which one waits forever.
func (s *streams) finished() <-chan struct{} { return s.ended }

// close lets go of whoever waits for room.
func (s *streams) close() {
	for _, v := range s.valves {
		v.close()
	}
	for _, box := range s.inputs {
		box.Close()
	}
}
