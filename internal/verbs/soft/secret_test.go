package soft

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp/crypt"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"golang.org/x/sys/unix"
)

// middle is somebody between two devices who sees what a connection carries, and may change it.
type middle struct {
	mu     sync.Mutex
	seen   [2]bytes.Buffer // from the initiator, and to it
	change func(to int, at int, b []byte) []byte
	done   sync.WaitGroup
}

// pass carries one direction.
func (m *middle) pass(to int, out, in net.Conn) {
	defer m.done.Done()
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		m.mu.Lock()
		at := m.seen[to].Len()
		m.seen[to].Write(buf[:n])
		b := buf[:n]
		if m.change != nil && n > 0 {
			b = m.change(to, at, b)
		}
		m.mu.Unlock()
		if _, failed := out.Write(b); failed != nil || err != nil || b == nil {
			if c, ok := out.(interface{ CloseWrite() error }); ok && (errors.Is(err, io.EOF) || b == nil) {
				c.CloseWrite()
			} else {
				out.Close()
			}
			if b == nil {
				_, _ = io.Copy(io.Discard, in)
			}
			return
		}
	}
}

// saw returns what was carried in a direction.
func (m *middle) saw(to int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.seen[to].Bytes())
}

// enter puts m into the connection of a stream that has just been dialed: its descriptor becomes one end of a
// pair of sockets.
func (m *middle) enter(t testing.TB, s *stream) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	fd := s.spot.fd
	for {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if n, err := unix.Poll(wait, 10); n == 1 && err == nil {
			break
		}
	}
	must(s.dev.poll.Remove(fd))
	s.spot.in = false
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	must(err)
	real, err := unix.Dup(fd)
	must(err)
	must(unix.Dup3(pair[0], fd, unix.O_CLOEXEC))
	must(unix.Close(pair[0]))
	conn := func(fd int) net.Conn {
		f := os.NewFile(uintptr(fd), "")
		defer f.Close()
		c, err := net.FileConn(f)
		must(err)
		return c
	}
	near, far := conn(pair[1]), conn(real)
	m.done.Add(2)
	go m.pass(0, far, near)
	go m.pass(1, near, far)
	t.Cleanup(func() {
		near.Close()
		far.Close()
		m.done.Wait()
	})
	s.watch(true, true)
}

// dialed begins to connect two new devices, with m between them.
func (m *middle) dialed(t testing.TB, ours, theirs Config, size int) (x, y *end) {
	t.Helper()
	x, y = newEnd(t, open(t, ours), verbs.RC, size), newEnd(t, open(t, theirs), verbs.RC, size)
	l, err := y.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	x.dev.mu.Lock()
	defer x.dev.mu.Unlock()
	q := x.qp.(*rc)
	s, err := x.dev.dial(q, l.Addr(), []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	q.link(s)
	m.enter(t, s)
	return x, y
}

// connected connects two devices, with m between them.
func (m *middle) connected(t testing.TB, cfg Config, size int) (x, y *end) {
	t.Helper()
	x, y = m.dialed(t, cfg, cfg, size)
	if err := y.event(verbs.ConnectRequest).Request.Accept(y.qp, []byte("welcome")); err != nil {
		t.Fatal(err)
	}
	x.event(verbs.Established)
	y.event(verbs.Established)
	return x, y
}

func encrypted() Config { return Config{Key: jobKey, Encrypt: true} }

// Who records a connection finds in it what was sent, Written and Read if it is plain, and nothing of it if it
// is encrypted, of any length.
func TestSecretCannotBeRead(t *testing.T) {
	for _, row := range []struct {
		name    string
		cfg     Config
		visible bool
	}{{"plain", Config{Key: jobKey}, true}, {"encrypted", encrypted(), false}} {
		t.Run(row.name, func(t *testing.T) {
			const size = 300 << 10
			var m middle
			x, y := m.connected(t, row.cfg, size)
			for _, n := range []int{40, 3000, 100 << 10, size} {
				for i, op := range []verbs.Op{verbs.Send, verbs.Write, verbs.Read} {
					word := fmt.Sprintf("plain text %d of %d bytes", i, n)
					from, to := x, y
					if op == verbs.Read {
						from, to = y, x
					}
					copy(from.buf, strings.Repeat(word, n/len(word)+1)[:n])
					clear(to.buf)
					if op == verbs.Send {
						if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
							t.Fatal(err)
						}
					}
					post(t, x, verbs.SendWR{Op: op, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}, RemoteAddr: y.mr.Addr(), RKey: y.mr.RKey(),
						Flags: verbs.Signaled})
					if c := x.await(); c.Status != verbs.OK {
						t.Fatalf("%v of %d bytes: %v", op, n, c.Status)
					}
					if op == verbs.Send {
						y.await()
					}
					eventually(t, "the bytes are there", func() bool {
						var none [1]verbs.Completion
						y.cq.Poll(none[:])
						y.dev.mu.Lock()
						defer y.dev.mu.Unlock()
						return bytes.Equal(to.buf[:n], from.buf[:n])
					})
					if got := bytes.Contains(append(m.saw(0), m.saw(1)...), []byte(word)); got != row.visible {
						t.Errorf("%v of %d bytes: readable is %v, want %v", op, n, got, row.visible)
					}
				}
			}
			if err := x.qp.Disconnect(); err != nil {
				t.Fatal(err)
			}
			y.event(verbs.Disconnected)
		})
	}
}

// Whichever byte is changed on its way, in either direction, from the first of the start-up frames on: what was
// sent arrives as it was, or not at all and the connection ends.
func TestSecretCannotBeChanged(t *testing.T) {
	const text = "what has been sent"
	const start = 20 + 4 + auth.Size + publicSize
	bytes := [2]int{ // from the start-up frame to the text, and the reply
		start + len("hello") + 2*crypt.Overhead + 2*(2+18+4) + auth.ProofSize + len(text),
		start + len("welcome"),
	}
	session := func(change func(to, at int, b []byte) []byte) (m *middle, heard string, arrived bool) {
		m = &middle{change: change}
		cfg := encrypted()
		if change != nil {
			cfg.ConnectWait = second / 20 // changed lengths have more awaited than comes
		}
		const more = 20 << 10 // behind the text, so that what is changed into a longer record ends, too
		x, y := m.dialed(t, cfg, cfg, 2*more)
		receive := func(b []byte) verbs.RecvWR { return verbs.RecvWR{SGL: []verbs.SGE{{Buf: b, LKey: y.mr.LKey()}}} }
		if _, err := y.qp.PostRecv([]verbs.RecvWR{receive(y.buf[:more]), receive(y.buf[more:])}); err != nil {
			t.Fatal(err)
		}
		copy(x.buf, text)
		var es [1]verbs.Event
		var cs [1]verbs.Completion
		for over := false; !over; {
			for x.dev.PollEvents(es[:]) == 1 {
				if es[0].Kind == verbs.Established {
					if string(es[0].Private) != "welcome" {
						t.Errorf("private data %q", es[0].Private)
					}
					for _, n := range []int{len(text), more} {
						post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}})
					}
				} else {
					over = true
				}
			}
			for y.dev.PollEvents(es[:]) == 1 {
				switch es[0].Kind {
				case verbs.ConnectRequest:
					if string(es[0].Private) != "hello" {
						t.Errorf("private data %q", es[0].Private)
					}
					_ = es[0].Request.Accept(y.qp, []byte("welcome"))
				case verbs.Established:
				default:
					over = true
				}
			}
			if y.cq.Poll(cs[:]) == 1 && cs[0].Status == verbs.OK {
				heard, arrived, over = string(y.buf[:cs[0].Len]), true, true
			}
			x.cq.Poll(cs[:])
		}
		x.dev.Close()
		y.dev.Close()
		return m, heard, arrived
	}
	m, heard, _ := session(nil)
	if heard != text {
		t.Fatalf("%q arrived", heard)
	}
	for to := range 2 {
		if n := len(m.saw(to)); n < bytes[to] {
			t.Fatalf("%d bytes in direction %d, at least %d were expected", n, to, bytes[to])
		}
		for i := range bytes[to] {
			if testing.Short() && i%3 != 0 {
				continue
			}
			change := func(dir, at int, b []byte) []byte {
				if dir == to && at <= i && i < at+len(b) {
					b[i-at] ^= 1 << (i % 8)
				}
				return b
			}
			if _, heard, arrived := session(change); arrived {
				t.Fatalf("byte %d of direction %d can be changed: %q arrived", i, to, heard)
			}
		}
	}
}

// A connection that somebody cuts is told from one that the peer ends, wherever it is cut.
func TestSecretCutOff(t *testing.T) {
	for _, cut := range []bool{false, true} {
		var m middle
		x, y := m.connected(t, encrypted(), 64)
		m.mu.Lock()
		m.change = func(to, _ int, b []byte) []byte {
			if to == 0 && cut {
				return nil // and no more
			}
			return b
		}
		m.mu.Unlock()
		if err := x.qp.Disconnect(); err != nil {
			t.Fatal(err)
		}
		if !cut {
			y.event(verbs.Disconnected)
		} else if e := y.event(verbs.QPFatal); e.Err != errUnended {
			t.Errorf("%v", e.Err)
		}
	}
}

// What was on the way once is not accepted again.
func TestSecretCannotBeRepeated(t *testing.T) {
	var m middle
	x, y := m.connected(t, encrypted(), 64)
	m.mu.Lock()
	m.change = func(to, _ int, b []byte) []byte {
		if to == 0 {
			return append(bytes.Clone(b), b...)
		}
		return b
	}
	m.mu.Unlock()
	y.receives(2, 16)
	copy(x.buf, "once")
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:4], LKey: x.mr.LKey()}}})
	if c := y.await(); c.Status != verbs.OK || c.Len != 4 {
		t.Errorf("%+v", c)
	}
	if e := y.event(verbs.QPFatal); !strings.Contains(e.Err.Error(), "changed on its way") {
		t.Errorf("%v", e.Err)
	}
	if c := y.await(); c.Status == verbs.OK {
		t.Error("it came twice")
	}
	if n := counter(t, y.dev, "rc_bad_records"); n != 1 {
		t.Errorf("%d bad records are counted", n)
	}
}

// Who encrypts and who does not do not talk to each other, and hear why.
func TestSecretAndPlain(t *testing.T) {
	plain := Config{Key: jobKey}
	for _, row := range []struct {
		ours, theirs Config
		want         error
	}{{encrypted(), plain, errPlainPeer}, {plain, encrypted(), errSecretPeer}} {
		var m middle
		x, y := m.dialed(t, row.ours, row.theirs, 64)
		if e := x.event(verbs.ConnectFailed); e.Err != row.want {
			t.Errorf("%v, want %v", e.Err, row.want)
		}
		eventually(t, "the connection is gone", func() bool {
			y.dev.mu.Lock()
			defer y.dev.mu.Unlock()
			return len(y.dev.unproven) == 0 && y.dev.count.connsRefused == 1
		})
		quiet(t, y.dev)
	}
	if _, err := Open(Config{Encrypt: true}); !errors.Is(err, verbs.ErrArgument) {
		t.Errorf("encryption without a key: %v", err)
	}
}

// Who knows the key and says a public part that leads to no secret is a stranger.
func TestSecretOfNothing(t *testing.T) {
	for _, public := range []int{0, publicSize - 1, publicSize} {
		d, at := guarded(t, Config{Encrypt: true})
		said, n := make([]byte, public), auth.Nonce{1}
		c := dialRaw(t, at)
		c.say(requestWith(auth.Secret.Dress(n, auth.Secret.Request(jobKey, n, at, said), said)))
		if heard := c.ended(); len(heard) != 0 {
			t.Errorf("%d bytes: told %q", public, heard)
		}
		untouched(t, d, 1)
	}
}

// Each connection has keys of its own, though the device has one part of the secret for all: the same bytes
// are never the same on the way.
func TestSecretsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		var m middle
		x, y := m.connected(t, encrypted(), 64)
		before := len(m.saw(0))
		y.receives(1, 16)
		post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:16], LKey: x.mr.LKey()}}})
		y.await()
		record := string(m.saw(0)[before:])
		if len(record) < 16 || seen[record] {
			t.Errorf("%d bytes that came before", len(record))
		}
		seen[record] = true
	}
}

// Who records datagrams finds in them what was sent if they are only sealed, and nothing of it if they are
// encrypted; whichever byte is changed, they are dropped; and one is heard once.
func TestSecretDatagrams(t *testing.T) {
	const word = "plain text in a datagram"
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		for _, encrypt := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/%v", typ, encrypt), func(t *testing.T) {
				a, b, ab, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true, Encrypt: encrypt}, typ, 64<<10)
				b.receives(2, 64<<10)
				n := copy(a.buf, strings.Repeat(word, 40))
				datagram := record(t, a, ab, n)
				if got := bytes.Contains(datagram, []byte(word)); got == encrypt {
					t.Errorf("readable is %v", got)
				}
				for i := range datagram {
					if i%17 == 0 || i > len(datagram)-40 {
						changed := bytes.Clone(datagram)
						changed[i] ^= 1 << (i % 8)
						b.spoof(changed, a.qp.Addr())
					}
				}
				if got := b.hears(); got != "" {
					t.Errorf("%d bytes are heard of what was changed", len(got))
				}
				for range 2 {
					b.spoof(bytes.Clone(datagram), a.qp.Addr())
				}
				if got := b.hears(); got != string(a.buf[:n]) {
					t.Errorf("%d bytes are heard, want %d", len(got), n)
				}
				if got := b.hears(); got != "" || counter(t, b.dev, "datagrams_replayed") == 0 {
					t.Error("it is heard twice")
				}
			})
		}
	}
}

// Datagrams that are encrypted and such that are only sealed are forgeries to each other.
func TestSecretAndPlainDatagrams(t *testing.T) {
	for _, encrypt := range []bool{false, true} {
		a, _, _, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true, Encrypt: !encrypt}, verbs.UD, 64)
		_, b, _, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true, Encrypt: encrypt}, verbs.UD, 64)
		to, err := a.pd.NewAH(b.qp.Addr())
		if err != nil {
			t.Fatal(err)
		}
		b.receives(1, 64)
		b.spoof(record(t, a, to, 16), a.qp.Addr())
		if got := b.hears(); got != "" || counter(t, b.dev, "datagrams_bad_tag") != 1 {
			t.Errorf("encrypt=%v: %q is heard", encrypt, got)
		}
	}
}
