//go:build race

package engine

// underRace shortens tests that gain nothing from the race detector: the engine has no concurrency.
const underRace = true
