package rank

import (
	"errors"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// sender and receiver are one half of a message between the ranks of a pair.
type (
	sender   func(p *pairs, buf []byte, tag int) error
	receiver func(p *pairs, buf []byte, tag int) error
)

// modes are the ways in which the messages of a ping-pong are sent and received.
var modes = map[string]func(p *pairs) batch{
	"isend":       func(p *pairs) batch { return p.by(started(mpi.Isend[byte]), irecv) },
	"ssend":       func(p *pairs) batch { return p.by(blocking(mpi.Ssend[byte]), recv) },
	"bsend":       func(p *pairs) batch { return p.by(blocking(mpi.Bsend[byte]), recv) },
	"rsend":       func(p *pairs) batch { return p.byReady(blocking(mpi.Rsend[byte])) },
	"issend":      func(p *pairs) batch { return p.by(started(mpi.Issend[byte]), irecv) },
	"ibsend":      func(p *pairs) batch { return p.by(started(mpi.Ibsend[byte]), irecv) },
	"irsend":      func(p *pairs) batch { return p.byReady(started(mpi.Irsend[byte])) },
	"persistent":  func(p *pairs) batch { return p.persistent },
	"probe":       func(p *pairs) batch { return p.by(blocking(mpi.Send[byte]), probeAndRecv) },
	"mprobe":      func(p *pairs) batch { return p.by(blocking(mpi.Send[byte]), mprobeAndRecv) },
	"partitioned": func(p *pairs) batch { return p.partitioned },
	"strided1":    strided(1),
	"strided8":    strided(8),
	"strided64":   strided(64),
	"indexed":     byLayout[float64](indexed),
	"fields":      byLayout[record](records),
}

func blocking(send func(c *mpi.Comm, buf []byte, dst, tag int) error) sender {
	return func(p *pairs, buf []byte, tag int) error { return send(p.world, buf, p.peer, tag) }
}

func started(start func(c *mpi.Comm, buf []byte, dst, tag int) mpi.Request) sender {
	return func(p *pairs, buf []byte, tag int) error {
		_, err := start(p.world, buf, p.peer, tag).Wait()
		return err
	}
}

func recv(p *pairs, buf []byte, tag int) error {
	_, err := mpi.Recv(p.world, buf, p.peer, tag)
	return err
}

func irecv(p *pairs, buf []byte, tag int) error {
	_, err := mpi.Irecv(p.world, buf, p.peer, tag).Wait()
	return err
}

func probeAndRecv(p *pairs, buf []byte, tag int) error {
	if _, err := mpi.Probe(p.world, p.peer, tag); err != nil {
		return err
	}
	return recv(p, buf, tag)
}

func mprobeAndRecv(p *pairs, buf []byte, tag int) error {
	m, err := mpi.Mprobe(p.world, p.peer, tag)
	if err != nil {
		return err
	}
	_, err = mpi.Mrecv(m, buf)
	return err
}

// by sends and receives one message there and back per iteration.
func (p *pairs) by(send sender, recv receiver) batch {
	return func(s bench.Step, iterations int) (float64, error) {
		out, in := p.out[:s.Size], p.in[:s.Size]
		start := mpi.Wtime()
		for range iterations {
			if p.leads {
				if err := send(p, out, tagPing); err != nil {
					return 0, err
				}
			}
			if err := recv(p, in, p.inTag()); err != nil {
				return 0, err
			}
			if !p.leads {
				if err := send(p, out, tagPong); err != nil {
					return 0, err
				}
			}
		}
		return mpi.Wtime() - start, nil
	}
}

// inTag is the tag of the messages that this rank receives, outTag of those that it sends.
func (p *pairs) inTag() int {
	if p.leads {
		return tagPong
	}
	return tagPing
}

func (p *pairs) outTag() int { return tagPing + tagPong - p.inTag() }

// byReady does the same with every receive posted before its message can be sent: the first before
// a barrier, each other before the message that it answers.
func (p *pairs) byReady(send sender) batch {
	return func(s bench.Step, iterations int) (float64, error) {
		if iterations == 0 {
			return 0, nil
		}
		out, in := p.out[:s.Size], p.in[:s.Size]
		next := mpi.Irecv(p.world, in, p.peer, p.inTag())
		if err := mpi.Barrier(p.world); err != nil {
			return 0, err
		}
		start := mpi.Wtime()
		for i := range iterations {
			if p.leads {
				if err := send(p, out, tagPing); err != nil {
					return 0, err
				}
			}
			if _, err := next.Wait(); err != nil {
				return 0, err
			}
			if i < iterations-1 {
				next = mpi.Irecv(p.world, in, p.peer, p.inTag())
			}
			if !p.leads {
				if err := send(p, out, tagPong); err != nil {
					return 0, err
				}
			}
		}
		return mpi.Wtime() - start, nil
	}
}

// persistent starts the same two requests in each iteration.
func (p *pairs) persistent(s bench.Step, iterations int) (float64, error) {
	first := mpi.SendInit(p.world, p.out[:s.Size], p.peer, p.outTag())
	second := mpi.RecvInit(p.world, p.in[:s.Size], p.peer, p.inTag())
	if !p.leads {
		first, second = second, first
	}
	both := [2]mpi.Request{first, second}
	start := mpi.Wtime()
	for range iterations {
		for i := range both {
			if err := mpi.Start(both[i]); err != nil {
				return 0, err
			}
			if _, err := both[i].Wait(); err != nil {
				return 0, err
			}
		}
	}
	return mpi.Wtime() - start, nil
}

// partitioned sends and receives one message in parts there and back per iteration; parts get ready one by one.
func (p *pairs) partitioned(s bench.Step, iterations int) (spent float64, err error) {
	size := s.Size - s.Size%bench.Parts
	out := mpi.PsendInit(p.world, p.out[:size], bench.Parts, p.peer, p.outTag())
	in := mpi.PrecvInit(p.world, p.in[:size], bench.Parts, p.peer, p.inTag())
	defer func() { err = errors.Join(err, out.Free(), in.Free()) }()
	send := func() error {
		if err := mpi.Start(out.Request); err != nil {
			return err
		}
		for i := range bench.Parts {
			if err := out.Ready(i); err != nil {
				return err
			}
		}
		_, err := out.Wait()
		return err
	}
	start := mpi.Wtime()
	for range iterations {
		if err := mpi.Start(in.Request); err != nil {
			return 0, err
		}
		if p.leads {
			if err := send(); err != nil {
				return 0, err
			}
		}
		if _, err := in.Wait(); err != nil {
			return 0, err
		}
		if !p.leads {
			if err := send(); err != nil {
				return 0, err
			}
		}
	}
	return mpi.Wtime() - start, nil
}
