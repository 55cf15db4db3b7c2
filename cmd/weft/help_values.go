package main

import (
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/peers"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/verbs/perf"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/experiments"
)

// valueWords are the words for values, by the names that help gives these. A shell completes with them.
func valueWords() map[string]func() []string {
	return map[string]func() []string{
		"ALGORITHM":  algorithmNames,
		"BOXHOST":    hostsOfBox,
		"CALL":       lab.CallNames,
		"COMMAND":    func() []string { return theTool().Names() },
		"DOC":        documentNames,
		"ID":         figureNames,
		"INTERFACE":  interfaceNames,
		"NAME=VALUE": settingNames,
		"OP":         operationNames,
		"PEER":       peers.Names,
		"POLICY":     func() []string { return []string{"slot", "core", "hwthread", "numa", "package", "node", "ppr:"} },
		"PROFILE":    sim.Profiles,
		"TEST":       benchNames,
		"VERB":       verbNames,
	}
}

func algorithmNames() (names []string) {
	for _, op := range coll.Ops() {
		for _, a := range coll.Algorithms(op) {
			_, way, _ := strings.Cut(a.Name, "/")
			names = append(names, way)
		}
	}
	return names
}

func documentNames() (names []string) {
	for _, d := range lab.Documents() {
		names = append(names, d.ID)
	}
	return names
}

// figureNames are the figures that can be made.
func figureNames() (names []string) {
	registry, err := experiments.Registry()
	if err != nil {
		return nil
	}
	for _, f := range registry.Figures() {
		if registry.Status(f) == lab.Built {
			names = append(names, f.ID)
		}
	}
	return names
}

func interfaceNames() (names []string) {
	settings, _ := boot.ReadSettings(nil)
	all, _ := boot.Interfaces(settings) // that none can be used does not matter here
	for _, i := range all {
		names = append(names, i.Name)
	}
	return names
}

// settingNames are the settings for users, as --set takes them, with the sign that a value follows.
func settingNames() (names []string) {
	settings, err := boot.ReadSettings(nil)
	if err != nil {
		return nil
	}
	for _, name := range settings.Values.Public().Names() {
		names = append(names, strings.ToLower(strings.TrimPrefix(name, "WEFT_"))+"=")
	}
	return names
}

func operationNames() (names []string) {
	for _, op := range coll.Ops() {
		names = append(names, op.String())
	}
	return names
}

func benchNames() []string {
	names := []string{"list", "suite"}
	for _, s := range bench.Studies() {
		names = append(names, s.Name)
	}
	for _, t := range bench.Tests() {
		names = append(names, t.Name)
	}
	return names
}

func verbNames() []string {
	names := []string{"suite"}
	for _, t := range perf.Tests() {
		names = append(names, t.Name)
	}
	return names
}
