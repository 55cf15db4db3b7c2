package rail

import (
	"bytes"

	"github.com/weft-mpi/weft/internal/wire"
)

// A device that is made of several adapters has a key for a piece of memory by each of its rails, and packets have room for
// one: that of rail 0. So before a packet brings a key that a peer has not heard of, or that means other memory by now, a frame of
// the stream tells the others (KEYS). Keys of windows, which come by way of other ranks, are good for rail 0 only.

// railKeys are those that a peer was told, and those that it has told.
type railKeys struct {
	told map[uint32][]byte   // bodies of KEYS, by the key of rail 0
	keys map[uint32][]uint32 // keys of rails from 1 on, likewise
}

// railKeysMost is how many pieces of a peer's memory are remembered, and of ours as told. Who forgets what a peer has told uses
// rail 0 for it.
const railKeysMost = 1 << 12

// tellKeys tells the peer the other keys of what k names, unless it has heard of them.
func (p *peer) tellKeys(k wire.Key) {
	l, b := p.link, &p.bulk.railKeys
	body := le.AppendUint32(nil, k.Slot)
	for _, key := range l.mem.RailKeys(nil, k, len(l.cfg.Prefixes)) {
		body = le.AppendUint32(body, key)
	}
	if bytes.Equal(b.told[k.Slot], body) {
		return
	}
	if b.told == nil || len(b.told) == railKeysMost {
		b.told = map[uint32][]byte{}
	}
	b.told[k.Slot] = body
	l.LetGo()
	p.say(kKeys, body)
}

// owesKeys tells that a packet has to wait, because keys that it may bring have not been told yet.
func (p *peer) owesKeys() bool {
	if len(p.words) == 0 || !p.link.caps.RailKeys {
		return false
	}
	p.sayAll()
	return len(p.words) > 0
}

// learnKeys takes the body of KEYS.
func (p *peer) learnKeys(body []byte) {
	n := len(body)/4 - 1
	if len(body)%4 != 0 || n < 1 || n >= maxPaths {
		p.link.Counters.BadFrames++
		return
	}
	b := &p.bulk.railKeys
	if b.keys == nil || len(b.keys) == railKeysMost {
		b.keys = map[uint32][]uint32{}
	}
	keys := make([]uint32, n)
	for i := range keys {
		keys[i] = le.Uint32(body[4+4*i:])
	}
	b.keys[le.Uint32(body)] = keys
}

// keyBy is the key by which a path reaches the memory of a transfer; none if it is not known.
func (t *transfer) keyBy(path int) (key uint32, has bool) {
	remote := t.peer.paths[path].remote
	switch {
	case remote == 0 || !t.peer.keyed:
		return t.key.Slot, true
	case remote <= len(t.keys):
		return t.keys[remote-1], true
	}
	return 0, false
}

// pathFrom is the first path that ends at one of the peer's rails, or else any.
func (p *peer) pathFrom(remote int) int {
	for i, pa := range p.paths {
		if pa.remote == remote {
			return i
		}
	}
	return 0
}
