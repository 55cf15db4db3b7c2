// Package usage describes a tool of several commands for people: as help on a terminal, as completion in a
// shell, and as manual pages.
//
// It owns how a description looks in each of these. It promises that all three are made of the same
// description, and that a command which parses its options with package flag describes them by the very set
// that parses them (see Flags). It must not know what any command does.
package usage
