package doctor

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Path is one way from a host to an address of another, as its routes would take it.
type Path struct {
	From      string     `json:"from"`
	To        string     `json:"to"`
	Interface string     `json:"interface"` // of the sender
	Local     netip.Addr `json:"local"`
	Address   netip.Addr `json:"address"`
	Peer      string     `json:"peer"` // interface of the receiver
	TCPPort   uint16     `json:"tcpPort"`
	UDPPort   uint16     `json:"udpPort"`
	TCP       Outcome    `json:"tcp"`
	UDP       Outcome    `json:"udp"`
	Size      int        `json:"size"`
	Large     Outcome    `json:"large"`
	Trouble   string     `json:"trouble,omitempty"` // why the receiver did not listen
}

// diagnosis is what is wrong with a path, told of the host at fault. Paths with the same diagnosis are told together:
// text has a %s where the hosts at their other ends go.
type diagnosis struct {
	host, check, text, fix string
}

// judgePaths looks at all paths. facts are those of the hosts by name; ports says which ports were asked for.
func judgePaths(paths []Path, facts map[string]*Facts, ports Ports) []Finding {
	var order []diagnosis
	others := map[diagnosis][]string{}
	for _, p := range paths {
		d := diagnose(p, facts, ports)
		if d == nil {
			continue
		}
		if others[*d] == nil {
			order = append(order, *d)
		}
		other := p.From
		if d.host == p.From {
			other = p.To
		}
		if !slices.Contains(others[*d], other) {
			others[*d] = append(others[*d], other)
		}
	}
	s := &sheet{}
	for _, d := range order {
		s.host = d.host
		s.fail(d.check, d.fix, d.text, strings.Join(others[d], ", "))
	}
	return append(s.findings, goodNetworks(paths, facts, ports)...)
}

// goodNetworks tells which networks all is well with, one line for each.
func goodNetworks(paths []Path, facts map[string]*Facts, ports Ports) []Finding {
	var order []string
	hosts, bad := map[string][]string{}, map[string]bool{}
	for _, p := range paths {
		name := networkOf(facts[p.To], p.Address)
		if hosts[name] == nil {
			order = append(order, name)
		}
		for _, h := range []string{p.From, p.To} {
			if !slices.Contains(hosts[name], h) {
				hosts[name] = append(hosts[name], h)
			}
		}
		bad[name] = bad[name] || diagnose(p, facts, ports) != nil
	}
	s := &sheet{}
	for _, name := range order {
		if !bad[name] {
			s.ok("network", "%s: TCP and UDP pass between %s", name, strings.Join(hosts[name], ", "))
		}
	}
	return s.findings
}

// networkOf is the network that an address is in, as the host with the address sees it.
func networkOf(f *Facts, a netip.Addr) string {
	if f != nil {
		for _, i := range f.Interfaces {
			for _, p := range i.Addresses {
				if p.Addr() == a {
					return p.Masked().String()
				}
			}
		}
	}
	return a.String()
}

// diagnose says what is wrong with a path, nil for nothing.
func diagnose(p Path, facts map[string]*Facts, ports Ports) *diagnosis {
	at := fmt.Sprintf("%v (%s)", p.Address, p.Peer)
	if p.Trouble != "" {
		return &diagnosis{p.To, "listen", at + " cannot be tried from %s, since weft cannot listen there: " + escape(p.Trouble),
			"choose other ports with --port-range"}
	}
	tcp := fmt.Sprintf("TCP port %s %s", portText(p.TCPPort, ports), blocked(p.TCP))
	udp := fmt.Sprintf("UDP port %s %s", portText(p.UDPPort, ports), blocked(p.UDP))
	switch noTCP, noUDP := p.TCP != Passed, p.UDP != Passed; {
	case noTCP && noUDP:
		return dead(p, facts, at, tcp+", "+udp, ports)
	case noTCP:
		return &diagnosis{p.To, "firewall", at + " from %s: " + tcp + ", UDP passes", allow("tcp", p, facts, ports)}
	case noUDP:
		return &diagnosis{p.To, "firewall", at + " from %s: " + udp + ", TCP passes", allow("udp", p, facts, ports)}
	case p.Large != Passed && p.Large != Untried:
		return &diagnosis{p.To, "mtu", fmt.Sprintf("%s from %%s: small packets pass, packets of %d bytes do not", at, p.Size),
			fmt.Sprintf("give the network's interfaces and switches the same MTU, or on the senders: ip link set %s mtu %d", p.Interface, smallerMTU(p, facts))}
	}
	return nil
}

// dead is the diagnosis where nothing passes. both says what became of each protocol.
func dead(p Path, facts map[string]*Facts, at, both string, ports Ports) *diagnosis {
	if i := held(facts[p.To], p.Address); i != nil && !i.Carrier {
		return unplugged(p.To, i.Name)
	}
	if f := facts[p.From]; f != nil {
		if i := cmp.Or(held(f, p.Local), f.neighbour(p.Address)); i != nil && !i.Carrier {
			return unplugged(p.From, i.Name)
		}
	}
	said := func(o Outcome) bool { return p.TCP == o || p.UDP == o }
	switch {
	case said(Refused), said(Forbidden):
		return &diagnosis{p.To, "firewall", at + " from %s: " + both, allow("tcp", p, facts, ports) + "; the same for udp"}
	case said(Stranger):
		return &diagnosis{p.To, "address", at + " from %s: another host or program answers",
			"give every host its own address, or leave this interface out with --iface"}
	}
	return &diagnosis{p.To, "network", fmt.Sprintf("%s from %%s: nothing passes (TCP %s, UDP %s): a cut wire, or a firewall that drops both",
		at, escape(string(p.TCP)), escape(string(p.UDP))), fmt.Sprintf("see the wire and the switch, then on %s: nft list ruleset", p.To)}
}

func unplugged(host, name string) *diagnosis {
	return &diagnosis{host, "cable", name + " has no carrier: nothing passes between it and %s",
		fmt.Sprintf("plug it in at both ends, or take it out of use: ip link set %s down", name)}
}

// escape lets a text stand in a format.
func escape(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func held(f *Facts, a netip.Addr) *Interface {
	if f == nil || !a.IsValid() {
		return nil
	}
	return f.holder(a)
}

// blocked says what a firewall does to a port at which somebody listens.
func blocked(o Outcome) string {
	switch o {
	case Refused:
		return "is rejected by a firewall"
	case Silent, Unreachable:
		return "is dropped by a firewall"
	case Forbidden:
		return "is not let out by the sender's own firewall"
	case Stranger:
		return "is answered by somebody else"
	}
	return fmt.Sprintf("fails (%s)", escape(string(o)))
}

func portText(tried uint16, ports Ports) string {
	if ports == (Ports{}) {
		return fmt.Sprint(tried)
	}
	return fmt.Sprintf("%d (of %d-%d)", tried, ports.First, ports.Last)
}

// allow is the rule that would let a job through.
func allow(protocol string, p Path, facts map[string]*Facts, ports Ports) string {
	text := "1024-65535"
	if ports != (Ports{}) {
		text = fmt.Sprintf("%d-%d", ports.First, ports.Last)
	}
	family := "ip"
	if p.Address.Is6() {
		family = "ip6"
	}
	rule := fmt.Sprintf("on %s: nft insert rule inet filter input %s saddr %s %s dport %s accept", p.To, family, networkOf(facts[p.To], p.Address), protocol, text)
	if ports == (Ports{}) {
		rule += ", or fewer ports with --port-range"
	}
	return rule
}

// smallerMTU is what both ends of a path can take.
func smallerMTU(p Path, facts map[string]*Facts) int {
	if i := held(facts[p.To], p.Address); i != nil && i.MTU < p.Size {
		return i.MTU
	}
	return min(p.Size, 1500)
}

// judgeMTUs finds networks whose hosts do not agree about the largest packet.
func judgeMTUs(names []string, facts map[string]*Facts) []Finding {
	var order []string
	sizes := map[string]map[int][]string{}
	for _, host := range names {
		if facts[host] == nil {
			continue
		}
		for _, i := range facts[host].Interfaces {
			for _, p := range i.Addresses {
				net := p.Masked().String()
				if sizes[net] == nil {
					order = append(order, net)
					sizes[net] = map[int][]string{}
				}
				sizes[net][i.MTU] = append(sizes[net][i.MTU], host+" "+i.Name)
			}
		}
	}
	s := &sheet{}
	for _, net := range order {
		if len(sizes[net]) < 2 {
			continue
		}
		var all []int
		for mtu := range sizes[net] {
			all = append(all, mtu)
		}
		slices.Sort(all)
		var parts []string
		for _, mtu := range all {
			parts = append(parts, fmt.Sprintf("%d on %s", mtu, strings.Join(sizes[net][mtu], ", ")))
		}
		s.warn("mtu", fmt.Sprintf("give all the same, as in: ip link set DEVICE mtu %d", all[0]), "the hosts of %s differ in MTU: %s", net, strings.Join(parts, "; "))
	}
	return s.findings
}
