package witness

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// frame is one iWARP frame as tshark tells it: a start-up frame, an FPDU or a datagram.
type frame struct {
	From   uint16            // port of the sender
	What   string            // "Request", "Reply", or the name of the operation
	Shown  map[string]string // every field tshark shows, by name; of several of the same name the first
	Broken []string          // what tshark finds wrong with it
}

func (f *frame) number(field string) int64 {
	n, err := strconv.ParseInt(f.Shown[field], 0, 64)
	if err != nil {
		return -1
	}
	return n
}

func (f *frame) String() string {
	s := f.What
	if f.Shown["iwarp_udp.record.number"] != "" {
		s += " (record)"
	}
	if f.Shown["iwarp_ddp.last_flag"] == "0" {
		s += " ..."
	}
	return s
}

// node is an element of PDML, tshark's way to show packets as XML: a packet, a protocol or a field.
type node struct {
	Name     string `xml:"name,attr"`
	Show     string `xml:"show,attr"`
	Showname string `xml:"showname,attr"`
	Protos   []node `xml:"proto"`
	Fields   []node `xml:"field"`
}

// requireTshark skips a short test and fails one that cannot find tshark.
func requireTshark(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs tshark")
	}
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Fatal("tshark is not installed; run: make test-deps")
	}
}

// dissect has tshark read a capture and returns the iWARP frames in it, in order. What tshark finds wrong below iWARP
// (a checksum, a sequence number) is an error of the test.
func dissect(t *testing.T, pcap []byte, arguments ...string) []frame {
	t.Helper()
	file := filepath.Join(t.TempDir(), "session.pcap")
	if err := os.WriteFile(file, pcap, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// Two protocols guess that payloads are theirs and then find them malformed.
	arguments = append([]string{"-n", "-r", file, "-T", "pdml", "--disable-protocol", "rpcordma", "--disable-protocol", "smb_direct",
		"-o", "tcp.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"}, arguments...)
	cmd := exec.CommandContext(ctx, "tshark", arguments...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v\n%s", err, &stderr)
	}
	var answer struct {
		Packets []node `xml:"packet"`
	}
	if err := xml.Unmarshal(out, &answer); err != nil {
		t.Fatalf("tshark's answer: %v", err)
	}
	var frames []frame
	for i, p := range answer.Packets {
		found, below := framesOf(&p)
		for _, complaint := range below {
			t.Errorf("packet %d: %s", i+1, complaint)
		}
		frames = append(frames, found...)
	}
	return frames
}

// framesOf returns the iWARP frames of a packet and what is wrong with the packet below them.
func framesOf(packet *node) (frames []frame, below []string) {
	var from uint16
	for _, p := range packet.Protos {
		switch p.Name {
		case "tcp", "udp":
			from = sourcePort(&p)
			below = append(below, complaints(&p)...)
		case "ip", "eth":
			below = append(below, complaints(&p)...)
		case "iwarp_mpa", "iwarp_udp":
			frames = append(frames, newFrame(from, &p))
		case "iwarp_ddp_rdmap":
			if len(frames) == 0 {
				below = append(below, "DDP without a frame around it")
				continue
			}
			frames[len(frames)-1].add(&p)
		case "_ws.malformed":
			below = append(below, "malformed: "+p.Showname)
		}
	}
	return frames, below
}

func sourcePort(p *node) uint16 {
	for _, f := range p.Fields {
		if f.Name == "tcp.srcport" || f.Name == "udp.srcport" {
			port, _ := strconv.ParseUint(f.Show, 10, 16)
			return uint16(port)
		}
	}
	return 0
}

func newFrame(from uint16, p *node) frame {
	f := frame{From: from, Shown: map[string]string{}}
	f.add(p)
	return f
}

// add takes over the fields of a protocol.
func (f *frame) add(p *node) {
	f.Broken = append(f.Broken, complaints(p)...)
	f.collect(p.Fields)
}

var opcodeName = regexp.MustCompile(`OpCode: (.*) \(`)

func (f *frame) collect(fields []node) {
	for _, x := range fields {
		if _, known := f.Shown[x.Name]; !known {
			f.Shown[x.Name] = x.Show
		}
		switch x.Name {
		case "iwarp_mpa.req":
			f.What = "Request"
		case "iwarp_mpa.rep":
			f.What = "Reply"
		case "iwarp_udp.what":
			f.What = x.Show
		case "iwarp_mpa.crc", "iwarp_mpa.crc_check", "iwarp_udp.crc":
			f.Shown["crc"] = x.Showname // with tshark's opinion, if the two ends agreed on CRCs
		case "iwarp_rdma.opcode":
			f.What = x.Showname
			if m := opcodeName.FindStringSubmatch(x.Showname); m != nil {
				f.What = m[1]
			}
		}
		f.collect(x.Fields)
	}
}

// known are complaints of tshark about what it does not know: the second revision of MPA (RFC 6581).
var known = []string{"iwarp_mpa.rev.not_set1", "iwarp_mpa.res.not_set0", "iwarp_mpa.reject_bit_responder"}

// complaints are the warnings and errors that tshark attached to a protocol.
func complaints(p *node) []string {
	var found []string
	for _, f := range p.Fields {
		if f.Name == "_ws.expert" {
			found = append(found, complaint(&f)...)
		}
		found = append(found, complaints(&f)...)
	}
	return found
}

// severityWarning is the number tshark gives to warnings; notes and chat are below, errors above.
const severityWarning = 0x00600000

func complaint(expert *node) []string {
	var severity int64
	var message string
	for _, f := range expert.Fields {
		switch {
		case f.Name == "_ws.expert.severity":
			severity, _ = strconv.ParseInt(f.Show, 0, 64)
		case f.Name == "_ws.expert.message":
			message = f.Show
		case slices.Contains(known, f.Name):
			return nil
		}
	}
	if severity < severityWarning {
		return nil
	}
	return []string{message}
}

// checkFrames wants every frame whole, and every one but those of the start-up with a good CRC.
func checkFrames(t *testing.T, frames []frame) {
	t.Helper()
	for i, f := range frames {
		if f.What == "" {
			t.Errorf("frame %d from port %d is not a frame tshark knows: %v", i, f.From, f.Shown)
		}
		for _, b := range f.Broken {
			t.Errorf("frame %d, %v: %s", i, &f, b)
		}
		startup := f.What == "Request" || f.What == "Reply"
		if crc := f.Shown["crc"]; !startup && !strings.Contains(crc, "(Good CRC32)") {
			t.Errorf("frame %d, %v: not a good CRC: %q", i, &f, crc)
		}
		if rev := f.number("iwarp_ddp.dv"); f.Shown["iwarp_ddp"] != "" && rev != 1 {
			t.Errorf("frame %d, %v: DDP version %d", i, &f, rev)
		}
	}
}

// names lists the frames of one sender.
func names(frames []frame, from uint16) []string {
	var list []string
	for _, f := range frames {
		if f.From == from {
			list = append(list, fmt.Sprint(&f))
		}
	}
	return list
}
