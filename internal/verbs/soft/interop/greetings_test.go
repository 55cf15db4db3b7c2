package interop

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs"
)

// greetingGroup is about private data and refusals.
func greetingGroup(g *guest, way direction) group {
	gr := group{name: "greetings", way: way}
	for _, n := range []int{0, 1, 4, 9, 100, 252} {
		gr.cases = append(gr.cases, testCase{fmt.Sprintf("private data of %d bytes", n), func(*peer) error { return exchange(g, way, n) }})
	}
	if way == weConnect {
		gr.cases = append(gr.cases, testCase{"refused by siw", func(*peer) error { return refusedBySiw(g) }},
			testCase{"nobody listens", func(*peer) error { return nobodyListens(g) }})
	} else {
		gr.cases = append(gr.cases, testCase{"refused by us", func(*peer) error { return refusedByUs(g) }},
			testCase{"we do not listen", func(*peer) error { return weDoNotListen(g) }})
	}
	return gr
}

// siwPrivate is how many bytes of private data siw can send: it counts them, and four of its own, in eight bits.
const siwPrivate = 251

// exchange connects with n bytes of private data each way.
func exchange(g *guest, way direction, n int) error {
	ours, theirs := strings.Repeat("w", n), strings.Repeat("s", min(n, siwPrivate))
	p, err := g.meet(way, &usual, ours, theirs)
	if err != nil {
		return err
	}
	if string(p.answer) != theirs {
		return errors.Join(fmt.Errorf("we got %q", p.answer), p.part())
	}
	if err := p.QP.Disconnect(); err != nil {
		return err
	}
	out, err := p.leave()
	if err == nil && n > 0 && !strings.Contains(out, "private "+ours+"\n") {
		err = fmt.Errorf("siwpeer got something else: %s", out)
	}
	return err
}

func refusedBySiw(g *guest) error {
	if err := g.set(usual.siw); err != nil {
		return err
	}
	end, err := g.openEnd(usual.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	prog, err := g.start(portPeer, "siwpeer", fmt.Sprintf("/share/siwpeer reject %d 'not you'", portPeer))
	if err != nil {
		return err
	}
	_, err = end.Connect(netip.AddrPortFrom(g.addr, portPeer), []byte("may I"))
	var got *EventError
	if !errors.As(err, &got) || got.Event.Kind != verbs.Rejected || string(got.Event.Private) != "not you" {
		return fmt.Errorf("wanted to be rejected with %q, got: %v", "not you", err)
	}
	out, err := prog.succeed()
	if err == nil && !strings.Contains(out, "private may I\n") {
		err = fmt.Errorf("siwpeer got something else: %s", out)
	}
	return err
}

func nobodyListens(g *guest) error {
	end, err := g.openEnd(usual.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	_, err = end.Connect(netip.AddrPortFrom(g.addr, portPeer), nil)
	var got *EventError
	if !errors.As(err, &got) || got.Event.Kind != verbs.ConnectFailed {
		return fmt.Errorf("wanted the connection to fail, got: %v", err)
	}
	return nil
}

func refusedByUs(g *guest) error {
	if err := g.set(usual.siw); err != nil {
		return err
	}
	end, err := g.openEnd(usual.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	l, err := end.Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		return err
	}
	prog, err := g.start(0, "siwpeer", fmt.Sprintf("/share/siwpeer connect %s %d 'may I'", g.host, l.Addr().Port()))
	if err != nil {
		return err
	}
	r, err := end.Request()
	if err != nil {
		return err
	}
	if string(r.Private()) != "may I" {
		return fmt.Errorf("siwpeer asks with %q", r.Private())
	}
	if err := r.Reject([]byte("not you")); err != nil {
		return err
	}
	out, err := prog.succeed()
	if err == nil && !strings.Contains(out, "rejected not you\n") {
		err = fmt.Errorf("siwpeer was not rejected; it printed: %s", out)
	}
	return err
}

func weDoNotListen(g *guest) error {
	end, err := g.openEnd(usual.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	l, err := end.Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		return err
	}
	port := l.Addr().Port()
	if err := l.Close(); err != nil {
		return err
	}
	prog, err := g.start(0, "siwpeer", fmt.Sprintf("/share/siwpeer connect %s %d", g.host, port))
	if err != nil {
		return err
	}
	out, code, err := prog.finish()
	if err == nil && (code == 0 || strings.Contains(out, "established")) {
		err = fmt.Errorf("siwpeer ended with code %d; it printed: %s", code, out)
	}
	return err
}
