// Package live is what a launcher can tell of its job while it runs: which ranks there are, what each of them waits
// for and since when, what it has sent and received, and what memory it takes.
//
// It owns the words: the JSON that launchers and users exchange (Job), the text for a screen (Text), and the names of
// all numbers. Everything in it is a value; it asks nobody, and does not know how ranks are reached.
package live
