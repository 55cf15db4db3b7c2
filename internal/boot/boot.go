package boot

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/tune"
)

// Rank is one rank, up and running.
type Rank struct {
	Env   *comm.Env
	loop  *progress.Loop
	pmi   *pmi.Client // nil without a launcher
	place place
	abort func(code int, reason string)
}

// Site tells where the user's call is. Ranks use it in check mode and in stall reports.
type Site func() string

// Join finds this process's place and brings its rank up. It returns when all ranks of the job have come.
func Join(site Site) (*Rank, error) {
	set, err := settings()
	if err != nil {
		return nil, err
	}
	p, err := findPlace(os.Getenv)
	if err != nil {
		return nil, err
	}
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2) // a polling goroutine must not keep all others from running
	}
	if p.starter == alone {
		return single(set, site)
	}
	return joined(p, set, site)
}

// settings reads the tunables and warns of misspelt ones.
func settings() (*tune.Settings, error) {
	set, unknown, err := tune.Read(os.Environ())
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 && os.Getenv("WEFT_RANK") <= "0" {
		fmt.Fprintf(os.Stderr, "weft: no tunable is called %s; weft info --tunables lists them\n", strings.Join(unknown, ", "))
	}
	return set, nil
}

// single makes a job of one rank.
func single(set *tune.Settings, site Site) (*Rank, error) {
	box := inproc.NewExchange(0, 1).Box(0)
	return build(parts{
		place: place{size: 1}, set: set, site: site, links: []progress.Link{box}, bell: box.Bell(), policy: clock.Park, local: 1, cpus: clock.CPUs(),
		stalled: printStall(0), stall: int64(set.Stall),
	})
}

// parts is what a rank is put together from.
type parts struct {
	place   place
	set     *tune.Settings
	site    Site
	links   []progress.Link
	loop    progress.Link // to ourselves, where links cannot
	bell    progress.Bell
	policy  clock.Policy
	local   int // ranks on this host
	cpus    int // processors that they share
	stall   int64
	stalled func([]progress.Stalled)
	sited   Site // the same as site where finding it costs nothing while messages flow
	shm     *shm.Link
	client  *pmi.Client
}

func build(p parts) (*Rank, error) {
	selector := coll.Default()
	rules, err := coll.Parse(p.set.Coll)
	if err != nil {
		return nil, fmt.Errorf("%w: WEFT_COLL: %w", tune.ErrBad, err)
	}
	loop := progress.New(progress.Config{
		Self: p.place.rank, Links: p.links, Loop: p.loop, Bell: p.bell, Policy: p.policy,
		Mode: modes[p.set.Progress], Stall: p.stall, Stalled: p.stalled, Site: p.sited,
	})
	env := &comm.Env{
		Loop: loop, Self: p.place.rank, Size: p.place.size, Local: p.local, Cores: p.cpus,
		Select: selector.With(rules...), Check: checking(p.set.Check), BsendMax: p.set.Bsend, Site: p.site,
		Alloc: func(n int) ([]byte, error) { return make([]byte, n), nil },
		Free:  func([]byte) error { return nil },
	}
	if p.shm != nil {
		env.Alloc = func(n int) (b []byte, err error) {
			loop.Locked(func() { b, err = p.shm.Alloc(n) })
			return b, err
		}
		env.Free = func(b []byte) (err error) {
			loop.Locked(func() { err = p.shm.Free(b) })
			return err
		}
	}
	return &Rank{Env: env, loop: loop, pmi: p.client, place: p.place}, nil
}

var modes = map[string]progress.Mode{"auto": progress.Auto, "poll": progress.Poll, "wake": progress.Wake}

// checking decides whether collective calls are compared: by default in test binaries only.
func checking(word string) bool {
	return word == "on" || word == "auto" && strings.HasSuffix(os.Args[0], ".test")
}

// policy says how ranks that share this host wait.
func policy(word string, ranks, cpus int) clock.Policy {
	switch word {
	case "spin":
		return clock.Policy{Spins: 1 << 62}
	case "park":
		return clock.Park
	}
	return clock.PolicyFor(ranks, cpus)
}

// joined brings up one of several processes.
func joined(p place, set *tune.Settings, site Site) (*Rank, error) {
	conn, err := pmi.Inherit(p.pmiFD)
	if err != nil {
		return nil, fmt.Errorf("%w: PMI_FD: %w. Programs that a rank starts cannot join its job; "+
			"unset WEFT_LAUNCHER and PMI_FD for them", ErrLauncher, err)
	}
	client := pmi.NewClient(conn, p.starter == byWeft)
	r, err := attach(p, set, site, client)
	if err != nil {
		client.Close()
		return nil, err
	}
	go func() {
		<-client.Gone()
		fmt.Fprintf(os.Stderr, "weft: rank %d: the launcher is gone\n", p.rank)
		os.Exit(1)
	}()
	return r, nil
}

func attach(p place, set *tune.Settings, site Site, client *pmi.Client) (*Rank, error) {
	if err := client.Init(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	file, err := segmentFile(p, client, set)
	if err != nil {
		return nil, err
	}
	seg, err := shm.Open(file)
	file.Close()
	if err != nil {
		return nil, badSegment(p, fmt.Errorf("cannot be used: %w", err))
	}
	if seg.Ranks != p.size {
		return nil, fmt.Errorf("%w: the shared segment is for %d ranks, the job has %d", ErrLauncher, seg.Ranks, p.size)
	}
	help := set.Help == "on" || set.Help == "auto" && p.size <= p.cpus
	link := shm.NewLink(shm.Config{Segment: seg, Self: p.rank, EagerMax: set.EagerMax, Help: help, NoCMA: !set.CMA})
	box := inproc.NewExchange(p.rank, 1).Box(0)
	if err := client.Barrier(); err != nil {
		return nil, fmt.Errorf("%w: waiting for the other ranks: %w", ErrLauncher, err)
	}
	r, err := build(parts{
		place: p, set: set, site: site, client: client, shm: link, local: p.size, cpus: p.cpus,
		links: []progress.Link{link}, loop: box,
		bell: link.Bell(), policy: policy(set.Wait, p.size, p.cpus),
		stall: int64(set.Stall), stalled: tellStall(p, client), sited: site,
	})
	if err == nil && p.starter == byWeft {
		client.OnDump(func() { tellStall(p, client)(r.loop.Waiting()) })
	}
	return r, err
}

// Leave ends the rank: everybody has to call it, and it waits for them.
func (r *Rank) Leave() error {
	r.loop.Close()
	if r.pmi == nil {
		return nil
	}
	err := r.pmi.Finalize()
	if r.place.starter != byWeft {
		err = errors.Join(err, r.pmi.Close())
	}
	return err
}

// Abort ends the whole job with an exit code. It does not return.
func (r *Rank) Abort(code int, reason string) {
	if code &= 0xff; code == 0 {
		code = 1
	}
	if r.abort != nil {
		r.abort(code, reason)
		return
	}
	fmt.Fprintf(os.Stderr, "weft: rank %d aborts the job with code %d: %s\n", r.place.rank, code, reason)
	if r.pmi != nil {
		r.pmi.Abort(code, reason)
	}
	os.Exit(code)
}
