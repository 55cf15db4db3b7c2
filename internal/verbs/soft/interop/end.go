package interop

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Sizes of what an End registers.
const (
	WindowSize = 1 << 20          // memory the peer may write and read
	slots      = 8                // receives posted
	slotSize   = WindowSize + 256 // bytes of each
)

// Patience is how long calls of an End wait before they fail.
const Patience = 20 * time.Second

// End is a queue pair on a device of its own, with memory and posted receives: one side of an RC connection, or a place
// to send datagrams from and to. Its calls wait for the outcome and are for one goroutine. Close closes the device too.
type End struct {
	Dev    verbs.Device
	QP     verbs.QP
	Window verbs.MR // the peer may do everything here
	Out    verbs.MR // what is sent, and where Reads land: as long as the window

	pd     verbs.PD
	sends  verbs.CQ
	recvs  verbs.CQ
	in     verbs.MR
	nextID uint64
	events []verbs.Event // taken from the device, not yet asked for
}

// NewEnd prepares a side on a device that it takes over: queue pair in Init, receives posted.
func NewEnd(dev verbs.Device, cfg verbs.QPConfig) (*End, error) {
	e := &End{Dev: dev}
	if err := e.open(cfg); err != nil {
		dev.Close()
		return nil, err
	}
	return e, nil
}

func (e *End) open(cfg verbs.QPConfig) (err error) {
	if e.pd, err = e.Dev.NewPD(); err != nil {
		return err
	}
	if e.sends, err = e.Dev.NewCQ(verbs.CQConfig{Depth: 64}); err != nil {
		return err
	}
	if e.recvs, err = e.Dev.NewCQ(verbs.CQConfig{Depth: 64}); err != nil {
		return err
	}
	everything := verbs.LocalWrite | verbs.RemoteRead | verbs.RemoteWrite | verbs.RemoteAtomic
	if e.Window, err = e.pd.Register(make([]byte, WindowSize), everything); err != nil {
		return err
	}
	if e.Out, err = e.pd.Register(make([]byte, WindowSize+4096), verbs.LocalWrite); err != nil {
		return err
	}
	if e.in, err = e.pd.Register(make([]byte, slots*slotSize), verbs.LocalWrite); err != nil {
		return err
	}
	cfg.SendCQ, cfg.RecvCQ, cfg.SendDepth, cfg.RecvDepth = e.sends, e.recvs, 32, slots
	if e.QP, err = e.pd.NewQP(cfg); err != nil {
		return err
	}
	if err = e.QP.Modify(verbs.Init); err != nil {
		return err
	}
	for i := range uint64(slots) {
		if err = e.postReceive(i); err != nil {
			return err
		}
	}
	return nil
}

// Register makes more memory known, of the same protection domain.
func (e *End) Register(size int, access verbs.Access) (verbs.MR, error) {
	return e.pd.Register(make([]byte, size), access)
}

func (e *End) slot(i uint64) []byte { return e.in.Bytes()[i*slotSize:][:slotSize] }

func (e *End) postReceive(i uint64) error {
	_, err := e.QP.PostRecv([]verbs.RecvWR{{ID: i, SGL: []verbs.SGE{{Buf: e.slot(i), LKey: e.in.LKey()}}}})
	return err
}

// Open makes a UD or RD queue pair ready and returns where it is reached.
func (e *End) Open() (netip.AddrPort, error) {
	err := e.QP.Modify(verbs.RTS)
	return e.QP.Addr(), err
}

// To names a destination for UD and RD.
func (e *End) To(addr netip.AddrPort) (verbs.AH, error) { return e.pd.NewAH(addr) }

// Connect connects to a listener and returns the private data of its answer.
func (e *End) Connect(to netip.AddrPort, private []byte) ([]byte, error) {
	if err := e.QP.Connect(to, private); err != nil {
		return nil, err
	}
	return e.established()
}

// Request waits for somebody who asks for a connection; a listener of the same device must be open.
func (e *End) Request() (verbs.ConnRequest, error) {
	ev, err := e.Event()
	if err != nil {
		return nil, err
	}
	if ev.Kind != verbs.ConnectRequest {
		return nil, fmt.Errorf("wanted a request for a connection: %w", &EventError{ev})
	}
	return ev.Request, nil
}

// Accept accepts a request for a connection and waits until it stands.
func (e *End) Accept(r verbs.ConnRequest, private []byte) error {
	if err := r.Accept(e.QP, private); err != nil {
		return err
	}
	_, err := e.established()
	return err
}

func (e *End) established() ([]byte, error) {
	ev, err := e.Event()
	if err != nil {
		return nil, err
	}
	if ev.Kind != verbs.Established {
		return nil, &EventError{ev}
	}
	return ev.Private, nil
}

// EventError is an event where another one was wanted.
type EventError struct{ Event verbs.Event }

func (e *EventError) Error() string {
	s := fmt.Sprintf("event %v", e.Event.Kind)
	if len(e.Event.Private) > 0 {
		s += fmt.Sprintf(" with private data %q", e.Event.Private)
	}
	if e.Event.Err != nil {
		s += ": " + e.Event.Err.Error()
	}
	return s
}

// Unwrap is the error that came with the event.
func (e *EventError) Unwrap() error { return e.Event.Err }

// Event waits for the next event of the device.
func (e *End) Event() (verbs.Event, error) {
	end := time.Now().Add(Patience)
	for {
		if ev, ok := e.takeEvent(); ok {
			return ev, nil
		}
		if time.Now().After(end) {
			return verbs.Event{}, fmt.Errorf("no event within %v; the queue pair is in %v", Patience, e.QP.State())
		}
		time.Sleep(time.Millisecond)
	}
}

func (e *End) takeEvent() (verbs.Event, bool) {
	if len(e.events) == 0 {
		var some [8]verbs.Event
		n := e.Dev.PollEvents(some[:])
		e.events = append(e.events, some[:n]...)
	}
	if len(e.events) == 0 {
		return verbs.Event{}, false
	}
	ev := e.events[0]
	e.events = e.events[1:]
	return ev, true
}

// StatusError is a work request that failed.
type StatusError struct {
	Op     verbs.Op
	Status verbs.Status
}

func (e *StatusError) Error() string { return fmt.Sprintf("%v ended with %v", e.Op, e.Status) }

// Do posts a work request and waits for its completion, which is an error if it failed.
func (e *End) Do(wr verbs.SendWR) (verbs.Completion, error) {
	e.nextID++
	wr.ID = e.nextID
	wr.Flags |= verbs.Signaled
	if _, err := e.QP.PostSend([]verbs.SendWR{wr}); err != nil {
		return verbs.Completion{}, err
	}
	c, err := e.completion(e.sends)
	if err == nil && c.ID != wr.ID {
		err = fmt.Errorf("completion of work request %d where that of %d was due", c.ID, wr.ID)
	}
	return c, err
}

// DoAll posts work requests together and waits for all of them; the first failure is returned.
func (e *End) DoAll(wrs []verbs.SendWR) error {
	for i := range wrs {
		e.nextID++
		wrs[i].ID = e.nextID
		wrs[i].Flags |= verbs.Signaled
	}
	if _, err := e.QP.PostSend(wrs); err != nil {
		return err
	}
	for range wrs {
		if _, err := e.completion(e.sends); err != nil {
			return err
		}
	}
	return nil
}

// Filled is the first n bytes of Out as a gather list.
func (e *End) Filled(n int) []verbs.SGE {
	return []verbs.SGE{{Buf: e.Out.Bytes()[:n], LKey: e.Out.LKey()}}
}

// Send sends a copy of b.
func (e *End) Send(b []byte) error {
	copy(e.Out.Bytes(), b)
	_, err := e.Do(verbs.SendWR{Op: verbs.Send, SGL: e.Filled(len(b))})
	return err
}

// Receive waits for a message and returns a copy of it; the receive is posted again. What was written elsewhere is not
// copied, and a piece of a record took no receive.
func (e *End) Receive() ([]byte, verbs.Completion, error) {
	c, err := e.completion(e.recvs)
	if err != nil {
		return nil, c, err
	}
	switch c.Op {
	case verbs.RecvRecord:
		return nil, c, nil
	case verbs.RecvImm:
		return nil, c, e.postReceive(c.ID)
	}
	return append([]byte(nil), e.slot(c.ID)[:c.Len]...), c, e.postReceive(c.ID)
}

func (e *End) completion(cq verbs.CQ) (verbs.Completion, error) {
	end := time.Now().Add(Patience)
	for {
		var one [1]verbs.Completion
		if cq.Poll(one[:]) == 1 {
			if one[0].Status != verbs.OK {
				return one[0], &StatusError{one[0].Op, one[0].Status}
			}
			return one[0], nil
		}
		left := time.Until(end)
		if left <= 0 {
			return verbs.Completion{}, fmt.Errorf("no completion within %v; the queue pair is in %v", Patience, e.QP.State())
		}
		cq.Wait(int64(left))
	}
}

// Close closes the device and everything on it, without a word to the peer.
func (e *End) Close() error { return e.Dev.Close() }
