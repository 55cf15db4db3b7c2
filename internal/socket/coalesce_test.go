package socket

import (
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

var (
	hereA = netip.MustParseAddrPort("127.0.0.1:1000")
	hereB = netip.MustParseAddrPort("127.0.0.1:1001")
)

func sized(to netip.AddrPort, sizes ...int) []datagram {
	var d []datagram
	for _, s := range sizes {
		d = append(d, datagram{to: to, parts: 1, size: s})
	}
	return d
}

func TestRunLength(t *testing.T) {
	for _, c := range []struct {
		name  string
		d     []datagram
		limit int
		want  int
	}{
		{"alone", sized(hereA, 100), MaxDatagram, 1},
		{"equal", sized(hereA, 100, 100, 100), MaxDatagram, 3},
		{"a smaller one ends it", sized(hereA, 100, 100, 50, 50), MaxDatagram, 3},
		{"a larger one does not belong", sized(hereA, 100, 100, 101), MaxDatagram, 2},
		{"another address", append(sized(hereA, 100, 100), sized(hereB, 100)...), MaxDatagram, 2},
		{"empty first", sized(hereA, 0, 0, 0), MaxDatagram, 1},
		{"empty later", sized(hereA, 100, 0), MaxDatagram, 1},
		{"no offload", sized(hereA, 100, 100), 0, 1},
		{"above the limit", sized(hereA, 101, 101), 100, 1},
		{"at the limit", sized(hereA, 100, 100), 100, 2},
		{"as many as allowed", sized(hereA, slices.Repeat([]int{10}, 100)...), MaxDatagram, maxSegments},
		{"as many bytes as allowed", sized(hereA, 32753, 32753, 32753), MaxDatagram, 2},
		{"one byte too many", sized(hereA, 32754, 32754), MaxDatagram, 1},
		{"as many parts as allowed", []datagram{{to: hereA, parts: 600, size: 600}, {to: hereA, parts: 424, size: 600}, {to: hereA, parts: 1, size: 600}}, MaxDatagram, 2},
	} {
		if got := runLength(c.d, c.limit); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What the sender joins, cut up again by the size of the first, is what it was.
func TestSplitUndoesRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := sized(hereA, rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 7, 8, 1400, 1400, 1400, 30000, 65507}), 1, 100).Draw(t, "sizes")...)
		for len(d) > 0 {
			n := runLength(d, MaxDatagram)
			total := 0
			for _, g := range d[:n] {
				total += g.size
			}
			if n > maxSegments || total > MaxDatagram {
				t.Fatalf("a run of %d datagrams and %d bytes", n, total)
			}
			size := 0
			if n > 1 {
				size = d[0].size
			}
			spans := split(nil, 3, 1000, total, size)
			if len(spans) != n {
				t.Fatalf("%d datagrams became %d", n, len(spans))
			}
			at := 1000
			for i, s := range spans {
				if s.msg != 3 || s.from != at || s.to-s.from != d[i].size {
					t.Fatalf("datagram %d of %d bytes became %+v", i, d[i].size, s)
				}
				at = s.to
			}
			d = d[n:]
		}
	})
}

func TestSplitTrustsNoSize(t *testing.T) {
	for _, size := range []int{-1, 0, 10, 11, 1 << 30} {
		if got := split(nil, 0, 0, 10, size); len(got) != 1 || got[0] != (span{0, 0, 10}) {
			t.Errorf("size %d: %+v", size, got)
		}
	}
	if got := split(nil, 0, 5, 0, 0); len(got) != 1 || got[0] != (span{0, 5, 5}) {
		t.Errorf("an empty datagram: %+v", got)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		errno     syscall.Errno
		run, size int
		want      verdict
	}{
		{syscall.EAGAIN, 1, 100, report},
		{syscall.EAGAIN, 5, 100, report},
		{syscall.EMSGSIZE, 1, 9000, report},
		{syscall.EMSGSIZE, 5, 9000, smaller},
		{syscall.EINVAL, 1, 100, report},
		{syscall.EINVAL, 5, 100, switched},
		{syscall.EINVAL, 5, 9000, smaller},
		{syscall.EIO, 1, 100, report},
		{syscall.EIO, 5, 9000, switched},
		{syscall.ECONNREFUSED, 1, 100, retry},
		{syscall.ECONNREFUSED, 5, 100, retry},
		{syscall.EPERM, 5, 100, report},
	} {
		if got := judge(c.errno, c.run, c.size); got != c.want {
			t.Errorf("%v for %d datagrams of %d bytes: verdict %d, want %d", c.errno, c.run, c.size, got, c.want)
		}
	}
}

func TestPayloadFor(t *testing.T) {
	v4, v6, mapped := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1"), netip.MustParseAddr("::ffff:10.0.0.1")
	for _, c := range []struct {
		mtu  int
		to   netip.Addr
		want int
	}{{1500, v4, 1472}, {1500, v6, 1452}, {1500, mapped, 1472}, {65536, v4, 65507}, {1 << 20, v6, 65507}, {0, v4, 0}} {
		if got := PayloadFor(c.mtu, c.to); got != c.want {
			t.Errorf("MTU %d to %v: %d, want %d", c.mtu, c.to, got, c.want)
		}
	}
}

func TestOffloadSpeaks(t *testing.T) {
	for o, want := range map[Offload]string{OffloadOn: "on", OffloadOff: "off", OffloadMissing: "missing", OffloadRefused: "refused", 99: "unknown"} {
		if o.String() != want {
			t.Errorf("%d is %q", o, o.String())
		}
	}
}
