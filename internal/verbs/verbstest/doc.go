// Package verbstest is the one suite that every device behind the verbs seam must pass.
//
// It owns the cases: each is a sentence of the seam's comments, turned into work requests. It promises to skip by
// capability (verbs.Caps) and never by name, to end every failure with the state of all queue pairs, the latest
// completions and events, the counters and the seed that leads there again, and to leave neither goroutines nor
// file descriptors behind when the device leaves none. It must not know any concrete device: who has one calls Run
// from a test of its own.
//
// Where the standard leaves freedom the suite does too: a Write that the peer refuses may complete well when the
// device does not wait for the peer (Caps.PeerAck), since the refusal breaks the connection a moment later.
//
// The suite is held to its own standard: its tests run it on a model of the seam (package model) and on models with
// one thing wrong each, and every one of those must be noticed.
package verbstest
