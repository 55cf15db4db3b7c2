// Package interop holds the software device against siw, the software iWARP of the Linux kernel.
//
// Its test is a list of cases, run by tools/interop/run.sh with siw in a guest; without a guest it does
// nothing. The package also owns End, a queue pair with calls that wait, for tests that need somebody to
// talk to rather than the verbs themselves. It must not know how the device works inside: everything goes
// through the verbs seam.
package interop
