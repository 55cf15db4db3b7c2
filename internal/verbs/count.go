package verbs

import (
	"errors"
	"strings"
	"sync/atomic"
)

// Count wraps a device and counts what is asked of it and what comes back: for each operation the work requests
// posted, their bytes and how many completed well; failures by status; regions and registered bytes, now and at
// most; polls, and how many of them found nothing. Counters lists all of it after the inner device's own. Nothing
// is allocated on the way of a message.
func Count(dev Device) Device { return &wrapDevice{Device: dev, layer: new(counting)} }

type counting struct {
	passLayer
	ops           [RecvHead + 1]opCount
	failed        [Partial + 1]atomic.Uint64
	regions       atomic.Uint64
	now, peak     atomic.Int64
	polls, empty  atomic.Uint64
	refused, full atomic.Uint64
	events        atomic.Uint64
}

// opCount counts one operation. Bytes are those of the posted lists.
type opCount struct{ posted, bytes, completed atomic.Uint64 }

func (c *counting) postSend(q *wrapQP, wrs []SendWR) (int, error) {
	n, err := q.QP.PostSend(wrs)
	for i := range wrs[:n] {
		c.post(wrs[i].Op, wrs[i].SGL)
	}
	c.refuse(err)
	return n, err
}

func (c *counting) postRecv(r receiver, wrs []RecvWR) (int, error) {
	n, err := r.pass(wrs)
	for i := range wrs[:n] {
		c.post(Recv, wrs[i].SGL)
	}
	c.refuse(err)
	return n, err
}

func (c *counting) post(op Op, sgl []SGE) {
	if int(op) < len(c.ops) {
		c.ops[op].posted.Add(1)
		c.ops[op].bytes.Add(uint64(listLen(sgl)))
	}
}

func (c *counting) refuse(err error) {
	switch {
	case err == nil:
	case errors.Is(err, ErrFull):
		c.full.Add(1)
	default:
		c.refused.Add(1)
	}
}

// listLen is how many bytes a list has.
func listLen(sgl []SGE) (n int) {
	for i := range sgl {
		n += len(sgl[i].Buf)
	}
	return n
}

func (c *counting) poll(q *wrapCQ, out []Completion) int {
	n := q.CQ.Poll(out)
	c.polls.Add(1)
	if n == 0 {
		c.empty.Add(1)
	}
	for i := range out[:n] {
		switch done := &out[i]; {
		case done.Status == OK && int(done.Op) < len(c.ops):
			c.ops[done.Op].completed.Add(1)
		case int(done.Status) < len(c.failed):
			c.failed[done.Status].Add(1)
		}
	}
	return n
}

func (c *counting) pollEvents(d *wrapDevice, out []Event) int {
	n := d.Device.PollEvents(out)
	c.events.Add(uint64(n))
	return n
}

func (c *counting) registered(m *wrapMR, _ Access) {
	c.regions.Add(1)
	now := c.now.Add(int64(len(m.Bytes())))
	for peak := c.peak.Load(); now > peak && !c.peak.CompareAndSwap(peak, now); {
		peak = c.peak.Load()
	}
}

func (c *counting) closed(m *wrapMR) { c.now.Add(-int64(len(m.Bytes()))) }

// counters lists every operation and status, counted or not, so that the order is fixed.
func (c *counting) counters(yield func(string, uint64) bool) {
	ok := true
	put := func(name string, n uint64) { ok = ok && yield("count_"+name, n) }
	for op := Send; op <= RecvHead; op++ {
		name, n := strings.ToLower(op.String()), &c.ops[op]
		if op <= Recv {
			put(name+"_posted", n.posted.Load())
			put(name+"_bytes", n.bytes.Load())
		}
		put(name+"_completed", n.completed.Load())
	}
	for s := LocalLength; s <= Partial; s++ {
		put("failed_"+strings.ToLower(s.String()), c.failed[s].Load())
	}
	put("posts_full", c.full.Load())
	put("posts_refused", c.refused.Load())
	put("registrations", c.regions.Load())
	put("registered_bytes", uint64(c.now.Load()))
	put("registered_bytes_peak", uint64(c.peak.Load()))
	put("polls", c.polls.Load())
	put("polls_empty", c.empty.Load())
	put("events", c.events.Load())
}
