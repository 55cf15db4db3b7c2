// Package experiments holds the experiments of the lab, one function per figure, in files named after what
// they measure.
//
// It owns the choice of sizes, settings and platforms of each figure, and writes down its bars as the catalogue states
// them. It promises that one profile serves all figures of its platform: no experiment changes a parameter of a model.
// It must not know how results are shown.
package experiments

import (
	"slices"

	"github.com/weft-mpi/weft/lab"
)

// All lists the experiments, in the catalogue's order of files.
func All() []lab.Experiment {
	return slices.Concat(
		packageMaps(),
		speculationExperiments(),
		fourMPIs(),
		networkExperiments(),
		reuseExperiments(),
		channelExperiments(),
		pageExperiments(),
		collectiveExperiments(),
		[]lab.Experiment{
			ftSpeedupExperiment,
			arrivalPatternsExperiment,
			groupsExperiment,
			gatherArrivalExperiment,
			userLatencyExperiment,
			userBandwidthExperiment,
			latencyExperiment,
			bandwidthExperiment,
			connectionLatencyExperiment,
			connectionBandwidthExperiment,
			registrationExperiment,
			formulaExperiment,
			modelsExperiment,
			searchExperiment,
			datagramVerbsExperiment,
			datagramLatencyExperiment,
			datagramBandwidthExperiment,
			datagramCallsExperiment,
			datagramRunsExperiment,
			profileExperiment,
			transportsExperiment,
		},
	)
}

// Registry is the catalogue with all experiments attached. Bars that are known not to be kept come with the reason.
func Registry() (*lab.Registry, error) {
	all := All()
	for i := range all {
		all[i] = explained(all[i])
	}
	return lab.NewRegistry(all)
}

// The labels of the documents' networks.
const (
	iWARP      = "iWARP"
	infiniBand = "InfiniBand"
	myrinet    = "Myrinet"
	ethernet   = "10GE"
)
