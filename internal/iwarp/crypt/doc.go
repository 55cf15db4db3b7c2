// Package crypt makes secret what two ends of a connection say to each other: it cuts their streams into
// records, each sealed by AES-256-GCM under a key of its direction and its own number. It owns the keys, the
// format of records, and the limits of both.
//
// A record is two bytes that say how long the rest is, the sealed bytes, and a tag. The length can be read on
// the way, and is held by the tag. Records are numbered from 0 and the number is not sent: one that was
// changed, left out, repeated, moved, or comes from another connection does not open, and nothing after it
// does. A record of nothing is the end of a direction, so that a stream that was cut off can be told from one
// that has come to its end.
//
// A key seals 2^24 records, and the next is made from it in a way that does not lead back.
//
// The package is pure: it knows neither sockets nor chance. Who makes the keys puts into them what is new for
// every connection: no two connections may have the same ones.
package crypt
