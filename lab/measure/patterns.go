package measure

import (
	"fmt"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Pattern is how an application communicates in its innermost loop.
type Pattern string

// The patterns of the applications in the document on the speculative rendezvous.
const (
	CG    Pattern = "CG"    // receives are posted just before the sends that they wait for: nothing overlaps
	BT    Pattern = "BT"    // a receive is posted before the next data is produced
	LU    Pattern = "LU"    // so too, but from any source
	Radix Pattern = "RADIX" // four receives at a time are waited for together; sends block
)

// Patterns lists them.
func Patterns() []Pattern { return []Pattern{CG, BT, LU, Radix} }

// Program runs the loop of an application between two ranks that many times, with messages of that size, producing and
// consuming for half of work each.
func (p Pattern) Program(k *Rank, size, iterations int, work time.Duration) error {
	if k.World.Size() != 2 {
		return fmt.Errorf("pattern %s: it is for 2 ranks, there are %d", p, k.World.Size())
	}
	r := &rounds{k: k, partner: 1 - k.World.Rank(), half: work / 2, out: buffer(size)}
	for range 4 {
		r.in = append(r.in, buffer(size))
	}
	switch p {
	case CG:
		return r.conjugate(iterations)
	case BT:
		return r.blocks(iterations)
	case LU:
		return r.wavefront(iterations)
	case Radix:
		return r.sort(iterations)
	}
	return fmt.Errorf("there is no pattern %q", p)
}

// rounds is one rank in one of the patterns.
type rounds struct {
	k       *Rank
	partner int
	half    time.Duration
	out     []byte
	in      [][]byte
}

func (r *rounds) work(what string) {
	defer r.k.Span(what)()
	r.k.clock.Compute(int64(r.half))
}

func (r *rounds) irecv(what string, i, from int) mpi.Request {
	defer r.k.Span(what)()
	return mpi.Irecv(r.k.World, r.in[i], from, tagData)
}

func (r *rounds) isend() mpi.Request {
	defer r.k.Span("Isend")()
	return mpi.Isend(r.k.World, r.out, r.partner, tagData)
}

func (r *rounds) send() error {
	defer r.k.Span("Send")()
	return mpi.Send(r.k.World, r.out, r.partner, tagData)
}

func (r *rounds) wait(what string, requests ...mpi.Request) error {
	defer r.k.Span(what)()
	return mpi.Waitall(requests)
}

// conjugate is the loop of CG.
func (r *rounds) conjugate(iterations int) error {
	r.work("produce")
	for range iterations {
		got := r.irecv("Irecv", 0, r.partner)
		if err := r.send(); err != nil {
			return err
		}
		if err := r.wait("Wait", got); err != nil {
			return err
		}
	}
	r.work("consume")
	return nil
}

// blocks is the loop of BT. The message that its last iteration sends is received at the end.
func (r *rounds) blocks(iterations int) error {
	r.work("produce")
	sent := r.isend()
	for range iterations {
		got := r.irecv("Irecv", 0, r.partner)
		r.work("produce")
		if err := r.wait("Wait for Isend", sent); err != nil {
			return err
		}
		if err := r.wait("Wait for Irecv", got); err != nil {
			return err
		}
		r.work("consume")
		sent = r.isend()
	}
	return r.wait("Waitall", sent, r.irecv("Irecv", 0, r.partner))
}

// wavefront is the loop of LU.
func (r *rounds) wavefront(iterations int) error {
	for range iterations {
		got := r.irecv("Irecv from any", 0, mpi.AnySource)
		r.work("produce")
		if err := r.send(); err != nil {
			return err
		}
		if err := r.wait("Wait", got); err != nil {
			return err
		}
		r.work("consume")
	}
	return nil
}

// sort is the loop of RADIX: rank 0 receives first and rank 1 sends first.
func (r *rounds) sort(iterations int) error {
	phases := []func(int) error{r.collect, r.scatter}
	if r.k.World.Rank() == 1 {
		phases[0], phases[1] = phases[1], phases[0]
	}
	for _, phase := range phases {
		if err := phase(iterations); err != nil {
			return err
		}
	}
	return nil
}

func (r *rounds) collect(iterations int) error {
	for range iterations {
		var got []mpi.Request
		for i := range r.in {
			got = append(got, r.irecv("Irecv", i, r.partner))
		}
		if err := r.wait("Waitall", got...); err != nil {
			return err
		}
	}
	return nil
}

func (r *rounds) scatter(iterations int) error {
	for range iterations * len(r.in) {
		if err := r.send(); err != nil {
			return err
		}
	}
	return nil
}
