package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

var profileExperiment = lab.Experiment{
	ID: "003.F1",
	Explain: [2]string{
		"The document draws the NE020 as engines that work side by side on a shared bus: a protocol engine for iWARP, one for TCP, and memory for the state of connections.",
		"This table is the model that stands for it. Every parameter says whether a document states it, whether it follows from what one measured, whether it was fitted to figures, or whether it had to be assumed. Copy the profile, change a value, and run any figure on it.",
	},
	Run: profileText,
}

// profileText shows the model of the NE020, parameter by parameter.
func profileText(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	on := b.Setups("IW3")[0].On
	if !on.Virtual() {
		return nil, fmt.Errorf("%w %s: only simulated fabrics have a profile", lab.ErrPlatform, on)
	}
	profile, err := sim.LoadProfile(on.Profile())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", lab.ErrPlatform, err)
	}
	r := b.NewResult("003.F1")
	t := r.AddTable(profile.Title, "parameter", "value", "how", "what it is", "source")
	sourced, all := 0, 0
	for _, name := range sim.ParameterNames() {
		p := profile.Parameters[name]
		t.Add(name, fmt.Sprintf("%g", p.Value), string(p.How), sim.ParameterText(name), p.Source)
		all++
		if p.Source != "" && p.How != "" {
			sourced++
		}
	}
	r.Hold(lab.Prediction,
		lab.AtLeast("the interface works on several messages side by side", 2, profile.Parameters["slots"].Value, "messages"),
		lab.Exactly("parameters that say where they come from", float64(all), float64(sourced), ""),
	)
	return r, nil
}
