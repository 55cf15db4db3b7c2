package experiments

import (
	"slices"

	"github.com/weft-mpi/weft/lab"
)

// collectiveExperiments are those of document 002, and of chapter 5 of document 000 what needs one-sided or
// collective operations.
func collectiveExperiments() []lab.Experiment {
	return slices.Concat(
		stepExperiments(),
		groupMapExperiments(),
		[]lab.Experiment{
			semanticsExperiment,
			gatherPhasesExperiment,
			directPhasesExperiment,
			complexityExperiment,
			arrivalDefinitionExperiment,
			railWritesExperiment,
			railTagsExperiment,
			railMPIExperiment,
			nativeRailsExperiment,
			scatterExperiment,
			gatherExperiment,
			allgatherExperiment,
			alltoallExperiment,
			nodeCopiesExperiment,
			nodeCollectivesExperiment,
			smpAllgatherExperiment,
			smpScaleExperiment,
			manyConnectionsExperiment,
			independentExperiment,
			groupAllgatherExperiment,
			nativeAlltoallExperiment,
			nativeAllgatherExperiment,
			papAlltoallExperiment,
			papAlltoallScaleExperiment,
			papAlltoallLateExperiment,
			papAllgatherExperiment,
			papAllgatherScaleExperiment,
			papAllgatherLateExperiment,
			putGetExperiment,
			putGetSpectrumExperiment,
			collectiveReuseExperiment,
		},
	)
}
