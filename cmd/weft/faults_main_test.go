package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/mpi"
)

// faultNotes names the directory where a rank of the faulty program leaves what a test must know about it.
const faultNotes = "FAULTS_NOTES"

// faulty is one rank of an MPI program that misbehaves on request: "faulty MODE words...". It must not know what
// launcher and library make of its behaviour; the tests do.
type faulty struct {
	world *mpi.Comm
	words []string
}

// faultyModes are the behaviours between Init and Finalize.
var faultyModes = map[string]func(*faulty) error{
	"sum":        (*faulty).sum,
	"kill":       (*faulty).kill,
	"traffic":    (*faulty).traffic,
	"exit":       (*faulty).exit,
	"truncate":   (*faulty).truncate,
	"complain":   (*faulty).complain,
	"panic":      (*faulty).panic,
	"wild":       (*faulty).wild,
	"abort":      (*faulty).abort,
	"forget":     (*faulty).forget,
	"large":      (*faulty).large,
	"unexpected": (*faulty).unexpected,
	"collective": (*faulty).collective,
	"idle":       (*faulty).idle,
	"absent":     (*faulty).absent,
	"partner":    (*faulty).partner,
	"disagree":   (*faulty).disagree,
	"deadlock":   (*faulty).deadlock,
	"mistag":     (*faulty).mistag,
	"miscount":   (*faulty).miscount,
	"child":      (*faulty).child,
}

// faultyMain is the whole program.
func faultyMain() {
	if len(os.Args) < 2 || faultyModes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "faulty: unknown mode", os.Args[1:])
		os.Exit(99)
	}
	f := &faulty{words: os.Args[2:]}
	if err := f.beforeInit(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "faulty:", err)
		os.Exit(98)
	}
	mpi.Main(func(world *mpi.Comm) error {
		f.world = world
		return faultyModes[os.Args[1]](f)
	})
}

// beforeInit does what has to be done to the process before it joins the job.
func (f *faulty) beforeInit(mode string) error {
	if err := noteSegment(); err != nil {
		return err
	}
	if os.Getenv("FAULTS_SECCOMP") != "" {
		if err := denySingleCopy(); err != nil {
			return err
		}
	}
	if fd, err := strconv.Atoi(os.Getenv("FAULTS_SHM_FD")); err == nil {
		if err := replaceSegment(fd); err != nil {
			return err
		}
	}
	if mode == "kill" && f.word(0) == "init" {
		if f.chosen(1) {
			f.killSoon()
		} else {
			time.Sleep(30 * time.Millisecond) // the victim has to wait inside Init
		}
	}
	return nil
}

// noteSegment writes down which file is the job's shared memory, so that the test can look for its holders.
func noteSegment() error {
	notes, fd := os.Getenv(faultNotes), os.Getenv("WEFT_SHM_FD")
	if notes == "" || fd == "" || os.Getenv("WEFT_RANK") != "0" {
		return nil
	}
	n, err := strconv.Atoi(fd)
	if err != nil {
		return nil // the test has damaged the variable
	}
	var st unix.Stat_t
	if unix.Fstat(n, &st) != nil {
		return nil
	}
	return os.WriteFile(filepath.Join(notes, "segment"), fmt.Append(nil, st.Ino), 0o666)
}

// replaceSegment puts something else into the descriptor that the launcher has announced as shared memory: an end of
// a pipe (1), a regular file (2), nothing (3).
func replaceSegment(what int) error {
	fd, err := strconv.Atoi(os.Getenv("WEFT_SHM_FD"))
	if err != nil {
		return err
	}
	switch what {
	case 1:
		var p [2]int
		return errors.Join(unix.Pipe(p[:]), unix.Dup3(p[0], fd, 0))
	case 2:
		file, err := os.Open(os.Args[0])
		if err != nil {
			file, err = os.Open("/proc/self/exe")
		}
		return errors.Join(err, unix.Dup3(int(file.Fd()), fd, 0))
	}
	return unix.Close(fd)
}

// word returns the i-th word after the mode, "" if there is none.
func (f *faulty) word(i int) string {
	if i < len(f.words) {
		return f.words[i]
	}
	return ""
}

func (f *faulty) number(i int) int {
	n, err := strconv.Atoi(f.word(i))
	if err != nil {
		fmt.Fprintf(os.Stderr, "faulty: word %d of %q is no number\n", i, f.words)
		os.Exit(97)
	}
	return n
}

// chosen tells whether this is the rank that word i names. It works before Init.
func (f *faulty) chosen(i int) bool { return os.Getenv("WEFT_RANK") == f.word(i) }

// killSoon lets the process get the signal in word 2 after the microseconds in word 3, and notes its pid.
func (f *faulty) killSoon() {
	sig, delay := syscall.Signal(f.number(2)), time.Duration(f.number(3))*time.Microsecond
	note := filepath.Join(os.Getenv(faultNotes), "victim")
	if err := os.WriteFile(note, fmt.Append(nil, os.Getpid()), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "faulty:", err)
		os.Exit(96)
	}
	time.AfterFunc(delay, func() { _ = syscall.Kill(os.Getpid(), sig) })
}

// kill PHASE RANK SIGNAL MICROSECONDS: the rank gets the signal in the middle of the phase.
func (f *faulty) kill() error {
	phase := f.word(0)
	if phase != "init" && f.chosen(1) {
		f.killSoon()
	}
	switch phase {
	case "init":
		return f.traffic() // the signal came late
	case "finalize":
		if f.world.Rank() == (f.number(1)+1)%f.world.Size() {
			time.Sleep(time.Minute) // the others wait in Finalize
		}
		return nil
	case "finalized":
		if err := mpi.Finalize(); err != nil || f.chosen(1) {
			time.Sleep(time.Minute)
			return err
		}
		os.Exit(0)
	}
	return f.traffic()
}

// exit RANK CODE: the rank leaves without Finalize, the others wait for it.
func (f *faulty) exit() error {
	if err := mpi.Barrier(f.world); err != nil {
		return err
	}
	if f.chosen(0) {
		os.Exit(f.number(1))
	}
	return f.waitFor(f.number(0))
}

// waitFor receives what never comes.
func (f *faulty) waitFor(rank int) error {
	_, err := mpi.Recv(f.world, make([]int, 1), rank, 12345)
	return err
}

// truncate: rank 1 receives into a buffer that is too short, and returns the error.
func (f *faulty) truncate() error {
	switch f.world.Rank() {
	case 0:
		if err := mpi.Send(f.world, make([]int, 8), 1, 7); err != nil {
			return err
		}
		return f.waitFor(1)
	case 1:
		_, err := mpi.Recv(f.world, make([]int, 4), 0, 7)
		return err
	}
	return f.waitFor(1)
}

// complain RANK: the rank returns an error that is not the library's.
func (f *faulty) complain() error {
	if f.chosen(0) {
		return errors.New("the input file is missing")
	}
	return f.waitFor(f.number(0))
}

// panic RANK: the rank panics while the others wait.
func (f *faulty) panic() error {
	if f.chosen(0) {
		panic("rank " + f.word(0) + " has lost its way")
	}
	return f.waitFor(f.number(0))
}

// abort RANK CODE
func (f *faulty) abort() error {
	if f.chosen(0) {
		f.world.Abort(f.number(1), "no convergence")
	}
	return f.waitFor(f.number(0))
}

// forget: rank 1 sends what rank 0 never receives, and both leave a request alone.
func (f *faulty) forget() error {
	peer := 1 - f.world.Rank()
	if f.world.Rank() == 1 {
		for tag, n := range []int{1, 3} {
			if err := mpi.Send(f.world, make([]int64, n), peer, 70+tag); err != nil {
				return err
			}
		}
	}
	_ = mpi.Irecv(f.world, make([]int, 1), peer, 99)
	return mpi.Barrier(f.world)
}
