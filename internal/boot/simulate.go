package boot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Order is what to simulate: ranks on a cluster.
type Order struct {
	Ranks   int             `json:"ranks"`
	Cluster sim.Description `json:"cluster"`
	// Measured tells that what ranks compute is measured on this host, and not only what they charge.
	Measured bool   `json:"measured,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
	Limit    int64  `json:"limit_ns,omitempty"` // of virtual time; 0: none
	Traced   bool   `json:"traced,omitempty"`   // all calls are kept
	Report   string `json:"report,omitempty"`   // file to which Simulated is added, as a line of JSON
}

// NewOrder is one for the cluster that a profile's name or a file describes.
func NewOrder(cluster string) (*Order, error) {
	d, err := sim.Describe(cluster)
	if err != nil {
		return nil, err
	}
	return &Order{Cluster: *d}, nil
}

// Check tells what is wrong with an order, but for its number of ranks.
func (o *Order) Check() error {
	if err := o.Cluster.Check(); err != nil {
		return err
	}
	env, err := simulatedSettings(o.Cluster.Settings)
	if err != nil {
		return err
	}
	set, err := ReadSettings(env)
	return errors.Join(err, set.Unknown())
}

// orderName is the variable in which weft sim run gives a program its order.
const orderName = "WEFT_SIMULATE"

// Ordered is what weft sim run has this process simulate; nil if nothing.
func Ordered() (*Order, error) {
	text, found := os.LookupEnv(orderName)
	if !found {
		return nil, nil
	}
	o := new(Order)
	if err := json.Unmarshal([]byte(text), o); err != nil {
		return nil, fmt.Errorf("%w: %s, which weft sim run sets: %w", tune.ErrBad, orderName, err)
	}
	return o, nil
}

// Variable is the order as Ordered finds it, NAME=VALUE.
func (o *Order) Variable() (string, error) {
	text, err := json.Marshal(o)
	return orderName + "=" + string(text), err
}

// Simulated is what came of a simulation.
type Simulated struct {
	Cluster  string       `json:"cluster"`
	Nodes    int          `json:"nodes"`
	Cores    int          `json:"cores"`
	Measured bool         `json:"measured"`
	Time     int64        `json:"time_ns"` // of the rank that took longest
	Calls    calls.Report `json:"profile"`
}

// Inside is the share of their time that ranks spend in calls, in the mean.
func (s *Simulated) Inside() float64 { return s.Calls.Inside() }

// Text writes what came of it for people. top is how many places with calls it names.
func (s *Simulated) Text(w io.Writer, top int) error {
	computation := "computation charged by the program"
	if s.Measured {
		computation = "computation measured here"
	}
	_, err := fmt.Fprintf(w, "Simulated on %s: %d ranks on %d nodes of %d cores, %s\n"+
		"Time %.6f s, of which communication %.1f%%\n\n",
		s.Cluster, len(s.Calls.Ranks), s.Nodes, s.Cores, computation, float64(s.Time)/1e9, 100*s.Inside())
	return errors.Join(err, s.Calls.Text(w, top))
}

// Simulation is a job in virtual time that Order describes.
type Simulation struct {
	order   *Order
	cluster sim.Cluster
	crew    *Crew
	meter   *clock.Meter
	pages   []calls.Page
}

// NewSimulation prepares one. It is over when Run is.
func NewSimulation(o *Order, site Site) (*Simulation, error) {
	if o.Ranks < 1 {
		return nil, fmt.Errorf("%w: %d ranks", comm.ErrCount, o.Ranks)
	}
	cluster, err := o.Cluster.Cluster(o.Ranks, o.Seed)
	if err != nil {
		return nil, err
	}
	env, err := simulatedSettings(o.Cluster.Settings)
	if err != nil {
		return nil, err
	}
	s := clock.NewScheduler(o.Seed)
	if o.Limit > 0 {
		s.Limit(o.Limit)
	}
	fabric, err := sim.New(s, cluster)
	if err != nil {
		return nil, err
	}
	crew, err := NewSimCrew(SimConfig{Scheduler: s, Fabric: fabric, Ranks: o.Ranks, Env: env, Seed: o.Seed, Site: site})
	if err != nil {
		return nil, err
	}
	meter, pages := clock.NewMeter(s, o.speed()), make([]calls.Page, o.Ranks)
	return &Simulation{order: o, cluster: fabric.Cluster(), crew: crew, meter: meter, pages: pages}, nil
}

// Now is the time of the rank that runs.
func (s *Simulation) Now() int64 { return s.meter.Now() }

// Run calls f as every rank. It fails as Crew.Run does.
func (s *Simulation) Run(f func(*Rank) error) (*Simulated, error) {
	defer s.crew.Close()
	if err := s.crew.Run(func(r *Rank) error { return s.run(r, f) }); err != nil {
		return nil, err
	}
	out := &Simulated{Cluster: s.cluster.Profile.Name, Nodes: s.cluster.Nodes, Cores: s.cluster.Cores, Measured: s.order.Measured,
		Calls: calls.Report{Program: filepath.Base(os.Args[0]), Ranks: s.pages}}
	for _, p := range s.pages {
		out.Time = max(out.Time, p.Time)
	}
	return out, s.order.report(out)
}

// speed is what the meter has to know: 0 where nothing is measured.
func (o *Order) speed() float64 {
	switch {
	case !o.Measured:
		return 0
	case o.Cluster.Speed == 0:
		return 1
	}
	return o.Cluster.Speed
}

// simulatedSettings turns NAME=VALUE into variables, and refuses those that a simulation has no use for.
func simulatedSettings(given []string) (env []string, err error) {
	for _, s := range given {
		name, value, found := strings.Cut(s, "=")
		if name = strings.ToUpper(name); !strings.HasPrefix(name, "WEFT_") {
			name = "WEFT_" + name
		}
		if !found || name == "WEFT_PROFILE" || name == "WEFT_TRACE" {
			return nil, fmt.Errorf("%w: %q: settings are NAME=VALUE, and a simulation has a profile and a timeline already",
				tune.ErrBad, s)
		}
		env = append(env, name+"="+value)
	}
	return env, nil
}

// run is one rank: its calls are counted, and what it computes is measured.
func (s *Simulation) run(r *Rank, f func(*Rank) error) error {
	r.effort, r.measured = s.meter.Begin(func(nano int64) { r.clock.Spend(clock.Compute, int(nano)) }), s.order.Measured
	r.record(s.order.Traced).Tell(r.effort)
	err := f(r)
	r.effort.Enter()
	s.pages[r.place.rank] = r.recorded()
	return err
}

// report adds a line to the file that the order names.
func (o *Order) report(s *Simulated) error {
	if o.Report == "" {
		return nil
	}
	f, err := os.OpenFile(o.Report, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("report of the simulation: %w", err)
	}
	return errors.Join(json.NewEncoder(f).Encode(s), f.Close())
}

// Now is the rank's time. In a simulation it has computed until then.
func (r *Rank) Now() int64 {
	if r.effort != nil {
		r.effort.Enter()
		defer r.effort.Leave()
	}
	return r.clock.Now()
}

// Charge makes a simulated rank busy for d nanoseconds, unless what it computes is measured. On a host it does nothing.
func (r *Rank) Charge(d int64) {
	if !r.measured {
		r.clock.Spend(clock.Compute, int(d))
	}
}
