package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
)

// networkFacts tells the interfaces of this host, and which of them a job on several hosts would use.
func networkFacts(set *boot.Settings) (facts []fact) {
	all, err := boot.Interfaces(set)
	for _, i := range all {
		f := fact{Name: i.Name, Value: strings.Join(append([]string{i.Net.String()}, linkSpeed("/sys/class/net/"+i.Name)...), ", "), Note: "not used"}
		if i.Used {
			f.Note = "used"
		}
		facts = append(facts, f)
	}
	if err != nil {
		facts = append(facts, fact{Name: "no network", Value: err.Error()})
	}
	return facts
}

// linkSpeed tells how fast an interface is and how long its packets are, as far as the kernel knows.
func linkSpeed(dir string) (texts []string) {
	if speed, err := strconv.Atoi(readWord(dir + "/speed")); err == nil && speed > 0 {
		text := fmt.Sprintf("%d Mbit/s", speed)
		if speed%1000 == 0 {
			text = fmt.Sprintf("%d Gbit/s", speed/1000)
		}
		texts = append(texts, text)
	}
	if mtu := readWord(dir + "/mtu"); mtu != "" {
		texts = append(texts, "packets of up to "+mtu+" bytes")
	}
	return texts
}
