package progress_test

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// TestBury: a death ends what needs the dead, and receives from any source of the communicators that it was in; what it
// had sent is received, and the living go on.
func TestBury(t *testing.T) {
	for name, ends := range map[string][]end{
		"shm": shmEnds(t, 3, shm.Config{}), "inproc": inprocEnds(t, 3),
	} {
		t.Run(name, func(t *testing.T) {
			if link, ok := ends[0].link.Transport.(*shm.Link); ok {
				ends[0].link.Forsaker = link
			}
			l := newLoops(t, ends, nil)
			if err := send(l[1], []byte("last"), 0, 5); err != nil {
				t.Fatal(err)
			}
			elsewhere := progress.Peer{Ctx: 16, Peer: match.Any, Tag: 1}
			receive := func(from progress.Peer) progress.Handle { return l[0].Irecv(make([]byte, 8), from, why("irecv")) }
			lost := []progress.Handle{receive(at(1, 1)), receive(at(match.Any, 2))}
			kept := []progress.Handle{receive(at(2, 3)), receive(elsewhere)}
			for range 2 {
				l[0].Bury(1, []uint32{8}, progress.DeadPeer("process 1 has died"))
			}
			_, errs, err := collect(l[0], progress.Want{Need: 2, All: true}, lost...)
			if err != nil || len(errs) != 2 || !errors.Is(errs[0], engine.ErrLost) || !errors.Is(errs[1], engine.ErrLost) {
				t.Fatalf("receives that need the dead: %v, %v", errs, err)
			}
			got := make([]byte, 8)
			if st, err := recv(l[0], got, 1, 5); err != nil || string(got[:st.Len]) != "last" {
				t.Errorf("what the dead had sent: %q, %v", got[:st.Len], err)
			}
			for _, n := range []int{1, 1 << 20} {
				if err := send(l[0], make([]byte, n), 1, 1); !errors.Is(err, engine.ErrLost) {
					t.Errorf("%d bytes to the dead: %v", n, err)
				}
			}
			if _, err := recv(l[0], got, match.Any, 2); !errors.Is(err, engine.ErrLost) {
				t.Errorf("from anybody: %v", err)
			}
			l[0].Console(8)
			for _, tag := range []int{2, 3} {
				if err := send(l[2], []byte{byte(tag)}, 0, tag); err != nil {
					t.Fatal(err)
				}
			}
			if st, err := recv(l[0], got, match.Any, 2); err != nil || st.Peer != 2 {
				t.Errorf("from anybody who lives: %+v, %v", st, err)
			}
			if err := l[2].Send(t.Context(), []byte{1}, progress.Peer{Ctx: 16, Peer: 0, Tag: 1}, engine.Standard, why("send")); err != nil {
				t.Fatal(err)
			}
			if _, errs, err := collect(l[0], progress.Want{Need: 2, All: true}, kept...); err != nil || len(errs) != 2 || errs[0] != nil || errs[1] != nil {
				t.Errorf("receives that do not need the dead: %v, %v", errs, err)
			}
		})
	}
}
