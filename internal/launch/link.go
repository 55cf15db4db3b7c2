package launch

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"golang.org/x/sys/unix"
)

// beats is how many times in its patience each end says that it is there, and how many of the other's it may miss.
const beats = 5

// link is the launcher's end of the connection to the agent of one host. Its goroutines bring what the
// agent says to the loop; the methods may be called by anyone and do not wait, except where they say so.
type link struct {
	host    *host
	conn    *connection
	out     *outbox
	post    func(event)
	silence time.Duration // how long the agent may be silent
	via     *link         // what this one passes through; nil for none

	quiet  atomic.Bool // nothing has come since the last beat
	busy   atomic.Bool // the reader is handling what came, so silence is ours
	paused atomic.Bool // we have been stopped; what was missed does not count

	mu      sync.Mutex
	boxes   map[flow]*mailbox
	valves  map[int]*valve      // standard input, by rank
	reaches map[int]*connection // to other hosts through this agent; nil when nothing more comes from it
	found   chan frame.Found
	failing sync.Once
	dead    chan struct{} // closed by fail
	err     error         // why; valid after dead
	done    chan struct{} // closed when the agent has said that nothing is left
	closing sync.Once
	wg      sync.WaitGroup
}

// flow is one stream of one rank.
type flow struct {
	rank   int
	stream frame.Stream
}

// newLink takes over a connection whose agent has said hello, and starts to listen.
func newLink(h *host, c *connection, silence time.Duration, post func(event)) *link {
	l := &link{
		host: h, conn: c, out: newOutbox(), post: post, silence: silence,
		boxes: map[flow]*mailbox{}, valves: map[int]*valve{}, found: make(chan frame.Found, 1),
		reaches: map[int]*connection{}, dead: make(chan struct{}), done: make(chan struct{}),
	}
	if h.via != nil {
		l.via = h.via.link
	}
	c.heard.Store(true)
	l.wg.Go(l.read)
	l.wg.Go(func() { _ = l.out.run(c.in) }) // a broken pipe is noticed by the reader, which knows more
	l.wg.Go(l.beat)
	return l
}

// put sends a message. One that is too long to be sent is lost, and the host with it.
func (l *link) put(m frame.Message) {
	if err := l.out.put(m); err != nil {
		l.wg.Go(func() { l.fail(fmt.Errorf("cannot be told: %w", err)) }) // the loop must not wait for itself
	}
}

// open prepares a stream that the agent will send; reading the mailbox gives the agent room for more.
func (l *link) open(rank int, s frame.Stream) *mailbox {
	l.mu.Lock()
	defer l.mu.Unlock()
	box := newMailbox(func(n int) { l.put(&frame.Credit{Rank: rank, Stream: s, N: n}) })
	l.boxes[flow{rank, s}] = box
	return box
}

// closeStreams ends the streams of a rank that will send nothing.
func (l *link) closeStreams(rank int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for f, box := range l.boxes {
		if f.rank == rank {
			box.Close()
		}
	}
	if v := l.valves[rank]; v != nil {
		v.close()
	}
}

// read takes frames until the connection ends.
func (l *link) read() {
	in := frame.NewReader(l.conn.lines)
	for {
		m, err := in.Next()
		if err == nil {
			l.busy.Store(true)
			err = l.handle(m)
			l.busy.Store(false)
		}
		if err != nil {
			l.fail(l.explain(err))
			l.endReaches() // after the loop knows why
			return
		}
	}
}

// explain says why the connection ended, in the words of ssh if it had any.
func (l *link) explain(err error) error {
	if errors.Is(err, frame.ErrFrame) {
		return fmt.Errorf("sends what no agent would: %w. Does a start-up file of its shell start something that writes?", err)
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("is lost: the connection to its agent ended%s", l.conn.lastWords())
	}
	return fmt.Errorf("is lost: %w", err)
}

func (l *link) handle(m frame.Message) error {
	switch m := m.(type) {
	case *frame.Data:
		return l.deliver(m)
	case *frame.Credit:
		l.mu.Lock()
		v := l.valves[m.Rank]
		l.mu.Unlock()
		if v == nil || m.Stream != frame.Stdin {
			return fmt.Errorf("%w: credit for a stream that nobody sends", frame.ErrFrame)
		}
		if err := v.add(m.N); err != nil {
			return fmt.Errorf("%w: %w", frame.ErrFrame, err)
		}
	case *frame.Found:
		select {
		case l.found <- *m:
		default:
			return fmt.Errorf("%w: found a program that nobody asked for", frame.ErrFrame)
		}
	case *frame.Reached:
		return l.reachEnded(m)
	case *frame.Ping:
	case *frame.Done:
		close(l.done)
		return io.EOF
	default:
		return l.report(m)
	}
	return nil
}

// report brings to the loop what only the loop can decide. Ranks are checked: they must be this host's.
func (l *link) report(m frame.Message) error {
	rank := frame.Everyone
	var e event
	switch m := m.(type) {
	case *frame.Started:
		rank, e = m.Rank, rankStarted{m.Rank, m.Pid}
	case *frame.Exited:
		rank, e = m.Rank, rankExited{m.Rank, status{code: m.Code, signal: unix.Signal(m.Signal)}}
	case *frame.Failed:
		l.post(startFailed{l.host, &StartError{m.Code, m.Text}})
		return nil
	case *frame.Note:
		l.post(note{m.Text})
		return nil
	}
	if _, mine := l.local(rank); !mine {
		return fmt.Errorf("%w: a %T about rank %d", frame.ErrFrame, m, rank)
	}
	l.post(e)
	return nil
}

// local returns the number of a rank on this host.
func (l *link) local(rank int) (int, bool) {
	for i, r := range l.host.ranks {
		if r == rank {
			return i, true
		}
	}
	return 0, false
}

func (l *link) deliver(m *frame.Data) error {
	l.mu.Lock()
	box := l.boxes[flow{m.Rank, m.Stream}]
	l.mu.Unlock()
	if box == nil {
		return fmt.Errorf("%w: data of a stream that nobody opened", frame.ErrFrame)
	}
	if err := box.put(m.Data); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrFrame, err)
	}
	return nil
}

// beat says from time to time that the launcher is there, and notices when the agent is not. It counts beats and not
// seconds: a launcher that was stopped, or a machine that slept, has missed one beat only.
func (l *link) beat() {
	tick := time.NewTicker(l.silence / beats)
	defer tick.Stop()
	missed := 0
	for {
		select {
		case <-l.dead:
			return
		case <-l.done:
			return
		case <-tick.C:
		}
		l.put(&frame.Ping{})
		l.quiet.Store(!l.conn.heard.Swap(false) && !l.busy.Load() && !l.paused.Load())
		switch {
		case !l.quiet.Load():
			missed = 0
			continue
		case l.via.isQuiet(): // it is the one that is silent
			continue
		}
		if missed++; missed >= beats {
			l.fail(lostAfter(l.silence))
			return
		}
	}
}

func (l *link) pause(on bool) { l.paused.Store(on) }

// fail takes note that the host is lost, once, and tells the loop. Nothing is lost once the agent is done.
func (l *link) fail(err error) {
	select {
	case <-l.done:
		return
	default:
	}
	l.failing.Do(func() {
		l.err = err
		l.out.close() // nobody is left to read it, and nobody shall wait for that
		close(l.dead)
		l.post(hostEnded{l.host, err})
		for _, rank := range l.host.ranks { // after the loop knows why, or is no more
			l.closeStreams(rank)
		}
	})
}

// abandon gives the connection up at once: streams end where they are.
func (l *link) abandon() {
	l.closing.Do(func() {
		l.out.close()
		l.conn.kill()
		for _, rank := range l.host.ranks {
			l.closeStreams(rank)
		}
	})
}

// bye asks the agent to end what is left of the job on its host.
func (l *link) bye() { l.put(&frame.Bye{}) }

// awaitDone returns when the agent is done, or lost, or limit is over.
func (l *link) awaitDone(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-l.done:
	case <-l.dead:
	case <-timer.C:
	}
}

// close ends everything, after the agent is done or was given up. It waits for the goroutines.
func (l *link) close() {
	select {
	case <-l.done:
		l.conn.hangUp()
	default:
	}
	l.abandon()
	l.wg.Wait()
	l.conn.close()
}

// feed is the standard input of a rank on another host: an io.WriteCloser that waits for room there.
type feed struct {
	link *link
	rank int
	room *valve
}

// feed opens the standard input of a rank.
func (l *link) feed(rank int) feed {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := newValve()
	l.valves[rank] = v
	return feed{l, rank, v}
}

// Write sends b as there is room for it, and fails when there will be none.
func (f feed) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := f.room.take(min(len(b)-sent, frame.PieceMax))
		if n == 0 {
			return sent, io.ErrClosedPipe
		}
		f.link.put(&frame.Data{Rank: f.rank, Stream: frame.Stdin, Data: b[sent : sent+n]})
		sent += n
	}
	return sent, nil
}

// Close ends the input, and a Write that waits.
func (f feed) Close() error {
	f.room.close()
	f.link.put(&frame.Data{Rank: f.rank, Stream: frame.Stdin})
	return nil
}
