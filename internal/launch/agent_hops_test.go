package launch

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// launcherSays is hops as a launcher has them, and what they have said to it.
type launcherSays struct {
	*hops
	mu    sync.Mutex
	out   map[int]string // by hop
	ended map[int]frame.Reached
}

func newLauncherSays(t *testing.T, size int) *launcherSays {
	t.Helper()
	l := &launcherSays{out: map[int]string{}, ended: map[int]frame.Reached{}}
	l.hops = newHops(func(m frame.Message) {
		l.mu.Lock()
		defer l.mu.Unlock()
		switch m := m.(type) {
		case *frame.Data:
			l.out[m.Rank] += string(m.Data)
		case *frame.Reached:
			l.ended[m.ID] = *m
		}
	})
	t.Cleanup(func() {
		l.close()
		l.wait()
	})
	l.tell(t, &frame.Setup{Size: size})
	return l
}

func (l *launcherSays) tell(t *testing.T, m frame.Message) {
	t.Helper()
	if _, err := l.take(m); err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
}

// end waits for the end of a hop and returns all that it has written.
func (l *launcherSays) end(t *testing.T, id int) (frame.Reached, string) {
	t.Helper()
	var r frame.Reached
	var out string
	if !eventually(func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		found := false
		r, found = l.ended[id]
		out = l.out[id]
		return found
	}) {
		t.Fatalf("hop %d has not ended", id)
	}
	return r, out
}

// A hop is a command with the streams of a rank: what it reads and writes is carried, and how it ended is told.
func TestHops(t *testing.T) {
	l := newLauncherSays(t, 4)
	l.tell(t, &frame.Reach{ID: 4, Words: []string{"sh", "-c", "cat; echo done >&2; exit 3"}})
	l.tell(t, &frame.Reach{ID: 7, Words: []string{"sleep", "300"}})
	l.tell(t, &frame.Reach{ID: 5, Words: []string{"/no/such/ssh", "h"}})
	l.tell(t, &frame.Reach{ID: 6, Words: []string{"sh", "-c", "sleep 300 & echo left"}})
	piece := bytes.Repeat([]byte("x"), 1000)
	for range 10 {
		l.tell(t, &frame.Data{Rank: 4, Stream: frame.Stdin, Data: piece})
	}
	l.tell(t, &frame.Data{Rank: 4, Stream: frame.Stdin})
	if r, out := l.end(t, 4); r.Code != 3 || r.Error != "" || strings.Count(out, "x") != 10000 || !strings.Contains(out, "done\n") {
		t.Errorf("%+v, %d bytes", r, len(out))
	}
	if r, _ := l.end(t, 5); r.Code != -1 || !strings.Contains(r.Error, "cannot run /no/such/ssh") {
		t.Errorf("%+v", r)
	}
	if r, out := l.end(t, 6); r.Code != 0 || out != "left\n" {
		t.Errorf("%+v, %q", r, out)
	}
	l.tell(t, &frame.Drop{ID: 7})
	if r, _ := l.end(t, 7); r.Code != -1 {
		t.Errorf("%+v", r)
	}
	for _, late := range []frame.Message{&frame.Drop{ID: 7}, &frame.Credit{Rank: 7, Stream: frame.Stdout, N: 1}, &frame.Data{Rank: 7, Data: piece}} {
		l.tell(t, late) // they crossed the news
	}
}

// What a launcher that knows the language does not say is refused; what is not about hops is left to others.
func TestHopsRefuse(t *testing.T) {
	words := []string{"sleep", "300"}
	for name, c := range map[string][]frame.Message{
		"before the setup": {&frame.Setup{}, &frame.Reach{ID: 4, Words: words}},
		"number of a rank": {&frame.Reach{ID: 3, Words: words}},
		"no words":         {&frame.Reach{ID: 4}},
		"twice":            {&frame.Reach{ID: 4, Words: words}, &frame.Reach{ID: 4, Words: words}},
		"too much":         {&frame.Reach{ID: 4, Words: words}, &frame.Data{Rank: 4, Data: make([]byte, frame.Window+1)}},
		"credit":           {&frame.Reach{ID: 4, Words: words}, &frame.Credit{Rank: 4, Stream: frame.Stderr, N: 1}},
	} {
		l := newLauncherSays(t, 4)
		var err error
		for i, m := range c {
			if err != nil {
				t.Errorf("%s: message %d was refused: %v", name, i-1, err)
			}
			_, err = l.take(m)
		}
		if !errors.Is(err, frame.ErrFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := newLauncherSays(t, 4)
	for _, m := range []frame.Message{&frame.Go{}, &frame.Data{Rank: 3}, &frame.Credit{Rank: 0}, &frame.Signal{Rank: 9}} {
		if mine, err := l.take(m); mine || err != nil {
			t.Errorf("%T: %v, %v", m, mine, err)
		}
	}
}

// One that is closed ends everything, also what is begun at the same time.
func TestHopsClose(t *testing.T) {
	l := newLauncherSays(t, 1)
	var begun sync.WaitGroup
	for i := range 8 {
		begun.Go(func() {
			_, _ = l.take(&frame.Reach{ID: 1 + i, Words: []string{"sleep", "300"}})
			if i == 4 {
				l.close()
			}
		})
	}
	begun.Wait()
	over := make(chan struct{})
	go func() {
		l.wait()
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Error("hops go on")
	}
}
