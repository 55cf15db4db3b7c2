package perf

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
)

// The control connection carries messages: four bytes of length, most significant first, then JSON. It is not part
// of any measurement. This is what the two ends say to each other, the client on the left:
//
//	hello  ->          who I am, a nonce
//	       <- hello    who I am, a nonce, proof that I know the key
//	proof  ->          proof that I know it too
//	open   ->          a way, and where my end of it is
//	       <- place    where my end is; the client now connects
//	       <- opened
//	run    ->          a batch
//	       <- ready    receives are posted; the client now starts
//	stop   ->          my part is complete
//	       <- done     what arrived, and whether the data was right
//	close  ->          a way that is no longer needed
//	       <- closed
//
// Instead of any answer there can be an error, which ends the session.
const controlVersion = 2

// maxMessage bounds one message; the largest lists the queue pairs of a way. maxGreeting does until
// the greeting is over: strangers get no memory.
const (
	maxMessage  = 1 << 20
	maxGreeting = 4 << 10
)

// word names a message.
type word string

const (
	sayHello  word = "hello"
	sayProof  word = "proof"
	sayCome   word = "come"
	sayOpen   word = "open"
	sayPlace  word = "place"
	sayOpened word = "opened"
	sayRun    word = "run"
	sayReady  word = "ready"
	sayStop   word = "stop"
	sayDone   word = "done"
	sayClose  word = "close"
	sayClosed word = "closed"
	sayError  word = "error"
)

// message is one message of the control connection; which parts are there depends on Say.
type message struct {
	Say   word   `json:"say"`
	Error string `json:"error,omitempty"`
	Hello *hello `json:"hello,omitempty"`
	ID    int    `json:"id,omitempty"` // of a way, counted from 0 in the order of opening
	Way   *Way   `json:"way,omitempty"`
	Place *place `json:"place,omitempty"`
	Batch *Batch `json:"batch,omitempty"`
	Tally *tally `json:"tally,omitempty"`
}

// hello is how the two ends get to know each other.
type hello struct {
	Version int    `json:"version"`
	Test    string `json:"test,omitempty"` // the client's
	Host    string `json:"host,omitempty"`
	Keyed   bool   `json:"keyed,omitempty"`
	Nonce   []byte `json:"nonce,omitempty"`
	Proof   []byte `json:"proof,omitempty"`
}

// place is where one end of a way can be reached.
type place struct {
	Listen netip.AddrPort `json:"listen,omitzero"` // RC, TCP: of the server
	QPs    []qpPlace      `json:"qps,omitempty"`   // UD, RD; UDP: one, without a number
	Addr   uint64         `json:"addr,omitempty"`  // remote address of the region
	RKey   uint32         `json:"rkey,omitempty"`
}

type qpPlace struct {
	Addr netip.AddrPort `json:"addr"`
	Num  uint32         `json:"num,omitempty"`
}

// tally is what the server has to say after a batch.
type tally struct {
	Received int   `json:"received"`          // messages that arrived there
	Elapsed  int64 `json:"elapsed,omitempty"` // nanoseconds its own sending took
	Sent     int   `json:"sent,omitempty"`
}

// writeMessage sends one message.
func writeMessage(w io.Writer, m message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(body) > maxMessage {
		return fmt.Errorf("a control message of %d bytes is too long", len(body))
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

// readMessage reads one message of at most longest bytes and checks that it has the parts its word promises.
func readMessage(r io.Reader, longest func() uint32) (message, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > longest() {
		return message{}, errors.New("what arrived on the control connection is not from weft verbs")
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return message{}, fmt.Errorf("control message: %w", err)
	}
	return m, m.check()
}

// check refuses messages that lack a part or hold a senseless one.
func (m message) check() error {
	missing := false
	var err error
	switch m.Say {
	case sayHello, sayProof:
		missing = m.Hello == nil
	case sayOpen:
		if missing = m.Way == nil || m.Place == nil; !missing {
			err = errors.Join(m.Way.check(), m.Place.check())
		}
	case sayPlace:
		if missing = m.Place == nil; !missing {
			err = m.Place.check()
		}
	case sayRun:
		missing = m.Batch == nil
	case sayDone:
		missing = m.Tally == nil
	case sayCome, sayOpened, sayReady, sayStop, sayClose, sayClosed, sayError:
	default:
		err = errors.New("unknown word")
	}
	if missing {
		err = errors.New("a part is missing")
	}
	if err != nil {
		return fmt.Errorf("control message %.20q: %w", m.Say, err)
	}
	return nil
}

func (p place) check() error {
	if len(p.QPs) > MaxQPs {
		return fmt.Errorf("%d queue pairs are too many", len(p.QPs))
	}
	for _, q := range p.QPs {
		if !q.Addr.IsValid() {
			return errors.New("a queue pair without an address")
		}
	}
	return nil
}
