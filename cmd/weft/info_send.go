package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/boot"
)

// explainSend tells which protocol carries a message, over each kind of link, and what the others are for.
func explainSend(args, environ []string, asJSON bool) (string, error) {
	if len(args) != 1 {
		return "", errors.New("write a size: weft info --explain send 1M")
	}
	n, err := parseSize(args[0])
	if err != nil {
		return "", err
	}
	settings, err := boot.ReadSettings(environ)
	if err != nil {
		return "", err
	}
	all := boot.Passages(settings, n)
	if asJSON {
		text, err := json.MarshalIndent(map[string]any{"bytes": n, "links": all}, "", "  ")
		return string(text), err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a standard send of %d bytes\n", n)
	for _, p := range all {
		fmt.Fprintln(&b, "  "+passageText(p, n))
	}
	fmt.Fprintln(&b, "all protocols, with the packets that follow each other until both ends are done")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, way := range all[0].Ways {
		fmt.Fprintf(w, "  %s\t%d\t%s\t%s\n", way.Protocol, way.Trips, way.Limits, way.About)
	}
	err = w.Flush()
	return b.String(), err
}

// passageText says which way a message of n bytes takes, and why.
func passageText(p boot.Passage, n int) string {
	text := "between " + p.Between + ": "
	for _, way := range p.Ways {
		if way.Taken {
			text += way.Protocol
		}
	}
	limit := fmt.Sprintf("%d bytes", p.EagerMax)
	if p.Setting != "" {
		limit += ", see " + p.Setting
	}
	if n <= p.EagerMax {
		return text + ", as it is short (up to " + limit + ")"
	}
	text += ", as it is long (more than " + limit + ")"
	if p.Long != "" {
		text += " and " + p.Long
	}
	return text
}
