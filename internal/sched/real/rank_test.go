package real

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/mpi"
)

var wanted = flag.Bool("real", false, "start a real Slurm")

// The test binary is its own rank where it is called prog.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "prog" {
		mpi.Main(func(world *mpi.Comm) error { return behave(world, os.Args[1:]) })
	}
	flag.Parse()
	os.Exit(m.Run())
}

// lockedBuffer collects what a process writes, and can be read meanwhile.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *lockedBuffer) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *lockedBuffer) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// behave is what a rank does: pass messages around, then what the first word says. Some words name a rank, which does
// that while the others wait for it.
func behave(world *mpi.Comm, words []string) error {
	if err := ring(world); err != nil {
		return err
	}
	host, _ := os.Hostname()
	if len(words) == 0 {
		fmt.Printf("rank %d of %d on %s is done\n", world.Rank(), world.Size(), host)
		return nil
	}
	who := -1
	if len(words) > 1 {
		who, _ = strconv.Atoi(words[1])
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, unix.SIGUSR1)
	fmt.Printf("rank %d of %d on %s is ready\n", world.Rank(), world.Size(), host)
	if words[0] != "wait" && who != world.Rank() {
		_, err := mpi.Recv(world, make([]byte, 1), who, 99)
		return fmt.Errorf("a receive from a rank that is gone returned: %w", err)
	}
	switch words[0] {
	case "wait":
		select {
		case s := <-caught:
			fmt.Printf("rank %d got %v\n", world.Rank(), s)
			return nil
		case <-time.After(patience):
			return errors.New("nobody ends this job")
		}
	case "die":
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	case "exit":
		code, _ := strconv.Atoi(words[2])
		os.Exit(code)
	case "abort":
		code, _ := strconv.Atoi(words[2])
		world.Abort(code, "had enough")
	case "fail":
		return errors.New("this rank has failed")
	}
	return fmt.Errorf("nobody knows %q", words)
}

// ring passes messages of some lengths around and adds ranks up.
func ring(world *mpi.Comm) error {
	right, left := (world.Rank()+1)%world.Size(), (world.Rank()-1+world.Size())%world.Size()
	for tag, n := range []int{0, 1, 5000, 300_000} {
		in, out := make([]byte, n), bytes.Repeat([]byte{byte(world.Rank())}, n)
		r := mpi.Irecv(world, in, left, tag)
		if err := mpi.Send(world, out, right, tag); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		if !bytes.Equal(in, bytes.Repeat([]byte{byte(left)}, n)) {
			return fmt.Errorf("%d bytes from rank %d came wrong", n, left)
		}
	}
	sum := []int{0}
	if err := mpi.Allreduce(world, []int{world.Rank()}, sum, mpi.Sum); err != nil {
		return err
	}
	if want := world.Size() * (world.Size() - 1) / 2; sum[0] != want {
		return fmt.Errorf("ranks add up to %d and not %d", sum[0], want)
	}
	return nil
}
