package progress_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
)

// A receiver that asks for the last message first holds its sender before it is full, and gets all
// of them, in order and whole. Then the sender may send again.
func TestUnexpectedIsBounded(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		offers := !speculates(ends[0].link) // where links speculate, short messages are sent all the same
		const most, messages, size = 8 << 10, 400, 300
		loops := newLoops(t, ends, func(c *progress.Config) { c.Engine.UnexpectedMax = most })
		payload := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, size) }
		done := make(chan error, 1)
		go func() {
			var hs []progress.Handle
			for i := range messages {
				if h := loops[0].Isend(payload(i), at(1, 1), engine.Standard, why("isend")); h.R != nil {
					hs = append(hs, h)
				}
				if i == messages/2 { // the other has had time to say that it is too much
					if _, err := recv(loops[0], nil, 1, 4); err != nil {
						done <- err
						return
					}
				}
			}
			hs = append(hs, loops[0].Isend([]byte{1}, at(1, 2), engine.Sync, why("isend")))
			_, errs, err := collect(loops[0], progress.Want{Need: len(hs), All: true}, hs...)
			done <- errors.Join(append(errs, err)...)
		}()
		for loops[1].Counters().Holds == 0 {
			if _, found, err := loops[1].Iprobe(at(0, 9)); found || err != nil {
				t.Fatal(found, err)
			}
		}
		if err := send(loops[1], nil, 0, 4); err != nil {
			t.Fatal(err)
		}
		if _, err := recv(loops[1], make([]byte, 1), 0, 2); err != nil {
			t.Fatal(err)
		}
		for i := range messages {
			b := make([]byte, size)
			if st, err := recv(loops[1], b, 0, 1); err != nil || st.Len != size || !bytes.Equal(b, payload(i)) {
				t.Fatalf("message %d: %+v, %v, begins with %d", i, st, err, b[0])
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		sender, receiver := loops[0].Counters(), loops[1].Counters()
		if receiver.Holds == 0 || (sender.Held > 0) != offers {
			t.Errorf("%d holds, %d sends held", receiver.Holds, sender.Held)
		}
		// What comes behind the release tells that it has come.
		if err := send(loops[1], nil, 0, 5); err != nil {
			t.Fatal(err)
		}
		if _, err := recv(loops[0], nil, 1, 5); err != nil {
			t.Fatal(err)
		}
		if err := send(loops[0], payload(7), 1, 3); err != nil { // would wait for its receive, if it were held
			t.Fatal(err)
		}
		if _, err := recv(loops[1], make([]byte, size), 0, 3); err != nil {
			t.Fatal(err)
		}
	})
}
