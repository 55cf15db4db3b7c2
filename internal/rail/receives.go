package rail

import (
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

const (
	// srqFirst is how many shared receives there are at first; low-watermark events bring more.
	srqFirst = 64
	// spareRecvs are receives of a connection that no credit is given for: frames outside the stream use them.
	spareRecvs = 4
)

// receives are those that all connections share.
type receives struct {
	srq       verbs.SRQ
	recvPool  *pool
	given     int  // how many there are
	surplus   int  // of these, to be taken back as they come in
	unarmed   bool // the low watermark is to be set again, once there are enough
	repost    []verbs.RecvWR
	repostSGE []verbs.SGE
	oneSGE    [1]verbs.SGE
	oneRecv   [1]verbs.RecvWR
}

// openSRQ makes the shared receive queue. Channels with receives of their own use it for bulk lanes only.
func (l *Link) openSRQ() (err error) {
	if l.srq, err = l.pd.NewSRQ(verbs.SRQConfig{Depth: l.cfg.SRQSize + l.cfg.RCRecvs*l.cfg.RCMax, Newest: true}); err != nil {
		return err
	}
	first := min(srqFirst, l.cfg.SRQSize)
	if l.traits.ownRecvs {
		first = min(8, first)
	}
	l.give(first)
	return l.srq.Limit(min(l.cfg.SRQLimit, first/2))
}

// give adds shared receives.
func (l *Link) give(n int) {
	l.recvPool.reserve(n)
	for range n {
		b := l.recvPool.get()
		if b == nil {
			break
		}
		l.given++
		l.post(b)
	}
	l.postReceives()
}

// giveMore adds receives beyond SRQSize, for a connection.
func (l *Link) giveMore(n int) {
	keep := min(n, l.surplus) // of a connection that is gone
	l.surplus -= keep
	l.give(n - keep)
}

// takeBack takes shared receives back as they come in: what is posted cannot be recalled.
func (l *Link) takeBack(n int) { l.surplus += n }

// refill: the low watermark was reached. More buffers are given until there are as many as may be.
func (l *Link) refill() {
	if l.given < l.cfg.SRQSize {
		l.give(min(l.given, l.cfg.SRQSize-l.given))
	}
	l.unarmed = true
	l.rearm()
}

// rearm asks for the next low-watermark event, once there are more receives than that.
func (l *Link) rearm() {
	if low := min(l.cfg.SRQLimit, l.given/2); l.srq.Len() > low {
		l.unarmed = l.srq.Limit(low) != nil
	}
}

// postShared posts a shared receive anew, unless there are too many.
func (l *Link) postShared(b *buffer) {
	if l.surplus == 0 {
		l.post(b)
		return
	}
	l.surplus--
	l.given--
	l.recvPool.put(b)
}

// post adds a buffer to the receives that postReceives posts.
func (l *Link) post(b *buffer) {
	l.repostSGE = append(l.repostSGE, verbs.SGE{Buf: b.mem, LKey: b.lkey})
	l.repost = append(l.repost, verbs.RecvWR{ID: b.receiveID()})
	if len(l.repost) == 32 {
		l.postReceives()
	}
}

func (l *Link) postReceives() {
	for i := range l.repost {
		l.repost[i].SGL = l.repostSGE[i : i+1]
	}
	if _, err := l.srq.PostRecv(l.repost); err != nil {
		l.Counters.PostErrors++
	}
	l.repost, l.repostSGE = l.repost[:0], l.repostSGE[:0]
	if l.unarmed {
		l.rearm()
	}
}

// replace posts a receive for one that was used: the same buffer, unless it is kept.
func (l *Link) replace(b *buffer, ln *lane, kept bool) {
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
		l.postShared(b)
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
	l.recvPool.reserve(n + extra - ln.recvs)
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
