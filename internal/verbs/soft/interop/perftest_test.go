package interop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"

	"github.com/weft-mpi/weft/internal/verbs"
)

// The programs of perftest (-R: connections by the connection manager) make two connections. On the first both sides
// exchange short messages, always the client's and then the server's; the second is the one that is measured. We say
// what such a program would say:
//
//	version, 16 bytes    MTU, 4 bytes    depth, 4 bytes    kind, 2 bytes    card, 56 bytes of zeros
//	the second connection
//	card of zeros    card, 3 or 4 times    the measured traffic    card    5 results of 8 bytes, for bandwidth    card
//
// A card tells where memory is: its key is at byte 16, its address at byte 24.

type perfKind int

const (
	perfSend perfKind = iota
	perfWrite
	perfRead
)

const (
	perfRounds = 5
	perfSize   = 4096
	perfPing   = 64 // bytes of a Send
	cardSize   = 56
	cardKey    = 16
	cardAddr   = 24
	beforeData = 5 // messages before the second connection
	perfTries  = 5 // in an emulated machine, perftest often finds the clock too unsteady and gives up
)

// command is how a program of perftest is called.
func (k perfKind) command(name string) string {
	size := perfSize
	if k == perfSend {
		size = perfPing
	}
	return fmt.Sprintf("%s -R -d siw0 -n %d -s %d", name, perfRounds, size)
}

// cards is how many messages there are between the second connection and the measured traffic.
func (k perfKind) cards() int {
	if k == perfSend {
		return 5
	}
	return 4
}

// errUnsteady is when perftest gives up because of its clock, which is no fault of ours.
var errUnsteady = errors.New("perftest finds the clock of the guest unsteady")

func retryUnsteady(f func() error) error {
	var err error
	for range perfTries {
		if err = f(); !errors.Is(err, errUnsteady) {
			return err
		}
	}
	return err
}

var unsteady = regexp.MustCompile(`(?i)correlation|cpu freq|clock`)

// perfResult is how a program of perftest ended.
func perfResult(prog *program, err error) error {
	out, code, err2 := prog.finish()
	if err2 != nil {
		return errors.Join(err, err2)
	}
	if code != 0 && unsteady.MatchString(out) {
		return errUnsteady
	}
	if code != 0 {
		err2 = fmt.Errorf("%s ended with code %d; it printed: %s", prog.name, code, out)
	}
	return errors.Join(err, err2)
}

func perftestServer(g *guest, name string, kind perfKind) error {
	return retryUnsteady(func() error {
		if err := g.set(usual.siw); err != nil {
			return err
		}
		control, err := g.openEnd(usual.ours)
		if err != nil {
			return err
		}
		defer control.Close()
		l, err := control.Dev.Listen(verbs.ListenConfig{})
		if err != nil {
			return err
		}
		prog, err := g.start(0, name, fmt.Sprintf("%s -p %d %s", kind.command(name), l.Addr().Port(), g.host))
		if err != nil {
			return err
		}
		return perfResult(prog, servePerftest(control, kind))
	})
}

// servePerftest is the server's part, until the client disconnects.
func servePerftest(control *End, kind perfKind) error {
	if err := welcome(control); err != nil {
		return err
	}
	data, err := NewEnd(control.Dev, verbs.QPConfig{Type: verbs.RC})
	if err != nil {
		return err
	}
	if err := mirror(control, data, beforeData); err != nil {
		return err
	}
	if err := welcome(data); err != nil {
		return err
	}
	if err := mirror(control, data, kind.cards()); err != nil {
		return err
	}
	if kind == perfSend {
		for range perfRounds {
			b, _, err := data.Receive()
			if err != nil || len(b) != perfPing {
				return fmt.Errorf("ping of %d bytes, %v", len(b), err)
			}
			if err := data.Send(b); err != nil {
				return err
			}
		}
	}
	var ended *StatusError
	if err := mirror(control, data, 100); !errors.As(err, &ended) || ended.Status != verbs.Flushed {
		return fmt.Errorf("wanted the client to disconnect, got: %v", err)
	}
	return nil
}

// mirror answers messages of the first connection with the same bytes, but with our key and address on cards.
func mirror(control, data *End, messages int) error {
	for i := range messages {
		b, _, err := control.Receive()
		if err != nil {
			return fmt.Errorf("message %d of perftest: %w", i, err)
		}
		if len(b) == cardSize && binary.BigEndian.Uint32(b[cardKey:]) != 0 {
			putCard(b, data)
		}
		if err := control.Send(b); err != nil {
			return err
		}
	}
	return nil
}

func putCard(b []byte, data *End) {
	binary.BigEndian.PutUint32(b[cardKey:], data.Window.RKey())
	binary.BigEndian.PutUint64(b[cardAddr:], data.Window.Addr())
}

var perfVersion = regexp.MustCompile(`[0-9]+\.[0-9]+`)

func perftestClient(g *guest, name string, kind perfKind) error {
	text, err := g.run(name + " -V || true")
	if err != nil {
		return err
	}
	version := perfVersion.FindString(text)
	return retryUnsteady(func() error {
		if err := g.set(usual.siw); err != nil {
			return err
		}
		prog, err := g.start(portPerftest, name, kind.command(name))
		if err != nil {
			return perfResult(prog, err)
		}
		control, err := g.reach(portPerftest, usual.ours)
		if err != nil {
			return perfResult(prog, err)
		}
		defer control.Close()
		return perfResult(prog, askPerftest(g, control, kind, version))
	})
}

// askPerftest is the client's part.
func askPerftest(g *guest, control *End, kind perfKind, version string) error {
	ask := func(b []byte) ([]byte, error) {
		if err := control.Send(b); err != nil {
			return nil, err
		}
		answer, _, err := control.Receive()
		return answer, err
	}
	hello := append([]byte(version), make([]byte, 16-len(version))...)
	for _, b := range [][]byte{hello, {0, 0, 0x10, 0}, {0, 0, 0, 0x40}, {'3', 0}, make([]byte, cardSize)} {
		if _, err := ask(b); err != nil {
			return err
		}
	}
	data, err := g.reach(portPerftest, usual.ours)
	if err != nil {
		return err
	}
	defer data.Close()
	card, theirs := make([]byte, cardSize), []byte(nil)
	for i := range kind.cards() {
		if theirs, err = ask(card); err != nil {
			return err
		}
		if i == 0 { // the first was all zeros
			putCard(card, data)
		}
	}
	if err := measured(data, kind, theirs); err != nil {
		return err
	}
	last := [][]byte{card}
	if kind != perfSend {
		result := make([]byte, 8)
		last = append(last, result, result, result, result, result, card)
	}
	for _, b := range last {
		if _, err := ask(b); err != nil {
			return err
		}
	}
	// The server disconnects too. We leave it to it: siw calls a Send failed if the connection ends before siw has
	// noticed that the Send is done.
	ev, err := control.Event()
	if err == nil && ev.Kind != verbs.Disconnected {
		err = &EventError{ev}
	}
	return err
}

// measured is the traffic that perftest would measure.
func measured(data *End, kind perfKind, card []byte) error {
	if len(card) != cardSize {
		return fmt.Errorf("perftest's card has %d bytes", len(card))
	}
	key, addr := binary.BigEndian.Uint32(card[cardKey:]), binary.BigEndian.Uint64(card[cardAddr:])
	for i := range uint32(perfRounds) {
		if kind == perfSend {
			pattern(data.Out.Bytes()[:perfPing], i)
			if err := data.Send(data.Out.Bytes()[:perfPing]); err != nil {
				return err
			}
			if b, _, err := data.Receive(); err != nil || len(b) != perfPing {
				return fmt.Errorf("pong of %d bytes, %v", len(b), err)
			}
			continue
		}
		op := verbs.Write
		if kind == perfRead {
			op = verbs.Read
		}
		if _, err := data.Do(verbs.SendWR{Op: op, SGL: data.Filled(perfSize), RemoteAddr: addr, RKey: key}); err != nil {
			return err
		}
	}
	return nil
}
