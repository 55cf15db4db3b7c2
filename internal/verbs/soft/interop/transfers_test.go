package interop

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// sizes of messages: around the pad, around what fits one TCP segment of an Ethernet, and the largest.
var sizes = []int{1, 2, 3, 4, 5, 24, 100, 1423, 1424, 1425, 1428, 1429, 1448, 4096, 65536, 1<<20 - 1, 1 << 20}

// transfers are the operations, each for one size. Seeds differ between sizes, so that old bytes are noticed.
var transfers = []struct {
	name string
	do   func(p *peer, size int, seed uint32) error
}{
	{"Send to siw", sendTo},
	{"Send from siw", sendFrom},
	{"Send with solicited event from siw", sendSolicitedFrom},
	{"Send with invalidate from siw", sendInvalidateFrom},
	{"Write to siw", writeTo},
	{"Write from siw", writeFrom},
	{"Read from siw", readFrom},
	{"Read by siw", readBy},
}

func allSizes(p *peer, do func(*peer, int, uint32) error) error {
	for i, size := range sizes {
		if err := do(p, size, uint32(i+1)); err != nil {
			return fmt.Errorf("%d bytes: %w", size, err)
		}
	}
	return nil
}

func sendTo(p *peer, size int, seed uint32) error {
	if err := p.tell(cmdRecv, uint32(size), seed, 0, 0); err != nil {
		return err
	}
	pattern(p.Out.Bytes()[:size], seed)
	if _, err := p.Do(verbs.SendWR{Op: verbs.Send, SGL: p.Filled(size)}); err != nil {
		return err
	}
	return p.status(cmdRecv)
}

func receiveData(p *peer, cmd uint32, size int, seed uint32, marks verbs.Marks) error {
	if err := p.tell(cmd, uint32(size), seed, 0, 0); err != nil {
		return err
	}
	b, c, err := p.Receive()
	if err != nil {
		return err
	}
	if len(b) != size || c.Marks != marks {
		return fmt.Errorf("received %d bytes with marks %b, not %b", len(b), c.Marks, marks)
	}
	if err := differs(b, seed); err != nil {
		return err
	}
	return p.status(cmd)
}

func sendFrom(p *peer, size int, seed uint32) error { return receiveData(p, cmdSend, size, seed, 0) }

func sendSolicitedFrom(p *peer, size int, seed uint32) error {
	return receiveData(p, cmdSendSE, size, seed, verbs.WasSolicited)
}

// sendInvalidateFrom: whatever key a program asks for, siw sends 0, which invalidates nothing.
func sendInvalidateFrom(p *peer, size int, seed uint32) error {
	return receiveData(p, cmdSendInv, size, seed, verbs.Invalidated)
}

func writeTo(p *peer, size int, seed uint32) error {
	pattern(p.Out.Bytes()[:size], seed)
	if _, err := p.Do(verbs.SendWR{Op: verbs.Write, SGL: p.Filled(size), RemoteAddr: p.window, RKey: p.key}); err != nil {
		return err
	}
	return p.command(cmdCheck, uint32(size), seed, 0, 0)
}

func writeFrom(p *peer, size int, seed uint32) error {
	clear(p.Window.Bytes())
	if err := p.command(cmdWrite, uint32(size), seed, p.Window.Addr(), p.Window.RKey()); err != nil {
		return err
	}
	return differs(p.Window.Bytes()[:size], seed)
}

func readFrom(p *peer, size int, seed uint32) error {
	if err := p.command(cmdFill, uint32(size), seed, 0, 0); err != nil {
		return err
	}
	clear(p.Out.Bytes())
	if _, err := p.Do(verbs.SendWR{Op: verbs.Read, SGL: p.Filled(size), RemoteAddr: p.window, RKey: p.key}); err != nil {
		return err
	}
	return differs(p.Out.Bytes()[:size], seed)
}

func readBy(p *peer, size int, seed uint32) error {
	pattern(p.Window.Bytes()[:size], seed)
	return p.command(cmdRead, uint32(size), seed, p.Window.Addr(), p.Window.RKey())
}

// flood posts many short Writes at a time, of all sizes modulo 4, so that TCP would cut everywhere if it were let; they
// lie side by side in siw's window, which is compared at the end.
func flood(p *peer) error {
	const rounds, batch, longest = 150, 24, 251
	const seed = 99
	pattern(p.Out.Bytes()[:WindowSize], seed)
	at := 0
	for r := range rounds {
		var wrs []verbs.SendWR
		for i := range batch {
			n := 1 + (r*batch+i)*7%longest
			sge := verbs.SGE{Buf: p.Out.Bytes()[at : at+n], LKey: p.Out.LKey()}
			wrs = append(wrs, verbs.SendWR{Op: verbs.Write, SGL: []verbs.SGE{sge}, RemoteAddr: p.window + uint64(at), RKey: p.key})
			at += n
		}
		if err := p.DoAll(wrs); err != nil {
			return err
		}
	}
	return p.command(cmdCheck, uint32(at), seed, 0, 0)
}
