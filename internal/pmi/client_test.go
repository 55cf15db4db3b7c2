package pmi

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted plays a manager that expects lines and answers them; it closes the connection at the end of the script.
func scripted(t *testing.T, extended bool, script ...string) *Client {
	t.Helper()
	here, there := net.Pipe()
	var done sync.WaitGroup
	done.Go(func() {
		defer there.Close()
		lines := bufio.NewReader(there)
		for _, step := range script {
			if want, ok := strings.CutPrefix(step, "> "); ok {
				got, err := lines.ReadString('\n')
				if err != nil || got != want+"\n" {
					t.Errorf("rank said %q, %v, want %q", got, err, want)
					return
				}
			} else {
				fmt.Fprintf(there, "%s\n", strings.TrimPrefix(step, "< "))
			}
		}
	})
	c := NewClient(here, extended)
	t.Cleanup(func() {
		c.Close()
		done.Wait()
	})
	return c
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// The conversations are those recorded with hydra and with Slurm, whose answers differ in order and in extra fields.
func TestClientAgainstRecordedManagers(t *testing.T) {
	managers := map[string][]string{
		"hydra": {
			"> cmd=init pmi_version=1 pmi_subversion=1", "< cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
			"> cmd=get_maxes", "< cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024",
			"> cmd=get_my_kvsname", "< cmd=my_kvsname kvsname=K",
			"> cmd=put kvsname=K key=addr-0 value=10.77.0.0:40", "< cmd=put_result rc=0 msg=success",
			"> cmd=barrier_in", "< cmd=barrier_out",
			"> cmd=get kvsname=K key=addr-1", "< cmd=get_result rc=0 msg=success value=10.77.0.1:41",
			"> cmd=get kvsname=K key=missing", "< cmd=get_result rc=-1 msg=key_missing_not_found value=unknown",
			"> cmd=finalize", "< cmd=finalize_ack",
		},
		"slurm": {
			"> cmd=init pmi_version=1 pmi_subversion=1", "< cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1",
			"> cmd=get_maxes", "< cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024",
			"> cmd=get_my_kvsname", "< cmd=my_kvsname rc=0 kvsname=K",
			"> cmd=put kvsname=K key=addr-0 value=10.77.0.0:40", "< cmd=put_result rc=0",
			"> cmd=barrier_in", "< cmd=barrier_out rc=0",
			"> cmd=get kvsname=K key=addr-1", "< cmd=get_result rc=0 value=10.77.0.1:41",
			"> cmd=get kvsname=K key=missing", "< cmd=get_result rc=1",
			"> cmd=finalize", "< cmd=finalize_ack rc=0",
		},
	}
	for name, script := range managers {
		t.Run(name, func(t *testing.T) {
			c := scripted(t, false, script...)
			check := func(what string, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			}
			check("init", c.Init())
			maxes, err := c.GetMaxes()
			check("maxes", err)
			if want := (Maxes{256, 64, 1024}); maxes != want {
				t.Errorf("maxes %+v, want %+v", maxes, want)
			}
			check("put", c.Put("addr-0", "10.77.0.0:40"))
			check("barrier", c.Barrier())
			if v, found, err := c.Get("addr-1"); v != "10.77.0.1:41" || !found || err != nil {
				t.Errorf("get: %q %v %v", v, found, err)
			}
			if _, found, err := c.Get("missing"); found || err != nil {
				t.Errorf("get of a missing key: %v %v", found, err)
			}
			check("finalize", c.Finalize())
			<-c.ended
			if isClosed(c.Gone()) {
				t.Error("the manager's goodbye after finalize was taken for its death")
			}
		})
	}
}

func TestClientPutRefusesWhatManagersCut(t *testing.T) {
	c := scripted(t, false, "> cmd=get_my_kvsname", "< cmd=my_kvsname kvsname=K")
	for _, value := range []string{"", "a b", "a;b", "a\n", "é", strings.Repeat("v", PutLineMax)} {
		if err := c.Put("key", value); err == nil {
			t.Errorf("value %q: accepted", clip(value))
		}
	}
	if err := c.Put("a key", "v"); err == nil {
		t.Error("key with a space: accepted")
	}
}

func TestClientNoticesLoss(t *testing.T) {
	c := scripted(t, true, "> cmd=barrier_in") // and then the manager is gone
	if err := c.Barrier(); !errors.Is(err, ErrGone) {
		t.Errorf("barrier: %v, want ErrGone", err)
	}
	<-c.Gone()
	if err := c.Init(); !errors.Is(err, ErrGone) {
		t.Errorf("init after the loss: %v, want ErrGone", err)
	}
}

func TestClientLossAfterFinalizeOfOwnLauncher(t *testing.T) {
	c := scripted(t, true, "> cmd=finalize", "< cmd=finalize_ack")
	if err := c.Finalize(); err != nil {
		t.Fatal(err)
	}
	<-c.Gone() // the launcher keeps the connection as long as it lives
}

func TestClientCloseIsNotALoss(t *testing.T) {
	c := scripted(t, true)
	c.Close()
	// The scripted manager hangs up at once, so either end may be first; only a clean close is checked here.
	here, there := net.Pipe()
	defer there.Close()
	c = NewClient(here, true)
	c.Close()
	if isClosed(c.Gone()) {
		t.Error("closing counts as losing the manager")
	}
}

func TestClientRefusals(t *testing.T) {
	c := scripted(t, false, "> cmd=init pmi_version=1 pmi_subversion=1",
		"< cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1 msg=busy")
	var refusal *Refusal
	if err := c.Init(); !errors.As(err, &refusal) || refusal.Text != "busy" {
		t.Errorf("init: %v, want a refusal", err)
	}
	c = scripted(t, false, "> cmd=barrier_in", "< cmd=finalize_ack")
	if err := c.Barrier(); !errors.Is(err, ErrLine) {
		t.Errorf("wrong answer: %v, want ErrLine", err)
	}
	c = scripted(t, false, "< cmd=barrier_out")
	<-c.Gone()
	if err := c.Cause(); !errors.Is(err, ErrLine) {
		t.Errorf("unasked answer: %v, want ErrLine", err)
	}
	if err := c.Stall(Stall{Op: "recv"}); !errors.Is(err, ErrForeign) {
		t.Errorf("stall to a foreign manager: %v", err)
	}
	if err := c.Tally(Tally{Ask: 1}); !errors.Is(err, ErrForeign) {
		t.Errorf("tally to a foreign manager: %v", err)
	}
	if err := c.LastWords("x"); !errors.Is(err, ErrForeign) {
		t.Errorf("last words to a foreign manager: %v", err)
	}
}

// While one goroutine waits in the barrier, the launcher asks for a report and gets it, and the barrier's answer
// still reaches the barrier.
func TestClientDumpDuringBarrier(t *testing.T) {
	c := scripted(t, true,
		"> cmd=barrier_in",
		"< cmd=weft_dump ask=7",
		"> cmd=weft_stall rank=0 op=barrier comm=my%20world seq=1 peer=-2 tag=0 bytes=0 seconds=2.5 site= members=0-1 lying= more=0 ask=7",
		"> cmd=weft_tally rank=0 ask=7 seconds=9 counts=sent:3,sent_bytes:24",
		"< cmd=weft_from_the_future x=1",
		"> cmd=weft_lastwords text=so%20long",
		"> cmd=abort exitcode=3 message=no%20more",
		"< cmd=barrier_out")
	c.OnDump(func(ask int) {
		s := Stall{Op: "barrier", Comm: "my world", Seq: 1, Peer: NoPeer, Seconds: 2.5, Members: []int{0, 1}, Ask: ask}
		tally := Tally{Ask: ask, Seconds: 9, Counts: []Count{{"sent", 3}, {"sent_bytes", 24}}}
		if err := errors.Join(c.Stall(s), c.Tally(tally)); err != nil {
			t.Error(err)
		}
		go func() {
			if err := errors.Join(c.LastWords("so long"), c.Abort(3, "no more")); err != nil {
				t.Error(err)
			}
		}()
	})
	if err := c.Barrier(); err != nil {
		t.Error(err)
	}
}

// Client and server against each other, n ranks, several rounds of the usual exchange.
func TestClientsAgainstServer(t *testing.T) {
	const n = 5
	server := NewServer(ServerConfig{Size: n, KVSName: "job"})
	var mu sync.Mutex
	var conns [n]net.Conn
	var all sync.WaitGroup
	for r := range n {
		here, there := net.Pipe()
		conns[r] = there
		all.Go(func() { exchange(t, r, n, NewClient(here, true)) })
	}
	for r := range n {
		all.Go(func() {
			in := NewReader(conns[r])
			for {
				m, err := in.Next()
				if err != nil {
					return
				}
				mu.Lock()
				out, err := server.Handle(r, m)
				mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				for _, reply := range out.Replies {
					line, _ := AppendMessage(nil, reply.Message)
					conns[reply.Rank].Write(line)
				}
			}
		})
	}
	all.Wait()
}

func exchange(t *testing.T, rank, n int, c *Client) {
	defer c.Close()
	err := c.Init()
	for round := range 3 {
		err = errors.Join(err, c.Put(fmt.Sprintf("a%d-%d", round, rank), fmt.Sprint(rank*rank)), c.Barrier())
		for peer := range n {
			v, found, getErr := c.Get(fmt.Sprintf("a%d-%d", round, peer))
			if getErr != nil || !found || v != fmt.Sprint(peer*peer) {
				t.Errorf("rank %d, round %d, peer %d: %q %v %v", rank, round, peer, v, found, getErr)
			}
		}
	}
	if err = errors.Join(err, c.Finalize()); err != nil {
		t.Errorf("rank %d: %v", rank, err)
	}
}
