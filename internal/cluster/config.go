package cluster

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
)

// What a cluster may have.
const (
	MaxHosts = 250
	MaxRails = 8
	minMTU   = 576
	maxMTU   = 65535
)

// Config describes a cluster. The zero value of every field but Hosts stands for the ordinary case.
type Config struct {
	Hosts int     `json:"hosts"`
	Rails int     `json:"rails"` // switches, and interfaces of every host; 0 stands for 1
	MTU   int     `json:"mtu"`   // 0 stands for 1500
	Rate  BitRate `json:"rate"`  // of every wire, each way; 0 is as fast as the machine
	Loss  Percent `json:"loss"`  // of the packets on every wire, each way

	// NoOffload makes every packet of the kernel one packet on the wire, so that Loss counts packets and not the
	// large pieces that the kernel hands on as one.
	NoOffload bool `json:"noOffload"`

	// Path is the PATH of commands started by ssh; empty stands for the ssh server's own choice.
	Path string `json:"path"`
}

// checked returns the configuration with defaults filled in, or what is wrong with it.
func (c Config) checked() (Config, error) {
	if c.Rails == 0 {
		c.Rails = 1
	}
	if c.MTU == 0 {
		c.MTU = 1500
	}
	switch {
	case c.Hosts < 1 || c.Hosts > MaxHosts:
		return c, fmt.Errorf("a cluster has 1 to %d hosts, not %d", MaxHosts, c.Hosts)
	case c.Rails < 1 || c.Rails > MaxRails:
		return c, fmt.Errorf("a cluster has 1 to %d rails, not %d", MaxRails, c.Rails)
	case c.MTU < minMTU || c.MTU > maxMTU:
		return c, fmt.Errorf("the MTU must be %d to %d, not %d", minMTU, maxMTU, c.MTU)
	case strings.ContainsAny(c.Path, "\"\n\r\x00"):
		return c, fmt.Errorf("the path %q contains a quote or the end of a line", c.Path)
	}
	if err := c.Rate.check(); err != nil {
		return c, err
	}
	return c, c.Loss.check()
}

// BitRate is a speed in bits per second; 0 means no limit.
type BitRate uint64

// Units of BitRate.
const (
	Kbit BitRate = 1000
	Mbit         = 1000 * Kbit
	Gbit         = 1000 * Mbit
)

var rateUnits = []struct {
	name string
	unit BitRate
}{{"gbit", Gbit}, {"mbit", Mbit}, {"kbit", Kbit}, {"bit", 1}}

// ParseBitRate reads a number and a unit, as in "1gbit", "2.5gbit", "100mbit" or "64kbit"; "off" is no limit.
func ParseBitRate(text string) (BitRate, error) {
	if text == "off" {
		return 0, nil
	}
	for _, u := range rateUnits {
		number, found := strings.CutSuffix(text, u.name)
		if !found {
			continue
		}
		value, err := strconv.ParseFloat(number, 64)
		rate := value * float64(u.unit)
		if err != nil || !(rate >= 1 && rate <= float64(1000*Gbit)) {
			break
		}
		return BitRate(math.Round(rate)), BitRate(rate).check()
	}
	return 0, fmt.Errorf("%q is no rate; write 1gbit, 100mbit, 64kbit or off", text)
}

// String writes the rate as ParseBitRate reads it.
func (r BitRate) String() string {
	if r == 0 {
		return "off"
	}
	for _, u := range rateUnits {
		if r >= u.unit {
			return strconv.FormatFloat(float64(r)/float64(u.unit), 'f', -1, 64) + u.name
		}
	}
	return "off"
}

func (r BitRate) check() error {
	if r != 0 && (r < 8*Kbit || r > 1000*Gbit) {
		return fmt.Errorf("a wire carries 8kbit to 1000gbit, not %v", r)
	}
	return nil
}

// Percent is a share of packets, 0 to 100.
type Percent float64

// ParsePercent reads "1", "1%" or "0.1%"; "off" is none.
func ParsePercent(text string) (Percent, error) {
	if text == "off" {
		return 0, nil
	}
	value, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no share of packets; write 1%%, 0.1%% or off", text)
	}
	return Percent(value), Percent(value).check()
}

func (p Percent) check() error {
	if !(p >= 0 && p <= 100) {
		return fmt.Errorf("a share of packets is 0%% to 100%%, not %v%%", float64(p))
	}
	return nil
}

// perHundredThousand is the share as the packet filter counts it. What is not zero stays so.
func (p Percent) perHundredThousand() int {
	if p <= 0 {
		return 0
	}
	return max(1, int(math.Round(float64(p)*1000)))
}

// hostName is the name of host i.
func hostName(i int) string { return "h" + strconv.Itoa(i) }

// address is that of host i on a rail.
func address(i, rail int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, 77, byte(rail), byte(1 + i)})
}

// port is the name of the switch's end of a wire, and nic that of the host's end.
func port(i, rail int) string { return fmt.Sprintf("h%dr%d", i, rail) }
func nic(rail int) string     { return "eth" + strconv.Itoa(rail) }
