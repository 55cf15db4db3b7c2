package meet

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// Meeting is what the leader holds: the process manager of the job. Its own rank is a member like the others.
type Meeting struct {
	job    Job
	secret Secret
	own    net.Conn // the end of the leader's own rank
	turns  chan struct{}

	mu      sync.Mutex
	server  *pmi.Server
	members []*member // by rank; nil: has not come
	here    int
	left    int // ranks that have not finalised
	over    bool
	doors   []net.Listener
	pending map[net.Conn]bool // that have not said who they are

	late *time.Timer
	done chan struct{} // closed when nobody is left to be told anything
	wg   sync.WaitGroup
}

// member is a rank that has come.
type member struct {
	rank int
	conn net.Conn
	out  chan []byte // lines; closed when there will be no more
	told chan struct{}
}

const (
	// greetAtOnce is how many newcomers are listened to at the same time. Others wait in the kernel.
	greetAtOnce = 128

	// unread is how many lines may be on their way to a rank. It asks one thing at a time.
	unread = 8

	// culpritFirst is how long others do not hear of the end of one: launchers that pass on the code of
	// whoever ends first are to notice that one first.
	culpritFirst = 100 * time.Millisecond

	// tellLimit is how long the others are told why the job is over.
	tellLimit = 2 * time.Second
)

// Lead opens a job at some listeners, which it closes in the end. preset is what all ranks find from the
// start. Ranks that have not come within limit end the job.
func Lead(doors []net.Listener, job Job, s Secret, preset map[string]string, limit time.Duration) *Meeting {
	m := &Meeting{
		job: job, secret: s, doors: doors, members: make([]*member, job.Size), left: job.Size, turns: make(chan struct{}, greetAtOnce),
		server:  pmi.NewServer(pmi.ServerConfig{Size: job.Size, KVSName: "weft", Preset: preset}),
		pending: map[net.Conn]bool{}, done: make(chan struct{}),
	}
	own, there := net.Pipe()
	m.own = own
	m.mu.Lock()
	m.late = time.AfterFunc(limit, m.tooLate)
	m.enter(job.Rank, there, "")
	m.mu.Unlock()
	for _, l := range doors {
		m.wg.Go(func() { m.accept(l) })
	}
	return m
}

// Conn is the connection of the leader's own rank.
func (m *Meeting) Conn() net.Conn { return m.own }

// Wait returns when all ranks have finalised, or have been told that the job is over, and nothing of the
// meeting is left.
func (m *Meeting) Wait() {
	<-m.done
	m.wg.Wait()
}

// tooLate ends a job that is not complete.
func (m *Meeting) tooLate() {
	m.mu.Lock()
	var missing []int
	for rank, who := range m.members {
		if who == nil {
			missing = append(missing, rank)
		}
	}
	m.mu.Unlock()
	if len(missing) > 0 {
		m.end(1, fmt.Sprintf("%d of %d ranks have not come, the first of them rank %d", len(missing), m.job.Size, missing[0]))
	}
}

// accept lets newcomers in until the listener is closed.
func (m *Meeting) accept(l net.Listener) {
	for {
		m.turns <- struct{}{}
		c, err := l.Accept()
		if err != nil {
			<-m.turns
			if errors.Is(err, net.ErrClosed) {
				return
			}
			time.Sleep(firstPause) // out of descriptors, say
			continue
		}
		if !m.hold(c) {
			c.Close()
			<-m.turns
			continue
		}
		m.wg.Go(func() {
			watch(c)
			err := greeted(c, m.job, m.secret, func(rank int, r *records) error { return m.admit(rank, c, r) })
			m.mu.Lock()
			delete(m.pending, c)
			m.mu.Unlock()
			if err != nil {
				c.Close()
			}
			<-m.turns
		})
	}
}

// hold takes note of a connection whose other end may be anybody.
func (m *Meeting) hold(c net.Conn) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over {
		return false
	}
	m.pending[c] = true
	return true
}

// admit makes a newcomer that has proved itself a member, if its place is free, and lets it know.
func (m *Meeting) admit(rank int, c net.Conn, r *records) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.over:
		return errors.New("the job is over")
	case m.members[rank] != nil:
		return fmt.Errorf("rank %d is here already; programs that a rank starts cannot join its job", rank)
	}
	delete(m.pending, c)
	m.enter(rank, r, "welcome")
	return nil
}

// enter makes the other end of a connection a member, which hears greeting before all else. The caller holds the lock.
func (m *Meeting) enter(rank int, c net.Conn, greeting string) {
	who := &member{rank: rank, conn: c, out: make(chan []byte, 1+unread), told: make(chan struct{})}
	if greeting != "" {
		who.out <- []byte(greeting)
	}
	m.members[rank] = who
	if m.here++; m.here == m.job.Size {
		m.close()
	}
	m.wg.Go(func() { m.hear(who) })
	m.wg.Go(who.tell)
}

// tell writes lines to a member until there are no more, and ends its connection.
func (who *member) tell() {
	defer close(who.told)
	defer who.conn.Close()
	for line := range who.out {
		if _, err := who.conn.Write(line); err != nil {
			return // the reader notices it, too
		}
	}
}

// hear brings what a member says to the server, until it has said its last.
func (m *Meeting) hear(who *member) {
	in := pmi.NewReader(who.conn)
	for {
		line, err := in.Next()
		if err != nil {
			m.gone(who, err)
			return
		}
		if !m.said(who, line) {
			return
		}
	}
}

// said does what a member asks for, and tells whether to listen on.
func (m *Meeting) said(who *member, line pmi.Message) bool {
	m.mu.Lock()
	if m.over {
		m.mu.Unlock()
		return false
	}
	out, err := m.server.Handle(who.rank, line)
	for _, r := range out.Replies {
		if err == nil {
			err = m.put(r)
		}
	}
	finalised := err == nil && m.server.Phase(who.rank) == pmi.Finalised
	if finalised {
		m.leave(who)
	}
	m.mu.Unlock()
	switch {
	case err != nil:
		m.end(1, err.Error())
	case out.Abort != nil:
		m.end(code(out.Abort.Code), fmt.Sprintf("rank %d aborted the job with code %d: %s", who.rank, code(out.Abort.Code), out.Abort.Text))
	}
	return err == nil && out.Abort == nil && !finalised
}

// code is what a process can exit with that has failed.
func code(n int) int {
	if n &= 0xff; n == 0 {
		return 1
	}
	return n
}

// put puts a reply on its way. The caller holds the lock.
func (m *Meeting) put(r pmi.Reply) error {
	line, err := pmi.AppendMessage(nil, r.Message)
	if err != nil {
		return err
	}
	if m.members[r.Rank] == nil {
		return fmt.Errorf("rank %d, which has not come, is answered", r.Rank)
	}
	select {
	case m.members[r.Rank].out <- line:
		return nil
	default:
		return fmt.Errorf("rank %d does not listen", r.Rank)
	}
}

// leave takes note that a member needs nobody any more; the last one's leaving is the end. The caller holds the lock.
func (m *Meeting) leave(who *member) {
	close(who.out)
	if m.left--; m.left == 0 {
		m.shut()
		close(m.done)
	}
}

// shut lets nobody in any more. The caller holds the lock.
func (m *Meeting) shut() {
	m.over = true
	m.close()
	for c := range m.pending {
		c.Close()
	}
}

// close ends listening, since all are here or need not come any more.
func (m *Meeting) close() {
	m.late.Stop()
	for _, l := range m.doors {
		l.Close()
	}
}

// gone ends the job if a member has gone too early.
func (m *Meeting) gone(who *member, err error) {
	m.mu.Lock()
	early := !m.over && m.server.Phase(who.rank) != pmi.Finalised
	m.mu.Unlock()
	if !early {
		return
	}
	time.Sleep(culpritFirst)
	where := ""
	if at := who.conn.RemoteAddr(); at.Network() == "tcp" {
		where = " at " + at.String()
	}
	m.end(1, fmt.Sprintf("rank %d%s has left without Finalize (%v)", who.rank, where, err))
}

// end tells all that the job is over and why, its own rank last: its process ends by it, and the meeting with that.
func (m *Meeting) end(code int, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over {
		return
	}
	m.shut()
	line, err := pmi.AppendMessage(nil, pmi.OverMessage(code, why))
	if err != nil {
		line = nil
	}
	for rank, who := range m.members {
		if rank != m.job.Rank {
			m.dismiss(who, line)
		}
	}
	m.wg.Go(func() {
		m.awaitTold()
		m.dismiss(m.members[m.job.Rank], line)
		close(m.done)
	})
}

// dismiss puts the last line to a member on its way.
func (m *Meeting) dismiss(who *member, line []byte) {
	if who == nil || m.server.Phase(who.rank) == pmi.Finalised {
		return
	}
	select {
	case who.out <- line:
	default:
	}
	close(who.out)
}

// awaitTold waits until the others have been told, and hangs up on those that do not listen.
func (m *Meeting) awaitTold() {
	limit := time.After(tellLimit)
	for rank, who := range m.members {
		if who == nil || rank == m.job.Rank {
			continue
		}
		select {
		case <-who.told:
		case <-limit:
			who.conn.Close()
			limit = time.After(0)
		}
	}
}
