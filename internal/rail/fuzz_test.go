package rail

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// twin is a parse function with its opposite: bytes that parse are what comes out again, up to what parse ignores.
type twin func(b []byte) (again []byte, used int, ok bool)

var twins = []struct {
	name string
	twin twin
	seed []byte
}{
	{"header", func(b []byte) ([]byte, int, bool) {
		var h header
		body, err := h.parse(b)
		if err != nil {
			return nil, 0, false
		}
		again := make([]byte, headerSize)
		h.put(again)
		return again, len(b) - len(body), true
	}, func() []byte {
		b := make([]byte, headerSize)
		(&header{kind: kWhole, flags: fUrge, freed: 3, from: 4, seq: 5, ack: 6, limit: 7}).put(b)
		return b
	}()},
	{"hello", func(b []byte) ([]byte, int, bool) {
		var h hello
		return ended(h.parse(b), func() []byte { return h.append(nil) })
	}, (&hello{class: bulk, fromRail: 1, toRail: 2, from: 3, to: 4, gen: 5, seen: 6, expected: 7}).append(nil)},
	{"answer", func(b []byte) ([]byte, int, bool) {
		var a answer
		return ended(a.parse(b), func() []byte { return a.append(nil) })
	}, (&answer{verdict: crossed, expected: 9}).append(nil)},
	{"lane name", func(b []byte) ([]byte, int, bool) {
		var n laneName
		again, used, ok := ended(n.parse(b), func() []byte { return n.append(nil) })
		if ok && b[2] > 1 {
			again[2] = b[2] // everything else than 1 is no
		}
		return again, used, ok
	}, (&laneName{fromRail: 1, toRail: 2, asked: true, gen: 3, tails: 4}).append(nil)},
	{"tail", func(b []byte) ([]byte, int, bool) {
		var t tail
		_, err := t.parse(b)
		return ended(err, func() []byte { return t.append(nil) })
	}, (&tail{id: 1, after: 2, n: 3, total: 4}).append(nil)},
	{"ring offer", func(b []byte) ([]byte, int, bool) {
		var o ringOffer
		return ended(o.parse(b), func() []byte { return o.append(nil) })
	}, (&ringOffer{addr: 1, key: 2, slots: 3, size: 4}).append(nil)},
}

func ended(err error, again func() []byte) ([]byte, int, bool) {
	if err != nil {
		return nil, 0, false
	}
	b := again()
	return b, len(b), true
}

// Everything that parses is written the same way; everything shorter than what was written does not parse.
func FuzzTwins(f *testing.F) {
	for i, t := range twins {
		f.Add(uint8(i), t.seed)
		for n := range t.seed {
			if _, _, ok := t.twin(bytes.Clone(t.seed[:n])); ok {
				f.Errorf("%s: %d bytes of %d parse", t.name, n, len(t.seed))
			}
		}
		if again, _, ok := t.twin(bytes.Clone(t.seed)); !ok || !bytes.Equal(again, t.seed) {
			f.Errorf("%s: %x came back as %x", t.name, t.seed, again)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		tw := twins[int(which)%len(twins)]
		if again, used, ok := tw.twin(b); ok && !bytes.Equal(again, b[:used]) {
			t.Errorf("%s: %x came back as %x", tw.name, b[:used], again)
		}
	})
}

// Addresses come from the process manager.
func FuzzAddress(f *testing.F) {
	f.Add(formatAddress([]railAddress{{netip.MustParsePrefix("10.0.0.1/24"), 1, 2, 3, 1450}, {netip.MustParsePrefix("fd00::1/64"), 4, 5, 6, 0}}, nature{wire.Key{Addr: 7, Slot: 8}, 9, true}))
	f.Add("")
	f.Add("1.2.3.1+10.0.0.1/24,1,2,3+")
	f.Add("1.2+10.0.0.1/24,70000,2,3")
	f.Fuzz(func(t *testing.T, text string) {
		rails, is, err := parseAddress(text)
		if err != nil {
			return
		}
		if len(rails) == 0 || len(rails) > maxPaths {
			t.Fatalf("%q has %d rails", text, len(rails))
		}
		rails2, is2, err := parseAddress(formatAddress(rails, is))
		if err != nil || is2 != is || len(rails2) != len(rails) {
			t.Fatalf("%q came back as %v, %v", text, rails2, err)
		}
		for i := range rails {
			if rails[i] != rails2[i] {
				t.Fatalf("rail %d of %q came back as %v", i, text, rails2[i])
			}
		}
		paths := findPaths([]netip.Prefix{netip.MustParsePrefix("10.0.0.9/8")}, rails, nil)
		for _, p := range paths {
			if p.local != 0 || p.remote < 0 || p.remote >= len(rails) {
				t.Fatalf("path %v of %q", p, text)
			}
		}
	})
}

// fuzzRig makes two ranks on a channel that know each other, with a bulk lane where there are any.
func fuzzRig(t testing.TB, c Channel) *rig {
	r := newRigOn(t, 2, func(int) soft.Config { return soft.Config{KeyedDatagrams: true} }, func(_ int, cfg *Config) {
		cfg.Channel, cfg.Promote = c, 1
	})
	r.oneWay(2)
	if c != UD {
		r.read(0, 1, 5000, 1)
	}
	return r
}

// wildFrame builds a frame from fuzz data: any kind, flags, acknowledgement and body, from the rank it comes from.
func wildFrame(r *rig, data []byte) (frame, rest []byte) {
	if len(data) < 8 {
		return nil, nil
	}
	p := r.links[0].peers.at(1)
	h := header{kind: kind(data[0] % uint8(lastKind+1)), flags: data[1], freed: uint16(data[2]), from: 1}
	h.seq = p.in.Expected() + uint32(int32(int8(data[3])))
	h.ack = p.next + uint32(int32(int8(data[4])))
	h.limit = h.ack + uint32(data[5])<<uint(data[6]%24)
	n := min(int(data[7]), len(data)-8)
	frame = make([]byte, headerSize, headerSize+n)
	h.put(frame)
	return append(frame, data[8:8+n]...), data[8+n:]
}

// A peer that has gone wild sends any frames: the link does not panic, and its memory stays bounded.
func FuzzWildFrames(f *testing.F) {
	for k := range lastKind + 1 {
		f.Add(uint8(k)%uint8(softChannels), bytes.Repeat([]byte{byte(k), 0, 0, 0, 0, 1, 0, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3))
		f.Add(uint8(k+1)%uint8(softChannels), bytes.Repeat([]byte{byte(k), 3, 9, 0, 1, 200, 20, 40, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 5))
	}
	f.Add(uint8(UD), append([]byte{byte(kRing), 0, 0, 0, 0, 1, 0, 18}, (&ringOffer{addr: 1, key: 2, slots: 3, size: 8192}).append(nil)...))
	f.Add(uint8(RD), append([]byte{byte(kDown), 0, 0, 0, 0, 1, 0, 11}, (&laneName{asked: true}).append(nil)...))
	f.Add(uint8(SRQ), append([]byte{byte(kTail), 0, 0, 0, 0, 1, 0, 24}, (&tail{id: 9, n: 1, total: 1 << 60}).append(nil)...))
	f.Fuzz(func(t *testing.T, c uint8, data []byte) {
		r := fuzzRig(t, Channel(c)%softChannels)
		l, p := r.links[0], r.links[0].peers.at(1)
		l.sink = deaf{}
		for i := 0; p.lost == nil; i++ {
			var frame []byte
			if frame, data = wildFrame(r, data); frame == nil {
				break
			}
			b := l.recvPool.get()
			b.n = copy(b.mem, frame)
			if ln := p.lanes[i%len(p.lanes)]; !p.frame(b, b.mem[:b.n], ln) {
				b.pool.put(b)
			}
		}
		for i := range 20 {
			l.Send(&wire.Packet{Header: wire.Header{Kind: wire.Eager, Tag: int32(i), Len: 8}, Peer: 1, Data: make([]byte, 8)})
			l.Poll(deaf{})
			r.links[1].Poll(deaf{})
		}
	})
}

// deaf is a Sink that wants nothing.
type deaf struct{}

func (deaf) Arrive(int, *wire.Header, []byte)      {}
func (deaf) Begin(int, *wire.Header) ([]byte, any) { return nil, nil }
func (deaf) End(any)                               {}
func (deaf) ReadDone(any, error)                   {}
func (deaf) WriteDone(any, error)                  {}
func (deaf) Place(int, *wire.Header) ([]byte, any) { return nil, nil }
func (deaf) Lost(int, error)                       {}
