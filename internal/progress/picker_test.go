package progress_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
)

// spinning is the policy of a rank that finds what comes soon by looking.
func spinning(cfg *progress.Config) { cfg.Policy = clock.Policy{Spins: 2000, Yields: 5} }

// mail is a message of the tests of picking.
type mail struct {
	from, tag int
	text      []byte
}

// mails are what a rank sends, in that order: most are short, some long, and few of many tags.
func mails(rng *rand.Rand, from, n int) (all []mail) {
	for i := range n {
		size := []int{0, 1, 8, 112, 113, 512, 513, 4000, 5000, 200_000}[rng.IntN(10)]
		text := bytes.Repeat([]byte{byte(from), byte(i)}, size/2+1)[:size]
		all = append(all, mail{from, rng.IntN(3), text})
	}
	return all
}

// wanted draws a receive for which one of the mails that nobody has asked for is meant, and takes that out: the first
// that fits, as MPI demands. Letters of one sender alone, so that there is nothing to choose from.
func wanted(rng *rand.Rand, left *[]mail) (from progress.Peer, l mail) {
	aim := (*left)[rng.IntN(min(len(*left), 4))]
	from = at(aim.from, aim.tag)
	if rng.IntN(4) == 0 {
		from.Tag = match.Any
	}
	if rng.IntN(8) == 0 {
		from.Peer = match.Any
	}
	i := slices.IndexFunc(*left, func(l mail) bool { return from.Tag == match.Any || int(from.Tag) == l.tag })
	l = (*left)[i]
	*left = slices.Delete(*left, i, i+1)
	return from, l
}

// Whatever receives are started, waited for, tested, cancelled and mixed with blocking ones, each gets the first message
// that it fits, whole: those that stand aside, that pick their message, and all others.
func TestPickedLikeAny(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 15
	}
	var picked, others uint64
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 1))
		loops := newLoops(t, shmEnds(t, 2, shm.Config{}), spinning)
		sent := mails(rng, 0, 150)
		sends := async(func() { // nobody waits for a long one that is received behind others
			var hs []progress.Handle
			for _, l := range sent {
				hs = append(hs, loops[0].Isend(l.text, at(1, l.tag), engine.Standard, why("isend")))
			}
			_, errs, err := collect(loops[0], progress.Want{Need: len(hs)}, hs...)
			if err := errors.Join(append(errs, err)...); err != nil {
				t.Error(err)
			}
		})
		receiveAll(t, rng, loops[1], slices.Clone(sent))
		within(t, "sending", sends)
		c := loops[1].Counters()
		picked += c.Picked
		others += c.Expected + c.Unexpected - c.Picked
		if c.Expected+c.Unexpected != uint64(len(sent)) {
			t.Errorf("seed %d: %d + %d messages came, of %d", seed, c.Expected, c.Unexpected, len(sent))
		}
	}
	if picked == 0 || others == 0 {
		t.Errorf("%d messages were picked, %d were not", picked, others)
	}
}

// started is a receive and what it is to get.
type started struct {
	h progress.Handle
	b []byte
	l mail
}

// receiveAll receives mails that one rank sends in all ways that there are.
func receiveAll(t *testing.T, rng *rand.Rand, l *progress.Loop, left []mail) {
	check := func(b []byte, want mail, st engine.Status, err error) {
		t.Helper()
		if err != nil || st.Len != len(want.text) || int(st.Tag) != want.tag || st.Peer != want.from || !bytes.Equal(b[:st.Len], want.text) {
			t.Errorf("got %+v, %v, want tag %d, %d bytes of %v", st, err, want.tag, len(want.text), want.text[:min(2, len(want.text))])
		}
	}
	var open []started
	wait := func(some []started) {
		hs := make([]progress.Handle, len(some))
		for i := range some {
			hs[i] = some[i].h
		}
		want := progress.Want{Need: len(hs)}
		_, err := l.Collect(context.Background(), hs, want, func(i int, r *progress.Request) {
			check(some[i].b, some[i].l, r.Status, r.Err)
		})
		if err != nil {
			t.Error(err)
		}
	}
	for len(left) > 0 || len(open) > 0 {
		what := rng.IntN(10)
		switch {
		case len(left) > 0 && what < 5:
			from, want := wanted(rng, &left)
			b := make([]byte, len(want.text)+rng.IntN(3))
			open = append(open, started{l.Irecv(b, from, why("irecv")), b, want})
		case len(left) > 0 && what < 7:
			from, want := wanted(rng, &left)
			b := make([]byte, len(want.text))
			st, err := l.Recv(context.Background(), b, from, why("recv"))
			check(b, want, st, err)
		case len(left) > 0 && what == 7: // one that nothing fits stands in the row, and goes
			h := l.Irecv(make([]byte, 10), at(0, 77), why("irecv"))
			if err := l.Cancel(h); err != nil {
				t.Error(err)
			}
			if _, errs, err := collect(l, progress.Want{Need: 1}, h); err != nil || !errors.Is(errs[0], engine.ErrCancelled) {
				t.Errorf("a receive that was cancelled ended with %v, %v", errs, err)
			}
		case len(open) > 0 && what == 8:
			i := rng.IntN(len(open))
			st, bad, taken, err := l.One(open[i].h, rng.IntN(2) == 0)
			if bad != nil || err != nil {
				t.Errorf("%+v, %v", bad, err)
			}
			if taken {
				check(open[i].b, open[i].l, st, nil)
				open = slices.Delete(open, i, i+1)
			}
		case len(open) > 0:
			n := 1 + rng.IntN(len(open))
			rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
			wait(open[:n])
			open = open[n:]
		}
	}
}

// A message that is too long for the receive that it meets is an error of that one, waiting or standing aside, and what
// is behind it is received.
func TestPickedTooLong(t *testing.T) {
	loops := newLoops(t, shmEnds(t, 2, shm.Config{}), spinning)
	b := make([]byte, 4)
	for range 3 {
		h := loops[1].Irecv(b, at(0, 1), why("irecv"))
		next := loops[1].Irecv(b, at(0, 1), why("irecv"))
		for _, text := range []string{"too long", "fits", "too long", "fits"} {
			if err := send(loops[0], []byte(text), 1, 1); err != nil {
				t.Fatal(err)
			}
		}
		if _, errs, err := collect(loops[1], progress.Want{Need: 2}, h, next); err != nil || !errors.Is(errs[0], engine.ErrTruncate) || errs[1] != nil {
			t.Errorf("standing aside: %v, %v", errs, err)
		}
		if _, err := recv(loops[1], b, 0, 1); !errors.Is(err, engine.ErrTruncate) {
			t.Errorf("waiting: %v", err)
		}
		if st, err := recv(loops[1], b, 0, 1); err != nil || string(b[:st.Len]) != "fits" {
			t.Errorf("%q, %v", b, err)
		}
	}
}

// Receives that stand aside are ended with all others when the job is over, by somebody else of the process too.
func TestAsideWhenAllIsOver(t *testing.T) {
	loops := newLoops(t, shmEnds(t, 2, shm.Config{}), spinning)
	why0 := errors.New("over")
	var hs []progress.Handle
	for i := range 5 {
		hs = append(hs, loops[1].Irecv(make([]byte, 8), at(0, i), why("irecv")))
	}
	done := async(func() {
		_, errs, err := collect(loops[1], progress.Want{Need: len(hs)}, hs...)
		for _, e := range errs {
			if err != nil || !errors.Is(e, why0) {
				t.Errorf("%v, %v", e, err)
			}
		}
	})
	loops[1].Fail(why0)
	within(t, "the wait", done)
}

// What a peer asks for is seen to though the rank does nothing but pick messages, and windows of them.
func TestPickersSeeToOthers(t *testing.T) {
	loops := newLoops(t, shmEnds(t, 3, shm.Config{}), func(cfg *progress.Config) {
		spinning(cfg)
		cfg.Mode = progress.Poll // nobody else does
	})
	b := make([]byte, 1)
	over := make(chan struct{})
	echo := async(func() {
		for mine := make([]byte, 1); ; {
			if st, err := recv(loops[0], mine, 1, match.Any); err != nil || st.Tag == 9 {
				return
			}
			if err := send(loops[0], mine, 1, 1); err != nil {
				t.Error(err)
			}
		}
	})
	third := async(func() { // waits until rank 1 has received it
		defer close(over)
		if err := loops[2].Send(context.Background(), make([]byte, 1<<20), at(1, 5), engine.Standard, why("send")); err != nil {
			t.Error(err)
		}
	})
	h := loops[1].Irecv(make([]byte, 1<<20), at(2, 5), why("irecv"))
	for turn := 0; ; turn++ {
		if turn%100 == 0 {
			select {
			case <-over:
				if _, errs, err := collect(loops[1], progress.Want{Need: 1}, h); err != nil || errs[0] != nil {
					t.Error(errs, err)
				}
				_ = send(loops[1], b, 0, 9)
				within(t, "the echo", echo)
				within(t, "the third", third)
				return
			default:
			}
		}
		if err := send(loops[1], b, 0, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := recv(loops[1], b, 0, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// A link that says that its next message is something else is polled.
func TestHeadOfShm(t *testing.T) {
	ends := shmEnds(t, 2, shm.Config{})
	a, b := ends[0].link, ends[1].link.Picker
	say := func(kind wire.Kind, label uint64, data string) {
		p := &wire.Packet{Header: wire.Header{Kind: kind, Ctx: 8, Tag: 3, Len: len(data), Label: label}, Peer: 1, Data: []byte(data), Whole: true}
		if !a.Send(p) {
			t.Fatal("no room")
		}
	}
	if _, _, _, found := b.Head(0); found != wire.Other {
		t.Errorf("found %d in a ring that is not open", found)
	}
	say(wire.Eager, 0, "first")
	ends[1].link.Poll(nothing{})
	if _, _, _, found := b.Head(0); found != wire.Nothing {
		t.Errorf("found %d in an empty ring", found)
	}
	for _, text := range []string{"", "x", string(make([]byte, 112)), string(make([]byte, 113)), string(make([]byte, 513))} {
		say(wire.Eager, 0, text)
		ctx, tag, payload, found := b.Head(0)
		if found != wire.Short || ctx != 8 || tag != 3 || string(payload) != text {
			t.Errorf("%d bytes: context %d, tag %d, %d bytes, found %d", len(text), ctx, tag, len(payload), found)
		}
		b.Next(0)
	}
	for i, p := range []func(){
		func() { say(wire.Eager, 5, "labelled") },
		func() { say(wire.Sync, 0, "synchronous") },
		func() { say(wire.Eager, 0, string(make([]byte, 20<<10))) },
	} {
		p()
		if _, _, _, found := b.Head(0); found != wire.Other {
			t.Errorf("%d: found %d", i, found)
		}
		for ends[1].link.Poll(nothing{}) {
		}
	}
}

// nothing drops what comes.
type nothing struct{ wire.Sink }

func (nothing) Arrive(int, *wire.Header, []byte)                {}
func (nothing) Begin(int, *wire.Header) (dst []byte, token any) { return nil, nil }
func (nothing) End(any)                                         {}
