package simtest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
)

// Counters are sums over ranks, by path, such as Engine.EagerSends.
type Counters map[string]float64

// add adds what a rank has counted.
func (c Counters) add(e engine.Counters, l *rail.Report) {
	text, err := json.Marshal(struct {
		Engine engine.Counters
		Rail   *rail.Report
	}{e, l})
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		panic(err) // numbers and strings of our own
	}
	c.walk("", tree)
}

func (c Counters) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if path != "" {
				name = path + "." + name
			}
			c.walk(name, x)
		}
	case float64:
		c[path] += v
	}
}

// balance checks that the counters of a job that has ended well agree with each other, and that nothing is
// held any more.
func (c Counters) balance(j *job) error {
	var errs []error
	equal := func(what string, a, b float64) {
		if a != b {
			errs = append(errs, fmt.Errorf("counters: %s: %v and %v", what, a, b))
		}
	}
	const e, f = "Engine.", "Rail.Flow."
	sends := c[e+"EagerSends"] + c[e+"SyncSends"] + c[e+"RendezvousSends"] + c[e+"AnnouncedSends"]
	equal("messages sent, and those that met a receive, were kept, refused or taken back", sends, c[e+"Expected"]+c[e+"Unexpected"]+c[e+"Refused"]+c[e+"Retracted"])
	equal("long messages sent, and those read, pushed, put, written early, taken unasked, without room and gone", c[e+"RendezvousSends"],
		c[e+"Reads"]+c[e+"Pushes"]+c[e+"Puts"]+c[e+"RTRUsed"]+c[e+"Taken"]+c[e+"Short"]+c[e+"LongGone"])
	equal("RTRs sent and received", c[e+"RTRSent"], c[e+"RTRRecv"])
	equal("RTRs used and acknowledged", c[e+"RTRUsed"], c[e+"RTRAcks"])
	for _, name := range []string{e + "BadPackets", f + "BadAcks", "Rail.Counters.BadFrames", "Rail.Counters.Strangers", "Rail.Counters.EventsLost"} {
		equal(name+" and none", c[name], 0)
	}
	ch := j.Shape.value("WEFT_CHANNEL")
	// Frames outside the stream, and what tells the end of a write, have spare receives, which hardly ever
	// run out. All others have credit. Of messages that were announced each may tell its end in vain once.
	// A peer that is short of buffers has every frame acknowledged at once, as it cannot go on before; if
	// it sends many while it does not look, their acknowledgements take more than the spare receives, and
	// wait until it looks, or what has credit waits behind them.
	spare := 4 + c[e+"AnnouncedSends"] + c["Rail.Counters.Urged"]
	if rnr := c["Rail.Device.rnr"]; (ch == "sr" || ch == "ardma-sr") && j.Shape.value("WEFT_RNDV") == "rget" && rnr > spare {
		errs = append(errs, fmt.Errorf("counters: %v frames found no receive, of %v that had credit", rnr, c[f+"Delivered"]))
	}
	words, err := j.leftovers()
	errs = append(errs, err)
	if missing := c[f+"Sent"] - c[f+"Delivered"]; missing < 0 || missing > words {
		errs = append(errs, fmt.Errorf("counters: frames sent and delivered: %v and %v, and %v of the links' own are on their way", c[f+"Sent"], c[f+"Delivered"], words))
	}
	return errors.Join(errs...)
}

// wordsEach is how many words a connection to a peer takes of those that are on the way at a time: a
// request, its answer, its confirmation.
const wordsEach = 3

// leftovers checks that ranks which have ended hold nothing. A rank leaves once all others have what it
// sent, and serves those that have not left yet. What it answers them may get lost, and nobody sends it
// again when the last has left: that can be acknowledgements, and words of the links about connections that
// nobody needs any more, but no packet. Nor does anybody wait until copies of what had arrived after all
// have left an interface that stalls. It returns how many such words are on their way.
func (j *job) leftovers() (words float64, err error) {
	var errs []error
	late := 0 // frames that may not be acknowledged
	if ch := j.Shape.value("WEFT_CHANNEL"); ch == "ud" || ch == "hybrid" {
		late = j.Shape.Ranks - 1
	}
	for i, r := range j.crew.Ranks {
		requests, held := r.Held()
		if _, l := r.Counters(); late > 0 && uint64(held.Copies) <= l.Flow.Retransmits+l.Flow.Replayed {
			held.Copies = 0
		}
		if held.Frames-held.Words <= late && held.Words <= wordsEach*late {
			words += float64(held.Words)
			held.Frames, held.Words = 0, 0
		}
		if requests != 0 || held != (rail.Held{}) {
			errs = append(errs, fmt.Errorf("rank %d still has %d requests and holds %+v", i, requests, held))
		}
	}
	return words, errors.Join(errs...)
}
