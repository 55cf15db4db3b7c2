// Package frame is the language between the launcher and its agents on other hosts: one greeting line, then binary
// frames in both directions over the agent's standard input and output.
//
// It owns the codec. Every message is a struct whose fields are written and read by the same function, so
// that the two cannot drift apart. It promises that a frame from outside is bounded before memory is taken
// for it, and that only what Append can write is accepted. It must not know who sends what, nor when.
//
// A frame is a kind (1 byte), the length of its body (4 bytes, big endian) and the body: numbers as varints, texts and
// lists with their length in front.
package frame
