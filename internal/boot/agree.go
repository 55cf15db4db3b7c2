package boot

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/model"
)

// protocol is the number of what ranks say to each other: packets, memory of nodes, plans. It grows
// whenever programs of before and after could not be ranks of one job.
const protocol = 2

// errUnsaid is what a rank has not said that should have.
var errUnsaid = errors.New("nobody has said it")

func nodeKey(node int) string { return fmt.Sprintf("weft-node-%d", node) }

// sheetKey is the name of what the first rank tells all.
const sheetKey = "weft-sheet"

// meeting is a board where all ranks can also wait for each other.
type meeting interface {
	board
	Barrier() error
}

// agree tells all ranks what own is like, if we are the first rank of our host, hears what the
// others tell, and makes facts of it. kind is that of the RDMA hardware in use.
func (p *place) agree(client meeting, own agree.Host, set *Settings, kind string) (*agree.Facts, error) {
	sheet, err := p.sheet(set, kind)
	if err == nil && p.rank == 0 {
		err = putLong(client, sheetKey, sheet.Text())
	}
	if err == nil {
		err = p.tell(client, own)
	}
	if err == nil {
		err = client.Barrier()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: agreeing with the other ranks: %w", ErrLauncher, err)
	}
	if err := p.compare(client, sheet); err != nil {
		return nil, err
	}
	return p.hear(client, set)
}

// tell tells all ranks what our host is like, if we are its first rank.
func (p *place) tell(client board, own agree.Host) error {
	if p.localRank() != 0 {
		return nil
	}
	return client.Put(nodeKey(p.node), string(own.Append(nil)))
}

// hear makes facts of what the hosts have told, once all have.
func (p *place) hear(client board, set *Settings) (*agree.Facts, error) {
	var hosts []agree.Host
	for node := range p.hosts {
		text, found, err := client.Get(nodeKey(node))
		if err != nil || !found {
			return nil, fmt.Errorf("%w: the ranks of host %d are not known: %w", ErrLauncher, node, cmp.Or(err, errUnsaid))
		}
		h, err := agree.Parse(text, p.size)
		if err != nil {
			return nil, fmt.Errorf("%w: host %d: %w", ErrLauncher, node, err)
		}
		hosts = append(hosts, h)
	}
	return agreed(p.size, hosts, set)
}

// compare holds what must be the same against what the first rank has.
func (p *place) compare(client board, sheet agree.Sheet) error {
	first, err := getLong(client, sheetKey)
	if err != nil {
		return fmt.Errorf("%w: the first rank's settings: %w", ErrLauncher, err)
	}
	if err = sheet.Compare(first); errors.Is(err, agree.ErrDiffer) {
		return fmt.Errorf("%w. Give all ranks the same: weft run --set NAME=VALUE does, and -x NAME passes a variable on to all hosts; "+
			"programs of one job must be built with the same Weft", err)
	}
	return err
}

// agreed makes the facts of a job whose hosts are known and whose ranks have the same settings.
func agreed(size int, hosts []agree.Host, set *Settings) (*agree.Facts, error) {
	facts, err := agree.On(size, hosts, agree.Terms{
		Nodes: pretended(size, len(hosts), set), Shares: sharing(set), Stripe: set.Rail.Stripe, Scheme: set.Scheme, Slips: set.Slips,
		Check: checking(set.Check),
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return facts, nil
}

// sharing tells whether the ranks of a node use memory in common.
func sharing(set *Settings) bool { return set.Links != "rail" && set.Commons > 0 }

// pretended is the node of each rank where ranks pretend: by the settings, or because ranks of one
// host reach each other over the network alone, so that they count as ranks of hosts of their own.
// Nil if nobody pretends.
func pretended(size, hosts int, set *Settings) []int {
	asked := set.Nodes.pretended()
	if !asked && (hosts > 1 || set.Links != "rail") {
		return nil
	}
	nodes := make([]int, size)
	for rank := range nodes {
		nodes[rank] = rank
		if asked {
			nodes[rank] = set.Nodes.of(rank, size)
		}
	}
	return nodes
}

// sheet is what must be the same on all ranks.
func (p *place) sheet(set *Settings, kind string) (agree.Sheet, error) {
	_, rules, err := CollRules(set.Coll) // files may differ that have the same name
	if err != nil {
		return agree.Sheet{}, err
	}
	costs, _, err := Machine(set.Machine, model.Ethernet)
	if err != nil {
		return agree.Sheet{}, err
	}
	s := agree.Sheet{Who: fmt.Sprintf("rank %d (host %s)", p.rank, p.hostName())}
	add := func(name, value string) { s.Entries = append(s.Entries, agree.Entry{Name: name, Value: value}) }
	add("Weft's protocol", strconv.Itoa(protocol))
	add("Weft's version", weftVersion())
	add("the machine", machine())
	add("the network by WEFT_DEVICE", cmp.Or(kind, "sockets"))
	for _, i := range set.Values.Alike() {
		switch i.Name {
		case "WEFT_COLL":
			i.Value = rules
		case "WEFT_MACHINE":
			i.Value = costs.String()
		case "WEFT_CHECK":
			i.Value = onOff[checking(set.Check)]
		}
		if i.Value == "" {
			i.Value = "empty"
		}
		add(i.Name, i.Value)
	}
	return s, nil
}

var onOff = map[bool]string{false: "off", true: "on"}

// hostName is how the launcher calls our host, or what it calls itself.
func (p *place) hostName() string {
	if p.host != "" {
		return p.host
	}
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

// machine is what programs must have in common to understand each other's memory.
func machine() string {
	order := "little-endian"
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		order = "big-endian"
	}
	return fmt.Sprintf("%d-bit %s", strconv.IntSize, order)
}

// weftVersion is the version of Weft that this program is built with, "" if that is not known.
func weftVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	const module = "github.com/weft-mpi/weft"
	for _, dep := range info.Deps {
		if dep.Path == module && dep.Replace == nil {
			return dep.Version
		}
	}
	if info.Main.Path != module {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value == "true" {
			return "" // the commit does not say what it is
		}
	}
	if info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}

// partMax is what goes into one value, so that a line with it, its key and the name of the manager's space stays
// below pmi.PutLineMax.
const partMax = 600

// putLong leaves a text for all ranks: the first part tells how many there are.
func putLong(client board, name, text string) error {
	parts := len(text)/partMax + 1
	for i := range parts {
		part := text[i*partMax : min((i+1)*partMax, len(text))]
		if i == 0 {
			part = strconv.Itoa(parts) + ":" + part
		}
		if err := client.Put(partKey(name, i), part); err != nil {
			return err
		}
	}
	return nil
}

func partKey(name string, part int) string { return fmt.Sprintf("%s-%d", name, part) }

// getLong reads what putLong has left.
func getLong(client board, name string) (string, error) {
	var text strings.Builder
	for i, parts := 0, 1; i < parts; i++ {
		part, found, err := client.Get(partKey(name, i))
		if err != nil || !found {
			return "", fmt.Errorf("part %d is missing: %w", i, cmp.Or(err, errUnsaid))
		}
		if i == 0 {
			count, rest, _ := strings.Cut(part, ":")
			if parts, err = strconv.Atoi(count); err != nil || parts < 1 || parts > 1000 {
				return "", fmt.Errorf("%q is no number of parts", count)
			}
			part = rest
		}
		text.WriteString(part)
	}
	return text.String(), nil
}

// voter is a node whose ranks have to find out whether they can copy from each other's memory, and
// wake each other through files.
type voter interface {
	Vote()
	Votes() (copy, file, known bool)
}

// unanimous has us vote, and waits for the others of the host, all of which have got here or are
// about to. Nobody may go on without the others' votes: they would not know. The longer it takes the
// more seldom we look, since all who look take time from those who are to vote.
func unanimous(v voter) (copy, file bool, err error) {
	v.Vote()
	for waited, nap := int64(0), int64(0); waited < voteLimit; waited += nap {
		if copy, file, known := v.Votes(); known {
			return copy, file, nil
		}
		nap = min(max(waited/2, firstNap), lastNap)
		clock.Sleep(nap)
	}
	return false, false, fmt.Errorf("%w: a rank of this host has not said within a minute whether it can reach the others' memory", ErrLauncher)
}

const (
	voteLimit = 60_000_000_000 // somebody has died, and whoever started the job ends it
	firstNap  = 100_000
	lastNap   = 10_000_000
)
