// Package comm owns the untyped objects under both faces of Weft: groups, contexts, communicators, and the
// way from a rank to a process.
//
// It promises that messages of different communicators, and collectives and point-to-point messages of one
// communicator, never meet; and that every error names operation, communicator, peer and cause. Buffers are
// bytes here: element types exist only above. It knows no links and no launcher.
package comm
