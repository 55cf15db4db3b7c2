package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// unrun are the examples that have no output to compare, and why. They are compiled.
var unrun = map[string]string{
	"Init":     "a process can join a job only once",
	"Finalize": "a process can leave a job only once",
	"Main":     "it ends the process",
}

// TestEveryCallHasAnExample sees that the documentation shows an example of every function and
// method, and that it is run.
func TestEveryCallHasAnExample(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "github.com/weft-mpi/weft/mpi")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	look := func(receiver string, all []*doc.Func) {
		for _, f := range all {
			calls++
			name := receiver + f.Name
			if len(f.Examples) == 0 {
				t.Errorf("%s has no example", name)
			}
			for _, e := range f.Examples {
				if ran := e.Output != "" || e.EmptyOutput; !ran && unrun[name] == "" {
					t.Errorf("the example of %s says no output, so it is not run", name)
				}
			}
		}
	}
	look("", p.Funcs)
	for _, typ := range p.Types {
		look("", typ.Funcs)
		look(typ.Name+".", typ.Methods)
	}
	if calls < 100 {
		t.Errorf("found only %d calls", calls)
	}
}

// A program: every rank brings a number, and all learn the sum.
func Example() {
	run := func(world *mpi.Comm) error {
		sum := make([]int, 1)
		if err := mpi.Allreduce(world, []int{world.Rank()}, sum, mpi.Sum); err != nil {
			return err
		}
		fmt.Printf("rank %d of %d: the ranks add up to %d\n", world.Rank(), world.Size(), sum[0])
		return nil
	}
	// In a program of its own: mpi.Main(run). Here the ranks are goroutines.
	if err := mpi.Run(3, run); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 of 3: the ranks add up to 3
	// rank 1 of 3: the ranks add up to 3
	// rank 2 of 3: the ranks add up to 3
}

// The main function of most programs: the ranks are the processes that weft run has started.
func ExampleMain() {
	mpi.Main(func(world *mpi.Comm) error {
		fmt.Printf("hello from rank %d of %d\n", world.Rank(), world.Size())
		return mpi.Barrier(world) // an error would be printed and end the job
	})
}

// A program that joins the job itself, to do something after it has left.
func ExampleInit() {
	world, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("hello from rank %d of %d\n", world.Rank(), world.Size())
	if err := mpi.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// All ranks call Finalize before they end.
func ExampleFinalize() {
	world, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := mpi.Barrier(world); err != nil {
		world.Abort(1, err.Error()) // the others must not wait for this rank in Finalize
	}
	if err := mpi.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Ranks that are goroutines of one process, as in a test. The first error ends all of them.
func ExampleRun() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		if world.Rank() == 2 {
			return errors.New("no input")
		}
		return mpi.Barrier(world) // rank 2 never comes: the call fails with ErrAborted
	})
	fmt.Println(err)
	// Output: rank 2: no input
}

func ExampleWtime() {
	begin := mpi.Wtime()
	time.Sleep(time.Millisecond)
	if seconds := mpi.Wtime() - begin; seconds >= 0.001 {
		fmt.Println("it took a millisecond or more")
	}
	// Output: it took a millisecond or more
}

// Matching the class of an error, and reading its details.
func ExampleError() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		err := mpi.Send(world, []int{1}, 5, 0) // there is no rank 5
		var details *mpi.Error
		if errors.Is(err, mpi.ErrRank) && errors.As(err, &details) {
			fmt.Printf("%s on %s with rank %d: bad rank\n", details.Op, details.Comm, details.Peer)
			return nil
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: send on world with rank 5: bad rank
}

func ExampleError_Error() {
	err := &mpi.Error{Op: "recv", Comm: "world", Peer: 3, Tag: 7, Err: context.DeadlineExceeded}
	fmt.Println(err.Error())
	// Output: mpi: recv on world with rank 3, tag 7: context deadline exceeded
}

func ExampleError_Unwrap() {
	err := &mpi.Error{Op: "recv", Comm: "world", Peer: 3, Tag: 7, Err: context.DeadlineExceeded}
	fmt.Println(err.Unwrap() == context.DeadlineExceeded, errors.Is(err, context.DeadlineExceeded))
	// Output: true true
}
