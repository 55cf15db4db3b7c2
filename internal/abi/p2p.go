package abi

import (
	"math"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// chapterP2P sends and receives.
var chapterP2P = map[string]row{
	"Send": {do: sends(comm.Standard)}, "Ssend": {do: sends(comm.Synchronous)}, "Rsend": {do: sends(comm.Ready)}, "Bsend": {do: sends(comm.Buffered)},
	"Recv": {do: recv}, "Irecv": {do: irecv}, "Recv_init": {do: irecv},
	"Sendrecv": {do: sendrecv}, "Isendrecv": {do: sendrecv}, "Sendrecv_replace": {do: sendrecvReplace}, "Isendrecv_replace": {do: sendrecvReplace},
	"Probe": {do: probe}, "Iprobe": {do: iprobe}, "Mprobe": {do: mprobe}, "Improbe": {do: mprobe}, "Mrecv": {do: mrecv}, "Imrecv": {do: mrecv},
	"Get_count": {do: getCount, always: true}, "Get_elements": {do: getElements, always: true}, "Get_elements_x": {do: getElements, always: true},
}

// nobody is a rank that no communicator has.
const nobody = math.MinInt32

// fromRank is a rank of the interface as packages below have it.
func fromRank(rank int) int {
	switch {
	case rank >= 0 || rank == spec.ANY_SOURCE:
		return rank
	case rank == spec.PROC_NULL:
		return comm.ProcNull
	}
	return nobody
}

// toRank is the way back.
func toRank(rank int) int32 {
	if rank == comm.ProcNull {
		return spec.PROC_NULL
	}
	return int32(rank)
}

// fromTag is a tag of the interface as packages below have it.
func fromTag(tag int) int {
	switch {
	case tag >= 0:
		return tag
	case tag == spec.ANY_TAG:
		return comm.AnyTag
	}
	return nobody
}

func toTag(tag int) int32 {
	if tag == comm.AnyTag {
		return spec.ANY_TAG
	}
	return int32(tag)
}

// sends are the handlers of a mode: buffer, count, type, rank, tag, communicator.
func sends(mode comm.Mode) handler {
	return func(c call) error {
		cm, err := c.comm(5)
		if err != nil {
			return err
		}
		v, err := c.view(0, 1, 2)
		if err != nil {
			return err
		}
		dst, tag := fromRank(c.int(3)), fromTag(c.int(4))
		if c.f.Form == Persistent {
			return c.persistentSend(cm, v, dst, tag, mode)
		}
		if mode == comm.Buffered {
			if err := c.p.bsend(cm, v, dst, tag); err != nil || c.f.Form == Plain {
				return err
			}
			return c.newRequest(6, &request{r: comm.Failed(nil), on: cm})
		}
		c.p.introduce(cm)
		b := v.packed()
		if c.f.Form == Plain {
			return cm.c.Send(b, dst, tag, mode)
		}
		return c.start(6, &request{r: cm.c.Isend(b, dst, tag, mode), on: cm})
	}
}

// start gives a request that is under way its handle, unless it has failed from the start.
func (c call) start(i int, r *request) error {
	if err := r.r.Refused(); err != nil {
		return err
	}
	return c.newRequest(i, r)
}

// The forms of functions.
const (
	Plain      = spec.Plain
	Starting   = spec.Starting
	Persistent = spec.Persistent
)

// persistentSend makes a request that sends each time it is started.
func (c call) persistentSend(cm *communicator, v view, dst, tag int, mode comm.Mode) error {
	if err := cm.checkPeer(dst, tag, true); err != nil {
		return err
	}
	p := c.p
	return c.newRequest(6, &request{on: cm, start: func() comm.Request {
		if mode == comm.Buffered {
			return comm.Failed(p.bsend(cm, v, dst, tag))
		}
		return cm.c.Isend(v.packed(), dst, tag, mode)
	}})
}

// checkPeer says what is wrong with a rank and a tag that are going to be used.
func (cm *communicator) checkPeer(rank, tag int, sends bool) error {
	switch {
	case rank == comm.ProcNull:
	case rank == comm.AnySource && !sends:
	case rank < 0 || rank >= cm.peers():
		return bad(spec.ERR_RANK, "the communicator has ranks 0 to %d", cm.peers()-1)
	}
	if tag < 0 && (sends || tag != comm.AnyTag) {
		return bad(spec.ERR_TAG, "tag %d", tag)
	}
	return nil
}

// recv is Recv: buffer, count, type, rank, tag, communicator, status.
func recv(c call) error {
	cm, err := c.comm(5)
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	c.p.introduce(cm)
	b, scratch := v.room()
	st, err := cm.c.Recv(b, fromRank(c.int(3)), fromTag(c.int(4)))
	if scratch {
		v.unpack(b[:min(st.Bytes, len(b))])
	}
	c.statusAt(6).put(&st)
	return err
}

// receiving is what starts a receive, and what is left to do at its end.
func (cm *communicator) receiving(v view, src, tag int) (start func() comm.Request, end func(comm.Status, error) (comm.Status, error)) {
	b, scratch := v.room()
	start = func() comm.Request { return cm.c.Irecv(b, src, tag) }
	if scratch {
		end = func(st comm.Status, err error) (comm.Status, error) {
			v.unpack(b[:min(st.Bytes, len(b))])
			return st, err
		}
	}
	return start, end
}

// irecv is Irecv and Recv_init.
func irecv(c call) error {
	cm, err := c.comm(5)
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	src, tag := fromRank(c.int(3)), fromTag(c.int(4))
	start, end := cm.receiving(v, src, tag)
	if c.f.Family.Name == "Recv_init" {
		if err := cm.checkPeer(src, tag, false); err != nil {
			return err
		}
		return c.newRequest(6, &request{on: cm, start: start, end: end})
	}
	return c.start(6, &request{r: start(), on: cm, end: end})
}

// sendrecv is Sendrecv and Isendrecv.
func sendrecv(c call) error {
	cm, err := c.comm(10)
	if err != nil {
		return err
	}
	out, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	in, err := c.view(5, 6, 7)
	if err != nil {
		return err
	}
	return c.exchange(cm, out.packed(), in, [4]int{c.int(3), c.int(4), c.int(8), c.int(9)}, c.f.Family.Name == "Isendrecv")
}

// sendrecvReplace is Sendrecv_replace and Isendrecv_replace: what is sent is copied first.
func sendrecvReplace(c call) error {
	cm, err := c.comm(7)
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	out := make([]byte, v.bytes())
	v.pack(out)
	return c.exchange(cm, out, v, [4]int{c.int(3), c.int(4), c.int(5), c.int(6)}, c.f.Family.Name == "Isendrecv_replace")
}

// exchange sends and receives at the same time, with destination, tag, source, tag. The last argument is
// for the status, or for the request if it starts only.
func (c call) exchange(cm *communicator, out []byte, in view, peers [4]int, starts bool) error {
	dst, sendTag, src, recvTag := fromRank(peers[0]), fromTag(peers[1]), fromRank(peers[2]), fromTag(peers[3])
	if err := cm.checkPeer(src, recvTag, false); err != nil {
		return err
	}
	if err := cm.checkPeer(dst, sendTag, true); err != nil {
		return err
	}
	start, end := cm.receiving(in, src, recvTag)
	r := start()
	s := cm.c.Isend(out, dst, sendTag, comm.Standard)
	if starts {
		return c.start(c.last(1), &request{r: r, on: cm, end: func(st comm.Status, err error) (comm.Status, error) {
			if end != nil {
				st, err = end(st, err)
			}
			if _, _, failed := s.One(true); err == nil {
				err = failed
			}
			return st, err
		}})
	}
	_, _, failed := s.One(true)
	if failed != nil {
		_ = r.Cancel() // the send's error says what is wrong
	}
	st, _, err := r.One(true)
	if end != nil {
		st, err = end(st, err)
	}
	c.statusAt(c.last(1)).put(&st)
	if failed != nil {
		return failed
	}
	return err
}

// probe is Probe: rank, tag, communicator, status.
func probe(c call) error {
	cm, err := c.comm(2)
	if err != nil {
		return err
	}
	st, err := cm.c.Probe(fromRank(c.int(0)), fromTag(c.int(1)))
	if err == nil {
		c.statusAt(3).put(&st)
	}
	return err
}

// iprobe is Iprobe: rank, tag, communicator, flag, status.
func iprobe(c call) error {
	cm, err := c.comm(2)
	if err != nil {
		return err
	}
	if err := c.outs(3); err != nil {
		return err
	}
	st, found, err := cm.c.Iprobe(fromRank(c.int(0)), fromTag(c.int(1)))
	c.setFlag(3, found)
	if found {
		c.statusAt(4).put(&st)
	}
	return err
}

// message is one that a matched probe has taken.
type message struct {
	m  comm.Message
	on *communicator
}

// mprobe is Mprobe (rank, tag, communicator, message, status) and Improbe (with a flag before the message).
func mprobe(c call) error {
	cm, err := c.comm(2)
	if err != nil {
		return err
	}
	waits, at := c.f.Name == "Mprobe", 3
	if !waits {
		at = 4
	}
	if err := c.outs(3, at); err != nil {
		return err
	}
	m, err := cm.c.Mprobe(fromRank(c.int(0)), fromTag(c.int(1)), waits)
	if err != nil {
		return err
	}
	if !waits {
		c.setFlag(3, !m.Taken())
	}
	if m.Taken() {
		return nil
	}
	h := uintptr(spec.MESSAGE_NO_PROC)
	if st := m.Status(); st.Source != comm.ProcNull {
		if h, err = c.p.messages.add(&message{m, cm}); err != nil {
			return err
		}
		cm.more()
	}
	c.setHandle(at, h)
	st := m.Status()
	c.statusAt(at + 1).put(&st)
	return nil
}

// mrecv is Mrecv (buffer, count, type, message, status) and Imrecv (with a request instead of the status).
func mrecv(c call) error {
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	h, err := c.handleAt(3)
	if err != nil {
		return err
	}
	starts := c.f.Family.Name == "Imrecv"
	if h == spec.MESSAGE_NO_PROC {
		c.setHandle(3, spec.MESSAGE_NULL)
		st := comm.Status{Source: comm.ProcNull, Tag: comm.AnyTag}
		if starts {
			return c.newRequest(4, &request{r: comm.Failed(nil)})
		}
		c.statusAt(4).put(&st)
		return nil
	}
	m := c.p.messages.get(h)
	if m == nil {
		return bad(spec.ERR_REQUEST, "0x%x is no message, or it has been received", h)
	}
	if starts {
		if err := c.outs(4); err != nil {
			return err
		}
	}
	c.p.messages.remove(h)
	defer m.on.less()
	c.setHandle(3, spec.MESSAGE_NULL)
	b, scratch := v.room()
	end := func(st comm.Status, err error) (comm.Status, error) {
		if scratch {
			v.unpack(b[:min(st.Bytes, len(b))])
		}
		return st, err
	}
	if starts {
		return c.newRequest(4, &request{r: m.m.Imrecv(b), on: m.on, end: end})
	}
	st, err := end(m.m.Mrecv(b))
	c.statusAt(4).put(&st)
	return concerning(target{commKind, m.on.handle}, err)
}

// getCount is Get_count: status, type, count.
func getCount(c call) error {
	s := c.statusAt(0)
	if s == nil {
		return bad(spec.ERR_ARG, "status is a null pointer")
	}
	t, err := c.datatype(1)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	switch {
	case t.size == 0 && s.bytes == 0:
		c.setLarge(2, 0)
	case t.size == 0 || s.bytes%int64(t.size) != 0:
		c.setLarge(2, spec.UNDEFINED)
	default:
		c.setLarge(2, int(s.bytes)/t.size)
	}
	return nil
}

// getElements is Get_elements and Get_elements_x: status, type, count.
func getElements(c call) error {
	s := c.statusAt(0)
	if s == nil {
		return bad(spec.ERR_ARG, "status is a null pointer")
	}
	t, err := c.datatype(1)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	n, whole := t.elementsIn(int(s.bytes))
	if s.elements > 0 {
		n, whole = int(s.elements)-1, true
	}
	if !whole {
		n = spec.UNDEFINED
	}
	if c.f.Name == "Get_elements_x" {
		c.setLong(2, n)
	} else {
		c.setLarge(2, n)
	}
	return nil
}

// elementsIn is how many basic elements so many bytes of the type are, and whether the last one is whole.
func (t *dtype) elementsIn(bytes int) (n int, whole bool) {
	if t.size == 0 {
		return 0, bytes == 0
	}
	if t.unit > 0 {
		return bytes / t.unit, bytes%t.unit == 0
	}
	_, n, rest := t.l.Count(bytes)
	return n, rest == 0
}
