package perf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// listen is called on the server before it tells its place.
func (e *endpoint) listen() error {
	if e.way.Kind != RC {
		return nil
	}
	var err error
	if e.lis, err = e.dev.Listen(verbs.ListenConfig{}); err != nil {
		return fmt.Errorf("listening for connections: %w", err)
	}
	return nil
}

// connect is implemented for the end interface: RC queue pairs are connected one after the other, each naming its
// lane in the private data; the others learn where their peers are.
func (e *endpoint) connect(to place, leads bool) error {
	e.remote = to
	if e.way.Kind != RC {
		return e.address(to.QPs)
	}
	for i := range e.lanes {
		var err error
		if leads {
			err = e.dial(&e.lanes[i])
		} else {
			err = e.accept()
		}
		if err != nil {
			return fmt.Errorf("connection %d of %d: %w", i+1, len(e.lanes), err)
		}
	}
	if e.lis != nil {
		return e.lis.Close()
	}
	return nil
}

// address gives every lane its peer. With one queue pair here and many there it becomes one lane per peer.
func (e *endpoint) address(peers []qpPlace) error {
	if len(peers) == 0 {
		return errors.New("the other end named no queue pairs")
	}
	for len(e.qps) == 1 && len(e.lanes) < len(peers) {
		e.lanes = append(e.lanes, lane{index: uint32(len(e.lanes)), qp: e.qps[0], slot: e.lanes[0].slot})
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		peer := peers[i%len(peers)]
		var err error
		if l.to, err = e.pd.NewAH(peer.Addr); err != nil {
			return fmt.Errorf("address handle for %v: %w", peer.Addr, err)
		}
		l.destQP = peer.Num
	}
	return nil
}

func (e *endpoint) dial(l *lane) error {
	if err := l.qp.Connect(e.remote.Listen, binary.BigEndian.AppendUint32(nil, l.index)); err != nil {
		return err
	}
	return e.established(l.qp)
}

func (e *endpoint) accept() error {
	ev, err := e.await(func(ev verbs.Event) bool { return ev.Kind == verbs.ConnectRequest && ev.Request != nil })
	if err != nil {
		return err
	}
	private := ev.Request.Private()
	if len(private) != 4 {
		return errors.Join(errors.New("a stranger connected"), ev.Request.Reject(nil))
	}
	at := binary.BigEndian.Uint32(private)
	if int(at) >= len(e.lanes) || e.lanes[at].qp.State() != verbs.Init {
		return errors.Join(fmt.Errorf("the peer connected to lane %d, which is not free", at), ev.Request.Reject(nil))
	}
	qp := e.lanes[at].qp
	if err := ev.Request.Accept(qp, nil); err != nil {
		return err
	}
	return e.established(qp)
}

func (e *endpoint) established(qp verbs.QP) error {
	_, err := e.await(func(ev verbs.Event) bool { return ev.Kind == verbs.Established && ev.Num == qp.Num() })
	return err
}

// await drives the device until the wanted event comes. Any other ends it.
func (e *endpoint) await(wanted func(verbs.Event) bool) (verbs.Event, error) {
	limit := time.Now().Add(patience)
	var one [1]verbs.Event
	for e.dev.PollEvents(one[:]) == 0 {
		switch {
		case e.c.called():
			return verbs.Event{}, errCalled
		case time.Now().After(limit):
			return verbs.Event{}, fmt.Errorf("nothing happened for %v", patience)
		}
		e.cq.Wait(int64(time.Millisecond))
	}
	ev := one[0]
	if wanted(ev) {
		return ev, nil
	}
	if ev.Err != nil {
		return ev, fmt.Errorf("%v: %w", ev.Kind, ev.Err)
	}
	return ev, fmt.Errorf("unexpected event %v", ev.Kind)
}
