package sim

import (
	"maps"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
)

// kind says what a parameter is.
type kind struct {
	low, high float64
	whole     bool
	text      string
}

const (
	second = 1e6 // in us
	giga   = 1e6 // MB/s: a wide limit
)

// parameters are all there are.
var parameters = map[string]kind{
	"rails": {1, 8, true, "interfaces of a node"},
	"cores": {1, 1024, true, "cores of a node"},
	"chip":  {1, 1024, true, "cores that share a chip"},

	"post_us":      {0, second, false, "processor time to post one send"},
	"post_recv_us": {0, second, false, "processor time to post one receive"},
	"poll_us":      {0.001, second, false, "processor time to look for a completion, and for each that is taken"},
	"call_us":      {0, second, false, "processor time of one call of the MPI library"},
	"packet_us":    {0, second, false, "processor time to make a packet, or to take one apart and match it"},
	"event_us":     {0, second, false, "processor time until a thread runs that sleeps at completions: an interrupt and a switch"},
	"search_us":    {0, second, false, "processor time to look up a buffer"},

	"copy_us_per_kb":     {0, second, false, "processor time to copy 1024 bytes"},
	"cache_bytes":        {0, 1 << 40, true, "data that a core's cache holds; 0: all there is"},
	"copy_far_us_per_kb": {0, second, false, "processor time to copy 1024 bytes that the cache does not hold, if that is more"},
	"copy_parallel":      {1, 1024, false, "copies of a node's cores that run at full speed side by side"},
	"reduce_us_per_kb":   {0, second, false, "processor time to combine 1024 bytes"},

	"pio_bytes":          {0, 1 << 20, true, "shortest send that the interface fetches by itself; shorter ones the processor hands over"},
	"pio_us_per_kb":      {0, second, false, "processor time to hand over 1024 bytes"},
	"inline_bytes":       {0, 4096, true, "longest send that can be posted inline"},
	"dma_us":             {0, second, false, "time the interface takes to begin to fetch a send from memory"},
	"tx_us":              {0, second, false, "time on the way through the sending interface"},
	"rx_us":              {0, second, false, "time on the way through the receiving interface"},
	"read_us":            {0, second, false, "additional time until the peer's interface answers a Read or an atomic"},
	"cqe_us":             {0, second, false, "time until a completion is in the host's memory"},
	"ack_us":             {0, second, false, "time until the sender's interface knows that the peer's has everything, besides the network"},
	"engine_us":          {0, second, false, "time for which a message occupies the interface's engine, going out and coming in"},
	"rest_us":            {0, second, false, "time for which the engine is busy after a message has passed, going out and coming in, unless it follows another of its connection at once"},
	"rest_us_per_kb":     {0, second, false, "likewise per 1024 bytes"},
	"rest_bytes":         {0, 1 << 20, true, "bytes of a message that count for it"},
	"doorbell_us":        {0, second, false, "processor time of a post after which the interface knows of it already"},
	"slots":              {1, 4096, true, "messages that the interface sends side by side"},
	"slot_us":            {0, second, false, "time for which a message occupies one of these"},
	"slot_us_per_kb":     {0, second, false, "likewise per 1024 bytes, up to medium_bytes"},
	"connection_us":      {0, second, false, "time between the starts of two messages of one connection"},
	"contexts":           {1, 1 << 20, true, "connections whose state the interface keeps at hand"},
	"context_us":         {0, second, false, "time to get the state of another one"},
	"long_bytes":         {0, 1 << 40, true, "messages longer than this suffer when connections send side by side"},
	"serial_us":          {0, second, false, "pause between two such messages of different connections, which then leave one after the other; 0: they leave side by side"},
	"long_us":            {0, second, false, "time lost between pieces of two such messages"},
	"medium_bytes":       {0, 1 << 40, true, "messages up to this length are slower than others"},
	"medium_mb_s":        {0.001, giga, false, "how fast they are, in one direction"},
	"dma_mb_s":           {0.001, giga, false, "bandwidth between memory and interface, in one direction"},
	"bus_mb_s":           {0.001, giga, false, "bandwidth between memory and interface, in both directions together"},
	"wire_mb_s":          {0.001, giga, false, "bandwidth of the wire, in each direction"},
	"segment_bytes":      {64, 1 << 30, true, "pieces in which messages share wires and buses"},
	"hop_us":             {0, second, false, "time through one switch"},
	"hops":               {0, 16, true, "switches between two nodes of one leaf"},
	"leaf":               {0, 1 << 16, true, "nodes of one leaf; two more switches lie between leaves; 0: all nodes are one leaf"},
	"incast":             {0.01, 1, false, "share of a wire's bandwidth that is left when several nodes send to one"},
	"mtu":                {256, 1 << 20, true, "bytes of a packet on the wire"},
	"datagram_bytes":     {0, 1 << 20, true, "longest datagram; 0: the interface has none"},
	"reads":              {1, 1024, true, "Reads and atomics of a connection under way"},
	"global":             {0, 1, true, "1: everybody knows where everybody's memory is, and may write there without being told; 0: keys have to be exchanged"},
	"multicast":          {0, 2, true, "1: datagrams can be sent to a group; 2: by a broadcast of the hardware, which a node takes in once for all of its ranks, and which loses nothing"},
	"sync_us":            {0, second, false, "time from when the last node has entered the network's barrier until all are let go; 0: it has none"},
	"chain_us":           {0, second, false, "time from an event until the interface begins a send that the host has chained to it; 0: it cannot"},
	"srq_us":             {0, second, false, "additional time for a message into a shared receive queue"},
	"rnr_us":             {0.01, second, false, "time after which a send that found no receive is tried again"},
	"rnr_limit_us":       {1, 3600 * second, false, "time after which it fails"},
	"retry_us":           {1, 3600 * second, false, "time after which a connection whose peer does not answer fails"},
	"connect_us":         {0, second, false, "time of one step of connecting, besides the network"},
	"register_us":        {0, second, false, "processor time to register memory, besides that of pages"},
	"register_page_us":   {0, second, false, "processor time to register a page"},
	"deregister_us":      {0, second, false, "processor time to end a registration, besides that of pages"},
	"deregister_page_us": {0, second, false, "processor time to end the registration of a page"},
	"page_bytes":         {512, 1 << 30, true, "bytes of a page"},

	"stream_us":           {0, second, false, "processor time at each end of a connection per message, where the host does the protocol"},
	"stream_us_per_kb":    {0, second, false, "likewise per 1024 bytes"},
	"packet_ud_us":        {0, second, false, "processor time at each end per datagram, where the host does the protocol"},
	"packet_ud_us_per_kb": {0, second, false, "likewise per 1024 bytes"},
	"interrupt_us":        {0, second, false, "time until the host notices what arrives, where it does the protocol"},
	"interrupt_gap_us":    {0, second, false, "least time between two interrupts"},

	"shared":           {0, 1, true, "1: ranks of a node talk over shared memory; 0: through the interface"},
	"shared_us":        {0, second, false, "time until another core sees what was written"},
	"shared_chip":      {0.1, 1, false, "share of it that is left on the same chip"},
	"shared_packet_us": {0, second, false, "processor time to write or take a packet in shared memory, besides copying"},
	"shared_eager":     {64, 1 << 30, true, "longest message that is copied through shared memory; longer ones are copied by the receiver directly"},
	"shared_read_us":   {0, second, false, "processor time to begin such a copy"},
}

// ParameterNames lists all parameters of a profile, in order.
func ParameterNames() []string { return slices.Sorted(maps.Keys(parameters)) }

// ParameterText says what a parameter means; it is empty for a name that is none.
func ParameterText(name string) string { return parameters[name].text }

// rate is a bandwidth as nanoseconds per byte.
type rate float64

func (r rate) of(n int) int64 { return int64(float64(n)*float64(r) + 0.5) }

func perMB(mbs float64) rate { return rate(1e3 / mbs) }

func perKB(us float64) rate { return rate(us * 1e3 / 1024) }

func nanos(us float64) int64 { return int64(us*1e3 + 0.5) }

// costs are a profile's parameters as the model uses them: nanoseconds, and nanoseconds per byte.
type costs struct {
	post, postRecv, poll                             value[int64]
	work                                             [clock.Works]value[rate] // per unit of clock.Work
	copyParallel                                     value[float64]
	copyFar                                          value[rate]
	cache                                            value[int]
	pioBytes                                         value[int]
	pio                                              value[rate]
	dmaStart, tx, rx, read, cqe, ack, engine         value[int64]
	slot, connection, context, longSwitch, serial    value[int64]
	restBase, doorbell                               value[int64]
	restByte, slotByte                               value[rate]
	restBytes                                        value[int]
	slots, contexts, longBytes, mediumBytes, segment value[int]
	medium, dma, bus, wire                           value[rate]
	hop, srq, rnr, rnrLimit, retry, connect          value[int64]
	sync, chain                                      value[int64]
	incast                                           value[float64]
	register, registerPage, deregister, deregPage    value[int64]
	page, leaf                                       value[int]
	hops                                             value[int]
	stream, datagram, interrupt, interruptGap        value[int64]
	streamByte, datagramByte                         value[rate]
	sharedSee, sharedPacket, sharedRead              value[int64]
	sharedChip                                       value[float64]
	sharedEager, chip                                value[int]
	broadcast                                        bool

	looked map[string]*bool
}

func (p *Profile) costs() *costs {
	c := &costs{broadcast: p.Broadcasts(), looked: map[string]*bool{}}
	fill(c, p, nanos, map[string]*value[int64]{
		"post_us": &c.post, "post_recv_us": &c.postRecv, "poll_us": &c.poll, "dma_us": &c.dmaStart, "tx_us": &c.tx, "rx_us": &c.rx,
		"read_us": &c.read, "cqe_us": &c.cqe, "ack_us": &c.ack, "engine_us": &c.engine, "slot_us": &c.slot, "connection_us": &c.connection,
		"context_us": &c.context, "long_us": &c.longSwitch, "serial_us": &c.serial, "rest_us": &c.restBase, "doorbell_us": &c.doorbell,
		"hop_us": &c.hop, "srq_us": &c.srq, "sync_us": &c.sync, "chain_us": &c.chain, "rnr_us": &c.rnr, "rnr_limit_us": &c.rnrLimit, "retry_us": &c.retry, "connect_us": &c.connect,
		"register_us": &c.register, "register_page_us": &c.registerPage, "deregister_us": &c.deregister, "deregister_page_us": &c.deregPage,
		"stream_us": &c.stream, "packet_ud_us": &c.datagram, "interrupt_us": &c.interrupt, "interrupt_gap_us": &c.interruptGap,
		"shared_us": &c.sharedSee, "shared_packet_us": &c.sharedPacket, "shared_read_us": &c.sharedRead,
	})
	fill(c, p, func(us float64) rate { return rate(nanos(us)) }, map[string]*value[rate]{
		"call_us": &c.work[clock.Call], "packet_us": &c.work[clock.Packet], "search_us": &c.work[clock.Search], "event_us": &c.work[clock.Event],
	})
	fill(c, p, perKB, map[string]*value[rate]{
		"copy_us_per_kb": &c.work[clock.Copy], "copy_far_us_per_kb": &c.copyFar, "reduce_us_per_kb": &c.work[clock.Reduce], "pio_us_per_kb": &c.pio,
		"rest_us_per_kb": &c.restByte, "slot_us_per_kb": &c.slotByte, "stream_us_per_kb": &c.streamByte, "packet_ud_us_per_kb": &c.datagramByte,
	})
	fill(c, p, perMB, map[string]*value[rate]{"medium_mb_s": &c.medium, "dma_mb_s": &c.dma, "bus_mb_s": &c.bus, "wire_mb_s": &c.wire})
	fill(c, p, func(n float64) int { return int(n) }, map[string]*value[int]{
		"pio_bytes": &c.pioBytes, "rest_bytes": &c.restBytes, "slots": &c.slots, "contexts": &c.contexts, "long_bytes": &c.longBytes,
		"medium_bytes": &c.mediumBytes, "segment_bytes": &c.segment, "page_bytes": &c.page, "leaf": &c.leaf, "hops": &c.hops,
		"shared_eager": &c.sharedEager, "chip": &c.chip, "cache_bytes": &c.cache,
	})
	fill(c, p, func(share float64) float64 { return share }, map[string]*value[float64]{
		"copy_parallel": &c.copyParallel, "incast": &c.incast, "shared_chip": &c.sharedChip,
	})
	return c
}

// far is how much longer it takes to copy or reduce n bytes because the cache does not hold them all, where
// they come from and where they go to.
func (c *costs) far(n int) int64 {
	if c.cache.v == 0 || !c.cache.exceeds(2*n) {
		return 0
	}
	return max(0, c.copyFar.get()-c.work[clock.Copy].get()).of(n - c.cache.get()/2)
}

// rest is for how long the engine is busy after a message has passed it. One that follows another of its
// connection at once costs nothing more.
func (c *costs) rest(p *packet) int64 {
	if !p.alone {
		return 0
	}
	return c.restBase.get() + c.restByte.get().of(min(p.n, c.restBytes.get()))
}
