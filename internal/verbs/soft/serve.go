package soft

import (
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// serveRead queues the answer to a Read.
func (s *session) serveRead(h *iwarp.Header, payload []byte) verdict {
	s.recvNum[iwarp.QueueRead]++
	var ok bool
	r := &s.request
	if *r, ok = iwarp.ParseReadRequest(payload); !ok {
		s.side.complain(iwarp.FaultMO, h, len(payload), nil)
		return over
	}
	f := iwarp.Fault{}
	switch {
	case len(s.replies) >= s.maxServ:
		f = iwarp.FaultStream
	case r.Size > maxMessage:
		f = iwarp.FaultBounds
	case r.Size > 0:
		_, _, err := s.dev.regions.Remote(s.to.pd.num, r.SourceSTag, r.SourceTO, int(r.Size), verbs.RemoteRead)
		f = readFault(err)
	}
	if !f.OK() {
		s.side.complain(f, h, len(payload), r)
		return over
	}
	return s.queueReply(reply{pd: s.to.pd.num, request: *r})
}

// serveAtomic carries out an atomic operation and queues its answer.
func (s *session) serveAtomic(h *iwarp.Header, payload []byte) verdict {
	s.recvNum[iwarp.QueueRead]++
	r, ok := iwarp.ParseAtomicRequest(payload)
	f := iwarp.Fault{}
	var old uint64
	switch {
	case !ok || !r.Op.Known():
		f = iwarp.FaultOpcode
	case len(s.replies) >= s.maxServ:
		f = iwarp.FaultStream
	default:
		old, f = s.dev.atomic(s.to.pd.num, &r)
	}
	if !f.OK() {
		s.side.complain(f, h, len(payload), nil)
		return over
	}
	return s.queueReply(reply{atomic: true, answer: iwarp.AtomicResponse{ID: r.ID, Old: old}})
}

// atomic changes 8 bytes of a region and returns what they were.
func (d *Device) atomic(pd uint32, r *iwarp.AtomicRequest) (uint64, iwarp.Fault) {
	buf, _, err := d.regions.Remote(pd, r.STag, r.TO, 8, verbs.RemoteAtomic)
	if err != nil {
		return 0, readFault(err)
	}
	word := (*uint64)(unsafe.Pointer(unsafe.SliceData(buf)))
	if uintptr(unsafe.Pointer(word))%8 != 0 {
		return 0, iwarp.FaultStream
	}
	for {
		old := atomic.LoadUint64(word)
		if next := r.Apply(old); next == old || atomic.CompareAndSwapUint64(word, old, next) {
			return old, iwarp.Fault{}
		}
	}
}

func (s *session) queueReply(r reply) verdict {
	s.replies = append(s.replies, r)
	if !s.side.proceed() {
		return over
	}
	return taken
}

// responded notes that bytes of the oldest Read are here.
func (s *session) responded(h *iwarp.Header, n int) {
	if w := s.asked[0].get(); w != nil {
		w.Extra += uint64(n)
	}
	if h.Last {
		s.answered(verbs.OK)
	}
}

// answered completes the oldest Read or atomic; others may go now.
func (s *session) answered(status verbs.Status) {
	a := s.asked[0]
	s.asked = append(s.asked[:0], s.asked[1:]...)
	if w := a.get(); w != nil {
		w.Done, w.Status = true, status
		a.q.sends.Retire(a.q.report)
	}
	if s.side.alive() {
		s.side.proceed()
	}
}

// atomicDone hands the old value to the oldest atomic.
func (s *session) atomicDone(h *iwarp.Header, payload []byte) verdict {
	s.recvNum[iwarp.QueueAtomic]++
	r, ok := iwarp.ParseAtomicResponse(payload)
	if ok && len(s.asked) > 0 && s.asked[0].orphan {
		s.answered(verbs.OK)
		return s.still()
	}
	if !ok || len(s.asked) == 0 || uint32(s.asked[0].number) != r.ID {
		s.side.complain(iwarp.FaultDDPLocal, h, len(payload), nil)
		return over
	}
	a := s.asked[0]
	w := a.get()
	if w == nil || w.WR.Op != verbs.FetchAdd && w.WR.Op != verbs.CompareSwap {
		s.side.complain(iwarp.FaultDDPLocal, h, len(payload), nil)
		return over
	}
	status := verbs.OK
	if s.dev.regions.LocalList(a.q.pd.num, w.WR.SGL, true) != nil {
		status = verbs.LocalProtection
	} else {
		putOld(w.WR.SGL, r.Old)
	}
	s.answered(status)
	return s.still()
}

// putOld scatters the old value of an atomic, in this host's order of bytes.
func putOld(list []verbs.SGE, old uint64) {
	value := *(*[8]byte)(unsafe.Pointer(&old))
	rest := value[:]
	for i := range list {
		rest = rest[copy(list[i].Buf, rest):]
	}
}
