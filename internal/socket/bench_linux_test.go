package socket

import (
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"
)

var loopback4 = netip.MustParseAddr("127.0.0.1")

// echo runs body on a thread of its own until the benchmark ends.
func echo(b *testing.B, body func(stop *atomic.Bool)) {
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer close(done)
		body(&stop)
	}()
	b.Cleanup(func() { stop.Store(true); <-done })
	runtime.LockOSThread()
	b.Cleanup(runtime.UnlockOSThread)
}

// spin calls until it is not ErrAgain; it says how many bytes, or below 0 when stopped.
func spin(stop *atomic.Bool, call func() (int, error)) int {
	for stop == nil || !stop.Load() {
		if n, err := call(); err == nil {
			return n
		} else if err != ErrAgain {
			return -1
		}
	}
	return -1
}

// Half of a round trip over TCP, both sides spinning.
func BenchmarkStreamPingPong(b *testing.B) {
	near, far := pair(b, loopback4)
	near.SetNoDelay(true)
	far.SetNoDelay(true)
	msg, in := make([]byte, 64), make([]byte, 4096)
	echo(b, func(stop *atomic.Bool) {
		buf := make([]byte, 4096)
		for {
			n := spin(stop, func() (int, error) { return far.Recv(buf) })
			if n <= 0 {
				return
			}
			far.Send(buf[:n], false)
		}
	})
	for b.Loop() {
		near.Send(msg, false)
		spin(nil, func() (int, error) { return near.Recv(in) })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/half")
}

// Half of a round trip over UDP, both sides spinning, by each way to receive.
func BenchmarkDatagramPingPong(b *testing.B) {
	type receiver func(u *UDP, in *Inbox) (int, error)
	body := make([]byte, 4096)
	for _, c := range []struct {
		name string
		opt  UDPOptions
		recv receiver
	}{
		{"Recv", UDPOptions{}, (*UDP).Recv},
		{"Poll", UDPOptions{}, (*UDP).Poll},
		{"RecvNoOffload", UDPOptions{NoOffload: true}, (*UDP).Recv},
		{"PollNoOffload", UDPOptions{NoOffload: true}, (*UDP).Poll},
		{"RecvOne", UDPOptions{NoOffload: true}, func(u *UDP, _ *Inbox) (int, error) { n, _, err := u.RecvOne(body); return n, err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			near, far := openUDP(b, loopback4, c.opt), openUDP(b, loopback4, c.opt)
			out := func(u *UDP, to netip.AddrPort) func() {
				batch, msg := NewBatch(1, 1), make([]byte, 64)
				return func() {
					batch.Reset()
					batch.Begin(to)
					batch.Add(msg)
					batch.EndDatagram()
					u.Send(batch)
				}
			}
			ping, pong := out(near, far.LocalAddr()), out(far, near.LocalAddr())
			echo(b, func(stop *atomic.Bool) {
				in := NewInbox(0, 0)
				for spin(stop, func() (int, error) { return c.recv(far, in) }) > 0 {
					pong()
				}
			})
			in := NewInbox(0, 0)
			for b.Loop() {
				ping()
				spin(nil, func() (int, error) { return c.recv(near, in) })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/half")
		})
	}
}

// What it costs to find nothing.
func BenchmarkIdle(b *testing.B) {
	u, plain := openUDP(b, loopback4, UDPOptions{}), openUDP(b, loopback4, UDPOptions{NoOffload: true})
	near, _ := pair(b, loopback4)
	in, buf := NewInbox(0, 0), make([]byte, 4096)
	p := must[*Poller](b)(NewPoller())
	defer p.Close()
	p.Add(u.FD(), 1, false)
	p.Add(near.FD(), 2, false)
	events := make([]Event, 64)
	for name, call := range map[string]func(){
		"UDP/Recv":    func() { u.Recv(in) },
		"UDP/Poll":    func() { u.Poll(in) },
		"UDP/RecvOne": func() { plain.RecvOne(buf) },
		"TCP/Recv":    func() { near.Recv(buf) },
		"Poller/Wait": func() { p.Wait(events, 0) },
		"Poller/Wake": func() { p.Wake() },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call()
			}
		})
	}
}

// One direction of TCP, both sides spinning.
func BenchmarkStreamBandwidth(b *testing.B) {
	near, far := pair(b, loopback4)
	const piece = 256 << 10
	msg := make([]byte, piece)
	echo(b, func(stop *atomic.Bool) {
		buf := make([]byte, piece)
		for spin(stop, func() (int, error) { return far.Recv(buf) }) > 0 {
		}
	})
	b.SetBytes(piece)
	for b.Loop() {
		for rest := msg; len(rest) > 0; {
			rest = rest[spin(nil, func() (int, error) { return near.Send(rest, false) }):]
		}
	}
}

// One direction of UDP in full packets, the sender never more than a window ahead of the receiver.
func BenchmarkDatagramBandwidth(b *testing.B) {
	const size, count, window = 1472, 44, 1 << 20
	for name, off := range map[string]bool{"offload": false, "plain": true} {
		b.Run(name, func(b *testing.B) {
			opt := UDPOptions{NoOffload: off, Buffers: 8 << 20}
			near, far := openUDP(b, loopback4, opt), openUDP(b, loopback4, opt)
			var received atomic.Int64
			echo(b, func(stop *atomic.Bool) {
				in := NewInbox(0, 0)
				for {
					n := spin(stop, func() (int, error) { return far.Recv(in) })
					if n <= 0 {
						return
					}
					received.Add(int64(n * size))
				}
			})
			batch, msg := NewBatch(count, count), make([]byte, size)
			sent := int64(0)
			b.SetBytes(size * count)
			for b.Loop() {
				batch.Reset()
				for range count {
					batch.Begin(far.LocalAddr())
					batch.Add(msg)
					batch.EndDatagram()
				}
				for batch.Next() < count {
					if _, err := near.Send(batch); err != nil && err != ErrAgain {
						b.Fatal(err)
					}
				}
				for sent += size * count; sent-received.Load() > window; {
				}
			}
		})
	}
}
