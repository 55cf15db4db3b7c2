package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// hostSlots is one entry of a host list. slots is 0 where none were given.
type hostSlots struct {
	name  string
	slots int
}

// localSlots reads the hosts the user named, by flag, file or the variables that cluster tools set, and returns their
// slots together, 0 for no hosts at all. All must be this host.
func (o *runOptions) localSlots() (int, error) {
	var all []hostSlots
	for _, word := range o.hosts {
		h, err := parseHost(word)
		if err != nil {
			return 0, err
		}
		all = append(all, h)
	}
	files := o.hostFiles
	if len(files) == 0 && len(all) == 0 {
		for _, name := range []string{"HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile"} {
			if path := os.Getenv(name); path != "" {
				files = append(files, path)
			}
		}
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, fmt.Errorf("cannot read the host file: %w", err)
		}
		hosts, err := parseHostFile(text)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, hosts...)
	}
	slots := 0
	for _, h := range all {
		if !isThisHost(h.name) {
			return 0, fmt.Errorf("host %s: running across hosts is not there yet; "+
				"leave out the host list to run on this host", h.name)
		}
		slots += max(1, h.slots)
	}
	return slots, nil
}

// parseHostFile reads lines "name", "name:N" or "name slots=N max_slots=M"; # begins a comment.
func parseHostFile(text []byte) ([]hostSlots, error) {
	var hosts []hostSlots
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		h, err := parseHost(words[0])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		for _, w := range words[1:] {
			key, value, _ := strings.Cut(w, "=")
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("line %d: %q is not understood; write name, name:4 or name slots=4", number, w)
			}
			if key == "slots" {
				h.slots = n
			}
		}
		hosts = append(hosts, h)
	}
	return hosts, lines.Err()
}

// parseHost reads "name" or "name:N", with or without "user@". A name with several colons is an IPv6 address.
func parseHost(word string) (hostSlots, error) {
	if _, after, found := strings.Cut(word, "@"); found {
		word = after
	}
	h := hostSlots{name: word}
	if name, count, found := strings.Cut(word, ":"); found && !strings.Contains(count, ":") {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return h, fmt.Errorf("%q is not understood; write name or name:4", word)
		}
		h = hostSlots{name, n}
	}
	if h.name == "" {
		return h, fmt.Errorf("empty host name")
	}
	return h, nil
}

func isThisHost(name string) bool {
	if name == "localhost" {
		return true
	}
	if ip := net.ParseIP(name); ip != nil {
		return ip.IsLoopback()
	}
	own, err := os.Hostname()
	if err != nil {
		return false
	}
	short, _, _ := strings.Cut(own, ".")
	return name == own || name == short
}
