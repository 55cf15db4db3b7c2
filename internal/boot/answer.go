package boot

import (
	"runtime/metrics"
	"time"

	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/pmi"
)

// answers returns what answers the launcher's questions: what the rank waits for, then what it has done. The lock of
// the loop is free while the program computes, and given up for moments while it waits, so an answer is never far.
func (r *Rank) answers(client *pmi.Client) func(ask int) {
	up := time.Now()
	return func(ask int) {
		for _, s := range r.loop.Waiting() {
			w := stallOf(r.place.rank, s)
			w.Ask = ask
			_ = client.Stall(w) // who does not hear it knows less
		}
		if ask == 0 {
			return
		}
		_ = client.Tally(pmi.Tally{Rank: r.place.rank, Ask: ask, Seconds: time.Since(up).Seconds(), Counts: r.counts()})
	}
}

// counts are the numbers of a rank that are worth watching while it runs. Their names are known to
// internal/launch/live, which says what they are.
func (r *Rank) counts() []pmi.Count {
	e, link := r.Counters()
	var plans uint64
	for _, n := range r.loop.Plans().Runs {
		plans += n
	}
	waits := r.loop.Learned()
	heap, all := goMemory()
	windows := r.Windows()
	counts := []pmi.Count{
		{Name: "sent", Value: e.EagerSends + e.SyncSends + e.RendezvousSends + e.AnnouncedSends},
		{Name: "sent_bytes", Value: e.SentBytes},
		{Name: "received", Value: e.Expected + e.Unexpected},
		{Name: "received_bytes", Value: e.ArrivedBytes},
		{Name: "eager", Value: e.EagerSends + e.SyncSends},
		{Name: "rendezvous", Value: e.RendezvousSends},
		{Name: "announced", Value: e.AnnouncedSends},
		{Name: "speculated", Value: e.RTRUsed},
		{Name: "unexpected", Value: e.Unexpected},
		{Name: "held", Value: e.Held},
		{Name: "collectives", Value: plans},
		{Name: "window_packets", Value: windows.Packets},
		{Name: "window_bytes", Value: windows.Bytes},
		{Name: "sleeps", Value: waits.Vain},
		{Name: "memory", Value: pages.Resident()},
		{Name: "go_heap", Value: heap},
		{Name: "go_memory", Value: all},
		{Name: "unreceived", Value: uint64(r.loop.Unreceived())},
	}
	if link != nil {
		counts = append(counts, pmi.Count{Name: "link_memory", Value: uint64(max(0, link.Counters.Memory))},
			pmi.Count{Name: "connections_broken", Value: link.Counters.Broken},
			pmi.Count{Name: "frames_resent", Value: link.Counters.Resent + link.Flow.Retransmits + link.Flow.Replayed})
	}
	return counts
}

// goMemory is what the objects of the Go program take, and all that its runtime has of the system. It does not stop the
// program, as other ways to ask do.
func goMemory() (heap, all uint64) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	for _, one := range s {
		if one.Value.Kind() != metrics.KindUint64 {
			return 0, 0
		}
	}
	return s[0].Value.Uint64(), s[1].Value.Uint64() - s[2].Value.Uint64()
}
