// Package meet lets the ranks of a job meet that nobody serves: one of them, the leader, listens, the others find it
// and prove that they belong to the same job and the same user, and from then on the leader's process is their process
// manager. What they say is PMI-1, as package pmi speaks it, in records that are encrypted and cannot be changed,
// replayed or reordered.
//
// It owns the listener, the proofs, the connections and what becomes of them. It promises
//
//   - strangers get nothing: whoever cannot make the first record is sent away within a limited time, and keeps nobody
//     else out;
//   - the end of one is the end of all: when a rank's connection ends before it has finalised, or a rank aborts, every
//     other hears why;
//   - no wait without a limit: ranks that do not come end the job, and so does a host that falls silent.
//
// Ways to know each other are Secrets. The package must not know who has started the ranks, nor what they are for.
package meet
