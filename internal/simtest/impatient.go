package simtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Impatient is a duplicate of a communicator, calls on it whose contexts end, and its end.
type Impatient struct {
	Comm    int
	Hurries []Hurry
	Quit    *Quit `json:",omitempty"`
}

// Hurry is messages of one rank to another that each end may give up. What the sender says of each
// is what must have come of it: what was sent is received once, in order, with its bytes as they
// were at the call, and what was given up never.
type Hurry struct {
	From, To int
	Bytes    []int // of each message
	Mode     Mode  `json:",omitempty"`
	// SendShape and RecvShape are how the bytes lie in memory, see shapes.
	SendShape, RecvShape string `json:",omitempty"`
	Later                bool   `json:",omitempty"` // by requests that are waited for
	Probe                bool   `json:",omitempty"` // received by a matched probe, whose context ends before the message is received
	Tries                int    // receives whose context ends
	SendNanos            int64  // of the context of all sends
	RecvNanos            int64  // of that of each receive
	Pause                int64  // before the first receive
}

// Quit is a collective that some ranks give up, and one, Absent, never calls; -1 if all do.
type Quit struct {
	Op            string
	Count, Absent int
	Later         bool  `json:",omitempty"`
	Nanos, Spread int64 // of the context of rank r: Nanos + r*Spread
}

// quits are the collectives that are given up.
var quits = []string{"barrier", "bcast", "allreduce", "allgather", "gather", "alltoalllayout"}

// hurryMin is the shortest message: it tells which it is.
const hurryMin = 8

// lengths calls note for every length.
func (m *Impatient) lengths(note func(int)) {
	for _, h := range m.Hurries {
		for _, n := range h.Bytes {
			note(n - hurryMin)
		}
	}
	if m.Quit != nil {
		note(8 * m.Quit.Count)
	}
}

// hurrying is an Impatient with its place in time.
type hurrying struct {
	*Impatient
	comm *group
	id   int
}

// impatient lays out what all ranks of a group do.
func (l *layouter) impatient(m *Impatient, place int) {
	g := l.there(m.Comm, place)
	if g == nil || g.first > 0 || slices.ContainsFunc(m.Hurries, func(h Hurry) bool { return h.From < 0 || h.To < 0 }) {
		return
	}
	l.colls++
	key := keyOf(place, atAll)
	g.use(tame, key)
	l.each(g, step{key: key, kind: doImpatient, hurry: &hurrying{Impatient: m, comm: g, id: l.colls}})
}

// hasty is one rank's part of an Impatient.
type hasty struct {
	*hurrying
	a       *actor
	d       *mpi.Comm
	me, n   int
	over    [][]byte // buffers that calls have returned: painted, and the program's
	apart   []*laid  // the same whose bytes lie apart
	numbers [][]int64
	within  func(nanos int64) (*mpi.Comm, func())
}

// impatient makes the duplicate, the calls, and frees it.
func (a *actor) impatient(k *hurrying) error {
	c := a.comm(k.comm, tame)
	d, err := c.Dup()
	if err != nil {
		return err
	}
	h := &hasty{hurrying: k, a: a, d: d, me: k.comm.rankOf(a.rank), n: len(k.comm.members)}
	h.within = func(nanos int64) (*mpi.Comm, func()) {
		ctx, stop := a.stage.within(a.rank, nanos)
		return d.WithContext(ctx), stop
	}
	for i := range k.Hurries {
		if err := h.hurry(i); err != nil {
			return fmt.Errorf("hurry %d: %w", i, err)
		}
	}
	if k.Quit != nil {
		if err := mpi.Barrier(c); err != nil { // who gives up ends what others do on the duplicate
			return err
		}
		if err := h.quit(k.Quit); err != nil {
			return fmt.Errorf("%s: %w", k.Quit.Op, err)
		}
	}
	if err := d.Free(); err != nil {
		return err
	}
	for _, b := range h.over {
		if at := unpainted(b, spent); at >= 0 {
			return fmt.Errorf("byte %d of a buffer of %d was changed after its call had returned", at, len(b))
		}
	}
	for _, l := range h.apart {
		if !l.painted(spent) {
			return errors.New("memory with a layout was changed after its call had returned")
		}
	}
	for _, v := range h.numbers {
		if i := slices.IndexFunc(v, func(n int64) bool { return n != spentNumber }); i >= 0 {
			return fmt.Errorf("number %d of a buffer of %d was changed after its collective had returned", i, len(v))
		}
	}
	return nil
}

// returned notes that a call has returned a buffer to the program, which uses it for something else.
func (h *hasty) returned(b []byte) {
	paint(b, spent)
	h.over = append(h.over, b)
}

// gaveUp tells whether a call has ended because of its context. Other errors are none that may be.
func gaveUp(err error) (bool, error) {
	if errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// tags are those of a hurry's messages, and of what came of them.
func tags(hurry int) (message, outcome int) { return 2 * hurry, 2*hurry + 1 }

// message is the number of a message.
func (h *hasty) message(hurry, i int) int { return h.id<<16 | hurry<<8 | i + 1 }

// hurry is this rank's part of a Hurry.
func (h *hasty) hurry(i int) error {
	k := &h.Hurries[i]
	if k.From%h.n == h.me {
		if err := h.sends(i, k); err != nil {
			return err
		}
	}
	if k.To%h.n == h.me {
		return h.receives(i, k)
	}
	return nil
}

// sends sends the messages, and then what came of them.
func (h *hasty) sends(hurry int, k *Hurry) error {
	c, stop := h.within(k.SendNanos)
	defer stop()
	to, sent := k.To%h.n, make([]byte, len(k.Bytes))
	tag, outcome := tags(hurry)
	ends := make([]func() error, len(k.Bytes))
	for i, n := range k.Bytes {
		buf := make([]byte, n)
		fill(buf, h.message(hurry, i))
		end := func(err error) error {
			gone, err := gaveUp(err)
			if at := differs(buf, h.message(hurry, i)); at >= 0 {
				return fmt.Errorf("byte %d of the send buffer has changed", at)
			}
			h.returned(buf)
			if !gone {
				sent[i] = 1
			}
			h.a.stage.trace(h.a.rank, "message %d of hurry %d: sent %v", i, hurry, sent[i] == 1)
			return err
		}
		if k.SendShape != "" && k.Mode == Standard {
			later, err := h.sendsApart(c, k, i, buf, tag, end)
			if ends[i] = later; err != nil {
				return err
			}
			continue
		}
		if k.Later {
			req := sendLater(k.Mode, c, buf, to, tag)
			ends[i] = func() error { _, err := req.Wait(); return end(err) }
			continue
		}
		if err := end(sendBlocking(k.Mode, c, buf, to, tag)); err != nil {
			return err
		}
	}
	for _, end := range ends {
		if end != nil {
			if err := end(); err != nil {
				return err
			}
		}
	}
	return mpi.Send(h.d, sent, to, outcome)
}

// sendsApart sends a message whose bytes lie apart, or begins to.
func (h *hasty) sendsApart(c *mpi.Comm, k *Hurry, i int, buf []byte, tag int, end func(error) error) (later func() error, err error) {
	l := lay(k.SendShape, len(buf), h.id+i)
	l.put(buf, blank)
	over := func(err error) error {
		if err := l.get(buf, blank); err != nil {
			return fmt.Errorf("the send buffer: %w", err)
		}
		err = end(err)
		l.put(buf, spent) // which end has painted
		h.apart = append(h.apart, l)
		return err
	}
	if !k.Later {
		return nil, over(l.send(c, k.To%h.n, tag))
	}
	req := l.isend(c, k.To%h.n, tag)
	return func() error { _, err := req.Wait(); return over(err) }, nil
}

// receives receives what comes in time, hears what was sent, and receives the rest.
func (h *hasty) receives(hurry int, k *Hurry) error {
	from, next := k.From%h.n, 0
	tag, outcome := tags(hurry)
	h.a.stage.compute(h.a.rank, k.Pause)
	got := make([]bool, len(k.Bytes))
	take := func(c *mpi.Comm) error {
		buf := make([]byte, slices.Max(k.Bytes))
		paint(buf, spent)
		st, err := h.receive(c, buf, from, tag, k)
		if err != nil {
			h.over = append(h.over, buf) // nothing must have been written to it, nor ever be
			return err
		}
		i := idOf(buf) - h.message(hurry, 0)
		if i < next || i >= len(k.Bytes) || st.Bytes != k.Bytes[i] || differs(buf[:st.Bytes], h.message(hurry, i)) >= 0 {
			return fmt.Errorf("received message %d of %d bytes after %d were received or given up; or its bytes are wrong", i, st.Bytes, next)
		}
		next, got[i] = i+1, true
		h.a.checked += int64(st.Bytes)
		h.returned(buf)
		return nil
	}
	for range k.Tries {
		c, stop := h.within(k.RecvNanos)
		_, err := gaveUp(take(c))
		stop()
		if err != nil {
			return err
		}
	}
	sent := make([]byte, len(k.Bytes))
	if _, err := mpi.Recv(h.d, sent, from, outcome); err != nil {
		return err
	}
	for i := range sent {
		if got[i] && sent[i] == 0 {
			return fmt.Errorf("message %d was received, but its sender has given it up", i)
		}
		if sent[i] == 1 && !got[i] {
			if err := take(h.d); err != nil {
				return err
			}
			if !got[i] {
				return fmt.Errorf("message %d is lost", i)
			}
		}
	}
	if st, found, err := mpi.Iprobe(h.d, from, tag); found || err != nil {
		return fmt.Errorf("another message of %d bytes is there: %v", st.Bytes, err)
	}
	return nil
}

// receive receives one message.
func (h *hasty) receive(c *mpi.Comm, buf []byte, from, tag int, k *Hurry) (st mpi.Status, err error) {
	d := landing{buf: buf}
	if k.RecvShape != "" {
		d.apart = lay(k.RecvShape, len(buf), h.id)
		d.apart.put(buf, spent)
		defer func() {
			err = errors.Join(err, d.apart.get(buf, spent))
			d.apart.put(bytes.Repeat([]byte{spent}, len(buf)), spent)
			h.apart = append(h.apart, d.apart)
		}()
	}
	if !k.Probe {
		return d.recv(c, from, tag)
	}
	m, err := mpi.Mprobe(c, from, tag)
	if err != nil {
		return mpi.Status{}, err
	}
	h.a.stage.compute(h.a.rank, 1000)
	return d.mrecv(m)
}

// quit is a collective that this rank gives up, completes, or never calls. Afterwards its buffers
// are left alone.
func (h *hasty) quit(q *Quit) error {
	if h.me == q.Absent {
		h.a.stage.compute(h.a.rank, 2*q.Nanos)
		return nil
	}
	c, stop := h.within(q.Nanos + int64(h.me)*q.Spread)
	defer stop()
	in, out := make([]int64, q.Count), make([]int64, q.Count*h.n)
	for i := range in {
		in[i] = int64(h.id*1000 + i)
	}
	right, err := h.collective(q, c, in, out)
	switch {
	case err == nil:
		if right != nil && !right(out) {
			return errors.New("the result is wrong")
		}
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, mpi.ErrProcFailed) || errors.Is(err, mpi.ErrGivenUp):
	default:
		return err
	}
	h.a.stage.trace(h.a.rank, "%s ended with %v", q.Op, err)
	for _, v := range [][]int64{in, out} {
		for i := range v {
			v[i] = spentNumber
		}
		h.numbers = append(h.numbers, v)
	}
	h.a.stage.compute(h.a.rank, q.Spread)
	return nil
}

// spentNumber is spent for numbers.
const spentNumber = -spent

// collective calls the collective, and tells what must be in out if it went well.
func (h *hasty) collective(q *Quit, c *mpi.Comm, in, out []int64) (right func([]int64) bool, err error) {
	do := func(now func() error, later func() mpi.Request) error {
		if q.Later {
			_, err := later().Wait()
			return err
		}
		return now()
	}
	every := func(n int, value func(i int) int64) func([]int64) bool {
		return func(out []int64) bool {
			for i, v := range out[:n] {
				if v != value(i) {
					return false
				}
			}
			return true
		}
	}
	own := func(i int) int64 { return int64(h.id*1000 + i%q.Count) }
	switch q.Op {
	case "barrier":
		return nil, do(func() error { return mpi.Barrier(c) }, func() mpi.Request { return mpi.Ibarrier(c) })
	case "bcast":
		if h.me == 0 {
			copy(out, in)
		}
		out = out[:q.Count]
		return every(q.Count, own), do(func() error { return mpi.Bcast(c, out, 0) }, func() mpi.Request { return mpi.Ibcast(c, out, 0) })
	case "allreduce":
		out = out[:q.Count]
		return every(q.Count, func(i int) int64 { return int64(h.n) * own(i) }),
			do(func() error { return mpi.Allreduce(c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iallreduce(c, in, out, mpi.Sum) })
	case "alltoalllayout": // all get the same, one number of each rank after the other
		to, from := make([]mpi.Layout, h.n), make([]mpi.Layout, h.n)
		for r := range to {
			to[r] = mpi.Strided{Count: q.Count, Block: 1, Stride: 1}
			from[r] = mpi.From(r, mpi.Strided{Count: q.Count, Block: 1, Stride: h.n})
		}
		return every(len(out), func(i int) int64 { return int64(h.id*1000 + i/h.n) }),
			do(func() error { return mpi.AlltoallLayout(c, in, to, out, from) }, func() mpi.Request { return mpi.IalltoallLayout(c, in, to, out, from) })
	case "allgather":
		return every(len(out), own), do(func() error { return mpi.Allgather(c, in, out) }, func() mpi.Request { return mpi.Iallgather(c, in, out) })
	}
	if h.me == 0 {
		right = every(len(out), own)
	}
	return right, do(func() error { return mpi.Gather(c, in, out, 0) }, func() mpi.Request { return mpi.Igather(c, in, out, 0) })
}

// deadline is a context in virtual time: nobody is told when it ends, who waits looks.
type deadline struct {
	context.Context
	now func() int64
	at  int64
}

func (d *deadline) Done() <-chan struct{} { return make(chan struct{}) }

func (d *deadline) Err() error {
	if d.now() < d.at {
		return nil
	}
	return context.DeadlineExceeded
}

func (s *stageInTime) within(rank int, nanos int64) (context.Context, func()) {
	return &deadline{context.Background(), func() int64 { return s.now(rank) }, s.now(rank) + nanos}, func() {}
}

func (h *hostStage) within(_ int, nanos int64) (context.Context, func()) {
	return context.WithTimeout(context.Background(), time.Duration(nanos))
}
