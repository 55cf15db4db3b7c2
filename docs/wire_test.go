package docs_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// wireExamples returns the bytes of the worked examples of wire-tables.md by name. An example is a block in
// the language "wire": its name, then lines of hexadecimal words, with remarks after two spaces or more.
func wireExamples(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	all, _ := blocks(read(t, "reference/wire-tables.md"))
	for _, b := range all {
		if b.language != "wire" {
			continue
		}
		name, lines, _ := strings.Cut(b.text, "\n")
		if found[name] != nil {
			t.Errorf("wire-tables.md:%d: a second example %s", b.line, name)
		}
		for _, line := range strings.Split(lines, "\n") {
			words, _, _ := strings.Cut(line, "  ")
			digits, err := hex.DecodeString(strings.ReplaceAll(words, " ", ""))
			if err != nil {
				t.Errorf("wire-tables.md:%d: %s: %q: %v", b.line, name, words, err)
			}
			found[name] = append(found[name], digits...)
		}
	}
	return found
}

// datagram is what an example says, part by part; what is not there is nil.
type datagram struct {
	sealed    bool // by a job, see exampleSeals
	shim      *iwarp.Shim
	header    *iwarp.Header
	record    *iwarp.Record
	read      *iwarp.ReadRequest
	immediate uint64
	notice    *iwarp.Terminate
	payload   string
}

// build makes the bytes of a datagram.
func (d *datagram) build() []byte {
	var b []byte
	if d.shim != nil {
		b = d.shim.Append(b)
	}
	if d.header != nil {
		b = d.header.Append(b)
	}
	switch {
	case d.record != nil:
		b = d.record.Append(b)
	case d.read != nil:
		b = d.read.Append(b)
	case d.immediate != 0:
		b = iwarp.AppendImmediate(b, d.immediate)
	case d.notice != nil:
		b = d.notice.Append(b)
	}
	if b = append(b, d.payload...); d.sealed {
		return exampleSeals(exampleFrom).Seal(b, 0, exampleTo)
	}
	return iwarp.SealDatagram(b, 0)
}

// check takes the bytes apart and says where they differ from d.
func (d *datagram) check(b []byte) error {
	body, ok := iwarp.OpenDatagram(b)
	if d.sealed {
		var v seal.Verdict
		body, v = exampleSeals(exampleTo).Open(b, exampleFrom)
		ok = v == seal.Genuine
	}
	if !ok {
		return fmt.Errorf("the CRC or the seal is wrong")
	}
	if kind := iwarp.DatagramKind(b); kind == iwarp.Unknown || (kind == iwarp.RD) != (d.shim != nil) {
		return fmt.Errorf("kind %d", kind)
	}
	if d.shim != nil {
		var s iwarp.Shim
		n, ok := iwarp.ParseShim(body, &s)
		if !ok || s != *d.shim || s.Data != (d.header != nil) {
			return fmt.Errorf("shim %+v, %v", s, ok)
		}
		body = body[n:]
	}
	if d.header == nil && len(body) == 0 {
		return nil
	}
	h, n, f := iwarp.ParseHeader(body)
	if !f.OK() || d.header == nil || h != *d.header {
		return fmt.Errorf("header %+v, %v", h, f)
	}
	return d.checkMessage(body[n:])
}

// The sealed example goes from one name of an address to another.
const (
	exampleFrom = "\xc0\x00\x02\x01\x12\x67" // 192.0.2.1, port 4711
	exampleTo   = "\xc0\x00\x02\x02\x12\x68" // 192.0.2.2, port 4712
)

// exampleSeals are the seals of a socket of the example's job.
func exampleSeals(here string) *seal.Table[string] {
	key, err := seal.NewKey([]byte(exampleKey), false)
	if err != nil {
		panic(err) // only where AES-GCM is forbidden
	}
	return seal.NewTable(key, here, 0x0123456789abcdef, func(name string) []byte { return []byte(name) })
}

// checkMessage does the same for what follows the DDP header.
func (d *datagram) checkMessage(b []byte) error {
	switch {
	case d.record != nil:
		r, ok := iwarp.ParseRecord(b)
		if !ok || r != *d.record || string(b[iwarp.RecordSize:]) != d.payload {
			return fmt.Errorf("record %+v, %v", r, ok)
		}
	case d.read != nil:
		if r, ok := iwarp.ParseReadRequest(b); !ok || r != *d.read {
			return fmt.Errorf("Read Request %+v, %v", r, ok)
		}
	case d.immediate != 0:
		if data, ok := iwarp.ParseImmediate(b); !ok || data != d.immediate {
			return fmt.Errorf("immediate data %#x, %v", data, ok)
		}
	case d.notice != nil:
		if n, ok := iwarp.ParseTerminate(b); !ok || n != *d.notice {
			return fmt.Errorf("error notice %+v, %v", n, ok)
		}
	case string(b) != d.payload:
		return fmt.Errorf("payload %q", b)
	}
	return nil
}

var (
	helloHeader = iwarp.Header{Last: true, Op: iwarp.OpSend, MSN: 1}
	badWrite    = iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpWrite, STag: 0x11223301, TO: 0x1000}
	readHeader  = iwarp.Header{Last: true, Op: iwarp.OpReadRequest, QN: iwarp.QueueRead, MSN: 1}
	sackOf3And5 = [iwarp.MaxSackWords]uint64{0b101}
)

// datagrams are the examples of wire-tables.md that are datagrams.
var datagrams = map[string]datagram{
	"ud-send":        {header: &helloHeader, payload: "hello"},
	"ud-send-sealed": {sealed: true, header: &helloHeader, payload: "hello"},
	"ud-send-shared": {header: &iwarp.Header{Last: true, Op: iwarp.OpSendSolicited, Invalidate: 0x000007, QN: 0x00000500, MSN: 2},
		payload: "hello"},
	"ud-write": {header: &badWrite, payload: "hello"},
	"ud-write-record": {header: &iwarp.Header{Tagged: true, Last: true, Record: true, Op: iwarp.OpWrite, STag: 0x11223301, TO: 0x1005},
		record: &iwarp.Record{RMSN: 1, Length: 10, Offset: 5}, payload: "world"},
	"ud-read-request": {header: &readHeader, read: &iwarp.ReadRequest{SinkSTag: 0x80000901, SinkTO: 3 << 32, Size: 5,
		SourceSTag: 0x11223301, SourceTO: 0x1000}},
	"ud-read-response": {header: &iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpReadResponse, STag: 0x80000901, TO: 3 << 32},
		payload: "hello"},
	"ud-error": {header: &iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QueueTerminate},
		notice: &iwarp.Terminate{Fault: iwarp.FaultDDPSTag, HasHeader: true, SegmentLen: 19, Header: badWrite}},
	"rd-send": {shim: &iwarp.Shim{Data: true, Start: true, Poll: true, Epoch: 0x1234, PSN: 1, Window: 64},
		header: &helloHeader, payload: "hello"},
	"rd-ack": {shim: &iwarp.Shim{Words: 1, Epoch: 0xabcd, PSN: 1, APSN: 2, Window: 64, PeerEpoch: 0x1234, Sack: sackOf3And5}},
	"rd-immediate": {shim: &iwarp.Shim{Data: true, Poll: true, Epoch: 0x1234, PSN: 7, APSN: 1, Window: 64, PeerEpoch: 0xabcd},
		header: &iwarp.Header{Last: true, Op: iwarp.OpImmediate, MSN: 2}, immediate: 0xcafe},
	"rd-nothing": {shim: &iwarp.Shim{Data: true, Poll: true, Epoch: 0x1234, PSN: 8, APSN: 1, Window: 64, PeerEpoch: 0xabcd},
		header: &iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpWrite}},
	"rd-not-ready": {shim: &iwarp.Shim{NotReady: true, RNR: 6, Epoch: 0xabcd, PSN: 1, APSN: 1, PeerEpoch: 0x1234}},
	"rd-reset":     {shim: &iwarp.Shim{Reset: true, Epoch: 0xabcd, PSN: 1, PeerEpoch: 0x1234}},
}

// TestWireExamples builds every example of the page, and takes it apart.
func TestWireExamples(t *testing.T) {
	page := wireExamples(t)
	for name, d := range datagrams {
		if built := d.build(); !bytes.Equal(page[name], built) {
			t.Errorf("%s: the page has\n%x, built is\n%x", name, page[name], built)
		}
		if err := d.check(page[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		delete(page, name)
	}
	for name, want := range map[string][]byte{"mpa-request": exampleRequest(t), "mpa-first": exampleFirst()} {
		if !bytes.Equal(page[name], want) {
			t.Errorf("%s: the page has\n%x, built is\n%x", name, page[name], want)
		}
		delete(page, name)
	}
	for name := range page {
		t.Errorf("nobody checks example %s", name)
	}
}

// proof is that of the page, made from its description: each part after its length.
func proof(key string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		h.Write(p)
	}
	return h.Sum(nil)[:16]
}

// listenerBytes is a listener's address as the proof of a request covers it.
func listenerBytes(at netip.AddrPort) []byte {
	return binary.LittleEndian.AppendUint16(at.Addr().AsSlice(), at.Port())
}

const exampleKey = "a secret of the job"

var (
	nonceA = []byte("AAAAAAAAAAAAAAAA")
	nonceB = []byte("BBBBBBBBBBBBBBBB")
)

func exampleRequest(t *testing.T) []byte {
	t.Helper()
	where := listenerBytes(netip.MustParseAddrPort("192.0.2.1:4711"))
	private := append([]byte("WFT1"), nonceA...)
	private = append(private, proof(exampleKey, []byte("weft request"), nonceA, where, []byte("hi!!"))...)
	frame := iwarp.Request(iwarp.Wish{CRC: true, IRD: 128, ORD: 128}, append(private, "hi!!"...))
	b, err := frame.Append(nil)
	must(t, err)
	return b
}

// exampleFirst is the FPDU that proves the initiator.
func exampleFirst() []byte {
	p := proof(exampleKey, []byte("weft first message"), nonceA, nonceB)
	size := iwarp.UntaggedSize + len(p)
	b := append(helloHeader.Append(iwarp.AppendFPDUHead(nil, size)), p...)
	return iwarp.AppendFPDUTail(b, size, iwarp.NewCRC().Add(b), true)
}

// live is a device with one queue pair, and a plain socket that talks to it.
type live struct {
	t    *testing.T
	cq   verbs.CQ
	qp   verbs.QP
	buf  []byte
	mr   verbs.MR
	conn net.Conn
}

// must ends the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newLive(t *testing.T, cfg soft.Config, typ verbs.Type) *live {
	t.Helper()
	l := &live{t: t, buf: make([]byte, 64)}
	dev, err := soft.Open(cfg)
	must(t, err)
	t.Cleanup(func() { dev.Close() })
	pd, err := dev.NewPD()
	must(t, err)
	l.cq, err = dev.NewCQ(verbs.CQConfig{Depth: 16})
	must(t, err)
	l.mr, err = pd.Register(l.buf, verbs.LocalWrite)
	must(t, err)
	l.qp, err = pd.NewQP(verbs.QPConfig{Type: typ, SendCQ: l.cq, RecvCQ: l.cq, SendDepth: 4, RecvDepth: 4})
	must(t, err)
	must(t, l.qp.Modify(verbs.Init))
	if typ != verbs.RC {
		must(t, l.qp.Modify(verbs.RTS))
		l.dial()
	}
	return l
}

// dial takes another socket, which is another peer to the device.
func (l *live) dial() {
	conn, err := net.Dial("udp", l.qp.Addr().String())
	must(l.t, err)
	l.t.Cleanup(func() { conn.Close() })
	l.conn = conn
}

// ask sends a datagram and returns the answer.
func (l *live) ask(b []byte) []byte {
	l.t.Helper()
	_, err := l.conn.Write(b)
	must(l.t, err)
	l.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer := make([]byte, 2048)
	n, err := l.conn.Read(answer)
	if err != nil {
		l.t.Fatalf("no answer to %x: %v", b, err)
	}
	return answer[:n]
}

// receive posts n receives of the whole buffer.
func (l *live) receive(n int) {
	l.t.Helper()
	for range n {
		_, err := l.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: l.buf, LKey: l.mr.LKey()}}}})
		must(l.t, err)
	}
}

// same compares an answer with an example; the device's epoch, which is its own choice, is put aside.
func (l *live) same(name string, answer []byte) {
	l.t.Helper()
	if body, ok := iwarp.OpenDatagram(answer); ok && l.qp.Type() == verbs.RD {
		body = bytes.Clone(body)
		copy(body[2:], "\xab\xcd")
		answer = iwarp.SealDatagram(body, 0)
	}
	if want := wireExamples(l.t)[name]; !bytes.Equal(answer, want) {
		l.t.Errorf("%s: the device answers\n%x, the page has\n%x", name, answer, want)
	}
}

// TestDeviceSpeaksUD sends examples of the page to a device.
func TestDeviceSpeaksUD(t *testing.T) {
	l, page := newLive(t, soft.Config{}, verbs.UD), wireExamples(t)
	l.same("ud-error", l.ask(page["ud-write"]))
	l.receive(1)
	_, err := l.conn.Write(page["ud-send"])
	must(t, err)
	var c [1]verbs.Completion
	if !l.cq.Wait(10e9) || l.cq.Poll(c[:]) != 1 || c[0].Status != verbs.OK || string(l.buf[:c[0].Len]) != "hello" {
		t.Errorf("ud-send: %+v, %q", c[0], l.buf[:5])
	}
}

// TestDeviceSpeaksRD does so with reliable datagrams; a datagram without S from a peer not heard of is answered by R.
func TestDeviceSpeaksRD(t *testing.T) {
	l, page := newLive(t, soft.Config{Datagram: 1472}, verbs.RD), wireExamples(t)
	l.same("rd-reset", l.ask(page["rd-immediate"]))
	l.dial()
	l.same("rd-not-ready", l.ask(page["rd-send"]))
	l.receive(2)
	l.dial()
	var answer []byte
	for _, psn := range []uint32{1, 3, 5} {
		d := datagrams["rd-send"]
		shim := *d.shim
		shim.PSN, d.shim = psn, &shim
		answer = l.ask(d.build())
	}
	l.same("rd-ack", answer)
}

// TestDeviceProvesItsKey plays the responder of a job's connection, from what the page says.
func TestDeviceProvesItsKey(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	l := newLive(t, soft.Config{Key: []byte(exampleKey)}, verbs.RC)
	at := listener.Addr().(*net.TCPAddr).AddrPort()
	must(t, l.qp.Connect(at, []byte("hi!!")))
	conn, err := listener.Accept()
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	request := readN(t, conn, iwarp.StartSize+4+36+4)
	frame, _, err := iwarp.ParseStart(request)
	must(t, err)
	a := frame.Private[4:20]
	want := append(append([]byte("WFT1"), a...), proof(exampleKey, []byte("weft request"), a, listenerBytes(at), []byte("hi!!"))...)
	if want = append(want, "hi!!"...); !bytes.Equal(frame.Private, want) || frame.PeerToPeer || !frame.Enhanced || frame.IRD != 128 {
		t.Errorf("the request is %+v, want private data %x", frame, want)
	}
	said := append(append([]byte("WFT1"), nonceB...), proof(exampleKey, []byte("weft reply"), a, nonceB, nil)...)
	reply, _, err := iwarp.Answer(frame, iwarp.Wish{CRC: true, IRD: 1, ORD: 1}, said)
	must(t, err)
	b, err := reply.Append(nil)
	must(t, err)
	_, err = conn.Write(b)
	must(t, err)
	segment, _, err := iwarp.ParseFPDU(readN(t, conn, iwarp.FPDULen(iwarp.UntaggedSize+16)), true)
	must(t, err)
	first := append(helloHeader.Append(nil), proof(exampleKey, []byte("weft first message"), a, nonceB)...)
	if !bytes.Equal(segment, first) {
		t.Errorf("the first message is\n%x, want\n%x", segment, first)
	}
}

func readN(t *testing.T, conn net.Conn, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	_, err := io.ReadFull(conn, b)
	must(t, err)
	return b
}

// numbersOf finds the numbers of a package by name: its constants, and the defaults of its Config as Config.Field.
func numbersOf(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	must(t, err)
	fset, files := token.NewFileSet(), []*ast.File(nil)
	for _, p := range paths {
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		must(t, err)
		if !strings.HasSuffix(p, "_test.go") {
			files = append(files, f)
		}
	}
	cfg := types.Config{Error: func(error) {}, IgnoreFuncBodies: true} // no importer: what stands on others stays unknown
	pkg, _ := cfg.Check(dir, fset, files, nil)
	found := map[string]int64{}
	note := func(name string, v constant.Value) {
		if v != nil && v.Kind() == constant.Int {
			found[name], _ = constant.Int64Val(v)
		}
	}
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			note(name, c.Val())
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if field, value := defaultOf(n); field != "" {
				if v, err := types.Eval(fset, pkg, token.NoPos, types.ExprString(value)); err == nil {
					note("Config."+field, v.Value)
				}
			}
			return true
		})
	}
	return found
}

// defaultOf recognizes a call such as setInt(&c.Field, value), or one where the value is the larger of it and another.
func defaultOf(n ast.Node) (field string, value ast.Expr) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", nil
	}
	f, isName := call.Fun.(*ast.Ident)
	at, isAddress := call.Args[0].(*ast.UnaryExpr)
	if !isName || !isAddress || !strings.HasPrefix(f.Name, "set") {
		return "", nil
	}
	selector, ok := at.X.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	if larger, ok := call.Args[1].(*ast.CallExpr); ok && len(larger.Args) > 0 {
		return selector.Sel.Name, larger.Args[0]
	}
	return selector.Sel.Name, call.Args[1]
}

var numberRow = regexp.MustCompile("(?m)^\\| .* \\| (\\d+)( [a-zµ]+)? \\| `([a-z/]+)\\.([A-Za-z.]+)` \\|$")

// TestWireNumbers holds the table of numbers, which names where in the code each one is, to the code.
func TestWireNumbers(t *testing.T) {
	units := map[string]int64{"": 1, " µs": 1e3, " ms": 1e6, " s": 1e9, " bytes": 1}
	rows := numberRow.FindAllStringSubmatch(read(t, "reference/wire-tables.md"), -1)
	if len(rows) < 30 {
		t.Errorf("the page has only %d numbers", len(rows))
	}
	packages := map[string]map[string]int64{}
	for _, m := range rows {
		if packages[m[3]] == nil {
			packages[m[3]] = numbersOf(t, "internal/"+m[3])
		}
		want, known := packages[m[3]][m[4]]
		value, err := strconv.ParseInt(m[1], 10, 64)
		if unit, ok := units[m[2]]; err != nil || !ok || !known || value*unit != want {
			t.Errorf("%s: the code has %d (%v)", m[0], want, known)
		}
	}
}

var sizeRow = regexp.MustCompile(`(?m)^\| .* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$`)

// TestWireSizes computes what fits a datagram from the sizes of the headers. RD has room for a SACK word.
func TestWireSizes(t *testing.T) {
	rows := sizeRow.FindAllStringSubmatch(read(t, "reference/wire-tables.md"), -1)
	if len(rows) < 4 {
		t.Errorf("the page has only %d sizes", len(rows))
	}
	for _, m := range rows {
		limit, err := strconv.Atoi(m[1])
		must(t, err)
		plain, reliable := limit-iwarp.CRCSize, limit-iwarp.CRCSize-iwarp.ShimSize-8
		want := fmt.Sprint(plain-iwarp.UntaggedSize, plain-iwarp.TaggedSize, plain-iwarp.TaggedSize-iwarp.RecordSize,
			reliable-iwarp.UntaggedSize, reliable-iwarp.TaggedSize)
		if got := strings.Join(m[2:], " "); got != want {
			t.Errorf("limit %d: the page has %s, want %s", limit, got, want)
		}
	}
}
