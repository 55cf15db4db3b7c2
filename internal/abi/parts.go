package abi

import (
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// A message in parts is partitioned communication. Data with holes travel packed: a part is packed when the program
// says that it is ready, and unpacked when the program learns that it has arrived, or at the end.

// chapterParts has partitioned communication.
var chapterParts = map[string]row{
	"Psend_init": {do: partsInit}, "Precv_init": {do: partsInit}, "Parrived": {do: parrived},
	"Pready": {do: pready}, "Pready_range": {do: preadyRange}, "Pready_list": {do: preadyList},
}

// parted is a request of a message in parts.
type parted struct {
	send *comm.PartSend // nil: it is a receive
	recv *comm.PartRecv
	n    int // parts, as the program counts them
	data view
	room []byte // the data, packed or as they are

	scratch bool
	mu      sync.Mutex
	done    []bool // unpacked in this round
}

// partsInit is Psend_init and Precv_init: buffer, parts, count and type of each, rank, tag, communicator, info, request.
func partsInit(c call) error {
	cm, err := c.comm(6)
	if err != nil {
		return err
	}
	if _, err := c.optionalInfo(7); err != nil {
		return err
	}
	n, sends := c.int(1), c.f.Family.Name == "Psend_init"
	if n < 0 {
		return bad(spec.ERR_ARG, "%d partitions", n)
	}
	m := &parted{n: n}
	if m.data, err = c.parts(n); err != nil {
		return err
	}
	peer, tag := fromRank(c.int(4)), fromTag(c.int(5))
	if peer == comm.AnySource || tag == comm.AnyTag {
		return bad(spec.ERR_ARG, "a message in parts has one peer and one tag")
	}
	if err := cm.checkPeer(peer, tag, sends); err != nil {
		return err
	}
	if err := c.outs(8); err != nil {
		return err
	}
	m.room, m.scratch = m.data.room()
	m.done = make([]bool, n)
	var kept comm.Request
	if sends {
		m.send, kept = cm.c.PsendInit(m.room, max(n, 1), peer, tag)
	} else {
		m.recv, kept = cm.c.PrecvInit(m.room, max(n, 1), peer, tag)
	}
	r := &request{on: cm, parts: m, start: func() comm.Request { return m.begin(kept) }, drop: func() { _ = kept.Free() }}
	if !sends && m.scratch {
		r.end = func(st comm.Status, err error) (comm.Status, error) {
			for i := 0; i < n && err == nil; i++ {
				m.unpack(i)
			}
			return st, err
		}
	}
	return c.newRequest(8, r)
}

// parts is the data of so many parts.
func (c call) parts(n int) (view, error) {
	each, err := c.count(2)
	if err != nil {
		return view{}, err
	}
	t, err := c.committedType(3)
	if err != nil {
		return view{}, err
	}
	if n > 0 && each > maxElements/n {
		return view{}, bad(spec.ERR_COUNT, "%d partitions of %d elements", n, each)
	}
	return c.viewAt(0, n*each, t)
}

// begin starts a round.
func (m *parted) begin(kept comm.Request) comm.Request {
	m.mu.Lock()
	clear(m.done)
	m.mu.Unlock()
	if err := comm.Restart([]comm.Request{kept}); err != nil {
		return comm.Failed(err)
	}
	if m.n == 0 && m.send != nil {
		if err := m.send.Ready(0, 1); err != nil {
			return comm.Failed(err)
		}
	}
	return kept
}

// part is one part's data, and their packed form.
func (m *parted) part(i int) (view, []byte) {
	each, size := m.data.n/m.n, len(m.room)/m.n
	return m.data.from(i*each, each), m.room[i*size : (i+1)*size]
}

// unpack puts a part that has arrived where the program wants it, once in a round.
func (m *parted) unpack(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.done[i] {
		m.done[i] = true
		v, packed := m.part(i)
		v.unpack(packed)
	}
}

// parted is argument i, an active request of a message in parts, for a direction.
func (c call) parted(i int, sends bool) (*request, error) {
	r, err := c.p.requestOf(c.word(i))
	if err == nil && (r == nil || r.parts == nil || (r.parts.send != nil) != sends) {
		err = bad(spec.ERR_REQUEST, "the request is not of such a message in parts")
	}
	return r, err
}

// within checks the number of a part.
func (m *parted) within(i int) error {
	if i < 0 || i >= m.n {
		return bad(spec.ERR_ARG, "partition %d of a message that has %d", i, m.n)
	}
	return nil
}

// ready says that parts may leave.
func (r *request) ready(from, to int) error {
	m := r.parts
	if !r.live {
		return bad(spec.ERR_REQUEST, "the request is not active: start it first")
	}
	for i := from; m.scratch && i < to; i++ {
		v, packed := m.part(i)
		v.pack(packed)
	}
	return concerning(target{commKind, r.on.handle}, m.send.Ready(from, to))
}

// pready is Pready: part, request.
func pready(c call) error {
	r, err := c.parted(1, true)
	if err != nil {
		return err
	}
	i := c.int(0)
	if err := r.parts.within(i); err != nil {
		return err
	}
	return r.ready(i, i+1)
}

// preadyRange is Pready_range: first part, last part, request.
func preadyRange(c call) error {
	r, err := c.parted(2, true)
	if err != nil {
		return err
	}
	first, last := c.int(0), c.int(1)
	for _, i := range []int{first, last} {
		if err := r.parts.within(i); err != nil {
			return err
		}
	}
	if first > last {
		return bad(spec.ERR_ARG, "partitions %d to %d", first, last)
	}
	return r.ready(first, last+1)
}

// preadyList is Pready_list: how many, parts, request.
func preadyList(c call) error {
	r, err := c.parted(2, true)
	if err != nil {
		return err
	}
	n := c.int(0)
	if n < 0 {
		return bad(spec.ERR_ARG, "length is %d", n)
	}
	list, err := c.ints(1, n)
	if err != nil {
		return err
	}
	for _, i := range list {
		if err := r.parts.within(int(i)); err != nil {
			return err
		}
	}
	for _, i := range list {
		if err := r.ready(int(i), int(i)+1); err != nil {
			return err
		}
	}
	return nil
}

// parrived is Parrived: request, part, flag. Of a message that is not under way all parts have arrived.
func parrived(c call) error {
	if err := c.outs(2); err != nil {
		return err
	}
	if c.word(0) == spec.REQUEST_NULL {
		c.setFlag(2, true)
		return nil
	}
	r, err := c.parted(0, false)
	if err != nil {
		return err
	}
	m, i := r.parts, c.int(1)
	if err := m.within(i); err != nil {
		return err
	}
	here := !r.live
	if r.live {
		if here, err = m.recv.Arrived(i); err != nil {
			return concerning(target{commKind, r.on.handle}, err)
		}
		if here && m.scratch {
			m.unpack(i)
		}
	}
	c.setFlag(2, here)
	return nil
}
