package simtest

import "encoding/binary"

// blank fills receive buffers, spent fills send buffers that the program may use again.
const (
	blank = 0xA5
	spent = 0xEE
)

// mix turns numbers into one that looks like chance.
func mix(a, b uint64) uint64 {
	x := a*0x9E3779B97F4A7C15 ^ b
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// fill writes the payload of a message: its number, then bytes that only this message has.
func fill(b []byte, id int) {
	x := uint64(id)
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, x)
		b = b[8:]
		x = mix(x, uint64(id))
	}
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
}

// differs returns the first place at which b is not the beginning of message id's payload, -1 if there is none.
func differs(b []byte, id int) int {
	x := uint64(id)
	at := 0
	for ; len(b)-at >= 8; at += 8 {
		if binary.LittleEndian.Uint64(b[at:]) != x {
			break
		}
		x = mix(x, uint64(id))
	}
	for i := range min(8, len(b)-at) {
		if b[at+i] != byte(x>>(8*i)) {
			return at + i
		}
	}
	return -1
}

// idOf is the number of the message that b says it is, 0 if it is too short to say.
func idOf(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	return int(binary.LittleEndian.Uint64(b) & (1<<62 - 1))
}

// paint fills b with one byte.
func paint(b []byte, with byte) {
	if len(b) == 0 {
		return
	}
	b[0] = with
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// unpainted returns the first byte of b that is not with, -1 if all are.
func unpainted(b []byte, with byte) int {
	for i, x := range b {
		if x != with {
			return i
		}
	}
	return -1
}
