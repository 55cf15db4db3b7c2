// Package witness has a stranger look at what the software device puts on the wire.
//
// Its tests run sessions between two devices through relays that record every byte, write what was recorded
// as a packet capture, and hold what tshark (of Wireshark) says about it against what the devices were
// asked to do. The package owns the recording and the reading of tshark's answer and has no code besides
// its tests. It must not decode a protocol itself: a mistake that the device and its own codecs share is
// exactly what a stranger finds.
package witness
