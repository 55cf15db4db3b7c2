package kernel_test

import (
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
)

// TestSilentHost: over iWARP, where nothing tells, an idle connection to a host that has fallen silent breaks, and one whose
// peer only has nothing to say does not.
func TestSilentHost(t *testing.T) {
	const silence = 40 * time.Millisecond
	f := fake.New(fake.Habits{IWARP: true})
	open := func() (*party, func()) {
		ctx := f.Open(home.GID)
		p := newParty(t, f, kernel.Config{Context: ctx, IWARP: true, Connector: f.Connector(), Silence: int64(silence)})
		return p, func() { f.Silence(ctx) }
	}
	a, _ := open()
	b, fallSilent := open()
	q := a.qp(verbs.RC)
	if err := q.Connect(b.listen(), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.event(verbs.ConnectRequest).Request.Accept(b.qp(verbs.RC), nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
	b.event(verbs.Established)
	time.Sleep(5 * silence)
	var none [1]verbs.Event
	if n := a.dev.PollEvents(none[:]) + b.dev.PollEvents(none[:]); n > 0 || q.State() != verbs.RTS {
		t.Fatalf("while nobody said anything: %+v, and the queue pair is in %v", none[0], q.State())
	}
	fallSilent()
	if e := a.event(verbs.QPFatal); e.Err == nil || !strings.Contains(e.Err.Error(), "does not answer") {
		t.Errorf("the connection broke because %v", e.Err)
	}
}
