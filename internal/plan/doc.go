// Package plan holds schedules of communication and runs them.
//
// A plan is one rank's share of a collective operation: a graph of steps over
// byte buffers, addressed by ranks of the communicator. It is built once with
// a Builder and never changes afterwards, so one plan may be kept, shared
// between goroutines and run as often as its owner likes.
//
// The package owns the steps and their dependencies, the Run that executes
// them against a Port, the printer, the checker (Check) that proves the plans
// of all ranks fit together without a network, and a simulator (Simulate)
// that runs them together in memory.
//
// It promises that
//   - a step starts only when every step it depends on has ended;
//   - among steps that are ready at the same moment the one with the smaller
//     index starts first, which is what makes the order of messages between
//     two ranks predictable;
//   - a Run that has seen a plan of the same size before allocates nothing.
//
// It must not know what a message travels on, what the bytes mean, which
// operation a plan implements, or what time it is.
package plan
