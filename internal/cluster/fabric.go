package cluster

import (
	"fmt"
	"os"
	"strings"
)

// fabric is the switches of a cluster and the wires to its hosts. The switches live in a network namespace of their
// own, in which the packets are lost; a wire's speed is limited at both its ends.
type fabric struct {
	config Config
	net    *os.File
	hosts  []*host
	wires  [][]wire // by host and rail
}

// wire is the state of one wire.
type wire struct {
	cut  bool
	loss Percent
	rate BitRate
}

// lay makes the switches, the wires and the interfaces of the hosts.
func (f *fabric) lay() error {
	var script strings.Builder
	for rail := range f.config.Rails {
		fmt.Fprintf(&script, "link add br%d type bridge mcast_snooping 0\n", rail)
		fmt.Fprintf(&script, "link set br%d mtu %d up\n", rail, f.config.MTU)
	}
	var files []*os.File
	for i, h := range f.hosts {
		files = append(files, h.net)
		for rail := range f.config.Rails {
			// The other end goes to the host, whose network is the program's descriptor 3+i.
			fmt.Fprintf(&script, "link add %s mtu %d type veth peer name %s mtu %d netns /proc/self/fd/%d\n",
				port(i, rail), f.config.MTU, nic(rail), f.config.MTU, 3+i)
			fmt.Fprintf(&script, "link set %s master br%d up\n", port(i, rail), rail)
		}
	}
	err := tool{net: f.net, files: files, stdin: script.String()}.run("ip", "-batch", "-")
	if err != nil {
		return err
	}
	return f.drop()
}

// address configures the interfaces of one host. Different hosts may be configured at the same time.
func (f *fabric) address(i int) error {
	script := "link set lo up\n"
	for rail := range f.config.Rails {
		script += fmt.Sprintf("address add %v/24 dev %s\nlink set %s up\n", address(i, rail), nic(rail), nic(rail))
	}
	if err := (tool{net: f.hosts[i].net, stdin: script}).run("ip", "-batch", "-"); err != nil {
		return err
	}
	for rail := range f.config.Rails {
		if err := f.dress(i, rail); err != nil {
			return err
		}
	}
	return nil
}

// dress gives both ends of a wire the offloads and the speed of the configuration.
func (f *fabric) dress(i, rail int) error {
	for _, end := range f.ends(i, rail) {
		if !f.config.NoOffload {
			break
		}
		if err := (tool{net: end.net}).run("ethtool", "-K", end.device, "tso", "off", "gso", "off", "gro", "off"); err != nil {
			return err
		}
	}
	if f.config.Rate == 0 {
		return nil
	}
	return f.shape(i, rail, f.config.Rate)
}

// end is one end of a wire.
type end struct {
	net    *os.File
	device string
}

func (f *fabric) ends(i, rail int) [2]end {
	return [2]end{{f.net, port(i, rail)}, {f.hosts[i].net, nic(rail)}}
}

// shape limits a wire's speed, each way.
func (f *fabric) shape(i, rail int, rate BitRate) error {
	if rate == f.wires[i][rail].rate {
		return nil
	}
	for _, end := range f.ends(i, rail) {
		args := []string{"qdisc", "del", "dev", end.device, "root"}
		if rate != 0 {
			// A burst of one millisecond, or of one packet as large as the kernel makes them, so that a message of some
			// length feels the limit; and room for forty milliseconds of packets to wait.
			burst := max(uint64(rate)/8000, 72<<10)
			args = []string{"qdisc", "replace", "dev", end.device, "root", "tbf", "rate", fmt.Sprint(uint64(rate)),
				"burst", fmt.Sprint(burst), "limit", fmt.Sprint(max(uint64(rate)/200, 256<<10))}
		}
		if err := (tool{net: end.net}).run("tc", args...); err != nil {
			return err
		}
	}
	f.wires[i][rail].rate = rate
	return nil
}

// plug connects or cuts a wire: the host's interface sees its carrier come and go.
func (f *fabric) plug(i, rail int, connected bool) error {
	state := "down"
	if connected {
		state = "up"
	}
	if err := (tool{net: f.net}).run("ip", "link", "set", port(i, rail), state); err != nil {
		return err
	}
	f.wires[i][rail].cut = !connected
	return nil
}

// drop makes the switches lose packets as the wires say. All rules are replaced at once. They drop what the switch
// would forward, where the sender does not notice, and spare the protocol that finds addresses, so that a lost
// question does not look like an absent host for a second.
func (f *fabric) drop() error {
	var rules strings.Builder
	for i := range f.wires {
		for rail, w := range f.wires[i] {
			share := w.loss.perHundredThousand()
			if share == 0 {
				continue
			}
			chance := fmt.Sprintf("numgen random mod 100000 < %d ", share)
			if share >= 100000 {
				chance = "" // which numgen cannot say
			}
			for _, way := range []string{"iifname", "oifname"} {
				fmt.Fprintf(&rules, "%s %q ether type { ip, ip6 } %scounter drop\n", way, port(i, rail), chance)
			}
		}
	}
	script := "table bridge weft\ndelete table bridge weft\n" +
		"table bridge weft { chain drops { type filter hook forward priority 0;\n" + rules.String() + "}\n}\n"
	return tool{net: f.net, stdin: script}.run("nft", "-f", "-")
}
