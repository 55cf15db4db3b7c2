package rail

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

const (
	// srqFirst is how many shared receives there are at first; low-watermark events bring more.
	srqFirst = 64
	// spareRecvs are receives of a connection that no credit is given for: frames outside the stream use them.
	spareRecvs = 4
)

// receives are those that queue pairs share: all connections, and datagrams too where the device allows that.
type receives struct {
	link      *Link
	srq       verbs.SRQ
	given     int  // how many there are
	surplus   int  // of these, to be taken back as they come in
	unarmed   bool // the low watermark is to be set again, once there are enough
	repost    []verbs.RecvWR
	repostSGE []verbs.SGE
}

// openSRQ makes the shared receive queues. Channels with receives of their own use them for bulk lanes only.
func (l *Link) openSRQ() (err error) {
	depth := l.cfg.SRQSize + l.cfg.RCRecvs*l.cfg.RCMax
	if l.traits.climbs && !l.caps.SRQMixed {
		l.dgrams = new(receives)
		if err = l.dgrams.open(l, l.cfg.SRQSize); err != nil {
			return err
		}
	}
	return l.receives.open(l, min(depth, l.caps.MaxDepth))
}

// open makes the queue, with the first receives in it. Without any, no peer would ever be heard.
func (r *receives) open(l *Link, depth int) (err error) {
	r.link = l
	if r.srq, err = l.pd.NewSRQ(verbs.SRQConfig{Depth: depth, Newest: true}); err != nil {
		return err
	}
	first := min(srqFirst, l.cfg.SRQSize)
	if l.traits.ownRecvs {
		first = min(8, first)
	}
	if err = l.recvPool.reserve(first); err != nil {
		return fmt.Errorf("rail: memory for %d receives of %d bytes: %w", first, l.cfg.Vbuf, err)
	}
	r.give(first)
	return r.srq.Limit(min(l.cfg.SRQLimit, first/2))
}

// home is where the receives come from that a queue pair uses.
func (l *Link) home(qp uint32) *receives {
	if l.dgramQP != nil && qp == l.dgramNum {
		return l.ofDatagrams()
	}
	return &l.receives
}

// ofDatagrams is where those of datagrams come from.
func (l *Link) ofDatagrams() *receives {
	if l.dgrams != nil {
		return l.dgrams
	}
	return &l.receives
}

// give adds shared receives.
func (r *receives) give(n int) {
	pool := r.link.recvPool
	_ = pool.reserve(n)
	for range n {
		b := pool.get()
		if b == nil {
			break
		}
		r.given++
		r.post(b)
	}
	r.postReceives()
}

// giveMore adds receives beyond SRQSize, for a connection.
func (r *receives) giveMore(n int) {
	keep := min(n, r.surplus) // of a connection that is gone
	r.surplus -= keep
	r.give(n - keep)
}

// takeBack takes shared receives back as they come in: what is posted cannot be recalled.
func (r *receives) takeBack(n int) { r.surplus += n }

// refill: the low watermark was reached. More buffers are given until there are as many as may be.
func (r *receives) refill() {
	if most := r.link.cfg.SRQSize; r.given < most {
		r.give(min(r.given, most-r.given))
	}
	r.unarmed = true
	r.rearm()
}

// rearm asks for the next low-watermark event, once there are more receives than that.
func (r *receives) rearm() {
	if low := min(r.link.cfg.SRQLimit, r.given/2); r.srq.Len() > low {
		r.unarmed = r.srq.Limit(low) != nil
	}
}

// postShared posts a shared receive anew, unless there are too many.
func (r *receives) postShared(b *buffer) {
	if r.surplus == 0 {
		r.post(b)
		return
	}
	r.surplus--
	r.given--
	b.pool.put(b)
}

// post adds a buffer to the receives that postReceives posts.
func (r *receives) post(b *buffer) {
	r.repostSGE = append(r.repostSGE, verbs.SGE{Buf: b.mem, LKey: b.lkey})
	r.repost = append(r.repost, verbs.RecvWR{ID: b.receiveID()})
	if len(r.repost) == 32 {
		r.postReceives()
	}
}

// postSome posts what has gathered, unless it is little and there was something else to do: an answer should not wait
// for it.
func (r *receives) postSome(moved bool) {
	if n := len(r.repost); n > r.given/8 || n > 0 && !moved {
		r.postReceives()
	}
}

func (r *receives) postReceives() {
	for i := range r.repost {
		r.repost[i].SGL = r.repostSGE[i : i+1]
	}
	if _, err := r.srq.PostRecv(r.repost); err != nil {
		r.link.Counters.PostErrors++
	}
	r.repost, r.repostSGE = r.repost[:0], r.repostSGE[:0]
	if r.unarmed {
		r.rearm()
	}
}

// replace posts a receive for one that was used: the same buffer, unless it is kept.
func (r *receives) replace(b *buffer, ln *lane, kept bool) {
	l := r.link
	if kept {
		b = l.recvPool.get()
		if b == nil {
			return
		}
	}
	if ln != nil && ln.recvs > 0 && ln.state != closed {
		ln.repost(b)
		return
	}
	if ln == nil || ln.recvs == 0 {
		r.postShared(b)
		return
	}
	l.recvPool.put(b)
}

// provide posts n receives of the lane's own, and some more for frames outside the stream.
func (ln *lane) provide(n int) {
	l := ln.peer.link
	extra := 0
	if ln.recvs == 0 {
		extra = spareRecvs
	}
	_ = l.recvPool.reserve(n + extra - ln.recvs)
	for range n + extra - ln.recvs {
		b := l.recvPool.get()
		if b == nil {
			break
		}
		ln.repost(b)
	}
	ln.recvs = n
	ln.peer.in.Grant(n, l.now)
}

func (ln *lane) repost(b *buffer) {
	l := ln.peer.link
	l.oneSGE[0] = verbs.SGE{Buf: b.mem, LKey: b.lkey}
	l.oneRecv[0] = verbs.RecvWR{ID: b.receiveID(), SGL: l.oneSGE[:]}
	if n, _ := ln.qp.PostRecv(l.oneRecv[:]); n != 1 {
		b.pool.put(b)
		return
	}
	ln.posted = append(ln.posted, b)
}

// earned: a frame has come over the lane.
func (ln *lane) earned() {
	if p := ln.peer; ln == p.express && ln.state == up {
		p.link.carrier.earn(p, ln)
	}
}

// took: a receive of the lane's own has been used.
func (ln *lane) took(b *buffer) {
	if i := slices.Index(ln.posted, b); i >= 0 {
		ln.posted = slices.Delete(ln.posted, i, i+1)
	}
}
