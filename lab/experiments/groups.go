package experiments

import (
	"slices"

	"github.com/weft-mpi/weft/lab"
)

// collectiveExperiments are those of document 002.
func collectiveExperiments() []lab.Experiment {
	return slices.Concat(
		stepExperiments(),
		groupMapExperiments(),
		[]lab.Experiment{
			gatherPhasesExperiment,
			directPhasesExperiment,
			complexityExperiment,
			arrivalDefinitionExperiment,
		},
	)
}
