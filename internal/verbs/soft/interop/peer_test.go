package interop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// Commands of tools/interop/siwpeer.c.
const (
	cmdInfo = iota + 1
	cmdFill
	cmdCheck
	cmdRecv
	cmdSend
	cmdSendSE
	cmdWrite
	cmdRead
	cmdClose
	cmdAbort
	cmdSendInv
	cmdStarve
)

// direction says who connects to whom.
type direction int

const (
	weConnect direction = iota
	siwConnects
)

func (d direction) String() string { return [...]string{"we connect", "siw connects"}[d] }

// settings of both sides.
type settings struct {
	name string
	siw  siwSettings
	ours soft.Config
}

// peer is a connection between an End of ours and siwpeer in the guest.
type peer struct {
	*End
	program *program
	window  uint64 // siwpeer's memory, and its key
	key     uint32
	answer  []byte // private data of who accepted, or of who asked when siw did
}

const noteSize = 24

// pattern fills b with the bytes that siwpeer makes of a seed.
func pattern(b []byte, seed uint32) {
	for i := range b {
		b[i] = byte(seed*31 + uint32(i)*7 + uint32(i)>>8)
	}
}

func differs(b []byte, seed uint32) error {
	for i := range b {
		if want := byte(seed*31 + uint32(i)*7 + uint32(i)>>8); b[i] != want {
			return fmt.Errorf("byte %d of %d is %#x, not %#x", i, len(b), b[i], want)
		}
	}
	return nil
}

// openEnd opens a device towards the guest, with a queue pair.
func (g *guest) openEnd(cfg soft.Config) (*End, error) {
	cfg.Rails = []netip.Addr{g.rail}
	dev, err := soft.Open(cfg)
	if err != nil {
		return nil, err
	}
	return NewEnd(dev, verbs.QPConfig{Type: verbs.RC, Reads: 8, ReadsIn: 8})
}

// meet makes a connection with siwpeer; ours and theirs are the private data of each side.
func (g *guest) meet(d direction, s *settings, ours, theirs string) (*peer, error) {
	if err := g.set(s.siw); err != nil {
		return nil, err
	}
	end, err := g.openEnd(s.ours)
	if err != nil {
		return nil, err
	}
	p := &peer{End: end}
	if d == weConnect {
		err = p.connect(g, ours, theirs)
	} else {
		err = p.accept(g, ours, theirs)
	}
	if err != nil {
		end.Close()
		return nil, err
	}
	return p, nil
}

func (p *peer) connect(g *guest, ours, theirs string) (err error) {
	if p.program, err = g.start(portPeer, "siwpeer", fmt.Sprintf("/share/siwpeer listen %d '%s'", portPeer, theirs)); err != nil {
		return err
	}
	if p.answer, err = p.End.Connect(netip.AddrPortFrom(g.addr, portPeer), []byte(ours)); err != nil {
		return err
	}
	settle()
	return p.command(cmdInfo, 0, 0, 0, 0)
}

func (p *peer) accept(g *guest, ours, theirs string) error {
	l, err := p.Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		return err
	}
	defer l.Close()
	if p.program, err = g.start(0, "siwpeer", fmt.Sprintf("/share/siwpeer connect %s %d '%s'", g.host, l.Addr().Port(), theirs)); err != nil {
		return err
	}
	r, err := p.Request()
	if err != nil {
		return err
	}
	p.answer = append([]byte(nil), r.Private()...)
	if err := p.End.Accept(r, []byte(ours)); err != nil {
		return err
	}
	return p.status(cmdInfo)
}

// tell sends a command without waiting for the answer.
func (p *peer) tell(cmd, size, seed uint32, addr uint64, key uint32) error {
	b := binary.BigEndian.AppendUint32(nil, cmd)
	b = binary.BigEndian.AppendUint32(b, size)
	b = binary.BigEndian.AppendUint64(b, addr)
	b = binary.BigEndian.AppendUint32(b, key)
	b = binary.BigEndian.AppendUint32(b, seed)
	return p.Send(b)
}

// command has siwpeer do something and waits for its answer.
func (p *peer) command(cmd, size, seed uint32, addr uint64, key uint32) error {
	if err := p.tell(cmd, size, seed, addr, key); err != nil {
		return err
	}
	return p.status(cmd)
}

// status waits for siwpeer's answer to a command.
func (p *peer) status(cmd uint32) error {
	b, _, err := p.Receive()
	if err != nil {
		return fmt.Errorf("answer of siwpeer: %w", err)
	}
	if len(b) != noteSize || binary.BigEndian.Uint32(b) != cmd {
		return fmt.Errorf("siwpeer answers %d bytes %x to command %d", len(b), b[:min(len(b), noteSize)], cmd)
	}
	p.window, p.key = binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint32(b[16:])
	if status := binary.BigEndian.Uint32(b[4:]); status != 0 {
		return fmt.Errorf("siwpeer finds byte %d wrong", status-1)
	}
	return nil
}

// part closes the connection in order and wants siwpeer to have seen just that.
func (p *peer) part() error {
	defer p.Close()
	if err := p.QP.Disconnect(); err != nil {
		return err
	}
	out, err := p.program.succeed()
	if err == nil && !strings.Contains(out, "disconnected") {
		err = fmt.Errorf("siwpeer has not seen the end; it printed: %s", out)
	}
	return err
}

// complaint is what our device has to say of a connection that failed: the fault that it found, or
// that siw told it.
func (p *peer) complaint() string {
	var all []string
	for ev, ok := p.takeEvent(); ok; ev, ok = p.takeEvent() {
		all = append(all, (&EventError{ev}).Error())
	}
	if len(all) == 0 {
		return "no event"
	}
	return strings.Join(all, ", ")
}

// leave gives up a connection that is no longer needed, whatever its state, and returns what siwpeer printed.
func (p *peer) leave() (string, error) {
	err := p.Close()
	out, _, err2 := p.program.finish()
	return out, errors.Join(err, err2)
}
