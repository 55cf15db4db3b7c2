// Package calls counts what a rank's calls of the library cost: by kind of call and by place in the program, with
// the lengths of messages and the peers that they go to. The records of all ranks join to one report.
//
// It knows nothing of communicators and clocks: who makes a call tells it when it began and when it is over.
package calls
