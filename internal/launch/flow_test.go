package launch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// A sender and a reader with a window between them: everything arrives in order, and never more than a
// window is on the way.
func TestFlowKeepsToTheWindow(t *testing.T) {
	v := newValve()
	box := newMailbox(func(n int) {
		if err := v.add(n); err != nil {
			t.Error(err)
		}
	})
	const total = 5*frame.Window + 17
	go func() {
		for sent := 0; sent < total; {
			n := v.take(min(total-sent, frame.PieceMax))
			piece := make([]byte, n)
			for i := range piece {
				piece[i] = byte((sent + i) * 7 >> 3)
			}
			if err := box.put(piece); err != nil {
				t.Error(err)
			}
			sent += n
		}
		if err := box.put(nil); err != nil {
			t.Error(err)
		}
	}()
	got, err := io.ReadAll(box)
	if err != nil || len(got) != total {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	for i, b := range got {
		if b != byte(i*7>>3) {
			t.Fatalf("byte %d is wrong", i)
		}
	}
}

func TestFlowBounds(t *testing.T) {
	credited := 0
	box := newMailbox(func(n int) { credited += n })
	if err := box.put(make([]byte, frame.Window)); err != nil {
		t.Fatal(err)
	}
	if err := box.put([]byte{1}); err == nil {
		t.Error("more than a window was taken")
	}
	buf := make([]byte, frame.Window)
	if n, err := box.Read(buf); n != frame.Window || err != nil {
		t.Fatal(n, err)
	}
	if err := box.put([]byte{1}); err == nil || credited != 0 {
		t.Errorf("room before it was granted: %v, %d", err, credited)
	}
	box.Close()
	if n, err := box.Read(buf); n != 0 || err != io.EOF || credited != frame.Window {
		t.Errorf("%d, %v, credit %d", n, err, credited)
	}
	v := newValve()
	if v.add(1) == nil || v.add(-1) == nil {
		t.Error("credit for nothing")
	}
	if n := v.take(2 * frame.Window); n != frame.Window {
		t.Errorf("took %d", n)
	}
	waited := make(chan int)
	go func() { waited <- v.take(1) }()
	v.close()
	if n := <-waited; n != 0 {
		t.Errorf("took %d from a closed valve", n)
	}
}

// stuckWriter takes one write and then waits.
type stuckWriter struct{ entered, leave chan struct{} }

func (w stuckWriter) Write(b []byte) (int, error) {
	w.entered <- struct{}{}
	<-w.leave
	return 0, errors.New("broken")
}

func TestOutboxNeverWaits(t *testing.T) {
	o := newOutbox()
	w := stuckWriter{make(chan struct{}), make(chan struct{})}
	ended := make(chan error)
	go func() { ended <- o.run(w) }()
	put := func() {
		if err := o.put(&frame.Note{Text: "x"}); err != nil {
			t.Error(err)
		}
	}
	put()
	<-w.entered
	for range 1000 {
		put()
	}
	o.flush(10 * time.Millisecond) // gives up
	below := make(chan struct{})
	go func() {
		o.waitBelow(1)
		close(below)
	}()
	close(w.leave)
	if err := <-ended; err == nil {
		t.Error("the error of the writer is lost")
	}
	<-below // who waits is let go
	put()   // and who puts is not bothered
	if err := o.put(&frame.Note{Text: string(make([]byte, frame.BodyMax))}); err != nil {
		t.Errorf("after the end: %v", err)
	}
}

func TestOutboxKeepsOrder(t *testing.T) {
	o := newOutbox()
	var b bytes.Buffer
	ended := make(chan error)
	go func() { ended <- o.run(&b) }()
	for i := range 500 {
		if err := o.put(&frame.Started{Rank: i, Pid: 1}); err != nil {
			t.Fatal(err)
		}
	}
	o.flush(time.Minute)
	o.close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	in := frame.NewReader(bufio.NewReader(&b))
	for i := range 500 {
		m, err := in.Next()
		if s, ok := m.(*frame.Started); err != nil || !ok || s.Rank != i {
			t.Fatalf("%d: %v, %v", i, m, err)
		}
	}
}
