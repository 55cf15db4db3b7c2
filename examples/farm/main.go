// Command farm counts the points of a grid that belong to the Mandelbrot set, with workers that may die: with -die 1s
// the first worker kills itself after a second, the second after two, and so on, as if their hosts had failed. Their
// rows go to others, and the count is the same. When all workers are dead the manager does the rest.
//
// Rank 0 deals out rows and knows who has which. A death is an error of its receive from AnySource: it takes back what
// the dead had, acknowledges the death by AckFailed, and goes on. No communicator is torn by that, since nobody but the
// manager waits for workers: there is nothing to revoke. Run it with
//
//	weft run --recover -n 4 ./examples/farm -die 1s
//
// If the manager dies the job fails; to survive that, too, look at the example survive.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Tags say what a message is.
const (
	tagRow   = iota // manager to worker: a row to do; none (no content) when all are done
	tagReady        // worker to manager: give me a row (no content)
	tagCount        // worker to manager: the count of a row, and give me another
)

// counted is a row and how many of its points belong to the set.
type counted struct{ Row, Inside int }

func main() {
	size := flag.Int("size", 2000, "rows and columns of the grid")
	die := flag.Duration("die", 0, "the first worker kills itself after this time, the second after twice of it, ... (0: none)")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if *die > 0 && world.Rank() > 0 {
			time.AfterFunc(time.Duration(world.Rank())**die, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) })
		}
		return run(world, os.Stdout, *size)
	})
}

// run makes rank 0 the manager and the others workers.
func run(world *mpi.Comm, out io.Writer, size int) error {
	if size < 1 {
		return errors.New("-size must be at least 1")
	}
	if world.Rank() > 0 {
		return work(world, size)
	}
	p := newPool(world.Size(), size)
	if err := manage(world, p); err != nil {
		return err
	}
	share := float64(p.inside) / float64(size) / float64(size)
	fmt.Fprintf(out, "%d of %d x %d points: the set covers about %.4f\n", p.inside, size, size, share*width*height)
	for worker, rows := range p.did {
		fmt.Fprintf(out, "rank %d did %d of %d rows\n", worker, rows, size)
	}
	return nil
}

// pool is what the manager knows. It holds no messages, so that one sees what a death changes.
type pool struct {
	todo   []int       // rows that nobody has
	has    map[int]int // by worker: the row that it works on
	idle   []int       // workers that wait for a row
	alive  []bool      // by rank
	done   []bool      // by row
	left   int         // rows that are not done
	inside int         // points of rows that are done
	did    []int       // by rank: how many rows
}

func newPool(ranks, rows int) *pool {
	p := &pool{has: map[int]int{}, left: rows, done: make([]bool, rows), alive: make([]bool, ranks), did: make([]int, ranks)}
	for r := range rows {
		p.todo = append(p.todo, r)
	}
	for r := 1; r < ranks; r++ {
		p.alive[r] = true
	}
	return p
}

// count takes a worker's result. The dead may have sent one that comes after their row was given to another: a row
// counts once.
func (p *pool) count(worker int, c counted) {
	if p.done[c.Row] {
		return
	}
	p.done[c.Row] = true
	p.left--
	p.inside += c.Inside
	p.did[worker]++
}

// take returns a row that is to be done.
func (p *pool) take() (row int, ok bool) {
	for len(p.todo) > 0 {
		row, p.todo = p.todo[0], p.todo[1:]
		if !p.done[row] {
			return row, true
		}
	}
	return 0, false
}

// bury takes back what a worker had that is dead.
func (p *pool) bury(worker int) {
	if !p.alive[worker] {
		return
	}
	p.alive[worker] = false
	if row, ok := p.has[worker]; ok {
		p.todo = append(p.todo, row)
		delete(p.has, worker)
	}
}

// workers returns those that live.
func (p *pool) workers() (all []int) {
	for r, alive := range p.alive {
		if alive {
			all = append(all, r)
		}
	}
	return all
}

// over tells whether all rows are done, and all workers that live wait to be told: nothing of theirs is under way.
func (p *pool) over() bool {
	waiting := 0
	for _, worker := range p.idle {
		if p.alive[worker] {
			waiting++
		}
	}
	return p.left == 0 && waiting == len(p.workers())
}

// manage deals out rows until all are done.
func manage(world *mpi.Comm, p *pool) error {
	for !p.over() {
		if len(p.workers()) == 0 {
			if row, ok := p.take(); ok {
				p.count(0, counted{row, inside(row, len(p.done))})
			}
			continue
		}
		c := make([]counted, 1)
		switch st, err := mpi.Recv(world, c, mpi.AnySource, mpi.AnyTag); {
		case errors.Is(err, mpi.ErrProcFailed):
			for _, dead := range world.AckFailed() {
				p.bury(dead)
			}
		case err != nil:
			return err
		default:
			if st.Tag == tagCount {
				p.count(st.Source, c[0])
			}
			delete(p.has, st.Source)
			p.idle = append(p.idle, st.Source)
		}
		if err := deal(world, p); err != nil {
			return err
		}
	}
	for _, worker := range p.workers() {
		if err := tell(world, p, worker, nil); err != nil {
			return err
		}
	}
	return nil
}

// deal gives rows to those that have none.
func deal(world *mpi.Comm, p *pool) error {
	for len(p.idle) > 0 {
		worker := p.idle[0]
		if !p.alive[worker] {
			p.idle = p.idle[1:]
			continue
		}
		row, ok := p.take()
		if !ok {
			return nil // who is idle gets what the dead leave
		}
		p.idle = p.idle[1:]
		p.has[worker] = row
		if err := tell(world, p, worker, []int{row}); err != nil {
			return err
		}
	}
	return nil
}

// tell sends a row, or that there are none. That the worker is dead is no failure.
func tell(world *mpi.Comm, p *pool, worker int, row []int) error {
	err := mpi.Send(world, row, worker, tagRow)
	if errors.Is(err, mpi.ErrProcFailed) {
		p.bury(worker)
		return nil
	}
	return err
}

// work asks for rows and does them until there are no more.
func work(world *mpi.Comm, size int) error {
	if err := mpi.Send[counted](world, nil, 0, tagReady); err != nil {
		return err
	}
	for {
		row := make([]int, 1)
		st, err := mpi.Recv(world, row, 0, tagRow)
		if err != nil || st.Bytes == 0 {
			return err
		}
		if err := mpi.Send(world, []counted{{row[0], inside(row[0], size)}}, 0, tagCount); err != nil {
			return err
		}
	}
}

// The part of the plane that the grid covers.
const left, bottom, width, height = -2.0, -1.25, 2.5, 2.5

// inside counts the points of a row that stay near zero: slow where the set is, so rows take different times.
func inside(row, size int) int {
	const steps = 500
	count := 0
	y := bottom + height*(float64(row)+0.5)/float64(size)
	for column := range size {
		c := complex(left+width*(float64(column)+0.5)/float64(size), y)
		z := complex(0, 0)
		n := 0
		for n < steps && real(z)*real(z)+imag(z)*imag(z) <= 4 {
			z = z*z + c
			n++
		}
		if n == steps {
			count++
		}
	}
	return count
}
