package cm

import (
	"errors"
	"net/netip"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// next waits for an event of one of the kinds.
func next(t *testing.T, m *Manager, kinds ...Kind) Event {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		e, err := m.Next()
		if errors.Is(err, unix.EAGAIN) {
			unix.Poll([]unix.PollFd{{Fd: int32(m.FD()), Events: unix.POLLIN}}, 100)
			continue
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		for _, k := range kinds {
			if e.Kind == k {
				return e
			}
		}
		t.Fatalf("event %+v, want one of %v", e, kinds)
	}
	t.Fatalf("no event %v", kinds)
	return Event{}
}

// TestManager listens and looks for the way to the listener. It needs an RDMA device with the address in WEFT_RDMA_ADDR: `make
// interop` runs it in its guest. Connections need queue pairs; the device's tests make them.
func TestManager(t *testing.T) {
	text := os.Getenv("WEFT_RDMA_ADDR")
	if text == "" {
		t.Skip("needs an RDMA device: make interop")
	}
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Next(); !errors.Is(err, unix.EAGAIN) {
		t.Errorf("an event before there is anything: %v", err)
	}
	create := func(uid uint64) ID {
		id, err := m.Create(uid)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	listener, dialer := create(1), create(2)
	at := netip.AddrPortFrom(netip.MustParseAddr(text), 0)
	if err := errors.Join(m.Bind(listener, at), m.Listen(listener, 16)); err != nil {
		t.Fatal(err)
	}
	near, _, err := m.Addrs(listener)
	if err != nil || near.Addr() != at.Addr() || near.Port() == 0 {
		t.Fatalf("listening at %v, %v", near, err)
	}
	if err := m.Bind(create(3), near); !errors.Is(err, unix.EADDRINUSE) {
		t.Errorf("two listeners at %v: %v", near, err)
	}
	if err := m.ResolveAddr(dialer, near, 2000); err != nil {
		t.Fatal(err)
	}
	if e := next(t, m, AddrResolved); e.UID != 2 || e.ID != dialer {
		t.Errorf("event %+v", e)
	}
	if err := m.ResolveRoute(dialer, 2000); err != nil {
		t.Fatal(err)
	}
	next(t, m, RouteResolved)
	if _, far, err := m.Addrs(dialer); err != nil || far != near {
		t.Errorf("the far end is %v, %v, want %v", far, err, near)
	}
	if err := m.Connect(dialer, &Param{QP: 0xffffff}); err == nil {
		t.Error("a queue pair that is not there was connected")
	}
	if err := errors.Join(m.Destroy(dialer), m.Destroy(listener), m.Close()); err != nil {
		t.Error(err)
	}
}
