package soak

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Every kind of message and of collective occurs in a few rounds, and all of it is right on links that lose nothing.
func TestSoakOnSoundLinks(t *testing.T) {
	for _, ranks := range []int{1, 2, 5} {
		err := mpi.Run(ranks, func(world *mpi.Comm) error {
			sum, err := Run(world, Config{Seed: 11, Rounds: 20})
			if err == nil && (sum.Rounds != 20 || sum.Messages < 20*4 || sum.Collectives == 0) {
				err = errors.New(sum.String())
			}
			return err
		})
		if err != nil {
			t.Errorf("%d ranks: %v", ranks, err)
		}
	}
}

// A soak by time ends by time, on all ranks alike.
func TestSoakByTime(t *testing.T) {
	var rounds [3]int
	err := mpi.Run(3, func(world *mpi.Comm) error {
		sum, err := Run(world, Config{Seed: 3, Time: 50 * time.Millisecond, Progress: io.Discard})
		rounds[world.Rank()] = sum.Rounds
		return err
	})
	if err != nil || rounds[0] == 0 || rounds[0] != rounds[1] || rounds[0] != rounds[2] {
		t.Errorf("%v, rounds %v", err, rounds)
	}
}

func TestPlansAreRepeatable(t *testing.T) {
	one, two, three := newPlan(5, 9, 0, 4), newPlan(5, 9, 0, 4), newPlan(5, 10, 0, 4)
	if !reflect.DeepEqual(one, two) {
		t.Error("the same seed gave two plans")
	}
	if reflect.DeepEqual(one, three) {
		t.Error("two rounds have the same plan")
	}
}

// Plans contain everything there is: else the soak would promise more than it does.
func TestPlansContainEverything(t *testing.T) {
	seen := map[any]int{}
	for round := range 300 {
		p := newPlan(1, round, 0, 4)
		for i := range p.messages {
			m := &p.messages[i]
			seen[m.way]++
			seen[m.taking]++
			switch {
			case m.bytes == 0:
				seen["empty"]++
			case m.bytes > 1<<20:
				seen["longest"]++
			case m.bytes > 64<<10:
				seen["long"]++
			}
			if m.bytes > longest || m.taking >= fromAny && m.bytes >= longWild || m.tag < 0 || m.tag >= mpi.MaxTag-1 {
				t.Fatalf("%v is out of bounds", m)
			}
			if m.from == m.to {
				seen["self"]++
			}
		}
		g := &group{key: 1, ranks: 4, round: round}
		for _, s := range g.steps() {
			seen[s.name]++
		}
	}
	want := []any{"empty", "long", "longest", "self"}
	for w := range ways {
		want = append(want, w)
	}
	for k := range takings {
		want = append(want, k)
	}
	for _, k := range kinds {
		want = append(want, k.name)
	}
	for _, w := range want {
		if seen[w] < 10 {
			t.Errorf("%v occurs %d times", w, seen[w])
		}
	}
}

// What goes wrong with one message is found and named. A spoiler damages, doubles, or swallows the first message that
// fits.
func TestFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		fits  func(m *message) bool
		spoil func(m *message, payload []byte) int
		says  []string
	}{
		{"a bit", func(m *message) bool { return m.bytes > 100 && m.taking == received },
			func(_ *message, b []byte) int { b[len(b)-1] ^= 1; return 1 }, []string{"receive, tag", "is wrong"}},
		{"the start of a posted one", func(m *message) bool { return m.bytes > 100 && m.taking == posted },
			func(_ *message, b []byte) int { clear(b); return 1 }, []string{"posted receive", "begins at byte 0", "is zero"}},
		{"a bit for a wildcard", func(m *message) bool { return m.bytes > 100 && m.taking == fromAnyPre },
			func(_ *message, b []byte) int { b[50] ^= 1; return 1 }, []string{"posted receive from any", "what begins at byte 50"}},
		{"a shift", func(m *message) bool { return m.bytes > 100 && m.taking == matched },
			func(_ *message, b []byte) int { copy(b[64:], b[72:]); return 1 }, []string{"matched probe", "what begins at byte 64"}},
		{"doubled", func(m *message) bool { return m.bytes > 8 && m.taking == polled },
			func(*message, []byte) int { return 2 }, nil},
		{"doubled for any tag", func(m *message) bool { return m.bytes > 8 && m.taking == anyTag },
			func(*message, []byte) int { return 2 }, nil},
		{"lost", func(m *message) bool { return m.taking == received },
			func(*message, []byte) int { return 0 }, []string{"takes longer than", "have not come"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var spoilt atomic.Bool
			spoil := func(m *message, b []byte) int {
				if m.way == isend && m.from != m.to && c.fits(m) && !spoilt.Swap(true) {
					return c.spoil(m, b)
				}
				return 1
			}
			err := mpi.Run(3, func(world *mpi.Comm) error {
				cfg := Config{Seed: 21, Rounds: 100, spoil: spoil}
				if c.name == "lost" {
					cfg.Limit = 10 * time.Second // all else of the round is over by then
				}
				_, err := Run(world, cfg)
				return err
			})
			if err == nil {
				t.Fatal("nothing was found")
			}
			for _, want := range append(c.says, "seed 21, rank ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in %q", want, err)
				}
			}
		})
	}
}

func TestDamage(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 100} {
		b := make([]byte, n+guard)
		clean(b)
		fill(b[:n], 77)
		if wrong := damage(b, n, 77); wrong != "" {
			t.Errorf("%d bytes: %s", n, wrong)
		}
		for i := range b {
			b[i] ^= 0x40
			if damage(b, n, 77) == "" {
				t.Errorf("%d bytes: byte %d was not looked at", n, i)
			}
			b[i] ^= 0x40
		}
	}
}
