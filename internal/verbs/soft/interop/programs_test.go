package interop

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// programGroup has us play the other side of programs that come with the RDMA libraries.
func programGroup(g *guest, way direction) group {
	play := map[direction][]testCase{
		weConnect: {
			{"rping, we are the client", func(*peer) error { return rpingClient(g) }},
			{"ucmatose, we are the client", func(*peer) error { return ucmatoseClient(g) }},
			{"ib_send_lat, we are the client", func(*peer) error { return perftestClient(g, "ib_send_lat", perfSend) }},
			{"ib_write_bw, we are the client", func(*peer) error { return perftestClient(g, "ib_write_bw", perfWrite) }},
			{"ib_read_bw, we are the client", func(*peer) error { return perftestClient(g, "ib_read_bw", perfRead) }},
		},
		siwConnects: {
			{"rping, we are the server", func(*peer) error { return rpingServer(g) }},
			{"ucmatose, we are the server", func(*peer) error { return ucmatoseServer(g) }},
			{"ib_send_lat, we are the server", func(*peer) error { return perftestServer(g, "ib_send_lat", perfSend) }},
			{"ib_write_bw, we are the server", func(*peer) error { return perftestServer(g, "ib_write_bw", perfWrite) }},
			{"ib_read_bw, we are the server", func(*peer) error { return perftestServer(g, "ib_read_bw", perfRead) }},
		},
	}
	return group{name: "programs", way: way, cases: play[way]}
}

// peerToPeer are the settings for ucmatose, whose accepting side sends first.
var peerToPeer = allSettings[0]

// reach connects a new End to a program that listens in the guest, or is just about to.
func (g *guest) reach(port uint16, cfg soft.Config) (*End, error) {
	const tries = 20
	for i := 0; ; i++ {
		end, err := g.openEnd(cfg)
		if err != nil {
			return nil, err
		}
		_, err = end.Connect(netip.AddrPortFrom(g.addr, port), nil)
		settle()
		var ev *EventError
		switch {
		case err == nil:
			return end, nil
		case !errors.As(err, &ev) || ev.Event.Kind != verbs.ConnectFailed || i == tries:
			end.Close()
			return nil, err
		}
		end.Close()
	}
}

// welcome waits for a program in the guest to connect and accepts it; a listener is open on the device of the End.
func welcome(end *End) error {
	r, err := end.Request()
	if err != nil {
		return err
	}
	return end.Accept(r, nil)
}

const (
	rpingRounds = 5
	rpingSize   = 4000
)

// rpingNote tells rping where memory is, as it wants to be told: address, key, size.
func rpingNote(mr verbs.MR, at uint64, size uint32) []byte {
	b := binary.BigEndian.AppendUint64(nil, mr.Addr()+at)
	b = binary.BigEndian.AppendUint32(b, mr.RKey())
	return binary.BigEndian.AppendUint32(b, size)
}

// rpingClient offers memory that the server reads, then memory to which it writes the same bytes.
func rpingClient(g *guest) error {
	if err := g.set(usual.siw); err != nil {
		return err
	}
	prog, err := g.start(portRping, "rping", fmt.Sprintf("rping -s -C %d -S %d", rpingRounds, rpingSize))
	if err != nil {
		return err
	}
	end, err := g.reach(portRping, usual.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	source, sink := end.Window.Bytes()[:rpingSize], end.Window.Bytes()[rpingSize:][:rpingSize]
	for i := range uint32(rpingRounds) {
		// rping takes it for a text and writes it back up to the first zero.
		pattern(source, i)
		for j := range source {
			source[j] = 'A' + source[j]%32
		}
		source[rpingSize-1] = 0
		for _, at := range []uint64{0, rpingSize} {
			if err := end.Send(rpingNote(end.Window, at, rpingSize)); err != nil {
				return err
			}
			if _, _, err := end.Receive(); err != nil {
				return err
			}
		}
		if !bytes.Equal(source, sink) {
			return fmt.Errorf("round %d: rping wrote something else than it read", i)
		}
	}
	if err := end.QP.Disconnect(); err != nil {
		return err
	}
	// rping's server always ends with an error when the client disconnects; that it ends is enough.
	_, _, err = prog.finish()
	return err
}

// rpingServer reads the client's memory and writes it back; rping itself compares (-V).
func rpingServer(g *guest) error {
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
	prog, err := g.start(0, "rping", fmt.Sprintf("rping -c -V -a %s -p %d -C %d -S %d", g.host, l.Addr().Port(), rpingRounds, rpingSize))
	if err != nil {
		return err
	}
	if err := welcome(end); err != nil {
		return err
	}
	for range rpingRounds {
		for _, op := range []verbs.Op{verbs.Read, verbs.Write} {
			note, _, err := end.Receive()
			if err != nil {
				return err
			}
			if len(note) != 16 || binary.BigEndian.Uint32(note[12:]) > WindowSize {
				return fmt.Errorf("rping says %x, not address, key and size", note)
			}
			wr := verbs.SendWR{Op: op, SGL: end.Filled(int(binary.BigEndian.Uint32(note[12:]))),
				RemoteAddr: binary.BigEndian.Uint64(note), RKey: binary.BigEndian.Uint32(note[8:])}
			if _, err := end.Do(wr); err != nil {
				return err
			}
			// Go on, says a message whose bytes nobody looks at; they must not be those that go back.
			if _, err := end.Do(verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: end.Window.Bytes()[:16], LKey: end.Window.LKey()}}}); err != nil {
				return err
			}
		}
	}
	_, err = prog.succeed()
	return err
}

const (
	ucmatoseMessages = 10
	ucmatoseSize     = 3000
)

// ucmatoseClient receives first, although it has connected: the server's messages follow its ready-to-receive.
func ucmatoseClient(g *guest) error {
	if err := g.set(peerToPeer.siw); err != nil {
		return err
	}
	prog, err := g.start(portUcmatose, "ucmatose", fmt.Sprintf("ucmatose -c 1 -C %d -S %d", ucmatoseMessages, ucmatoseSize))
	if err != nil {
		return err
	}
	end, err := g.reach(portUcmatose, peerToPeer.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	// siw may have overlooked the ready-to-receive and wait for it, as we wait for ucmatose; this has it look again.
	if _, err := end.Do(verbs.SendWR{Op: verbs.Write}); err != nil {
		return err
	}
	if err := receiveMany(end); err != nil {
		return err
	}
	if err := sendMany(end); err != nil {
		return err
	}
	if ev, err := end.Event(); err != nil || ev.Kind != verbs.Disconnected {
		return fmt.Errorf("ucmatose did not disconnect: %v, %v", &EventError{ev}, err)
	}
	_, err = prog.succeed()
	return err
}

// ucmatoseServer sends first and disconnects when it has received.
func ucmatoseServer(g *guest) error {
	if err := g.set(peerToPeer.siw); err != nil {
		return err
	}
	end, err := g.openEnd(peerToPeer.ours)
	if err != nil {
		return err
	}
	defer end.Close()
	l, err := end.Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		return err
	}
	prog, err := g.start(0, "ucmatose", fmt.Sprintf("ucmatose -s %s -p %d -c 1 -C %d -S %d", g.host, l.Addr().Port(), ucmatoseMessages, ucmatoseSize))
	if err != nil {
		return err
	}
	if err := welcome(end); err != nil {
		return err
	}
	if err := sendMany(end); err != nil {
		return err
	}
	if err := receiveMany(end); err != nil {
		return err
	}
	if err := end.QP.Disconnect(); err != nil {
		return err
	}
	_, err = prog.succeed()
	return err
}

func receiveMany(end *End) error {
	for i := range ucmatoseMessages {
		b, _, err := end.Receive()
		if err != nil || len(b) != ucmatoseSize {
			return fmt.Errorf("message %d of ucmatose: %d bytes, %v", i, len(b), err)
		}
	}
	return nil
}

func sendMany(end *End) error {
	for range ucmatoseMessages {
		if _, err := end.Do(verbs.SendWR{Op: verbs.Send, SGL: end.Filled(ucmatoseSize)}); err != nil {
			return err
		}
	}
	return nil
}
