// Package launchtest is what tests of jobs share: a rank, that is a program that speaks PMI and nothing
// else and misbehaves on request, and a place for what ranks write. It owns no rules; it must not know what
// the launcher makes of their behaviour.
package launchtest

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// rank is the process at work.
type rank struct {
	me, size int
	file     *os.File // the client's; only noise touches it
	client   *pmi.Client
	args     []string
}

// modes are the behaviours. Those that name a rank as their first argument are different for that rank.
var modes = map[string]func(*rank) int{
	"ok":    (*rank).ok,
	"leave": (*rank).leave,
	"early": (*rank).early,
	"late":  (*rank).late,
	"panic": (*rank).panic,
	"gasp":  (*rank).gasp,
	"abort": (*rank).abort,
	"hang":  (*rank).hang,
	"hold":  (*rank).hold,
	"stall": (*rank).stall,
	"toil":  (*rank).toil,
	"words": (*rank).words,
	"fork":  (*rank).fork,
	"mute":  (*rank).mute,
	"noise": (*rank).noise,
}

// Main runs the mode in args[0] and returns the exit code.
func Main(args []string) int {
	if len(args) == 0 || modes[args[0]] == nil {
		fmt.Fprintln(os.Stderr, "rank: unknown mode", args)
		return 99
	}
	r := &rank{me: number(os.Getenv("PMI_RANK")), size: number(os.Getenv("PMI_SIZE")), args: args[1:]}
	file, err := pmi.Inherit(number(os.Getenv("PMI_FD")))
	if err != nil {
		fmt.Fprintln(os.Stderr, "rank:", err)
		return 98
	}
	r.file = file
	r.client = pmi.NewClient(file, os.Getenv("WEFT_LAUNCHER") == "1")
	return modes[args[0]](r)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// chosen tells whether this is the rank in the first argument.
func (r *rank) chosen() bool { return len(r.args) > 0 && number(r.args[0]) == r.me }

func (r *rank) code() int { return number(r.args[1]) }

func (r *rank) must(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", r.me, err)
		os.Exit(97)
	}
}

func (r *rank) join() { r.must(errors.Join(r.client.Init(), r.client.Barrier())) }

// wait stays until the launcher is gone or a minute is over.
func (r *rank) wait() int {
	select {
	case <-r.client.Gone():
		return 96
	case <-time.After(time.Minute):
		return 95
	}
}

// ok exchanges a value with everyone and ends well.
func (r *rank) ok() int {
	r.must(r.client.Init())
	r.must(r.client.Put(fmt.Sprintf("key-%d", r.me), fmt.Sprintf("value-%d", r.me)))
	r.must(r.client.Barrier())
	for peer := range r.size {
		v, found, err := r.client.Get(fmt.Sprintf("key-%d", peer))
		r.must(err)
		if !found || v != fmt.Sprintf("value-%d", peer) {
			r.must(fmt.Errorf("got %q of rank %d", v, peer))
		}
	}
	if os.Getenv("WEFT_LAUNCHER") == "1" {
		secret, found, err := r.client.Get(pmi.JobKey)
		r.must(err)
		if raw, err := hex.DecodeString(secret); !found || err != nil || len(raw) != 32 {
			r.must(fmt.Errorf("the job's secret is %q", secret))
		}
	}
	app, err := r.client.AppNum()
	r.must(errors.Join(err, r.client.Finalize()))
	fmt.Printf("rank %d of %d, program %d\n", r.me, r.size, app)
	return 0
}

// leave: the chosen rank exits after init, the others wait.
func (r *rank) leave() int {
	r.join()
	if r.chosen() {
		return r.code()
	}
	return r.wait()
}

// early: the chosen rank exits before init, the others join; with a third argument it waits that long first.
func (r *rank) early() int {
	if r.chosen() {
		if len(r.args) > 2 {
			d, err := time.ParseDuration(r.args[2])
			r.must(err)
			time.Sleep(d)
		}
		return r.code()
	}
	r.join()
	return r.wait()
}

// late: the chosen rank exits after finalize, the others work a little longer.
func (r *rank) late() int {
	r.join()
	r.must(r.client.Finalize())
	if r.chosen() {
		return r.code()
	}
	time.Sleep(300 * time.Millisecond)
	fmt.Printf("rank %d went on\n", r.me)
	return 0
}

func (r *rank) panic() int {
	r.join()
	if r.chosen() {
		panic("rank " + strconv.Itoa(r.me) + " has had enough")
	}
	return r.wait()
}

func (r *rank) abort() int {
	r.join()
	if r.chosen() {
		r.must(r.client.Abort(r.code(), strings.Join(r.args[2:], " ")))
	}
	return r.wait()
}

// hang joins, says so and waits.
func (r *rank) hang() int {
	r.join()
	fmt.Printf("rank %d ready\n", r.me)
	return r.wait()
}

// hold does not look at its control socket: only a signal can end it.
func (r *rank) hold() int {
	r.join()
	fmt.Printf("rank %d ready\n", r.me)
	time.Sleep(time.Minute)
	return 0
}

// stall: rank 0 complains about an allreduce; the others answer when asked, except the last, which computes.
func (r *rank) stall() int {
	s := pmi.Stall{Rank: r.me, Op: "allreduce", Comm: "world", Seq: 4, Peer: pmi.NoPeer, Seconds: 2, Site: "prog.go:7"}
	for i := range r.size {
		s.Members = append(s.Members, i)
	}
	asked := make(chan struct{}, 8)
	r.client.OnDump(func(ask int) {
		if r.me < r.size-1 {
			answer := s
			answer.Ask = ask
			r.must(r.client.Stall(answer))
		}
		r.must(r.client.Tally(pmi.Tally{Rank: r.me, Ask: ask}))
		asked <- struct{}{}
	})
	r.join()
	if r.me == 0 {
		r.must(r.client.Stall(s))
	}
	<-asked
	time.Sleep(600 * time.Millisecond)
	r.must(errors.Join(r.client.Barrier(), r.client.Finalize()))
	return 0
}

// toil: the ranks answer questions, except the chosen one, which hears none, and stay.
func (r *rank) toil() int {
	if !r.chosen() {
		r.client.OnDump(func(ask int) {
			r.must(r.client.Stall(pmi.Stall{Rank: r.me, Op: "recv", Comm: "world", Seq: pmi.NoSeq, Peer: 0, Tag: 5, Seconds: 3, Ask: ask}))
			r.must(r.client.Tally(pmi.Tally{Rank: r.me, Ask: ask, Seconds: 1, Counts: []pmi.Count{{Name: "sent", Value: uint64(10 * r.me)},
				{Name: "asked", Value: uint64(ask)}}}))
		})
	}
	r.join()
	fmt.Printf("rank %d ready\n", r.me)
	return r.wait()
}

// gasp: the chosen rank dies as on a machine that hardly gets on: its crash report takes seconds.
func (r *rank) gasp() int {
	r.join()
	if r.chosen() {
		fmt.Fprintln(os.Stderr, "panic: rank", r.me, "has had enough")
		time.Sleep(1500 * time.Millisecond)
		fmt.Fprintln(os.Stderr, "\ngoroutine 1 [running]:")
		return 2
	}
	return r.wait()
}

// words: the chosen rank leaves its last words with the launcher and exits.
func (r *rank) words() int {
	r.join()
	if r.chosen() {
		r.must(r.client.LastWords("recv on world: peer 2 is gone\nat prog.go:12"))
		return r.code()
	}
	return r.wait()
}

// fork starts a child that outlives the rank's interest in it, then waits.
func (r *rank) fork() int {
	r.join()
	child := exec.Command("sleep", "300")
	child.Stdout = os.Stdout
	r.must(child.Start())
	fmt.Printf("rank %d ready\n", r.me)
	return r.wait()
}

// mute: the chosen rank closes its control socket and goes on.
func (r *rank) mute() int {
	r.join()
	if r.chosen() {
		r.client.Close()
		time.Sleep(time.Minute)
	}
	return r.wait()
}

// noise: the chosen rank writes to its control socket what is no PMI.
func (r *rank) noise() int {
	r.join()
	if r.chosen() {
		_, err := r.file.WriteString("hello?\n")
		r.must(err)
	}
	return r.wait()
}
