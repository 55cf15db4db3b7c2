package soft

import (
	"bytes"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
)

// Between processes of a job that has a key the promise is: a stranger's connection or packet changes nothing and is
// counted. Who can read the job's traffic may repeat a request, which the program then hears of, but gets no further.

var jobKey = []byte("the key of the job")

// guarded opens a device with the job's key and a listener.
func guarded(t testing.TB, cfg Config) (*Device, netip.AddrPort) {
	t.Helper()
	cfg.Key = jobKey
	d := open(t, cfg)
	l, err := d.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	return d, l.Addr()
}

// quiet fails if the device has something to tell.
func quiet(t testing.TB, d *Device) {
	t.Helper()
	var out [1]verbs.Event
	if d.PollEvents(out[:]) != 0 {
		t.Errorf("the program heard of it: %v %v", out[0].Kind, out[0].Err)
	}
}

// untouched waits until no connection is left and holds the device to the promise.
func untouched(t testing.TB, d *Device, strangers uint64) {
	t.Helper()
	eventually(t, "the connections are gone", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.links) == 0 && len(d.unproven) == 0
	})
	quiet(t, d)
	if n := counter(t, d, "strangers"); n != strangers {
		t.Errorf("%d strangers, want %d", n, strangers)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.timers) != 0 || len(d.direct) != 0 {
		t.Errorf("%d timers and %d direct sources are left", len(d.timers), len(d.direct))
	}
}

// requestWith is a well-formed request with private data.
func requestWith(private []byte) []byte {
	f := iwarp.Request(iwarp.Wish{CRC: true, Revision: 2, IRD: 16, ORD: 16}, private)
	b, err := f.Append(nil)
	if err != nil {
		panic(err) // the private data is a constant of the test
	}
	return b
}

// TestStrangersConnect: whatever somebody without the key says first, the program does not hear of it.
func TestStrangersConnect(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:9")
	junk := make([]byte, 1<<16)
	rand.NewChaCha8([32]byte{1}).Read(junk)
	n := auth.Nonce{1, 2, 3}
	proof := func(key []byte, to netip.AddrPort, private []byte) []byte {
		return requestWith(auth.Dress(n, auth.Request(key, n, to, nil), private))
	}
	reply, err := (&iwarp.StartFrame{Reply: true, Revision: 2, CRC: true}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, say := range map[string]func(at netip.AddrPort) []byte{
		"nothing":               func(netip.AddrPort) []byte { return nil },
		"one byte":              func(netip.AddrPort) []byte { return []byte("M") },
		"one wrong byte":        func(netip.AddrPort) []byte { return []byte("G") },
		"HTTP":                  func(netip.AddrPort) []byte { return []byte("GET / HTTP/1.1\r\n\r\n") },
		"64 KB of junk":         func(netip.AddrPort) []byte { return junk },
		"half a request":        func(netip.AddrPort) []byte { return plainRequest()[:19] },
		"no proof":              func(netip.AddrPort) []byte { return plainRequest() },
		"a mark alone":          func(netip.AddrPort) []byte { return requestWith([]byte(auth.Mark)) },
		"a proof of zeros":      func(netip.AddrPort) []byte { return requestWith(auth.Dress(n, [auth.ProofSize]byte{}, nil)) },
		"another key":           func(at netip.AddrPort) []byte { return proof([]byte("another"), at, nil) },
		"another place's":       func(netip.AddrPort) []byte { return proof(jobKey, elsewhere, nil) },
		"changed private data":  func(at netip.AddrPort) []byte { return proof(jobKey, at, []byte("changed")) },
		"a reply":               func(netip.AddrPort) []byte { return reply },
		"a request and then on": func(netip.AddrPort) []byte { return append(plainRequest(), junk...) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, at := guarded(t, Config{ConnectWait: int64(200 * time.Millisecond)})
			c := dialRaw(t, at)
			c.say(say(at))
			if heard := c.ended(); len(heard) != 0 {
				t.Errorf("the stranger was told %q", heard)
			}
			untouched(t, d, 1)
		})
	}
}

// recorded connects two guarded devices and returns what the initiator said: its request and its first message.
func recorded(t testing.TB, d *Device, at netip.AddrPort) (request, first []byte) {
	t.Helper()
	a, b := newEnd(t, open(t, Config{Key: jobKey}), verbs.RC, 64), newEnd(t, d, verbs.RC, 64)
	q := a.qp.(*rc)
	a.dev.mu.Lock()
	s, err := a.dev.dial(q, at, []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	request = bytes.Clone(s.greeting)
	q.link(s)
	a.dev.mu.Unlock()
	if err := b.event(verbs.ConnectRequest).Request.Accept(b.qp, nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
	b.event(verbs.Established)
	a.dev.mu.Lock()
	proof := auth.First(jobKey, s.mine, s.theirs)
	a.dev.mu.Unlock()
	if err := a.qp.Disconnect(); err != nil {
		t.Fatal(err)
	}
	b.event(verbs.Disconnected)
	if err := b.qp.Close(); err != nil {
		t.Fatal(err)
	}
	return request, fpdu(sendHeader(1, 0, true), proof[:])
}

// TestReplay: a recorded request, with or without the recorded first message after it, is a stranger's: the program is
// not even asked.
func TestReplay(t *testing.T) {
	for name, after := range map[string]func(c *rawConn, first []byte){
		"and nothing":           func(*rawConn, []byte) {},
		"and the first message": func(c *rawConn, first []byte) { c.say(first) },
		"and the end":           func(c *rawConn, _ []byte) { c.conn.CloseWrite() },
		"and junk":              func(c *rawConn, _ []byte) { c.say(bytes.Repeat([]byte{0x55}, 1000)) },
		"and an empty Send":     func(c *rawConn, _ []byte) { c.say(fpdu(sendHeader(1, 0, true), nil)) },
		"and a Write":           func(c *rawConn, _ []byte) { c.say(fpdu(iwarp.Header{Tagged: true, Last: true}, nil)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, at := guarded(t, Config{ConnectWait: int64(2 * time.Second)}) // in which even a busy machine connects what is recorded
			request, first := recorded(t, d, at)
			c := dialRaw(t, at)
			c.say(request)
			after(c, first)
			c.ended()
			untouched(t, d, 1)
		})
	}
}

// TestReplayElsewhere: a recorded request is worth nothing at another listener of the job.
func TestReplayElsewhere(t *testing.T) {
	d, at := guarded(t, Config{})
	request, _ := recorded(t, d, at)
	other, there := guarded(t, Config{})
	c := dialRaw(t, there)
	c.say(request)
	c.ended()
	untouched(t, other, 1)
}

// TestCrowdOfStrangers: while a thousand strangers hold connections, those of the job still get theirs, and nothing
// is heard of the crowd.
func TestCrowdOfStrangers(t *testing.T) {
	d, at := guarded(t, Config{})
	const crowd = 1000
	for i := range crowd {
		c, err := net.DialTCP("tcp", nil, net.TCPAddrFromAddrPort(at))
		if err != nil {
			t.Fatalf("stranger %d: %v", i, err)
		}
		defer c.Close()
		if i%2 == 0 {
			c.Write([]byte("MPA ID"))
		}
	}
	a, b := newEnd(t, open(t, Config{Key: jobKey}), verbs.RC, 64), newEnd(t, d, verbs.RC, 64)
	if err := a.qp.Connect(at, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.event(verbs.ConnectRequest).Request.Accept(b.qp, nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
	b.event(verbs.Established)
	quiet(t, d)
	eventually(t, "all of the crowd were looked at", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.count.strangers+uint64(len(d.unproven)) == crowd && len(d.unproven) <= d.cfg.UnprovenConns
	})
}

// TestCrowdArrivesTogether: a request that is already here is not lost because many strangers came after it in the
// same moment.
func TestCrowdArrivesTogether(t *testing.T) {
	d, at := guarded(t, Config{UnprovenConns: 4})
	a := newEnd(t, open(t, Config{Key: jobKey}), verbs.RC, 64)
	e := newEnd(t, d, verbs.RC, 64)
	d.mu.Lock() // nobody serves the listener meanwhile
	if err := a.qp.Connect(at, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the request has left", func() bool {
		a.dev.mu.Lock()
		defer a.dev.mu.Unlock()
		s := a.qp.(*rc).stream
		return s != nil && s.phase == phaseAsked && len(s.greeting) == 0
	})
	for range 100 {
		c, err := net.DialTCP("tcp", nil, net.TCPAddrFromAddrPort(at))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	d.mu.Unlock()
	if err := e.event(verbs.ConnectRequest).Request.Accept(e.qp, nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
}

// TestStrangersMeet: devices with different keys, or only one with a key, make no connection, in either direction.
func TestStrangersMeet(t *testing.T) {
	for name, keys := range map[string][2][]byte{
		"other keys":           {[]byte("one"), []byte("two")},
		"initiator has no key": {nil, []byte("two")},
		"acceptor has no key":  {[]byte("one"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := newEnd(t, open(t, Config{Key: keys[0]}), verbs.RC, 64), newEnd(t, open(t, Config{Key: keys[1]}), verbs.RC, 64)
			l, err := b.dev.Listen(verbs.ListenConfig{})
			if err != nil {
				t.Fatal(err)
			}
			if err := a.qp.Connect(l.Addr(), nil); err != nil {
				t.Fatal(err)
			}
			if keys[1] != nil {
				a.event(verbs.ConnectFailed)
				untouched(t, b.dev, 1)
				return
			}
			// It cannot know that the private data is a proof, but the initiator can that there is none in the reply.
			if err := b.event(verbs.ConnectRequest).Request.Accept(b.qp, nil); err != nil {
				t.Fatal(err)
			}
			a.event(verbs.ConnectFailed)
			if a.qp.State() != verbs.Error || counter(t, a.dev, "strangers") != 1 {
				t.Errorf("state %v, %d strangers", a.qp.State(), counter(t, a.dev, "strangers"))
			}
		})
	}
}

// TestImpostorListens: an acceptor that does not know the key convinces nobody, whatever it replies.
func TestImpostorListens(t *testing.T) {
	for name, reply := range map[string]func(request iwarp.StartFrame) []byte{
		"no proof":      func(iwarp.StartFrame) []byte { return nil },
		"zeros":         func(iwarp.StartFrame) []byte { return auth.Dress(auth.Nonce{}, [auth.ProofSize]byte{}, nil) },
		"its own proof": func(r iwarp.StartFrame) []byte { return r.Private },
		"another key": func(r iwarp.StartFrame) []byte {
			a, _, _, _ := auth.Undress(r.Private)
			return auth.Dress(auth.Nonce{9}, auth.Reply([]byte("another"), a, auth.Nonce{9}, false, nil), nil)
		},
		"a reject's proof": func(r iwarp.StartFrame) []byte {
			a, _, _, _ := auth.Undress(r.Private)
			return auth.Dress(auth.Nonce{9}, auth.Reply(jobKey, a, auth.Nonce{9}, true, nil), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			a := newEnd(t, open(t, Config{Key: jobKey}), verbs.RC, 64)
			if err := a.qp.Connect(l.Addr().(*net.TCPAddr).AddrPort(), nil); err != nil {
				t.Fatal(err)
			}
			conn, err := l.AcceptTCP()
			if err != nil {
				t.Fatal(err)
			}
			c := &rawConn{t, conn}
			request, ok := c.hear()
			if !ok {
				t.Fatal("no request")
			}
			answer := iwarp.StartFrame{Reply: true, CRC: true, Revision: 2, Private: reply(request)}
			b, err := answer.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			c.say(b)
			a.event(verbs.ConnectFailed)
			c.ended()
			untouched(t, a.dev, 1)
		})
	}
}

// TestStrangersDatagrams: datagrams of another job, or of none, are dropped and counted, and leave no state.
func TestStrangersDatagrams(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		e := newEnd(t, open(t, Config{Key: jobKey, KeyedDatagrams: true}), typ, 64)
		if err := e.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
		e.receives(1, 64)
		count := uint64(0)
		for _, key := range []string{"", "another"} {
			c := rawTo(t, e.qp.Addr())
			if key != "" {
				c.own = sealsOf(t, key, c.addr(), 1)
			}
			if typ == verbs.RD {
				c.send(sendHeader(1, 0, true), []byte("psst"))
			} else {
				h := sendHeader(1, 0, true)
				c.raw(c.seal(append(h.Append(nil), "psst"...)))
				h = iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QueueTerminate, MSN: 1}
				c.raw(c.seal((&iwarp.Terminate{Fault: iwarp.FaultSTag}).Append(h.Append(nil))))
				count++
			}
			c.raw([]byte("x"))
			count += 2
		}
		eventually(t, "they arrive", func() bool { return counter(t, e.dev, "datagrams_bad_tag") == count })
		quiet(t, e.dev)
		var done [1]verbs.Completion
		if e.cq.Poll(done[:]) != 0 {
			t.Errorf("%v: %+v", typ, done[0])
		}
		e.dev.mu.Lock()
		if u := e.qp.(*dgram).sock; u.flows != nil && u.flows.Len() != 0 {
			t.Errorf("%v: %d flows", typ, u.flows.Len())
		}
		if e.dev.count.datagramsOut != 0 {
			t.Errorf("%v: %d answers", typ, e.dev.count.datagramsOut)
		}
		e.dev.mu.Unlock()
	}
}
