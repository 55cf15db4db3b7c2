package lab

import (
	"errors"
	"fmt"
	"strings"
)

// Platform is where an experiment's ranks run: "host", or "sim:" and the name of a profile.
type Platform string

// Host is this machine, in real time.
const Host Platform = "host"

// ErrPlatform is the class of errors about platforms that do not exist or cannot serve an experiment.
var ErrPlatform = errors.New("bad platform")

// Profile is the name after sim:, or nothing.
func (p Platform) Profile() string {
	name, ok := strings.CutPrefix(string(p), "sim:")
	if !ok {
		return ""
	}
	return name
}

// Virtual tells whether time is virtual there.
func (p Platform) Virtual() bool { return p.Profile() != "" }

// networks are the words of the documents for the networks that profiles model.
var networks = map[string]string{
	"ne020": "iWARP", "ne020-r805": "iWARP", "connectx-ddr": "InfiniBand", "connectx-r805": "InfiniBand", "myri10g-mx": "Myrinet", "myri10g-x4": "Myrinet", "qsnet2": "QsNetII", "10ge": "10GE", "10ge-c1": "10GE, C1", "10ge-c2": "10GE, C2",
	"ib-sdr": "InfiniBand SDR", "mt25204": "InfiniBand MT25204", "roce-100g": "RoCE 100G", "roce-400g": "RoCE 400G", "ndr": "InfiniBand NDR",
}

// Label is the platform's name in a legend: the documents' word for the network.
func (p Platform) Label() string {
	if word, ok := networks[p.Profile()]; ok {
		return word
	}
	if p.Virtual() {
		return p.Profile()
	}
	return "this host"
}

// ParsePlatform checks what a user typed.
func ParsePlatform(text string) (Platform, error) {
	p := Platform(text)
	switch {
	case p == Host:
		return p, nil
	case !strings.HasPrefix(text, "sim:"):
		return "", fmt.Errorf("%w %q: it is host, or sim: and a profile such as sim:ne020", ErrPlatform, text)
	case p.Profile() == "":
		return "", fmt.Errorf("%w %q: the profile's name is missing, such as in sim:ne020", ErrPlatform, text)
	}
	return p, nil
}
