package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// listedProfile is a profile of the simulator in the list for programs. Times are of short
// messages, from one end to the other.
type listedProfile struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	Cores  int     `json:"cores"`
	Rails  int     `json:"rails"`
	FarUs  float64 `json:"far_us"`
	NearUs float64 `json:"near_us"`
	MBs    float64 `json:"mb_s"` // of a rail, in one direction
}

// listProfiles shows the platforms that can be simulated, with what their profiles say.
func (r *labRunner) listProfiles() error {
	if len(r.o.words) > 0 {
		return r.showProfiles()
	}
	var all []listedProfile
	for _, name := range sim.Profiles() {
		p, err := sim.LoadProfile(name)
		if err != nil {
			return err
		}
		m := p.Machine()
		all = append(all, listedProfile{Name: p.Name, Title: p.Title, Cores: int(p.Parameters["cores"].Value), Rails: int(p.Parameters["rails"].Value),
			FarUs: (2*m.Far + m.FarWay) / 1e3, NearUs: (2*m.Near + m.NearWay) / 1e3, MBs: 1e3 / m.Byte})
	}
	if r.o.json {
		return writeJSON(r.out, all)
	}
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "profile\tcores\trails\tµs within a node\tµs between nodes\tMB/s of a rail\t")
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.0f\t%s\n", p.Name, p.Cores, p.Rails, p.NearUs, p.FarUs, p.MBs, p.Title)
	}
	return w.Flush()
}

// showProfiles shows every value of profiles, and where it comes from.
func (r *labRunner) showProfiles() error {
	var all []*sim.Profile
	for _, name := range r.o.words {
		p, err := sim.LoadProfile(name)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	if r.o.json {
		return writeJSON(r.out, all)
	}
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(w, "%s: %s\nparameter\tvalue\tis\tfigures\tsource\n", p.Name, p.Title)
		for _, name := range sim.ParameterNames() {
			par := p.Parameters[name]
			fmt.Fprintf(w, "%s\t%v\t%s\t%s\t%s\n", name, par.Value, par.How, strings.Join(par.Figures, " "), par.Source)
		}
	}
	return w.Flush()
}
