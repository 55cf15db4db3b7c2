package soak

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/mpi"
)

// waters are the communicators of a storm: wild is where receives ask for any tag.
type waters struct{ tame, wild *mpi.Comm }

// storm is one rank's part in a plan. Sends and each kind of receive go on at the same time in goroutines of their own.
// That is what keeps a storm from blocking itself: the first message of the plan that has not arrived is always one
// that its sender has begun to send and that its receiver asks for.
type storm struct {
	waters
	*plan
	rank, round int
	done        []atomic.Bool // by message: sent and received, as far as it concerns this rank
	spoil       func(m *message, payload []byte) (copies int)
}

// newStorm prepares this rank's part.
func newStorm(w waters, p *plan, round int) *storm {
	return &storm{waters: w, plan: p, rank: w.tame.Rank(), round: round, done: make([]atomic.Bool, len(p.messages)),
		spoil: func(*message, []byte) int { return 1 }}
}

// run sends and receives all of it. The first error is told to failed at once, since the others may then wait for ever.
func (s *storm) run(failed func(error)) error {
	parts := []func() error{s.sendAll, s.takeTame, s.takeFromAny, s.takePosted, s.takeAnyTag}
	errs := make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() {
			if errs[i] = part(); errs[i] != nil {
				failed(errs[i])
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// overdue lists the messages to this rank that have not been received, and says of each whether it is here unnoticed.
func (s *storm) overdue() []string {
	var list []string
	for i := range s.messages {
		m := &s.messages[i]
		if m.to != s.rank || s.done[i].Load() {
			continue
		}
		c := s.tame
		if m.taking == anyTag {
			c = s.wild
		}
		text := m.String()
		if _, here, err := mpi.Iprobe(c, m.from, m.tag); err == nil && here {
			text += ", which is here but was not taken"
		}
		list = append(list, text)
	}
	return list
}

// sendAll sends this rank's messages in the plan's order.
func (s *storm) sendAll() error {
	var flying []mpi.Request
	var kept []mpi.Request // persistent ones
	for i := range s.messages {
		m := &s.messages[i]
		if m.from != s.rank {
			continue
		}
		payload := make([]byte, m.bytes)
		fill(payload, m.key)
		for range s.spoil(m, payload) {
			r, err := s.sendOne(m, payload)
			if err != nil {
				return fmt.Errorf("%v: %w", m, err)
			}
			flying = append(flying, r)
			if m.way == persistent {
				kept = append(kept, r)
			}
		}
	}
	err := mpi.Waitall(flying)
	for _, r := range kept {
		err = errors.Join(err, r.Free())
	}
	return err
}

// sendOne sends a message, or begins to.
func (s *storm) sendOne(m *message, payload []byte) (r mpi.Request, err error) {
	c := s.tame
	if m.taking == anyTag {
		c = s.wild
	}
	switch m.way {
	case send:
		err = mpi.Send(c, payload, m.to, m.tag)
	case ssend:
		err = mpi.Ssend(c, payload, m.to, m.tag)
	case bsend:
		err = mpi.Bsend(c, payload, m.to, m.tag)
	case isend:
		r = mpi.Isend(c, payload, m.to, m.tag)
	case issend:
		r = mpi.Issend(c, payload, m.to, m.tag)
	case persistent:
		r = mpi.SendInit(c, payload, m.to, m.tag)
		err = mpi.Start(r)
	}
	return r, err
}

// takeTame receives, one after the other, what is asked for by sender and tag.
func (s *storm) takeTame() error {
	for _, m := range s.toTake(s.rank, received, withdrawn) {
		if m.taking == posted {
			continue
		}
		b := make([]byte, m.bytes+guard)
		clean(b)
		st, err := s.takeOne(m, b)
		if err == nil {
			err = s.check(m, st, b)
		}
		if err != nil {
			return fmt.Errorf("round %d, %v: %w", s.round, m, err)
		}
	}
	return nil
}

// takeOne receives a message in its own way.
func (s *storm) takeOne(m *message, b []byte) (mpi.Status, error) {
	switch m.taking {
	case probed:
		st, err := mpi.Probe(s.tame, m.from, m.tag)
		if err != nil || st.Bytes != m.bytes {
			return st, errors.Join(err, fmt.Errorf("the probe tells of %d bytes", st.Bytes))
		}
	case matched:
		found, err := mpi.Mprobe(s.tame, m.from, m.tag)
		if err != nil {
			return mpi.Status{}, err
		}
		return mpi.Mrecv(found, b)
	case polled:
		for {
			found, err := mpi.Improbe(s.tame, m.from, m.tag)
			if err != nil {
				return mpi.Status{}, err
			}
			if found != nil {
				return mpi.Imrecv(found, b).Wait()
			}
			runtime.Gosched()
		}
	case withdrawn:
		r := mpi.Irecv(s.tame, b, m.from, m.tag)
		if err := r.Cancel(); err != nil {
			return mpi.Status{}, fmt.Errorf("cancel: %w", err)
		}
		if st, err := r.Wait(); err != nil || !st.Cancelled {
			return st, err
		}
		if !all(b, untouched) {
			return mpi.Status{}, errors.New("the receive was withdrawn, but its buffer was written to")
		}
	}
	return mpi.Recv(s.tame, b, m.from, m.tag)
}

// takePosted receives what is received before it is sent, and withdraws a receive that nobody sends to.
func (s *storm) takePosted() error {
	exact, loose := s.toTake(s.rank, posted, posted), s.toTake(s.rank, fromAnyPre, fromAnyPre)
	most := longestOf(loose)
	var requests []mpi.Request
	var buffers [][]byte
	post := func(bytes, from, tag int) {
		b := make([]byte, bytes+guard)
		clean(b)
		buffers = append(buffers, b)
		requests = append(requests, mpi.Irecv(s.tame, b, from, tag))
	}
	for _, m := range exact {
		post(m.bytes, m.from, m.tag)
	}
	for _, m := range loose {
		post(most, mpi.AnySource, m.tag)
	}
	if err := s.withdrawOne(); err != nil {
		return err
	}
	statuses := make([]mpi.Status, len(requests))
	if err := mpi.WaitallStatus(requests, statuses); err != nil {
		return fmt.Errorf("round %d, posted receives: %w", s.round, err)
	}
	for i, m := range exact {
		if err := s.check(m, statuses[i], buffers[i]); err != nil {
			return fmt.Errorf("round %d, %v: %w", s.round, m, err)
		}
	}
	// Receives match in the order in which they were posted, and so do the messages of each sender.
	return s.checkLoose(loose, statuses[len(exact):], buffers[len(exact):])
}

// withdrawOne posts a receive for a tag that nobody uses and withdraws it.
func (s *storm) withdrawOne() error {
	b := make([]byte, guard)
	clean(b)
	r := mpi.Irecv(s.tame, b, mpi.AnySource, mpi.MaxTag)
	err := r.Cancel()
	st, waitErr := r.Wait()
	if err = errors.Join(err, waitErr); err != nil || !st.Cancelled || !all(b, untouched) {
		return fmt.Errorf("round %d: a receive that nobody sends to could not be withdrawn (%+v): %w", s.round, st, err)
	}
	return nil
}

// takeFromAny receives by tag alone, one after the other.
func (s *storm) takeFromAny() error {
	return s.takeLoose(s.toTake(s.rank, fromAny, fromAny), func(m *message, b []byte) (mpi.Status, error) {
		return mpi.Recv(s.tame, b, mpi.AnySource, m.tag)
	})
}

// takeAnyTag receives with any tag: of each sender in turn, or of any.
func (s *storm) takeAnyTag() error {
	return s.takeLoose(s.toTake(s.rank, anyTag, anyTag), func(m *message, b []byte) (mpi.Status, error) {
		from := mpi.AnySource
		if s.oneByOne {
			from = m.from
		}
		return mpi.Recv(s.wild, b, from, mpi.AnyTag)
	})
}

// takeLoose receives as many messages as there are in mine, in an order that only the senders' streams decide.
func (s *storm) takeLoose(mine []*message, take func(*message, []byte) (mpi.Status, error)) error {
	most := longestOf(mine)
	buffers, statuses := make([][]byte, 1), make([]mpi.Status, 1)
	queues := bySender(mine)
	for _, m := range mine {
		buffers[0] = make([]byte, most+guard)
		clean(buffers[0])
		var err error
		if statuses[0], err = take(m, buffers[0]); err != nil {
			return fmt.Errorf("round %d, %v: %w", s.round, m, err)
		}
		if err := s.checkNext(queues, statuses[0], buffers[0]); err != nil {
			return err
		}
	}
	return nil
}

// checkLoose checks messages that came to wildcards.
func (s *storm) checkLoose(mine []*message, statuses []mpi.Status, buffers [][]byte) error {
	queues := bySender(mine)
	for i, st := range statuses {
		if err := s.checkNext(queues, st, buffers[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkNext checks a message that came to a wildcard: it must be its sender's next.
func (s *storm) checkNext(queues map[int][]*message, st mpi.Status, b []byte) error {
	queue := queues[st.Source]
	if len(queue) == 0 {
		return fmt.Errorf("round %d, rank %d: rank %d sent a message too many to a wildcard (tag %d, %d bytes%s)",
			s.round, s.rank, st.Source, st.Tag, st.Bytes, s.whose(b[:st.Bytes]))
	}
	queues[st.Source] = queue[1:]
	if err := s.check(queue[0], st, b); err != nil {
		return fmt.Errorf("round %d, %v: %w", s.round, queue[0], err)
	}
	return nil
}

// check holds a received message against the plan.
func (s *storm) check(m *message, st mpi.Status, b []byte) error {
	switch {
	case st.Source != m.from || st.Tag != m.tag || st.Bytes != m.bytes:
		return fmt.Errorf("got %d bytes from %d with tag %d%s", st.Bytes, st.Source, st.Tag, s.whose(b[:min(st.Bytes, len(b))]))
	case st.Cancelled:
		return errors.New("it was withdrawn")
	}
	if wrong := damage(b, m.bytes, m.key); wrong != "" {
		return fmt.Errorf("%s%s", wrong, s.whose(b[:m.bytes]))
	}
	if s.done[m.index].Swap(true) {
		return errors.New("it came twice")
	}
	return nil
}

func bySender(all []*message) map[int][]*message {
	queues := map[int][]*message{}
	for _, m := range all {
		queues[m.from] = append(queues[m.from], m)
	}
	return queues
}

func longestOf(all []*message) int {
	most := 0
	for _, m := range all {
		most = max(most, m.bytes)
	}
	return most
}
