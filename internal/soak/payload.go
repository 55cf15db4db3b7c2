package soak

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// stride parts two neighbouring words of a payload. It is odd, so no two of the first 2^64 words are equal, and bytes
// that land at the wrong place are found.
const stride = 0x9e3779b97f4a7c15

// untouched is what receive buffers hold before a message comes.
const untouched = 0xee

// guard is how many bytes behind a message are looked at: nobody may write there.
const guard = 16

// mix makes one number of several, all bits of which depend on all of theirs.
func mix(parts ...uint64) uint64 {
	h := uint64(stride)
	for _, p := range parts {
		h ^= p
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// block is a part of a payload. Buffers are written and compared by blocks: the race detector sees all of
// it, and is not slow as with single bytes.
type block [1024]byte

// make makes b the part of a payload that begins with a key, and returns the key of the next. The
// race detector need not look: b is the caller's alone, and what is copied from it or compared with
// it is seen.
//
//go:norace
func (b *block) make(key uint64) uint64 {
	for at := 0; at < len(b); at += 8 {
		binary.LittleEndian.PutUint64(b[at:], key)
		key += stride
	}
	return key
}

// fill writes the payload of a key.
func fill(b []byte, key uint64) {
	var part block
	for len(b) > 0 {
		key = part.make(key)
		b = b[copy(b, part[:]):]
	}
}

// differs returns the first byte at which b is not the payload of a key, -1 if there is none.
func differs(b []byte, key uint64) int {
	var part block
	for at := 0; at < len(b); at += len(part) {
		key = part.make(key)
		got := b[at:min(at+len(part), len(b))]
		if bytes.Equal(got, part[:len(got)]) {
			continue
		}
		for i, v := range got {
			if v != part[i] {
				return at + i
			}
		}
	}
	return -1
}

// clean prepares a receive buffer: what is not received stays recognisable.
func clean(b []byte) {
	if len(b) == 0 {
		return
	}
	b[0] = untouched
	for done := 1; done < len(b); done *= 2 {
		copy(b[done:], b[:done])
	}
}

// damage says what is wrong with n received bytes in b, nothing if they are the payload of the key and nobody wrote
// behind them.
func damage(b []byte, n int, key uint64) string {
	if at := differs(b[:n], key); at >= 0 {
		rest := n - at
		kind := "is wrong"
		if all(b[at:n], untouched) {
			kind = "was never written"
		} else if all(b[at:n], 0) {
			kind = "is zero"
		}
		return fmt.Sprintf("what begins at byte %d of %d %s (%d bytes to the end, the first are % x)", at, n, kind, rest, b[at:min(at+8, n)])
	}
	if behind := b[n:min(n+guard, len(b))]; !all(behind, untouched) {
		return fmt.Sprintf("somebody wrote behind its %d bytes: % x", n, behind)
	}
	return ""
}

func all(b []byte, value byte) bool {
	for _, v := range b {
		if v != value {
			return false
		}
	}
	return true
}
