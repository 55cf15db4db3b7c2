package plan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Simulation is the world in which Simulate runs plans.
type Simulation struct {
	Bufs    []Bufs  // per rank; a Tmp that is too short is replaced, Node is provided
	Combine Combine // for Reduce steps, which end when Pick says so if there is one
	Verify  func(own, other []byte) error
	// Pick chooses one of n possible next events (0 <= Pick(n) < n), and per
	// message whether the port buffers it. Nil takes events in the order in
	// which they became possible and buffers nothing.
	Pick func(n int) int
}

// Simulate runs the plans of all ranks together in memory, in the order that
// Pick decides, and returns the first error, also when no rank can go on.
func Simulate(plans []*Plan, sim Simulation) error {
	w := newWorld(plans, sim.Pick)
	unfinished := 0
	for rank, p := range plans {
		bufs := sim.Bufs[rank]
		if len(bufs.Tmp) < p.TmpLen {
			bufs.Tmp = make([]byte, p.TmpLen)
		}
		bufs.Node = w.nodes[p.Group]
		run := &w.ports[rank].run
		run.Verify = sim.Verify
		at := sim.Combine
		if w.mayBuffer && w.pick(2) == 1 {
			w.ports[rank].combine, at = at, nil
		}
		if !run.Start(p, &bufs, at, &w.ports[rank]) {
			unfinished++
		}
	}
	for len(w.events) > 0 {
		k := w.pick(len(w.events))
		e := w.events[k]
		w.events = append(w.events[:k], w.events[k+1:]...)
		if e.reduce != nil {
			e.reduce()
		}
		if w.ports[e.rank].run.Done(e.step, e.err) {
			unfinished--
		}
	}
	for rank := range w.ports {
		if err := w.ports[rank].run.Err(); err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
	}
	if unfinished > 0 {
		return fmt.Errorf("plan %s: %d of %d ranks never finish", plans[0].Name, unfinished, len(plans))
	}
	return nil
}

// errCancelled is how a withdrawn receive ends.
var errCancelled = errors.New("receive cancelled")

// world is the memory that stands for the network.
type world struct {
	lanes     map[[2]int]*lane
	nodes     map[int][]byte     // memory of each node
	raised    map[[2]int]bool    // rank and flag
	waits     map[[2]int][]event // rank and flag: who awaits it
	ports     []simPort
	events    []event
	pick      func(n int) int
	mayBuffer bool
	lent      [][]byte // what has been, by key
}

// garbage is what memory holds before anybody has written it.
const garbage = 0xA5

func newWorld(plans []*Plan, pick func(n int) int) *world {
	w := &world{lanes: map[[2]int]*lane{}, nodes: map[int][]byte{}, raised: map[[2]int]bool{}, waits: map[[2]int][]event{},
		ports: make([]simPort, len(plans)), pick: pick, mayBuffer: pick != nil}
	if pick == nil {
		w.pick = func(int) int { return 0 }
	}
	for rank, p := range plans {
		w.ports[rank] = simPort{world: w, rank: rank}
		if len(w.nodes[p.Group]) < p.NodeLen {
			w.nodes[p.Group] = bytes.Repeat([]byte{garbage}, p.NodeLen)
		}
	}
	return w
}

// lane carries the messages from one rank to another.
type lane struct {
	sends, recvs []posted
	came         bool // a message has been sent
}

// posted is a message one side of which has been posted.
type posted struct {
	b        []byte
	step     int
	buffered bool // a send that has ended already
}

// event is the end of a posted step.
type event struct {
	rank, step int
	err        error
	reduce     func() // what the step does; nil if it has been done
}

// simPort is one rank's Port into the world.
type simPort struct {
	world   *world
	rank    int
	run     Run
	combine Combine // for steps that the run leaves to its port
}

func (w *world) lane(from, to int) *lane {
	key := [2]int{from, to}
	if w.lanes[key] == nil {
		w.lanes[key] = &lane{}
	}
	return w.lanes[key]
}

func (s *simPort) Send(st *Step, b []byte, step int) (gone bool) {
	w, peer := s.world, int(st.Peer)
	m := posted{b: b, step: step}
	if st.Way != Announced && w.mayBuffer && w.pick(2) == 1 {
		m = posted{b: append([]byte(nil), b...), step: step, buffered: true}
		if gone = w.pick(2) == 1; !gone {
			w.events = append(w.events, event{rank: s.rank, step: step})
		}
	}
	l := w.lane(s.rank, peer)
	l.sends, l.came = append(l.sends, m), true
	w.meet(s.rank, peer, l)
	return gone
}

func (s *simPort) Recv(st *Step, b []byte, step int) {
	peer := int(st.Peer)
	l := s.world.lane(peer, s.rank)
	l.recvs = append(l.recvs, posted{b: b, step: step})
	s.world.meet(peer, s.rank, l)
}

func (s *simPort) Set(flag int) {
	w, key := s.world, [2]int{s.rank, flag}
	w.raised[key] = true
	w.events = append(w.events, w.waits[key]...)
	delete(w.waits, key)
}

func (s *simPort) Await(peer, flag, step int) (raised bool) {
	w, key := s.world, [2]int{peer, flag}
	if w.raised[key] {
		return true
	}
	w.waits[key] = append(w.waits[key], event{rank: s.rank, step: step})
	return false
}

func (s *simPort) Arrived(peer int) bool { return s.world.lane(peer, s.rank).came }

func (s *simPort) Copy(_ *Step, dst, src []byte) { copy(dst, src) }

// Lend numbers what is lent.
func (s *simPort) Lend(key, b []byte) {
	binary.LittleEndian.PutUint64(key, uint64(len(s.world.lent)))
	s.world.lent = append(s.world.lent, b)
}

func (s *simPort) Fetch(peer int, dst, key []byte, at int) error {
	k := binary.LittleEndian.Uint64(key)
	if k >= uint64(len(s.world.lent)) || at+len(dst) > len(s.world.lent[k]) {
		return fmt.Errorf("rank %d has not lent %d bytes with key %d", peer, at+len(dst), k)
	}
	copy(dst, s.world.lent[k][at:])
	return nil
}

func (s *simPort) Reduce(st *Step, dst, src []byte, step int) {
	s.world.events = append(s.world.events, event{rank: s.rank, step: step, reduce: func() { s.combine(dst, src, st.SrcFirst) }})
}

func (s *simPort) Cancel(step int) {
	for key, waits := range s.world.waits {
		for i, e := range waits {
			if e.rank == s.rank && e.step == step {
				s.world.waits[key] = append(waits[:i], waits[i+1:]...)
				s.world.events = append(s.world.events, event{rank: s.rank, step: step, err: errCancelled})
				return
			}
		}
	}
	for key, l := range s.world.lanes {
		if key[1] != s.rank {
			continue
		}
		for i, r := range l.recvs {
			if r.step == step {
				l.recvs = append(l.recvs[:i], l.recvs[i+1:]...)
				s.world.events = append(s.world.events, event{rank: s.rank, step: step, err: errCancelled})
				return
			}
		}
	}
}

// meet moves the bytes of messages that are posted on both sides.
func (w *world) meet(from, to int, l *lane) {
	for len(l.sends) > 0 && len(l.recvs) > 0 {
		send, recv := l.sends[0], l.recvs[0]
		l.sends, l.recvs = l.sends[1:], l.recvs[1:]
		var err error
		if copy(recv.b, send.b) != len(send.b) || len(send.b) != len(recv.b) {
			err = fmt.Errorf("%d bytes from rank %d meet a receive of %d", len(send.b), from, len(recv.b))
		}
		if !send.buffered {
			w.events = append(w.events, event{rank: from, step: send.step})
		}
		w.events = append(w.events, event{rank: to, step: recv.step, err: err})
	}
}
