package rail

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// carrier is how the frames of streams travel, and where they land: one for all peers of a link,
// chosen when that is made. What others have to know of it are its traits.
type carrier interface {
	// reach does what it takes so that frames (express) or long messages (bulk) can be sent to a
	// peer whose address is known, and tells whether they can.
	reach(p *peer, c class) bool
	// send gives frames that leave by one lane to the device, and tells how many it took.
	send(p *peer, frames []*buffer) int
	// admit tells whether a peer that asks for an express lane gets one.
	admit(p *peer) bool
	// gone: there is no express lane any more, and what belonged to it goes, too.
	gone(p *peer)
	// recover finds another way after an express lane broke, or could not be made.
	recover(ln *lane, made bool)
	// earn: a frame has come from the peer, nil for a lane is a datagram. Who sends much gets what
	// the carrier has for such peers.
	earn(p *peer, ln *lane)
	// word takes a frame that is the carrier's own.
	word(p *peer, k kind, body []byte, ln *lane)
}

// traits are what distinguishes carriers for others than themselves.
type traits struct {
	connects  bool       // there are connections
	datagrams bool       // there are datagrams; every frame that may leave so fits one
	reliable  bool       // datagrams are repaired by the device, which also cuts frames up
	queue     verbs.Type // of the queue pair for datagrams
	climbs    bool       // peers begin with datagrams, and may earn connections
	ownRecvs  bool       // express lanes have receives of their own, and so every peer has its credit
	rings     bool       // peers may earn rings
	sides     bool       // there may be side lanes: not where credit belongs to a connection
	moves     bool       // peers' memory can be read and written
}

// Channel names a carrier.
type Channel uint8

// The channels.
const (
	SRQ      Channel = iota // receives shared by all connections
	SR                      // receives of each connection
	ArdmaSR                 // as SR, and rings for peers that send much
	ArdmaSRQ                // as SRQ, and rings for peers that send much
	UD                      // datagrams, made reliable here
	RD                      // datagrams that the device makes reliable
	Hybrid                  // as UD, and connections as SRQ for peers that send much
	XRC                     // one connection to each node, and receives shared by all, which senders name
)

var channelNames = [...]string{"srq", "sr", "ardma-sr", "ardma-srq", "ud", "rd", "hybrid", "xrc"}

func (c Channel) String() string { return channelNames[c] }

// carriers are the channels' carriers and what these are like.
var carriers = [...]struct {
	traits
	carrier
}{
	SRQ:      {traits{connects: true, moves: true, sides: true}, srq{}},
	SR:       {traits{connects: true, moves: true, ownRecvs: true}, sr{}},
	ArdmaSR:  {traits{connects: true, moves: true, ownRecvs: true, rings: true}, rings{sr{}}},
	ArdmaSRQ: {traits{connects: true, moves: true, rings: true, sides: true}, rings{srq{}}},
	UD:       {traits{datagrams: true, queue: verbs.UD}, ud{}},
	RD:       {traits{datagrams: true, queue: verbs.RD, reliable: true, moves: true}, rd{}},
	Hybrid:   {traits{connects: true, datagrams: true, queue: verbs.UD, climbs: true, moves: true, sides: true}, hybrid{}},
	XRC:      {traits{datagrams: true, queue: verbs.XRC, reliable: true, moves: true}, rd{}},
}

// carriage is the carrier of a link and what its peers share.
type carriage struct {
	traits   traits
	carrier  carrier
	wholeMax int // longest frame that fits what carries frames on our side, also that which may take over
	climbed  int // hybrid: peers that have a connection or were promised one
	rings    int // that peers write into
	listen   []verbs.Listener
	datagramQP
	receives
	recvPool *pool
	oneSGE   [1]verbs.SGE // memory for calls
	oneRecv  [1]verbs.RecvWR
	dgrams   *receives // those of datagrams, where they cannot share; else nil
	limits
}

// datagramQP is the queue pair for datagrams.
type datagramQP struct {
	dgramQP  verbs.QP // UD or RD, nil without datagrams
	dgramNum uint32
	unmarked int // datagrams posted inline since one that completes
	byAddr   map[netip.AddrPort]*peer
	lastFrom struct { // of the last datagram
		addr netip.AddrPort
		peer *peer // in byAddr; nil if it is not there
	}
}

// movesBulk tells whether the peer's memory can be reached.
func (l *Link) movesBulk(p *peer) bool {
	return l.traits.moves && p.lost == nil && (!l.traits.climbs || p.express != nil || p.mayClimb())
}
