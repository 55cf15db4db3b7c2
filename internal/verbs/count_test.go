package verbs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/verbs"
)

// send posts one datagram of mr's first n bytes from qps[0] to qps[1].
func sendOne(t *testing.T, pdOf interface {
	PostSend([]verbs.SendWR) (int, error)
}, ah verbs.AH, mr verbs.MR, n int) error {
	t.Helper()
	_, err := pdOf.PostSend([]verbs.SendWR{{ID: 1, Op: verbs.Send, Flags: verbs.Signaled,
		SGL: []verbs.SGE{{Buf: mr.Bytes()[:n], LKey: mr.LKey()}}, AH: ah}})
	return err
}

// TestCount drives a known amount of work through a counted device.
func TestCount(t *testing.T) {
	dev, qps, cqs, mr := pairOf(t, verbs.UD, verbs.Count)
	pd, _ := dev.NewPD()
	extra, _ := pd.Register(make([]byte, 1000), 0)
	extra.Close()
	qpd := qps[0]
	ah := handle(t, dev, qps[1])
	if _, err := qps[1].PostRecv([]verbs.RecvWR{{ID: 1, SGL: []verbs.SGE{{Buf: mr.Bytes()[:20], LKey: mr.LKey()}}}, {ID: 2}}); err != nil {
		t.Fatal(err)
	}
	if err := sendOne(t, qpd, ah, mr, 5); err != nil {
		t.Fatal(err)
	}
	if err := sendOne(t, qpd, ah, mr, 7); err != nil { // finds a receive without room
		t.Fatal(err)
	}
	if _, err := qpd.PostSend([]verbs.SendWR{{Op: verbs.Recv}}); err == nil {
		t.Fatal("took nonsense")
	}
	var out [8]verbs.Completion
	for _, cq := range cqs {
		cq.Poll(out[:])
		cq.Poll(out[:])
	}
	got := counters(dev)
	for name, n := range got {
		if n == 0 || name == "messages" {
			delete(got, name)
		}
	}
	want := map[string]uint64{"count_send_posted": 2, "count_send_bytes": 12, "count_send_completed": 2, "count_recv_posted": 2,
		"count_recv_bytes": 20, "count_recv_completed": 1, "count_failed_locallength": 1, "count_posts_refused": 1,
		"count_registrations": 2, "count_registered_bytes": 64, "count_registered_bytes_peak": 1064, "count_polls": 4,
		"count_polls_empty": 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
}

// handle makes an address handle for a queue pair.
func handle(t *testing.T, dev verbs.Device, to verbs.QP) verbs.AH {
	t.Helper()
	pd, err := dev.NewPD()
	if err != nil {
		t.Fatal(err)
	}
	ah, err := pd.NewAH(to.Addr())
	if err != nil {
		t.Fatal(err)
	}
	return ah
}

// TestCountersInOrder: the order is fixed, inner counters first, and a reader may stop anywhere.
func TestCountersInOrder(t *testing.T) {
	dev, _, _, _ := pairOf(t, verbs.UD, verbs.Count)
	var first, second []string
	for name := range dev.Counters() {
		first = append(first, name)
	}
	for name := range dev.Counters() {
		second = append(second, name)
	}
	if diff := cmp.Diff(first, second); diff != "" || first[0] != "messages" {
		t.Errorf("first %q; difference: %s", first[0], diff)
	}
	for stop := range first {
		n := 0
		for range dev.Counters() {
			if n++; n > stop {
				break
			}
		}
	}
}
