package verbs

// Steering is a program's answer to where a message goes whose beginning has come, see the Steer of completion queues that have it:
// the bytes from at on go to dst.
type Steering func(qp uint32, head []byte, size int) (at int, dst []byte, next Next)

// Next is what a device does after it has asked.
type Next uint8

// What there is to do next.
const (
	Fetch Next = iota // more of the message
	Pause             // end the Poll: the beginning has told the program of something to do
	Later             // ask again, at the next Poll, and take nothing of the message before; only if it comes in several segments
)
