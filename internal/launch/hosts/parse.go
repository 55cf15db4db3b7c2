package hosts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Host is one host of a list.
type Host struct {
	Name     string // name or address, an IPv6 address without its brackets
	User     string // who to be there; "" means not said
	Port     int    // where its ssh server listens; 0 means not said
	Slots    int    // ranks it takes; 0 means not said
	MaxSlots int    // ranks it takes at the very most, even when more are asked for; 0 means no such limit
}

// slotsMax bounds what a list may ask for.
const slotsMax = 1 << 20

// Parse reads a list as one writes it on a command line: "h1,h2:2,user@h3,[fe80::1]:4". A host that is named twice has
// the slots of both.
func Parse(list string) ([]Host, error) {
	var all []Host
	for word := range strings.SplitSeq(list, ",") {
		h, err := parseHost(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return Merge(all), nil
}

// ParseFile reads a host file: on every line a host as Parse knows it, then, if wanted, slots=N,
// max_slots=N and port=N. A # begins a comment. A host on several lines has the slots of all of them.
func ParseFile(text []byte) ([]Host, error) {
	var all []Host
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		h, err := parseHost(words[0])
		for _, w := range words[1:] {
			err = errors.Join(err, h.set(w))
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, h)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("it names no host")
	}
	return Merge(all), nil
}

// set applies one word after the name in a host file.
func (h *Host) set(word string) error {
	key, value, _ := strings.Cut(word, "=")
	fields := map[string]struct {
		to   *int
		most int
	}{
		"slots": {&h.Slots, slotsMax}, "max_slots": {&h.MaxSlots, slotsMax}, "max-slots": {&h.MaxSlots, slotsMax}, "port": {&h.Port, 65535},
	}
	f, known := fields[key]
	n, err := strconv.Atoi(value)
	if !known || err != nil || n < 1 || n > f.most {
		return fmt.Errorf("%q is not understood; write name, name:4, or name slots=4 max_slots=8 port=2222", word)
	}
	*f.to = n
	return nil
}

// parseHost reads "[user@]name[:slots]". A name with several colons, or in brackets, is an IPv6 address.
func parseHost(word string) (Host, error) {
	var h Host
	rest := word
	if user, after, found := strings.Cut(rest, "@"); found {
		h.User, rest = user, after
		if !plain(user, "._-") {
			return h, fmt.Errorf("%q: %q is no name of a user", word, user)
		}
	}
	name, count, counted := rest, "", false
	if inside, after, found := strings.Cut(strings.TrimPrefix(rest, "["), "]"); found && strings.HasPrefix(rest, "[") {
		name = inside
		count, counted = strings.CutPrefix(after, ":")
		if after != "" && !counted {
			return h, fmt.Errorf("%q is not understood after the address; write [address]:4", word)
		}
	} else if strings.Count(rest, ":") == 1 {
		name, count, counted = strings.Cut(rest, ":")
	}
	if counted {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > slotsMax {
			return h, fmt.Errorf("%q is not understood; write name or name:4", word)
		}
		h.Slots = n
	}
	h.Name = name
	return h, checkName(word, name)
}

// checkName refuses names that ssh or a shell could take for something else.
func checkName(word, name string) error {
	if name == "" {
		return fmt.Errorf("%q names no host", word)
	}
	if strings.Contains(name, ":") {
		if _, err := netip.ParseAddr(name); err != nil || !plain(name, ".:%_-") {
			return fmt.Errorf("%q is neither a host nor an IPv6 address", word)
		}
		return nil
	}
	if !plain(name, "._-") {
		return fmt.Errorf("%q is no name of a host", word)
	}
	return nil
}

// plain tells whether word consists of letters, digits and the marks, and does not begin like an option.
func plain(word, marks string) bool {
	for i := range len(word) {
		c := word[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte(marks, c) < 0 {
			return false
		}
	}
	return word != "" && word[0] != '-'
}

// Merge adds up the slots of hosts that are named more than once, in the order of their first mention. A host that is
// named twice without a number has two slots, as if it were named once with each.
func Merge(all []Host) []Host {
	times := map[string]int{}
	for _, h := range all {
		times[h.Name]++
	}
	var merged []Host
	at := map[string]int{}
	for _, h := range all {
		if times[h.Name] > 1 {
			h.Slots = max(h.Slots, 1)
		}
		i, known := at[h.Name]
		if !known {
			at[h.Name] = len(merged)
			merged = append(merged, h)
			continue
		}
		m := &merged[i]
		m.Slots += h.Slots
		m.MaxSlots = max(m.MaxSlots, h.MaxSlots)
		if m.User == "" {
			m.User = h.User
		}
		if m.Port == 0 {
			m.Port = h.Port
		}
	}
	return merged
}
