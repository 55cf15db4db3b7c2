package plan

// Tally is what one rank's plan moves, counted without running it.
type Tally struct {
	Sends, Recvs                  int // messages
	SendBytes, RecvBytes          int
	Peers                         int         // ranks that messages go to
	RailBytes                     map[int]int // by Step.Rail: bytes that leave there
	NodeWrites, NodeReads         int         // copies and reductions into memory of the node, and out of it
	NodeWriteBytes, NodeReadBytes int
	MoveBytes                     int // copied within this rank's own memory
	ReduceBytes                   int
	Flags                         int // raised
	Fetches, FetchBytes           int // copied straight from the memory of other ranks
}

// Tally counts what the plan moves.
func (p *Plan) Tally() Tally {
	t := Tally{RailBytes: map[int]int{}}
	peers := map[int32]bool{}
	for i := range p.Steps {
		s := &p.Steps[i]
		switch s.Kind {
		case Send:
			t.Sends++
			t.SendBytes += s.Src.Len
			t.RailBytes[int(s.Rail)] += s.Src.Len
			peers[s.Peer] = true
		case Recv:
			t.Recvs++
			t.RecvBytes += s.Dst.Len
		case Copy:
			if s.Src.Buf != Node && s.Dst.Buf != Node {
				t.MoveBytes += s.Src.Len
			}
		case Reduce:
			t.ReduceBytes += s.Src.Len
		case Set:
			t.Flags++
		case Fetch:
			t.Fetches++
			t.FetchBytes += s.Dst.Len
		}
		t.countNode(s)
	}
	t.Peers = len(peers)
	return t
}

// countNode counts a step's use of the node's memory by whoever copies: a device that puts or fetches a
// message is not counted.
func (t *Tally) countNode(s *Step) {
	if s.Kind != Copy && s.Kind != Reduce {
		return
	}
	for _, span := range s.reads() {
		if span.Buf == Node && span.Len > 0 {
			t.NodeReads++
			t.NodeReadBytes += span.Len
		}
	}
	if w := s.writes(); w.Buf == Node && w.Len > 0 {
		t.NodeWrites++
		t.NodeWriteBytes += w.Len
	}
}
