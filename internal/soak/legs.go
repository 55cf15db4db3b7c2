package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Leg is one way for messages to travel: where short ones land and how long ones travel, as WEFT_CHANNEL and WEFT_RNDV
// name it.
type Leg struct {
	Channel    string `json:"channel"`
	Rendezvous string `json:"rendezvous"`
}

func (l Leg) String() string { return l.Channel + "/" + l.Rendezvous }

// The legs there are.
var (
	channels   = []string{"srq", "ud", "ardma-srq", "rd", "hybrid", "sr"}
	rendezvous = []string{"rget", "speculative", "rput"}
)

// Legs returns every pair of a channel and a rendezvous. The first six have every channel and every rendezvous.
func Legs() []Leg {
	var all []Leg
	for turn := range rendezvous {
		for i, c := range channels {
			all = append(all, Leg{c, rendezvous[(i+turn)%len(rendezvous)]})
		}
	}
	return all
}

// ParseLegs reads "srq/rget,ud/rput".
func ParseLegs(text string) ([]Leg, error) {
	var all []Leg
	for word := range strings.SplitSeq(text, ",") {
		channel, way, _ := strings.Cut(word, "/")
		if way == "" {
			way = rendezvous[0]
		}
		if !slices.Contains(channels, channel) || !slices.Contains(rendezvous, way) {
			return nil, fmt.Errorf("%q is no leg; write channel/rendezvous out of %s and %s", word,
				strings.Join(channels, ", "), strings.Join(rendezvous, ", "))
		}
		all = append(all, Leg{channel, way})
	}
	return all, nil
}

// LegTime is how long each leg is tried when all of them share a time: not so short that nothing happens, not so long
// that the later ones never have their turn.
func LegTime(total time.Duration) time.Duration {
	return min(max(total/time.Duration(len(channels)*len(rendezvous)), 5*time.Second), time.Minute)
}
