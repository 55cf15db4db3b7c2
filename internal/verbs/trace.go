package verbs

import (
	"fmt"
	"strings"
	"sync"
)

// Trace wraps a device and has line called with one line of text for everything that crosses the seam: work
// requests, completions, state changes, events, objects made and closed, regions. Lines come one at a time, without
// a line feed, in the form
//
//	post qp=5 Write id=7 len=64 sge=2 Signaled|Fence at=0x7f00000010 rkey=0x1203
//	done cq=2 qp=5 Write id=7 OK
//	state qp=5 Init->RTS
//
// Polls that find nothing are not traced. With a nil line nothing is: the device itself is returned.
func Trace(dev Device, line func(string)) Device {
	if line == nil {
		return dev
	}
	return &wrapDevice{Device: dev, layer: &tracing{line: line}}
}

type tracing struct {
	passLayer
	mu   sync.Mutex
	line func(string)
}

// say writes a line, with an error at its end if there is one.
func (t *tracing) say(err error, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if err != nil {
		text += ": " + err.Error()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line(text)
}

// postSend traces before it posts, so that completions come after. If not all are taken, a line says where it
// stopped and why.
func (t *tracing) postSend(q *wrapQP, wrs []SendWR) (int, error) {
	for i := range wrs {
		t.say(nil, "post qp=%d %s", q.Num(), describe(&wrs[i]))
	}
	n, err := q.QP.PostSend(wrs)
	if err != nil {
		t.say(err, "refused qp=%d id=%d and after", q.Num(), wrs[min(n, len(wrs)-1)].ID)
	}
	return n, err
}

func (t *tracing) postRecv(r receiver, wrs []RecvWR) (int, error) {
	for i := range wrs {
		t.say(nil, "recv %s=%d id=%d len=%d sge=%d", r.kind(), r.Num(), wrs[i].ID, listLen(wrs[i].SGL), len(wrs[i].SGL))
	}
	n, err := r.pass(wrs)
	if err != nil {
		t.say(err, "refused %s=%d id=%d and after", r.kind(), r.Num(), wrs[min(n, len(wrs)-1)].ID)
	}
	return n, err
}

// describe says what a work request asks for.
func describe(w *SendWR) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v id=%d len=%d sge=%d", w.Op, w.ID, listLen(w.SGL), len(w.SGL))
	if w.Flags != 0 {
		b.WriteString(" " + names(uint8(w.Flags), "Signaled", "Solicited", "Inline", "Fence"))
	}
	switch w.Op {
	case Write, WriteImm, WriteRecord, Read, FetchAdd, CompareSwap:
		fmt.Fprintf(&b, " at=%#x rkey=%#x", w.RemoteAddr, w.RKey)
	case SendInvalidate:
		fmt.Fprintf(&b, " invalidate=%#x", w.Invalidate)
	}
	switch w.Op {
	case WriteImm:
		fmt.Fprintf(&b, " imm=%#x", w.Imm)
	case FetchAdd:
		fmt.Fprintf(&b, " add=%d", w.Swap)
	case CompareSwap:
		fmt.Fprintf(&b, " compare=%d swap=%d", w.Compare, w.Swap)
	}
	if w.AH != nil {
		fmt.Fprintf(&b, " to=%v/%d", w.AH.Addr(), w.DestQP)
	}
	return b.String()
}

// names lists the names of the bits that are set.
func names(bits uint8, of ...string) string {
	var set []string
	for i, n := range of {
		if bits&(1<<i) != 0 {
			set = append(set, n)
		}
	}
	return strings.Join(set, "|")
}

func (t *tracing) poll(c *wrapCQ, out []Completion) int {
	n := c.CQ.Poll(out)
	for i := range out[:n] {
		t.say(nil, "done cq=%d %s", c.Num(), out[i].describe())
	}
	return n
}

// describe says what a completion reports; after a failure only what is meaningful then.
func (c *Completion) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "qp=%d %v id=%d %v", c.QP, c.Op, c.ID, c.Status)
	if c.Status != OK && c.Status != Partial {
		return b.String()
	}
	if c.Len > 0 || c.Op >= Recv {
		fmt.Fprintf(&b, " len=%d", c.Len)
	}
	if c.Op == Recv && c.Data != nil {
		b.WriteString(" borrowed")
	}
	if c.Marks&HasImm != 0 {
		fmt.Fprintf(&b, " imm=%#x", c.Imm)
	}
	if c.Marks&Invalidated != 0 || c.Op == RecvRecord {
		fmt.Fprintf(&b, " key=%#x", c.Key)
	}
	if c.Op == RecvRecord {
		fmt.Fprintf(&b, " at=%#x", c.Addr)
	}
	if c.Marks != 0 {
		b.WriteString(" " + names(uint8(c.Marks), "HasImm", "Invalidated", "WasSolicited", "LastPiece"))
	}
	if c.Src.IsValid() {
		fmt.Fprintf(&b, " from=%v/%d", c.Src, c.SrcQP)
	}
	return b.String()
}

func (t *tracing) modify(q *wrapQP, to State) error {
	from := q.QP.State()
	err := q.QP.Modify(to)
	t.say(err, "state qp=%d %v->%v", q.Num(), from, to)
	return err
}

func (t *tracing) pollEvents(d *wrapDevice, out []Event) int {
	n := d.Device.PollEvents(out)
	for i := range out[:n] {
		e := &out[i]
		text := fmt.Sprintf("event %v num=%d", e.Kind, e.Num)
		if e.Peer.IsValid() {
			text += fmt.Sprintf(" peer=%v", e.Peer)
		}
		if len(e.Private) > 0 {
			text += fmt.Sprintf(" private=%d", len(e.Private))
		}
		if e.Lost > 0 {
			text += fmt.Sprintf(" lost=%d", e.Lost)
		}
		t.say(e.Err, "%s", text)
	}
	return n
}

func (t *tracing) arm(c *wrapCQ, solicited bool) {
	t.say(nil, "arm cq=%d solicited=%t", c.Num(), solicited)
	c.CQ.Arm(solicited)
}

func (t *tracing) made(what string, num uint32, detail any) {
	t.say(nil, "open %s=%d %v", what, num, detail)
}

func (t *tracing) gone(what string, num uint32, err error) { t.say(err, "close %s=%d", what, num) }

func (t *tracing) registered(m *wrapMR, access Access) {
	t.say(nil, "register lkey=%#x rkey=%#x at=%#x len=%d %s", m.LKey(), m.RKey(), m.Addr(), len(m.Bytes()),
		names(uint8(access), "LocalWrite", "RemoteRead", "RemoteWrite", "RemoteAtomic"))
}

func (t *tracing) closed(m *wrapMR) {
	t.say(nil, "deregister lkey=%#x len=%d", m.LKey(), len(m.Bytes()))
}
