package cluster

import "testing"

func TestParseBitRate(t *testing.T) {
	for text, want := range map[string]BitRate{
		"1gbit": Gbit, "2.5gbit": 2500 * Mbit, "100mbit": 100 * Mbit, "64kbit": 64 * Kbit, "9000bit": 9000, "off": 0,
	} {
		got, err := ParseBitRate(text)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
		if again, err := ParseBitRate(got.String()); err != nil || again != got {
			t.Errorf("%s: written as %s and read as %v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "1", "gbit", "-1gbit", "NaNgbit", "1e30gbit", "1tbit", "1 gbit", "1bit", "0mbit", "Infmbit"} {
		if got, err := ParseBitRate(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParsePercent(t *testing.T) {
	for text, want := range map[string]Percent{"1": 1, "1%": 1, "0.1%": 0.1, "100%": 100, "0": 0, "off": 0} {
		if got, err := ParsePercent(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "%", "-1", "101", "NaN", "1%%", "x"} {
		if got, err := ParsePercent(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := Percent(0.00001).perHundredThousand(); got != 1 {
		t.Errorf("a very small share became %d", got)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{{}, {Hosts: MaxHosts + 1}, {Hosts: 1, Rails: MaxRails + 1}, {Hosts: 1, Rails: -1},
		{Hosts: 1, MTU: 100}, {Hosts: 1, MTU: 65536}, {Hosts: 1, Loss: 101}, {Hosts: 1, Rate: 1}, {Hosts: 1, Path: "/a\nPort 1"}} {
		if _, err := c.checked(); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if c, err := (Config{Hosts: 1}).checked(); err != nil || c.Rails != 1 || c.MTU != 1500 {
		t.Errorf("%+v, %v", c, err)
	}
}

// FuzzParseConfig: rates and shares that are read are those that a wire may have, and a rate is read again
// as it is written.
func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"1gbit", "2.5gbit", "off", "64kbit", "1%", "0.1", "NaN", "-1", "1e400gbit", "7999.6bit", "Infbit"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := ParseBitRate(text); err == nil {
			if again, err := ParseBitRate(r.String()); err != nil || again != r || r.check() != nil {
				t.Errorf("%q: %d is written %q and read as %d, %v", text, r, r, again, err)
			}
		}
		if p, err := ParsePercent(text); err == nil {
			if n := p.perHundredThousand(); n < 0 || n > 100_000 || p > 0 && n == 0 {
				t.Errorf("%q: %d of 100,000", text, n)
			}
		}
	})
}
