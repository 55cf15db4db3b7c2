package kernel

import (
	"fmt"
	"strconv"

	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// Choice says what of an adapter is used, where that offers several things. Peers must be told nothing of it, but the
// networks of InfiniBand and RoCE are often set up for one of them.
type Choice struct {
	GID          int  // index of the port's address; tune.Auto: the best there is
	ServiceLevel int  // of all that is sent
	TrafficClass int  // likewise
	PKey         int  // partition; tune.Auto: the first of the port
	Library      bool // libibverbs works on all queues: none is worked on directly
}

// DefaultChoice is that of a user who says nothing.
func DefaultChoice() Choice { return Choice{GID: tune.Auto, PKey: tune.Auto} }

// Settings are the fields as settings.
func (c *Choice) Settings() tune.Group {
	return tune.Group{About: "between hosts", Rows: []tune.Row{
		tune.CountOrAuto("WEFT_RDMA_GID", &c.GID, 0, 255, "adapters: index of the port's address (GID), on RoCE one of v2; auto: IPv4 rather than IPv6, on InfiniBand the first"),
		tune.Count("WEFT_RDMA_SL", &c.ServiceLevel, 0, 15, "adapters: service level of what is sent; on RoCE the priority in VLAN tags"),
		tune.Count("WEFT_RDMA_TCLASS", &c.TrafficClass, 0, 255, "adapters: traffic class of what is sent; on RoCE four times the DSCP, such as 104 for DSCP 26"),
		tune.Alike(tune.Row{Name: "WEFT_RDMA_PKEY", Text: "adapters: partition key, such as 0x8001, which the port must have; auto: its first", Get: c.formatPKey, Set: c.parsePKey}),
		tune.Switch("WEFT_LAB_RDMA_LIBRARY", &c.Library, "adapters: libibverbs works on all queues: on, off (those of rxe are worked on directly)"),
	}}
}

func (c *Choice) formatPKey() string {
	if c.PKey == tune.Auto {
		return "auto"
	}
	return fmt.Sprintf("%#04x", c.PKey)
}

func (c *Choice) parsePKey(words string) error {
	if words == "auto" {
		c.PKey = tune.Auto
		return nil
	}
	n, err := strconv.ParseUint(words, 0, 16)
	if err != nil || n&^fullMember == 0 {
		return fmt.Errorf("must be auto or a partition key such as 0x8001")
	}
	c.PKey = int(n)
	return nil
}

// fullMember is the bit of a partition key that says how its owner belongs to the partition; the others say to which.
const fullMember = 1 << 15

// apply puts the choice into a port, or says why the port cannot have it.
func (c *Choice) apply(to *Port, from *sysfs.Port) error {
	to.ServiceLevel, to.TrafficClass = uint8(c.ServiceLevel), uint8(c.TrafficClass)
	if c.PKey == tune.Auto {
		return nil
	}
	for _, p := range from.PKeys {
		if p.Key&^fullMember == uint16(c.PKey)&^fullMember {
			to.PKeyIndex = uint16(p.Index)
			return nil
		}
	}
	return fmt.Errorf("port %d does not belong to partition %#04x (WEFT_RDMA_PKEY), it has %s", from.Number, c.PKey, keys(from.PKeys))
}

// address is the one to use.
func (c *Choice) address(from *sysfs.Port, best func() (sysfs.GID, bool)) (sysfs.GID, error) {
	if c.GID == tune.Auto {
		if g, ok := best(); ok {
			return g, nil
		}
		return sysfs.GID{}, fmt.Errorf("port %d has no address that may be used", from.Number)
	}
	for _, g := range from.GIDs {
		switch {
		case g.Index != c.GID:
		case from.Ethernet && !g.RoCE2:
			return g, fmt.Errorf("GID %d of port %d (WEFT_RDMA_GID) is not of RoCE v2", c.GID, from.Number)
		default:
			return g, nil
		}
	}
	return sysfs.GID{}, fmt.Errorf("port %d has no GID %d (WEFT_RDMA_GID)", from.Number, c.GID)
}

// plain tells whether nothing is chosen that iWARP does not have.
func (c *Choice) plain() bool {
	return *c == Choice{GID: tune.Auto, PKey: tune.Auto, Library: c.Library}
}

// keys lists partition keys.
func keys(all []sysfs.PKey) string {
	text := "none"
	for i, p := range all {
		if i == 0 {
			text = ""
		} else {
			text += ", "
		}
		text += fmt.Sprintf("%#04x", p.Key)
	}
	return text
}
