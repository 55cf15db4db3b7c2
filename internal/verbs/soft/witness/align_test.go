package witness

import "encoding/binary"

// aligner cuts the stream of one end so that every FPDU with markers begins a TCP segment: without that
// tshark loses its place. It only counts bytes; a frame that is wrong stays wrong, wherever it is cut.
type aligner struct {
	startup bool   // the start-up frame is through
	pos     int    // in the stream after it
	rest    []byte // not yet a whole frame
}

const (
	startupSize    = 20 // before the private data, whose length is in the last two bytes
	markerDistance = 512
	markerSize     = 4
)

// cut takes more bytes of the stream and returns the frames that are whole now.
func (a *aligner) cut(b []byte) [][]byte {
	a.rest = append(a.rest, b...)
	var frames [][]byte
	for {
		n := a.frameSize()
		if n == 0 || n > len(a.rest) {
			return frames
		}
		frames = append(frames, a.rest[:n:n])
		a.rest = a.rest[n:]
		if a.startup {
			a.pos += n
		}
		a.startup = true
	}
}

// frameSize is the size of the first frame with its markers, 0 while too little of it is here.
func (a *aligner) frameSize() int {
	if !a.startup {
		if len(a.rest) < startupSize {
			return 0
		}
		return startupSize + int(binary.BigEndian.Uint16(a.rest[startupSize-2:]))
	}
	lead := 0 // a marker before the length field
	if a.pos%markerDistance == 0 {
		lead = markerSize
	}
	if len(a.rest) < lead+2 {
		return 0
	}
	plain := (2+int(binary.BigEndian.Uint16(a.rest[lead:]))+3)/4*4 + 4
	n := 0
	for left := plain; left > 0; {
		if (a.pos+n)%markerDistance == 0 {
			n += markerSize
		}
		k := min(left, markerDistance-(a.pos+n)%markerDistance)
		n, left = n+k, left-k
	}
	return n
}
