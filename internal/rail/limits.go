package rail

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// limits are what of a link follows from what its device can do.
type limits struct {
	inline       int  // bytes of the longest frame that is posted inline
	message      int  // bytes of the longest read or write of one work request
	expressDepth int  // frames that may be open on an express lane
	bulkDepth    int  // reads and writes that may be open on a bulk lane
	cqDepth      int  // completions that may wait
	noTails      bool // nothing may be sent on a bulk lane, because it might find no receive: the stream tells of writes
}

// What a link uses where its device allows as much. inlineMax is also the longest frame outside the stream.
const (
	inlineMax    = 128
	messageMax   = 1 << 30
	expressDepth = 512
	bulkDepth    = 256
	cqDepth      = 1 << 14

	mostSpans  = 8        // work requests for one piece of a long message, at most
	inlineMin  = 64       // frames that only acknowledge, or offer a ring, are always posted inline
	messageMin = 64 << 10 // a device with shorter messages would need more work requests than it has room for
	depthMin   = 2 * markEvery
)

// limitsOf takes what the device allows.
func limitsOf(caps *verbs.Caps, vbuf int) limits {
	return limits{
		inline: min(caps.MaxInline, vbuf), message: min(caps.MaxMessage, messageMax),
		expressDepth: min(expressDepth, caps.MaxDepth), bulkDepth: min(bulkDepth, caps.MaxDepth), cqDepth: min(cqDepth, caps.MaxDepth),
		noTails: !caps.RNRWaits,
	}
}

// follow changes the options to what the device can do, or says why it cannot be used. Where a Send must
// find its receive, receives that all peers share would not do: nobody could tell a peer how many frames
// it may send.
func (c *Config) follow(caps *verbs.Caps) error {
	if own, shares := credited[c.Channel]; shares && !caps.RNRWaits {
		c.Channel = own
	}
	c.SRQSize = min(c.SRQSize, caps.MaxDepth)
	c.SRFull = min(c.SRFull, caps.MaxDepth-spareRecvs)
	need := carriers[c.Channel]
	for _, lack := range []struct {
		yes  bool
		what string
	}{
		{need.datagrams && !caps.Supports(need.queue), fmt.Sprintf("has no queue pairs of type %v; set WEFT_CHANNEL to another one", need.queue)},
		{need.connects && !caps.RC, "has no queue pairs of type RC; set WEFT_CHANNEL to ud"},
		{need.climbs && !caps.RNRWaits, "breaks a connection whose Sends find no receive; set WEFT_CHANNEL to another one"},
		{need.rings && !caps.WriteImm, "cannot write with immediate data; set WEFT_CHANNEL to another one"},
		{caps.RailKeys && !caps.PeerAck, "is made of several adapters that do not tell when peers have what was written; use one of them"},
		{!caps.SRQ, "has no shared receive queues; set WEFT_DEVICE to another one"},
		{caps.MaxInline < inlineMin || caps.MaxMessage < messageMin || caps.MaxDepth < depthMin,
			fmt.Sprintf("is too small: %d bytes inline, messages of %d bytes, %d work requests in a queue; needed are %d, %d and %d; set WEFT_DEVICE to another one",
				caps.MaxInline, caps.MaxMessage, caps.MaxDepth, inlineMin, messageMin, depthMin)},
	} {
		if lack.yes {
			return fmt.Errorf("rail: channel %v: %w: %q %s", c.Channel, verbs.ErrUnsupported, caps.Name, lack.what)
		}
	}
	return nil
}

// credited are the channels that do what others do without receives that all peers share.
var credited = map[Channel]Channel{SRQ: SR, ArdmaSRQ: ArdmaSR}
