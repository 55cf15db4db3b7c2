package interop

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// endingGroup is about how connections end.
func endingGroup(g *guest, way direction) group {
	with := func(f func(*peer) error) func(*peer) error {
		return func(*peer) error {
			p, err := g.meet(way, &usual, "", "")
			if err != nil {
				return err
			}
			return f(p)
		}
	}
	return group{name: "endings", way: way, cases: []testCase{
		{"orderly, by us", with((*peer).part)},
		{"orderly, by siw", with(endedBySiw(cmdClose))},
		{"abrupt, by us", with(droppedByUs)},
		{"abrupt, by siw", with(endedBySiw(cmdAbort))},
		{"orderly, by us right after a megabyte", with(partAfterSend)},
	}}
}

// endedBySiw has siwpeer end the connection by a command; we must be told, and our receives flushed.
func endedBySiw(cmd uint32) func(*peer) error {
	return func(p *peer) error {
		defer p.Close()
		if err := p.tell(cmd, 0, 0, 0, 0); err != nil {
			return err
		}
		ev, err := p.Event()
		if err != nil {
			return err
		}
		if ev.Kind != verbs.Disconnected && (cmd == cmdClose || ev.Kind != verbs.QPFatal) {
			return &EventError{ev}
		}
		_, c, err := p.Receive()
		if c.Status != verbs.Flushed {
			return fmt.Errorf("a receive after the end: %v, %v", c.Status, err)
		}
		_, err = p.program.succeed()
		return err
	}
}

// droppedByUs closes our device without a word.
func droppedByUs(p *peer) error {
	out, err := p.leave()
	if err == nil && !strings.Contains(out, "disconnected") {
		err = fmt.Errorf("siwpeer has not seen the end; it printed: %s", out)
	}
	return err
}

// partAfterSend disconnects right after a long Send: all of it must arrive before the end does.
func partAfterSend(p *peer) error {
	err := p.tell(cmdRecv, WindowSize, 77, 0, 0)
	pattern(p.Out.Bytes()[:WindowSize], 77)
	if err == nil {
		err = p.post(verbs.SendWR{Op: verbs.Send, SGL: p.Filled(WindowSize)})
	}
	if err == nil {
		err = p.QP.Disconnect()
	}
	out, _, err2 := p.program.finish()
	if err2 == nil && !strings.Contains(out, "received 1048576 bytes, right\n") {
		err2 = fmt.Errorf("siwpeer has not got it all; it printed: %s", out)
	}
	return errors.Join(err, err2, p.Close())
}

// faultGroup is about what one side does when the other does something wrong.
func faultGroup(g *guest, way direction) group {
	gr := group{name: "faults", way: way}
	for _, f := range oursToSiw {
		gr.cases = append(gr.cases, testCase{f.name, func(*peer) error { return f.run(g, way) }})
	}
	for _, f := range siwsToUs {
		gr.cases = append(gr.cases, testCase{f.name, func(*peer) error { return f.run(g, way) }})
	}
	return gr
}

// ourFault is something wrong that we do and that siw answers with a Terminate.
type ourFault struct {
	name string
	do   func(p *peer) error // posts it
	want []iwarp.Fault       // any of these
}

var oursToSiw = []ourFault{
	{"Write to an unknown key", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Write, SGL: p.Filled(6), RemoteAddr: p.window, RKey: p.key ^ 0x5a5a00})
	}, []iwarp.Fault{iwarp.FaultDDPSTag}},
	{"Write below the region", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Write, SGL: p.Filled(6), RemoteAddr: p.window - 3, RKey: p.key})
	}, []iwarp.Fault{iwarp.FaultDDPBounds}},
	{"Write beyond the region", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Write, SGL: p.Filled(6), RemoteAddr: p.window + WindowSize - 3, RKey: p.key})
	}, []iwarp.Fault{iwarp.FaultDDPBounds}},
	{"Read from an unknown key", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Read, SGL: p.Filled(32), RemoteAddr: p.window, RKey: p.key ^ 0x5a5a00})
	}, []iwarp.Fault{iwarp.FaultSTag}},
	{"Read beyond the region", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Read, SGL: p.Filled(32), RemoteAddr: p.window + WindowSize, RKey: p.key})
	}, []iwarp.Fault{iwarp.FaultBounds}},
	{"Send longer than the receive", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.Send, SGL: p.Filled(WindowSize + 100)})
	}, []iwarp.Fault{iwarp.FaultNoBuffer, iwarp.FaultTooLong}},
	{"Send without a receive", func(p *peer) error {
		// Nobody posts the receive of this command again, so that only those of siwpeer's start are left.
		if err := p.command(cmdStarve, 0, 0, 0, 0); err != nil {
			return err
		}
		for range 4 {
			if err := p.post(verbs.SendWR{Op: verbs.Send, SGL: p.Filled(0)}); err != nil {
				return err
			}
		}
		return p.post(verbs.SendWR{Op: verbs.Send, SGL: p.Filled(8)})
	}, []iwarp.Fault{iwarp.FaultNoBuffer}},
	{"Send that invalidates an unknown key", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.SendInvalidate, SGL: p.Filled(8), Invalidate: 0x11223344})
	}, []iwarp.Fault{iwarp.FaultInvalidateOperation, iwarp.FaultInvalidate}},
	// siw's way to say "unexpected opcode" cannot be told from what the standard calls FaultIRD.
	{"atomic, which siw does not know", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.FetchAdd, SGL: p.Filled(8), RemoteAddr: p.window, RKey: p.key, Swap: 1})
	}, []iwarp.Fault{iwarp.FaultOpcode, iwarp.FaultIRD}},
	{"immediate data, which siw does not know", func(p *peer) error {
		return p.post(verbs.SendWR{Op: verbs.WriteImm, SGL: p.Filled(8), RemoteAddr: p.window, RKey: p.key, Imm: 1})
	}, []iwarp.Fault{iwarp.FaultOpcode, iwarp.FaultIRD}},
}

// post posts a work request without waiting for it.
func (p *peer) post(wr verbs.SendWR) error {
	_, err := p.QP.PostSend([]verbs.SendWR{wr})
	return err
}

// run wants an event that carries the fault. siw sends its Terminate only if it is not sending something else, so a
// connection that ends without one is tried again.
func (f *ourFault) run(g *guest, way direction) error {
	const tries = 3
	var err error
	for range tries {
		var got iwarp.Fault
		if got, err = f.provoke(g, way); err != nil {
			return err
		}
		for _, want := range f.want {
			if got == want {
				return nil
			}
		}
		err = fmt.Errorf("siw's answer: %v", got)
		if !got.OK() {
			break
		}
	}
	return err
}

// provoke does it once and returns the fault that siw found.
func (f *ourFault) provoke(g *guest, way direction) (iwarp.Fault, error) {
	p, err := g.meet(way, &usual, "", "")
	if err != nil {
		return iwarp.Fault{}, err
	}
	if err := f.do(p); err != nil {
		_, err2 := p.leave()
		return iwarp.Fault{}, errors.Join(err, err2)
	}
	ev, err := p.Event()
	state := p.QP.State()
	if _, err2 := p.leave(); err != nil || err2 != nil {
		return iwarp.Fault{}, errors.Join(err, err2)
	}
	if ev.Kind != verbs.QPFatal && ev.Kind != verbs.Disconnected || state != verbs.Error {
		return iwarp.Fault{}, fmt.Errorf("the queue pair is in %v after %w", state, &EventError{ev})
	}
	return iwarp.FaultOf(ev.Err), nil
}

// siwFault is something wrong that siw does to us.
type siwFault struct {
	name string
	do   func(p *peer) error
	want iwarp.Fault
}

var siwsToUs = []siwFault{
	{"Write by siw to an unknown key", func(p *peer) error {
		return p.tell(cmdWrite, 16, 1, p.Window.Addr(), p.Window.RKey()+0x10101)
	}, iwarp.FaultDDPSTag},
	{"Write by siw beyond the region", func(p *peer) error {
		return p.tell(cmdWrite, 16, 1, p.Window.Addr()+WindowSize-8, p.Window.RKey())
	}, iwarp.FaultDDPBounds},
	{"Write by siw without the right to", func(p *peer) error {
		mr, err := p.Register(4096, verbs.LocalWrite|verbs.RemoteRead)
		if err != nil {
			return err
		}
		return p.tell(cmdWrite, 16, 1, mr.Addr(), mr.RKey())
	}, iwarp.FaultAccess},
	{"Read by siw from an unknown key", func(p *peer) error {
		return p.tell(cmdRead, 16, 1, p.Window.Addr(), p.Window.RKey()+0x10101)
	}, iwarp.FaultSTag},
	{"Read by siw beyond the region", func(p *peer) error {
		return p.tell(cmdRead, 16, 1, p.Window.Addr()+WindowSize-8, p.Window.RKey())
	}, iwarp.FaultBounds},
	{"Read by siw without the right to", func(p *peer) error {
		mr, err := p.Register(4096, verbs.LocalWrite|verbs.RemoteWrite)
		if err != nil {
			return err
		}
		return p.tell(cmdRead, 16, 1, mr.Addr(), mr.RKey())
	}, iwarp.FaultAccess},
}

// run wants our side to find the fault and siw's side to see the connection end.
func (f *siwFault) run(g *guest, way direction) error {
	p, err := g.meet(way, &usual, "", "")
	if err != nil {
		return err
	}
	if err := f.do(p); err != nil {
		_, err2 := p.leave()
		return errors.Join(err, err2)
	}
	ev, err := p.Event()
	out, _, err2 := p.program.finish()
	p.Close()
	if err != nil || err2 != nil {
		return fmt.Errorf("%w; siwpeer printed %q", errors.Join(err, err2), out)
	}
	if got := iwarp.FaultOf(ev.Err); ev.Kind != verbs.QPFatal || got != f.want {
		return fmt.Errorf("wanted the fault %v, got %w", f.want, &EventError{ev})
	}
	if !strings.Contains(out, "disconnected") && !strings.Contains(out, "failed") {
		return fmt.Errorf("siwpeer has not seen the end; it printed: %s", out)
	}
	return nil
}
