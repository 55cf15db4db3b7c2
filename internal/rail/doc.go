// Package rail owns the way to peers on other hosts: one link over the verbs seam that carries packets (eager messages
// and control) and reads and writes peers' memory for long ones.
//
// It promises what every link promises (order per peer, nothing lost, nothing doubled, busy means nothing
// was done) over connections that are made on demand, may break and are made again, over datagrams that get
// lost, and over several networks at a time. Memory stays flat as the job grows: receive buffers are shared
// by all peers unless a peer has earned its own.
//
// # Words
//
//	frame    what travels as one message of the verbs layer: a header, then a packet or a piece of one
//	stream   the numbered frames to one peer, whatever carries them (package flow): kept until acknowledged
//	lane     one connection to a peer. The express lane carries the stream; bulk lanes, one per path, carry reads
//	         and writes of long messages, so that these cannot delay short ones. Where those that come meet those
//	         that go, a path has a second one, the back lane. Side lanes carry what of the stream asks for their path
//	path     a pair of network interfaces, one here and one there
//
// # Rooms
//
//	stream     frames in order, credit, acknowledgements, repair: stream.go, hold.go, acks.go, resend.go, and package flow
//	carrier    how frames travel and where they land, one file each: in receives of all connections (srq), of each (sr), in
//	           a ring that the peer writes into (ardma), in datagrams (ud, rd), or in these until a peer has earned a
//	           connection (hybrid). It is chosen once; others ask for its traits
//	bulk       long messages over lanes and rails: bulk.go, ways.go, tails.go, rails.go, ops.go, and package stripe
//	registrar  memory that devices and peers may touch: package registrar
//
// The package must not know MPI's matching, nor any concrete device. Everything runs under the lock of the loop that
// owns the link; the device's callbacks only ring the bell.
package rail
