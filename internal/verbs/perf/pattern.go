package perf

import (
	"encoding/binary"
	"fmt"
)

// fill writes the data of one sender in one batch: every 8 bytes depend on the seed and on where they stand, so that
// bytes that come from another batch, another place or nowhere are noticed. A peer may read the memory meanwhile, or a
// device send again what it has sent for a Read; nobody uses what they get.
//
//go:norace
func fill(b []byte, seed uint64) {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], mix(seed, i))
	}
	var last [8]byte
	binary.LittleEndian.PutUint64(last[:], mix(seed, i))
	copy(b[i:], last[:])
}

// verify compares b with what fill writes. Receives stay posted between batches, so a late datagram may land while we
// look; it carries the same bytes, or fails the check as it should.
//
//go:norace
func verify(b []byte, seed uint64) error {
	var want [8]byte
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(want[:], mix(seed, i))
		for j, got := range b[i:min(i+8, len(b))] {
			if got != want[j] {
				return fmt.Errorf("the data arrived wrong: byte %d of %d is %#02x, sent was %#02x", i+j, len(b), got, want[j])
			}
		}
	}
	return nil
}

// wipe clears memory, likewise.
//
//go:norace
func wipe(b []byte) {
	for i := range b {
		b[i] = 0
	}
}

// mix joins a seed and a position (the finaliser of splitmix64, a bijection: two positions never agree by design).
func mix(seed uint64, at int) uint64 {
	z := seed*0x9e3779b97f4a7c15 + uint64(at) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// The two senders of a batch write different data, so that nobody takes his own for the peer's.
func leadSeed(seed uint64) uint64   { return seed<<1 | 1 }
func followSeed(seed uint64) uint64 { return seed << 1 }
