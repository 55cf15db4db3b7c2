// Package council decides what the living ranks of a job agree on, though ranks die at any moment: flags that all of
// them put together, and who is still alive. It is a state machine without input or output: ballots and deaths go in,
// words to ranks come out.
//
// There is one council for a job, with whoever sees the processes end: the launcher. So agreement needs no rounds of
// messages between ranks who may die meanwhile. It promises
//
//   - one word: all who hear the word of an agreement hear the same;
//   - an end: the word is given when every member has voted, died, or cast its last ballot on that communicator;
//   - truth: Dead names exactly the members whose death the council knew of then, and the flags of every survivor
//     count.
//
// It must not know how ranks are reached, nor what a communicator is beyond its number and its members.
package council
