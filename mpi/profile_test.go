package mpi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/mpi"
)

// manyCalls makes calls of most kinds: rank 0 sends, rank 1 receives, and both meet.
func manyCalls(world *mpi.Comm) error {
	b, other := make([]byte, 100), 1-world.Rank()
	row := mpi.Strided{Count: 5, Block: 2, Stride: 20}
	persistent := mpi.SendInit(world, b[:7], other, 1)
	if world.Rank() == 1 {
		persistent = mpi.RecvInit(world, b, other, 1)
	}
	for range 2 {
		if err := mpi.Start(persistent); err != nil {
			return err
		}
		if _, err := persistent.Wait(); err != nil {
			return err
		}
	}
	steps := []func() error{
		func() error { return mpi.Send(world, b, other, 0) },
		func() error { return mpi.Ssend(world, b[:50], other, 0) },
		func() error { return mpi.Bsend(world, b[:10], other, 0) },
		func() error { return mpi.SendLayout(world, b, row, other, 0) },
		func() error { return mpi.Waitall([]mpi.Request{mpi.Isend(world, b, other, 0)}) },
	}
	for _, send := range steps {
		if world.Rank() == 0 {
			if err := send(); err != nil {
				return err
			}
		} else if _, err := mpi.Recv(world, b, other, 0); err != nil {
			return err
		}
	}
	if _, err := mpi.Sendrecv(world, b[:30], other, 0, make([]byte, 30), other, 0); err != nil {
		return err
	}
	if err := mpi.Waitall(swap(world, other)); err != nil {
		return err
	}
	reqs := swap(world, other)
	if _, _, err := mpi.Waitany(reqs); err != nil {
		return err
	}
	if _, _, err := mpi.Waitsome(reqs); err != nil {
		return err
	}
	if err := mpi.Waitall(reqs); err != nil {
		return err
	}
	sum := []int64{0, 0}
	if err := mpi.Allreduce(world, []int64{1, 2}, sum, mpi.Sum); err != nil {
		return err
	}
	if _, err := mpi.Ibarrier(world).Wait(); err != nil {
		return err
	}
	return mpi.Send(world, b, mpi.ProcNull, 0)
}

// swap exchanges messages, an empty one among them, that cannot be over at once.
func swap(world *mpi.Comm, other int) []mpi.Request {
	return []mpi.Request{
		mpi.Irecv(world, make([]byte, 1000), other, 2), mpi.Irecv(world, make([]byte, 1), other, 3),
		mpi.Issend(world, make([]byte, 1000), other, 2), mpi.Issend(world, []byte(nil), other, 3),
	}
}

// TestProfile: a job that is asked for it writes how often which calls were made, and what they sent to whom.
func TestProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile.json")
	t.Setenv("WEFT_PROFILE", file)
	if err := mpi.Run(2, manyCalls); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r calls.Report
	if err := json.Unmarshal(text, &r); err != nil || len(r.Ranks) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	type made struct{ count, bytes int64 }
	for rank, want := range []map[string]made{
		{"send": {4, 240}, "ssend": {1, 50}, "bsend": {1, 10}, "isend": {3, 114}, "irecv": {5, 0}, "issend": {4, 2000}, "waitany": {1, 0}, "allreduce": {1, 16}, "ibarrier": {1, 0}},
		{"send": {2, 130}, "recv": {5, 0}, "irecv": {7, 0}, "issend": {4, 2000}, "waitany": {1, 0}, "allreduce": {1, 16}, "ibarrier": {1, 0}},
	} {
		page, got := r.Ranks[rank], map[string]made{}
		for _, l := range page.Lines {
			got[l.Call] = made{got[l.Call].count + l.Count, got[l.Call].bytes + l.Bytes}
			if !strings.HasPrefix(l.Place, "mpi/profile_test.go:") {
				t.Errorf("rank %d: %s at %q", rank, l.Call, l.Place)
			}
			if l.Time < 0 || l.Shortest > l.Longest || l.Longest > page.Time {
				t.Errorf("rank %d: times of %+v in %d", rank, l, page.Time)
			}
		}
		if n := got["waitall"].count; n != 1 && n != 2 { // the last may have had nothing to wait for
			t.Errorf("rank %d: %d waits for all, want 1 or 2; all: %+v", rank, n, got)
		}
		for name, w := range want {
			if got[name] != w {
				t.Errorf("rank %d: %s was counted %+v, want %+v; all: %+v", rank, name, got[name], w, got)
			}
		}
	}
	if got, want := r.Ranks[0].Peers, (calls.Peer{Rank: 1, Messages: 12, Bytes: 2314}); len(got) != 1 || got[0] != want {
		t.Errorf("rank 0 sent to %+v, want %+v", got, want)
	}
}

// TestTrace: a job that is asked for it writes all its calls, and an arrow for each message, on the same
// lines in virtual time.
func TestTrace(t *testing.T) {
	const messages = 17 // that manyCalls sends, on both ranks
	file := filepath.Join(t.TempDir(), "trace.json")
	lines := func() (calls, arrows int) {
		text, err := os.ReadFile(file)
		if err != nil || !json.Valid(text) {
			t.Fatalf("%v: %s", err, text)
		}
		if n, m := strings.Count(string(text), `"ph":"s"`), strings.Count(string(text), `"ph":"f"`); n != m {
			t.Errorf("%d arrows begin, %d end", n, m)
		}
		return strings.Count(string(text), `"ph":"X"`), strings.Count(string(text), `"ph":"s"`)
	}
	t.Setenv("WEFT_TRACE", file)
	if err := mpi.Run(2, manyCalls); err != nil {
		t.Fatal(err)
	}
	if calls, arrows := lines(); calls < 2*messages || arrows != messages {
		t.Errorf("%d calls, %d arrows, want %d", calls, arrows, messages)
	}
	order, err := boot.NewOrder("ndr")
	if err != nil {
		t.Fatal(err)
	}
	order.Ranks, order.Traced = 2, true
	s, err := boot.NewSimulation(order, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(func(r *boot.Rank) error { return manyCalls(boot.World(r).(*mpi.Comm)) })
	if err == nil {
		err = boot.WriteTimeline(&out.Calls, file)
	}
	if err != nil {
		t.Fatal(err)
	}
	if calls, arrows := lines(); calls < 2*messages || arrows != messages {
		t.Errorf("simulated: %d calls, %d arrows, want %d", calls, arrows, messages)
	}
}

// TestProfileOfNobody: a file that cannot be written is an error that names the setting.
func TestProfileOfNobody(t *testing.T) {
	t.Setenv("WEFT_PROFILE", filepath.Join(t.TempDir(), "missing", "profile.txt"))
	err := mpi.Run(2, func(*mpi.Comm) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "WEFT_PROFILE") {
		t.Error(err)
	}
}
