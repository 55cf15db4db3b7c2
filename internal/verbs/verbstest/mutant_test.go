package verbstest_test

import (
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
	"github.com/weft-mpi/weft/internal/verbs/verbstest/model"
)

// recorder is a test that only remembers whether it failed. What it does not remember goes to the real one.
type recorder struct {
	testing.TB
	mu       sync.Mutex
	failed   bool
	first    string
	cleanups []func()
}

func (r *recorder) fail(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.failed {
		r.failed, r.first = true, text
	}
}

func (r *recorder) Helper()                           {}
func (r *recorder) Log(...any)                        {}
func (r *recorder) Logf(string, ...any)               {}
func (r *recorder) Error(args ...any)                 { r.fail(fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.fail(fmt.Sprintf(format, args...)) }
func (r *recorder) Fatal(args ...any)                 { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); runtime.Goexit() }
func (r *recorder) Skip(args ...any) {
	r.TB.Error(append([]any{"skipped: "}, args...)...)
	runtime.Goexit()
}
func (r *recorder) Skipf(format string, args ...any) { r.Skip(fmt.Sprintf(format, args...)) }
func (r *recorder) Cleanup(f func())                 { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// run calls f, which may end early, and then what it asked for at the end.
func (r *recorder) run(f func()) {
	for done := false; !done; f = nil {
		finished := make(chan bool)
		go func() {
			defer close(finished)
			if f != nil {
				f()
			}
		}()
		<-finished
		if len(r.cleanups) == 0 {
			done = true
			continue
		}
		last := len(r.cleanups) - 1
		next := r.cleanups[last]
		r.cleanups = r.cleanups[:last]
		finished = make(chan bool)
		go func() {
			defer close(finished)
			next()
		}()
		<-finished
	}
}

// try runs one case and gives its first complaint, or nothing.
func try(t *testing.T, typ verbs.Type, name string, open verbstest.Opener, patience time.Duration) string {
	r := &recorder{TB: t}
	r.run(func() { verbstest.Check(r, typ, name, open, verbstest.Options{Patience: patience}) })
	return r.first
}

// every n-th call is true.
func every(n int) func() bool {
	count := 0
	return func() bool { count++; return count%n == 0 }
}

// spoil changes completions.
func spoil(f func(c *verbs.Completion)) model.Hooks {
	return model.Hooks{Complete: func(c *verbs.Completion) bool { f(c); return true }}
}

// withholds swallows events of one kind.
func withholds(kind verbs.EventKind) model.Hooks {
	return model.Hooks{Event: func(e *verbs.Event) bool { return e.Kind != kind }}
}

var sink []byte

// says lies about what the device can do.
func says(f func(c verbs.Caps) verbs.Caps) func() model.Hooks {
	return func() model.Hooks { return model.Hooks{Caps: f} }
}

// mutants are models with one thing wrong, and cases that must notice.
var mutants = []struct {
	name  string
	hooks func() model.Hooks
	typ   verbs.Type
	cases []string
}{
	{"turns a bit over in long messages", func() model.Hooks {
		return model.Hooks{Placed: func(b []byte) { b[len(b)/2] ^= byte(len(b) >> 12) }}
	}, verbs.RC, []string{"bytes/Send", "bytes/Write", "bytes/WriteImm"}},
	{"writes one byte too many", func() model.Hooks {
		return model.Hooks{Placed: func(b []byte) {
			if cap(b) > len(b) {
				b[:len(b)+1][len(b)]++
			}
		}}
	}, verbs.RD, []string{"bytes/Send", "bytes/Write", "lists/scatter stops at the message's end"}},
	{"swallows a completion", func() model.Hooks {
		ninth := every(9)
		return model.Hooks{Complete: func(*verbs.Completion) bool { return !ninth() }}
	}, verbs.RC, []string{"order/completions of mixed operations", "bytes/Send", "crowd/goroutines on one queue pair"}},
	{"swaps two completions", func() model.Hooks { return model.Hooks{Reorder: every(5)} }, verbs.RC,
		[]string{"order/completions of mixed operations", "state/Error flushes receives in order"}},
	{"does not check what a peer asks for", func() model.Hooks {
		return model.Hooks{Judge: func(op verbs.Op, s verbs.Status) verbs.Status {
			if op == verbs.Write || op == verbs.Read {
				return verbs.OK
			}
			return s
		}}
	}, verbs.RC, []string{"access/keys", "access/bounds", "access/rights"}},
	{"accuses the innocent", func() model.Hooks {
		tenth := every(10)
		return model.Hooks{Judge: func(_ verbs.Op, s verbs.Status) verbs.Status {
			if tenth() {
				return verbs.RemoteAccess
			}
			return s
		}}
	}, verbs.RD, []string{"bytes/Write", "order/a Read sees the Writes before it"}},
	{"does not check local keys", func() model.Hooks {
		return model.Hooks{LocalKey: func(error) error { return nil }}
	}, verbs.UD, []string{"post/local keys are checked", "post/a batch stops at its first error"}},
	{"never is full", func() model.Hooks { return model.Hooks{Full: func(bool) bool { return false }} }, verbs.UD,
		[]string{"post/full queues", "srq/full"}},
	{"rings no bell", func() model.Hooks { return model.Hooks{Notify: func() bool { return false }} }, verbs.RC,
		[]string{"bell/rings once", "bell/rings for solicited Sends only", "bell/rings for failures"}},
	{"keeps quiet about the limit", func() model.Hooks { return withholds(verbs.SRQLimit) }, verbs.RC, []string{"srq/limit"}},
	{"keeps quiet about an overflow", func() model.Hooks { return withholds(verbs.CQOverflow) }, verbs.UD, []string{"overflow/completion queue"}},
	{"keeps quiet about the end", func() model.Hooks { return withholds(verbs.Disconnected) }, verbs.RC, []string{"state/the peer disconnects"}},
	{"calls flushed work done", func() model.Hooks {
		return spoil(func(c *verbs.Completion) {
			if c.Status == verbs.Flushed {
				c.Status = verbs.OK
			}
		})
	}, verbs.RC, []string{"state/Error flushes receives in order", "state/back from Error", "post/states"}},
	{"counts a byte less", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.Len-- }) }, verbs.RC,
		[]string{"bytes/Send", "bytes/Read"}},
	{"forgets marks", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.Marks = 0 }) }, verbs.RC,
		[]string{"bytes/WriteImm", "bytes/SendInvalidate", "bell/rings for solicited Sends only"}},
	{"forgets who sent", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.Src = netip.AddrPort{} }) }, verbs.UD,
		[]string{"bytes/Send", "datagram/answer the source"}},
	{"names the wrong queue pair", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.QP++ }) }, verbs.RC,
		[]string{"bytes/Send", "crowd/queue pairs"}},
	{"mixes up numbers", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.ID ^= 1 }) }, verbs.RC,
		[]string{"bytes/Send", "completion/one queue for everything"}},
	{"damages records", func() model.Hooks { return spoil(func(c *verbs.Completion) { c.Addr++ }) }, verbs.UD, []string{"bytes/WriteRecord"}},
	{"claims to tell what was solicited", func() model.Hooks {
		return spoil(func(c *verbs.Completion) { c.Marks &^= verbs.WasSolicited })
	}, verbs.RC, []string{"bell/rings for solicited Sends only"}},
	{"denies that it tells what was solicited", says(func(c verbs.Caps) verbs.Caps { c.TellsSolicited = false; return c }), verbs.RC, []string{"bell/rings for solicited Sends only"}},
	{"claims bells for what was solicited", func() model.Hooks {
		return spoil(func(c *verbs.Completion) { c.Marks |= verbs.WasSolicited })
	}, verbs.RC, []string{"bell/rings for solicited Sends only"}},
	{"denies bells for what was solicited", says(func(c verbs.Caps) verbs.Caps { c.Solicited = false; return c }), verbs.RC, []string{"bell/rings for solicited Sends only"}},
	{"claims to tell why", func() model.Hooks {
		return spoil(func(c *verbs.Completion) {
			if c.Status == verbs.RemoteAccess {
				c.Status = verbs.Flushed
			}
		})
	}, verbs.RC, []string{"access/keys", "access/rights"}},
	{"denies Reads into lists", says(func(c verbs.Caps) verbs.Caps { c.MaxReadSGE = 1; return c }), verbs.RC, []string{"post/arguments are checked"}},
	{"claims endless lists for Reads", says(func(c verbs.Caps) verbs.Caps { c.MaxReadSGE = 9; return c }), verbs.RC, []string{"device/describes itself"}},
	{"claims to guard what may not be read", func() model.Hooks {
		return model.Hooks{Judge: func(op verbs.Op, s verbs.Status) verbs.Status {
			if op == verbs.Read {
				return verbs.OK
			}
			return s
		}}
	}, verbs.RC, []string{"access/rights"}},
	{"denies that types share a receive queue", says(func(c verbs.Caps) verbs.Caps { c.SRQMixed = false; return c }), verbs.RC, []string{"srq/types of queue pairs"}},
	{"allocates", func() model.Hooks { return spoil(func(*verbs.Completion) { sink = make([]byte, 100) }) }, verbs.RC,
		[]string{"alloc/ping-pong", "alloc/Write and Read"}},
}

// TestMutants: the suite notices every one of these.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		for _, name := range m.cases {
			t.Run(m.name+"/"+name, func(t *testing.T) {
				if why := try(t, m.typ, name, models(m.hooks()), 200*time.Millisecond); why == "" {
					t.Errorf("the suite did not notice a device that %s", m.name)
				} else {
					t.Log(why)
				}
				if why := try(t, m.typ, name, models(model.Hooks{}), 20*time.Second); why != "" {
					t.Errorf("the suite accuses a device without fault: %s", why)
				}
			})
		}
	}
}

// TestLeaksNoticed: a device that leaves a goroutine or a file behind fails every case.
func TestLeaksNoticed(t *testing.T) {
	stop := make(chan bool)
	defer close(stop)
	for what, leak := range map[string]func(testing.TB){
		"goroutine": func(testing.TB) { go func() { <-stop }() },
		"file": func(tb testing.TB) {
			f, err := os.Open(os.DevNull)
			if err != nil {
				tb.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
		},
	} {
		t.Run(what, func(t *testing.T) {
			clean := models(model.Hooks{})
			leaky := func(tb testing.TB, n int) []verbs.Device {
				leak(tb)
				return clean(tb, n)
			}
			if try(t, verbs.UD, "completion/SignalAll", leaky, 100*time.Millisecond) == "" {
				t.Errorf("the suite did not notice a leaked %s", what)
			}
		})
	}
}
