package simtest

import "fmt"

// The keys of steps: a program is laid out along one line of places that all ranks share, and every rank
// takes its steps in the order of their keys. What a rank waits for at a key was started by others at lower
// keys. So the rank that waits at the lowest key always gets on, and no program blocks itself, even if
// every send waited for its receive.
const (
	perPlace = 16 // keys of a place, of which:
	atStart  = 0
	atToken  = 1 // the receiver of a ready send says that it has posted
	atHear   = 2 // and its sender hears that
	atReady  = 3
	atAll    = 4 // calls of several ranks that start and wait at once
	atWait   = 8
	atFree   = 15
)

func keyOf(place int, sub int64) int64 { return int64(place)*perPlace + sub }

// layer tells apart the communicators that stand for one of the program's, so that wildcards of one kind of item do not
// take the messages of another.
type layer int

const (
	tame    layer = iota // messages whose meeting is certain
	wild                 // storms
	control              // what items need to keep their own order
	layers
)

// group is a communicator of the program.
type group struct {
	number  int
	members []int // ranks of the world
	born    int64 // key from which on it may be used
	last    int64 // of its last use
	used    [layers]bool
	first   int     // ranks of the first of two groups; 0: there is one
	near    *nearby // neighbours, if it has any
	made    *Make   // of one with neighbours
}

// rankOf is the rank in the group of a rank of the world, -1 if it has none.
func (g *group) rankOf(world int) int {
	for i, m := range g.members {
		if m == world {
			return i
		}
	}
	return -1
}

// use notes that something happens at a key.
func (g *group) use(l layer, key int64) {
	g.used[l] = true
	g.last = max(g.last, key)
}

// sending is a message as its sender has it.
type sending struct {
	id       int // of the message, from 1
	comm     *group
	layer    layer
	from, to int // ranks in comm
	tag      int
	bytes    int
	mode     Mode
	kept     bool
	slot     int
	shape    string
	flight   flight
	met      *receiving // by which it will be received, if that is certain
}

// receiving is a receive.
type receiving struct {
	comm     *group
	layer    layer
	to       int
	from     int // or any
	tag      int // or any
	anyFrom  bool
	anyTag   bool
	room     int
	style    Style
	kept     bool
	slot     int
	shape    string
	mayCut   bool // the message may be longer than the room
	flight   flight
	met      *sending
	want     *Message // what it was made for, if it is tame
	withdrew bool     // set by the run
}

// flight is the life of a request: when it starts, when the rank waits for it, and from which key on that is safe.
type flight struct {
	handle             int
	rank               int // of the world
	start, legal, wait int64
	take               int64 // when a message that was claimed at start is received; start if at once
	how                Waiting
	seq                int // breaks ties, the same way on all ranks
}

// step is one thing that a rank does.
type step struct {
	key    int64
	seq    int
	kind   kind
	block  bool // the wait is the next step: one blocking call does both
	handle int
	how    Waiting
	send   *sending
	recv   *receiving
	coll   *collecting
	turn   int // of that
	part   *parting
	brief  *briefing
	make   *Make
	groups []*group // made
	comm   *group
	probe  bool
	nanos  int64
	swap   *swapping
	share  *sharing
	hurry  *hurrying
}

// swapping is one rank's part of an exchange.
type swapping struct {
	comm     *group
	tag      int
	bytes    int
	to, from int // ranks in comm
	out, in  int // messages
	replace  bool
}

// collecting is a collective with its place in time.
type collecting struct {
	*Collective
	comm *group
	id   int
}

type kind uint8

const (
	doSend kind = iota
	doRecv
	doTake // receives what a matched probe has taken before
	doWait
	doCancel
	doReplace // a receive instead of one that was withdrawn
	doCollective
	doMake
	doLayers
	doFree
	doCompute
	doGlance
	doExchange
	doShare
	doImpatient
	doMade // of one that was to be made meanwhile
	doParted
	doBrief
	kinds
)

var kindNames = [kinds]string{"send", "recv", "take", "wait", "cancel", "replace", "collective", "make", "layers", "free", "compute", "glance", "exchange", "share", "impatient", "made", "parted", "brief"}

func (k kind) String() string { return kindNames[k] }

func (l layer) String() string { return [...]string{"", ".wild", ".control"}[l] }

func (s *sending) String() string {
	mode := ""
	if s.mode != Standard {
		mode = string(s.mode) + " "
	}
	return fmt.Sprintf("%smessage %d, %d bytes%s, %d to %d, tag %d on comm %d%v", mode, s.id, s.bytes, apartInWords(s.shape), s.from, s.to, s.tag,
		s.comm.number, s.layer)
}

func (r *receiving) String() string {
	from, tag := fmt.Sprint(r.from), fmt.Sprint(r.tag)
	if r.anyFrom {
		from = "any"
	}
	if r.anyTag {
		tag = "any"
	}
	style := "receive"
	if r.style != Plain {
		style = string(r.style)
	}
	return fmt.Sprintf("%s #%d, room %d%s, from %s to %d, tag %s on comm %d%v", style, r.flight.handle, r.room, apartInWords(r.shape), from, r.to, tag,
		r.comm.number, r.layer)
}

func (s *step) String() string {
	switch s.kind {
	case doSend:
		return fmt.Sprintf("send #%d: %v", s.handle, s.send)
	case doRecv, doTake, doReplace, doCancel:
		return fmt.Sprintf("%v: %v", s.kind, s.recv)
	case doWait:
		return fmt.Sprintf("wait #%d %s", s.handle, s.how)
	case doCollective:
		c := s.coll
		text := fmt.Sprintf("%s of %d %s on comm %d, root %d %s", c.Op, c.Count, c.Elem, c.comm.number, c.Root, c.Reduce)
		if c.Turns > 0 {
			text += fmt.Sprintf(", turn %d of %d", s.turn, c.Turns)
		}
		return text
	case doMake, doMade:
		return fmt.Sprintf("%v: %s of comm %d to %d", s.kind, s.make.How, s.make.Parent, s.make.ID)
	case doFree, doLayers, doGlance:
		return fmt.Sprintf("%v comm %d", s.kind, s.comm.number)
	case doShare:
		return fmt.Sprintf("%s window %d of %d elements on comm %d, %d turns", s.share.Kind, s.share.id, s.share.Count, s.share.comm.number, len(s.share.Turns))
	case doImpatient:
		return fmt.Sprintf("impatient calls %d on a duplicate of comm %d", s.hurry.id, s.hurry.comm.number)
	case doParted:
		return fmt.Sprintf("%s of message in parts %d on comm %d", s.part.does, s.part.id, s.part.comm.number)
	case doBrief:
		return fmt.Sprintf("%d brief communicators of comm %d", s.brief.Rounds, s.brief.comm.number)
	case doExchange:
		return fmt.Sprintf("exchange of %d bytes, to %d, from %d on comm %d", s.swap.bytes, s.swap.to, s.swap.from, s.swap.comm.number)
	}
	return s.kind.String()
}

// apartInWords tells of bytes that do not lie next to each other.
func apartInWords(shape string) string {
	if shape == "" {
		return ""
	}
	return ", " + shape
}
