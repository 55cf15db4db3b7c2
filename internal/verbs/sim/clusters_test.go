package sim

import "testing"

// TestC2IsFaster: hosts that do the protocol do it faster at a higher clock, over connections and by
// datagrams, and what is measured of the two stays in proportion.
func TestC2IsFaster(t *testing.T) {
	c1, err := LoadProfile("10ge-c1")
	if err != nil {
		t.Fatal(err)
	}
	c2, err := LoadProfile("10ge-c2")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stream_us", "stream_us_per_kb", "packet_ud_us", "packet_ud_us_per_kb"} {
		if ratio := c1.get(name) / c2.get(name); ratio < 1.38 || ratio > 1.42 {
			t.Errorf("%s: %v and %v, not as the clocks 2.0 and 2.8 GHz", name, c1.get(name), c2.get(name))
		}
	}
	for _, size := range []int{4, 1 << 10, 64 << 10} {
		var us [2]float64
		for i, p := range []*Profile{c1, c2} {
			if us[i], err = measure(p, target{measure: func(t *trial) float64 { return t.sends(size) }}); err != nil {
				t.Fatal(err)
			}
		}
		if us[1] >= us[0] {
			t.Errorf("%d bytes take %v us on C1 and %v on C2", size, us[0], us[1])
		}
	}
}
