package kernel

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// note is memory of a queue pair where its peer leaves word before it ends the connection in order. An iWARP
// device tells only that a connection has ended.
type note struct {
	memory []byte // what the peer writes, what is written at the peer, and what is read back there
	driver ibv.MR
}

const (
	noteWord = 8
	noteSize = 3 * noteWord
	echo     = 2 // the word into which the peer's is read
	farewell = 0x6672_7765_6c6c_0001
)

// noteAt is where a peer's note is.
type noteAt struct {
	addr uint64
	key  uint32
}

// newNote makes a note that the peer of a queue pair can write.
func (q *qp) newNote() error {
	if q.note != nil {
		return nil
	}
	n := &note{memory: make([]byte, noteSize)}
	binary.NativeEndian.PutUint64(n.memory[noteWord:], farewell)
	var err error
	if n.driver, err = q.pd.pin(n.memory, verbs.LocalWrite|verbs.RemoteWrite|verbs.RemoteRead); err != nil {
		return err
	}
	q.note = n
	return nil
}

// close gives it back.
func (n *note) close() error {
	if n == nil {
		return nil
	}
	return n.driver.Close()
}

// at is where it is.
func (n *note) at() noteAt { return noteAt{addressOf(n.memory), n.driver.RKey()} }

// left tells whether the peer has said that it leaves in order.
func (n *note) left() bool { return n != nil && binary.NativeEndian.Uint64(n.memory) == farewell }

// piece is one word of it.
func (n *note) piece(i int) []ibv.SGE {
	return []ibv.SGE{{Addr: addressOf(n.memory[i*noteWord:]), Length: noteWord, LKey: n.driver.LKey()}}
}

// parting has the driver tell by a completion of markID when all sends are done. On iWARP a Write is done
// when it is on its way, so the peer's note, which is written behind all sends, is read back.
func (q *qp) parting() error {
	if q.note == nil {
		*q.wr = ibv.SendWR{ID: markID, Op: ibv.OpWrite, Flags: ibv.SendSignaled} // of no bytes: it needs no key
		return q.driver.PostSend(q.wr)
	}
	for i, op := range []ibv.WROp{ibv.OpWrite, ibv.OpRead} {
		list := q.note.piece(1 + i)
		*q.wr = ibv.SendWR{ID: markID, Op: op, List: &list[0], Count: 1}
		if op == ibv.OpRead {
			q.wr.Flags = ibv.SendSignaled
		}
		q.wr.SetRemote(q.there.addr, q.there.key)
		if err := q.driver.PostSend(q.wr); err != nil {
			return fmt.Errorf("tell the peer: %w", err)
		}
	}
	return nil
}

// appendGreeting writes what peers say to each other through the connection manager: a kind, where the note
// is, and private data.
func appendGreeting(b []byte, kind frameKind, at noteAt, private []byte) []byte {
	b = binary.BigEndian.AppendUint64(append(b, byte(kind)), at.addr)
	return append(binary.BigEndian.AppendUint32(b, at.key), private...)
}

// parseGreeting reads it.
func parseGreeting(b []byte) (kind frameKind, at noteAt, private []byte, err error) {
	if len(b) < greetingSize || len(b) > greetingSize+maxPrivateCM {
		return 0, at, nil, errFrame
	}
	if kind = frameKind(b[0]); kind < frameRequest || kind > frameReject {
		return 0, at, nil, errFrame
	}
	return kind, noteAt{binary.BigEndian.Uint64(b[1:]), binary.BigEndian.Uint32(b[9:])}, b[greetingSize:], nil
}

const (
	greetingSize = 1 + 8 + 4
	maxPrivateCM = 200 // siw has room for 251 bytes, with the proof
)
