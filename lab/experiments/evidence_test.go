package experiments

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// The tests of this file show what the reasons of bars that are not kept rest on: variants of models, and timelines.

// varied is a machine of the documents on a profile with some other values.
func varied(t *testing.T, b *lab.Bench, machine string, values map[string]float64) lab.Setup {
	t.Helper()
	on := b.Setups(machine)[0]
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "verbs", "sim", "profiles", on.On.Profile()+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var profile map[string]any
	if err := json.Unmarshal(text, &profile); err != nil {
		t.Fatal(err)
	}
	for name, v := range values {
		parameter, ok := profile["parameters"].(map[string]any)[name].(map[string]any)
		if !ok {
			t.Fatalf("%s has no parameter %s", on.On, name)
		}
		parameter["value"] = v
	}
	delete(profile, "targets")
	if text, err = json.Marshal(profile); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "varied.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	on.On = lab.Platform("sim:" + path)
	return on
}

// TestSlowReadsPartThePeaks (F4.16): the two models of data exchange have their maxima at nearly the same
// ratio because a remote read is nearly as fast as a write. Where a read of 128 KB takes half as long
// again, they part.
func TestSlowReadsPartThePeaks(t *testing.T) {
	onlySoaking(t)
	b := newBench(t)
	var ratios []int
	for ratio := 20; ratio <= 140; ratio += 2 {
		ratios = append(ratios, ratio)
	}
	for _, c := range []struct{ wait, least, most float64 }{{1.5, 1, 1.1}, {60, 1.35, 1.65}} {
		var peaks [2]float64
		for i := range peaks {
			p := &lab.Panel{}
			if _, err := exchangeLines(t.Context(), b, varied(t, b, "IW2", map[string]float64{"read_us": c.wait}), i+1, ratios, p); err != nil {
				t.Fatal(err)
			}
			at, gain := p.Line(fmt.Sprintf("model %d, not adaptive", i+1)).Max()
			t.Logf("read_us %g: model %d gains most at %g: %.1f%%", c.wait, i+1, at, gain)
			if i == 1 && (gain < 28 || gain > 31) {
				t.Errorf("read_us %g: model 2 gains %.1f%%", c.wait, gain)
			}
			peaks[i] = at
		}
		if ratio := peaks[0] / peaks[1]; ratio < c.least || ratio > c.most {
			t.Errorf("read_us %g: maxima at %g and %g", c.wait, peaks[0], peaks[1])
		}
	}
}

// TestResidueIsOnePacket (F4.13, F4.14): of a message whose receiver came first, a sender that computes has
// nothing left to do after its delay but to see that its write has ended and to send one packet.
func TestResidueIsOnePacket(t *testing.T) {
	c := measure.Case{Computes: measure.Sender, First: measure.Receiver}
	tl, err := traceMessage(t.Context(), newBench(t), specProtocols[1].settings, c, 1200*time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(tl.Spans, func(s lab.Span) bool { return s.What == "Wait" })
	if i < 0 {
		t.Fatalf("nobody waits: %+v", tl.Spans)
	}
	wait := tl.Spans[i].From
	for _, a := range tl.Arrows {
		t.Logf("%s: sent %.1f us, there %.1f us, seen %.1f us; the wait begins at %.1f us", a.What, float64(a.Sent)/1e3, float64(a.Landed)/1e3, float64(a.Received)/1e3, float64(wait)/1e3)
		if after := a.Sent > wait; after != (a.What == "DONE") || after && (a.Sent-wait > 1000 || a.Landed-a.Sent > 8000) {
			t.Errorf("%+v", a)
		}
	}
}

// TestSharedChipIsAThird (F3.4): even if the cores of a chip saw in a tenth of the time what another one
// writes, a message within it would take less than 30% less: the rest of its time is spent in the library,
// on either side.
func TestSharedChipIsAThird(t *testing.T) {
	b := newBench(t)
	var us [2]float64
	for i, apart := range []int{1, 4} {
		on := varied(t, b, "IW1", map[string]float64{"shared_chip": 0.1})
		err := b.Run(t.Context(), lab.Job{On: on, Ranks: 2, PerNode: 2, Apart: apart}, func(k *measure.Rank) (err error) {
			us[i], err = measure.PingPong(k, 1, measure.Loops{Warmup: 20, Timed: 20})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if gain := 100 * (1 - us[0]/us[1]); gain < 26 || gain > 30 {
		t.Errorf("%.2f us within a chip, %.2f us between chips: %.0f%%", us[0], us[1], gain)
	}
}

// TestOtherPathOwesItToTheQueue (F5.5): the other path gains less than the fast one because of what a
// shared queue of receives takes. Without it the path gains as much.
func TestOtherPathOwesItToTheQueue(t *testing.T) {
	b := newBench(t)
	var gains [2]float64
	for i, wait := range []float64{1, 0} {
		on := varied(t, b, "IB2", map[string]float64{"srq_us": wait})
		var us [2]float64
		for j, settings := range [2][]string{copying, detecting} {
			job := lab.Job{On: on, Ranks: 2, Settings: slices.Concat(eagerPaths[1].settings, settings)}
			err := b.Run(t.Context(), job, func(k *measure.Rank) (err error) {
				us[j], err = measure.PingPong(k, lengthiest, measure.Loops{Timed: 2000})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		gains[i] = 100 * (1 - us[1]/us[0])
		t.Logf("srq_us %g: %.2f us with the copy, %.2f us without: %.1f%%", wait, us[0], us[1], gains[i])
	}
	if gains[1]-gains[0] < 1 {
		t.Errorf("%.1f%% with the queue, %.1f%% without", gains[0], gains[1])
	}
}

// TestDatagramsOweItToTheirPrice (F6.3 to F6.5): where the processor pays as much for a datagram as for a
// piece of a stream, datagrams gain next to nothing. So these figures show the prices of the profile, not
// more.
func TestDatagramsOweItToTheirPrice(t *testing.T) {
	b := newBench(t)
	as := b.Setups("C1")[0]
	profile, err := sim.LoadProfile(as.On.Profile())
	if err != nil {
		t.Fatal(err)
	}
	stream := func(name string) float64 { return profile.Parameters[name].Value }
	equal := varied(t, b, "C1", map[string]float64{"packet_ud_us": stream("stream_us"), "packet_ud_us_per_kb": stream("stream_us_per_kb")})
	var gains [2]float64
	for i, on := range []lab.Setup{as, equal} {
		var us [2]float64
		for j, c := range channels {
			err := b.Run(t.Context(), lab.Job{On: on, Ranks: 2, Settings: c.settings}, func(k *measure.Rank) (err error) {
				us[j], err = measure.PingPong(k, 1<<10, b.Loops(on, 1<<10))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		gains[i] = 100 * (1 - us[1]/us[0])
		t.Logf("1 KB: %.1f us over connections, %.1f us by datagrams: %.0f%%", us[0], us[1], gains[i])
	}
	if gains[0] < 10 || gains[1] > gains[0]/3 {
		t.Errorf("datagrams gain %.0f%%, at equal prices %.0f%%", gains[0], gains[1])
	}
}

// rateOf is the bandwidth both ways of messages of a size over a number of connections.
func rateOf(t *testing.T, b *lab.Bench, on lab.Setup, connections, size int) (rate float64) {
	t.Helper()
	if err := streamed(t.Context(), b, on, connections, []int{size}, func(_ int, r float64) { rate = r }); err != nil {
		t.Fatal(err)
	}
	return rate
}

// TestFirstEndpointIsFree (F3.2, F3.7, F3.9): on the model of Myrinet many connections are slower than one
// only because of what it costs to change between them; nothing makes the first one slow.
func TestFirstEndpointIsFree(t *testing.T) {
	b := newBench(t)
	as, free := b.Setups("MX1")[0], varied(t, b, "MX1", map[string]float64{"long_us": 0})
	one, many, without := rateOf(t, b, as, 1, 256<<10), rateOf(t, b, as, 15, 256<<10), rateOf(t, b, free, 15, 256<<10)
	t.Logf("256 KB: one connection %.0f MB/s, 15 %.0f, and without the cost of changing %.0f", one, many, without)
	if one < 2300 || many > 0.7*myrinetLink || without < 2300 {
		t.Errorf("one connection %.0f MB/s, 15 %.0f, and without the cost of changing %.0f", one, many, without)
	}
}

// TestPairAloneIsCopies (F3.9): how much one pair of ranks moves on iWARP with 2 KB messages depends on
// what its copies cost.
func TestPairAloneIsCopies(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ copy, least, most float64 }{{0.45, 1500, 1700}, {0.8, 900, 1250}} {
		on := varied(t, b, "IW1", map[string]float64{"copy_us_per_kb": c.copy})
		var line lab.Series
		if err := bothWays(t.Context(), b, lab.Job{On: on, Ranks: 2}, []int{2 << 10}, &line); err != nil {
			t.Fatal(err)
		}
		t.Logf("copies at %g us per KB: %.0f MB/s", c.copy, line.At(2<<10))
		if rate := line.At(2 << 10); rate < c.least || rate > c.most {
			t.Errorf("copies at %g us per KB: %.0f MB/s", c.copy, rate)
		}
	}
}
