package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/soak"
	"golang.org/x/sys/unix"
)

// The cluster that "weft soak --box" makes.
const (
	boxHosts = 3
	boxRails = 2
	boxLoss  = 2 // percent, on every wire, each way
)

// boxSettings make ranks notice faults soon, and datagrams overtake each other and come twice.
var boxSettings = []string{"silence=1s", "lab_ud_delay=1%", "lab_ud_double=1%"}

// boxResult is what --json prints.
type boxResult struct {
	Seed    uint64        `json:"seed"`
	Seconds float64       `json:"seconds"`
	Legs    []legResult   `json:"legs"`
	Shown   soak.Counters `json:"shown"`
}

type legResult struct {
	soak.Leg
	soak.Summary
	Mischief soak.Mischief `json:"mischief"`
}

// soakBox runs leg after leg on a cluster in a box while a gremlin plays with its network.
func soakBox(o *soakOptions) error {
	if missing := cluster.Missing(); len(missing) > 0 {
		return fmt.Errorf("cannot make a cluster: %s", strings.Join(missing, "; "))
	}
	path, err := toolPath()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	c, err := cluster.Up(ctx, cluster.Config{Hosts: boxHosts, Rails: boxRails, Loss: boxLoss, Path: path})
	if err != nil {
		return err
	}
	defer c.Down()
	legs, each := o.legs, o.leg
	if len(legs) == 0 {
		legs = soak.Legs()
	}
	if each == 0 {
		each = soak.LegTime(o.time)
	}
	result := boxResult{Seed: o.seed}
	var shown soak.Evidence
	begin := time.Now()
	for i := 0; !o.boxOver(i, each, time.Since(begin), &shown); i++ {
		leg := legs[i%len(legs)]
		r, counters, err := o.runLeg(ctx, c, leg, o.seed+uint64(i), each)
		if err != nil {
			return fmt.Errorf("leg %v, seed %d: %w", leg, o.seed+uint64(i), err)
		}
		shown.Add(leg, counters)
		result.Legs = append(result.Legs, r)
		if !o.quiet {
			fmt.Fprintf(os.Stderr, "weft soak: %v, seed %d: %v; %v\n", leg, r.Seed, r.Summary, r.Mischief)
		}
	}
	result.Seconds, result.Shown = time.Since(begin).Seconds(), shown.Shown()
	return errors.Join(o.printBox(result), lacking(&shown))
}

// boxPatience is how many times longer than asked for a run goes on that has shown nothing yet.
const boxPatience = 5

// boxOver tells whether i legs, which took so long, are enough.
func (o *soakOptions) boxOver(i int, each, past time.Duration, shown *soak.Evidence) bool {
	switch {
	case i == 0 || past+each/2 < o.time:
		return false
	case i < len(o.legs) || len(shown.Lacking()) > 0:
		return past > boxPatience*o.time
	}
	return true
}

func lacking(shown *soak.Evidence) error {
	if none := shown.Lacking(); len(none) > 0 {
		return fmt.Errorf("every message was right, but the run shows nothing: the ranks counted no %s; try another seed or a longer time", strings.Join(none, ", no "))
	}
	return nil
}

func (o *soakOptions) printBox(r boxResult) error {
	if o.json {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	var sum soak.Summary
	for _, l := range r.Legs {
		sum.Rounds += l.Rounds
		sum.Messages += l.Messages
		sum.Bytes += l.Bytes
		sum.Collectives += l.Collectives
		sum.Slowest = max(sum.Slowest, l.Slowest)
	}
	sum.Seconds = r.Seconds
	_, err := fmt.Printf("seed %d, %d legs: %v; every message was right\ncounted: %v\n", r.Seed, len(r.Legs), sum, r.Shown)
	return err
}

// runLeg runs one job with the gremlin at work, and returns what its ranks did and counted.
func (o *soakOptions) runLeg(ctx context.Context, c *cluster.Cluster, leg soak.Leg, seed uint64, each time.Duration) (r legResult, counters soak.Counters, err error) {
	reports, err := os.MkdirTemp("", "weft-soak-")
	if err != nil {
		return r, nil, err
	}
	defer os.RemoveAll(reports)
	cmd, err := o.legCommand(c, leg, seed, each, reports)
	if err != nil {
		return r, nil, err
	}
	var out bytes.Buffer
	said := watcher{begun: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &out, &said
	ctx, cancel := context.WithTimeout(ctx, each+2*o.limit)
	defer cancel()
	if err := c.Start("h0", cmd); err != nil {
		return r, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(unix.SIGTERM) }) // it may have ended by itself
	defer stop()
	playing, enough := context.WithCancel(ctx)
	played := make(chan error, 1)
	go func() {
		select {
		case <-said.begun: // before it, ranks find each other by ssh, which takes no jokes
		case <-playing.Done():
		}
		g := soak.Gremlin{Network: boxNetwork{c}, Rails: boxRails, Loss: boxLoss}
		var err error
		r.Mischief, err = g.Play(playing, seed)
		played <- err
	}()
	err = cmd.Wait()
	enough()
	if gremlin := <-played; err != nil || gremlin != nil {
		return r, nil, fmt.Errorf("%w%s", errors.Join(err, gremlin), said.Quoted())
	}
	if err := json.Unmarshal(out.Bytes(), &r.Summary); err != nil {
		return r, nil, fmt.Errorf("rank 0 said %q: %w", out.String(), err)
	}
	r.Leg = leg
	sum, ranks, err := bench.ReadCounters(reports)
	if err == nil && ranks != o.ranks {
		err = fmt.Errorf("%d of %d ranks left a report", ranks, o.ranks)
	}
	return r, soak.Counters(sum), err
}

// watcher keeps the end of what a job complains about, and notices when it has begun.
type watcher struct {
	bench.Tail
	text  []byte // until it has begun
	begun chan struct{}
	once  bool
}

func (w *watcher) Write(b []byte) (int, error) {
	if !w.once {
		w.text = append(w.text, b...)
		if w.once = bytes.Contains(w.text, []byte(soak.Begun)); w.once {
			close(w.begun)
		}
	}
	return w.Tail.Write(b)
}

// legCommand is the "weft run" of one leg, to be started on h0.
func (o *soakOptions) legCommand(c *cluster.Cluster, leg soak.Leg, seed uint64, each time.Duration, reports string) (*exec.Cmd, error) {
	job := *o
	job.hosts = []string{hostList(c.Hosts(), o.ranks)}
	job.time, job.seed, job.json, job.quiet = each, seed, true, false
	job.settings = append(append([]string{"channel=" + leg.Channel, "rndv=" + leg.Rendezvous, "report=" + reports}, boxSettings...), o.settings...)
	words, err := job.runWords()
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// The launcher's own connections suffer like all others: it must not give a host up that comes back.
	cmd := exec.Command(exe, append([]string{"run", "--host-timeout", fmt.Sprint(o.limit.Seconds())}, words...)...)
	cmd.Args[0] = "weft"
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(exe)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return cmd, nil
}

// boxNetwork is a cluster whose hosts can also reset their connections.
type boxNetwork struct{ *cluster.Cluster }

// Reset has the host's own kernel answer what it sends with resets. ssh is spared: it is the launcher's.
func (b boxNetwork) Reset(host string, rail int, on bool) error {
	table := fmt.Sprintf("table inet gremlin%d", rail)
	rules := "delete " + table + "\n"
	if on {
		rules = fmt.Sprintf("%s { chain resets { type filter hook output priority 0;\n"+
			"tcp sport 22 accept\ntcp dport 22 accept\noifname \"eth%d\" meta l4proto tcp reject with tcp reset\n}\n}\n", table, rail)
	}
	cmd := b.Command(host, "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nft on %s: %w: %s", host, err, bytes.TrimSpace(text))
	}
	return nil
}
