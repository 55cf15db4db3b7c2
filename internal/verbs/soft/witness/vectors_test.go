package witness

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	initiator = netip.MustParseAddrPort("10.0.0.1:40000")
	responder = netip.MustParseAddrPort("10.0.0.2:4791")
)

// unhex reads bytes written in hexadecimal; spaces group them.
func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Frames with their CRC, as specified; tshark is asked about them first, so that what it says later can be believed.
const (
	vectorRequest    = "4d504120494420526571204672616d65 50 02 0004 0001 0001"
	vectorReply      = "4d504120494420526570204672616d65 50 02 0004 0001 0001"
	vectorSend       = "0017 4143 00000000 00000000 00000002 00000000 4142434445 000000 53ef0c58"
	vectorSendSE     = "0018 4145 00000000 00000000 00000003 00000000 414243444546 0000 c5ebc9ff"
	vectorInvalidate = "0019 4144 11223344 00000000 00000001 00000000 41424344454647 00 0df57fda"
	vectorWrite      = "000f c140 aabbccdd 0000000000001000 41 000000 bac6b69e"
	vectorFetchAdd   = "0046 414a 00000000 00000001 00000001 00000000 00000000 11223344 00000100 0000000000001000" +
		"0000000000000001 0000000000000000 0000000000000000 ffffffffffffffff 28ce5ee0"
	vectorAtomicResponse = "001e 414b 00000000 00000003 00000001 00000000 11223344 0000000000000029 54c79053"
	vectorTerminate      = "0026 4147 00000000 00000002 00000001 00000000 1100c000 0014 c140 dead0001 0000000000001000 78304771"
)

// session captures a connection in which each end sends the given frames, those after the first in pieces of cut bytes.
func session(t *testing.T, sent [2][]string, cut int) []byte {
	t.Helper()
	var file bytes.Buffer
	c := newCapture(&file)
	n := c.connect(initiator, responder)
	for from := range sent {
		n.data(from, unhex(t, sent[from][0])) // the start-up frames come before everything else
	}
	for from := range sent {
		for rest := unhex(t, strings.Join(sent[from][1:], "")); len(rest) > 0; {
			k := min(len(rest), cut)
			n.data(from, rest[:k])
			rest = rest[k:]
		}
	}
	n.end(0)
	n.end(1)
	if err := c.finish(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What tshark says of frames that are right, however TCP cuts them.
func TestVectors(t *testing.T) {
	requireTshark(t)
	sent := [2][]string{
		{vectorRequest, vectorSend, vectorSendSE, vectorInvalidate, vectorWrite, vectorFetchAdd},
		{vectorReply, vectorAtomicResponse, vectorTerminate},
	}
	for _, cut := range []int{64 << 10, 50} {
		frames := dissect(t, session(t, sent, cut))
		checkFrames(t, frames)
		want := []string{"Request", "Send", "Send with SE", "Send with Invalidate", "Write", "Atomic Request"}
		if diff := cmp.Diff(want, names(frames, initiator.Port())); diff != "" {
			t.Errorf("cut at %d, initiator: (- wanted, + seen)\n%s", cut, diff)
		}
		want = []string{"Reply", "Atomic Response", "Terminate"}
		if diff := cmp.Diff(want, names(frames, responder.Port())); diff != "" {
			t.Errorf("cut at %d, responder: (- wanted, + seen)\n%s", cut, diff)
		}
	}
}

// What tshark says of frames that are wrong: a witness that never objects proves nothing.
func TestVectorsDamaged(t *testing.T) {
	requireTshark(t)
	bad := strings.Replace(vectorSend, "4142434445", "4142434446", 1)
	frames := dissect(t, session(t, [2][]string{{vectorRequest, bad}, {vectorReply}}, 64<<10))
	var crc string
	for _, f := range frames {
		if f.What == "Send" {
			crc = f.Shown["crc"]
		}
	}
	if !strings.Contains(crc, "Bad CRC32") {
		t.Errorf("tshark says of a wrong CRC: %q", crc)
	}
	long := strings.Replace(vectorReply, "0004", "0304", 1) // more private data than allowed
	frames = dissect(t, session(t, [2][]string{{vectorRequest}, {long}}, 64<<10))
	if got := names(frames, responder.Port()); len(got) == 1 && got[0] == "Reply" && len(frames[1].Broken) == 0 {
		t.Error("tshark finds nothing wrong with 772 bytes of private data")
	}
}

// readsDatagrams are the arguments with which tshark reads our datagrams on a port.
func readsDatagrams(ports ...uint16) []string {
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(ports), " ", ","), "[]")
	return []string{"-X", "lua_script:../../../../tools/wireshark/iwarp-udp.lua", "-o", "iwarp_udp.ports:" + list}
}

// The datagram variant has no vectors of others: these hold the dissector and the specification together.
func TestDatagramVectors(t *testing.T) {
	requireTshark(t)
	datagrams := []struct{ want, bytes string }{
		{"UD Send", "4143 00000000 00000000 00000001 00000000 68656c6c6f b7358797"},
		{"UD Write", "c160 11223300 0000000000001000 00000001 00000005 00000000 68656c6c6f 2c6958b8"},
		{"UD Terminate", "4147 00000000 00000002 00000001 00000000 1100c000 001f c160 11223300 0000000000001000 ef677cbe"},
		{"RD Send", "e200 1234 00000001 00000000 0040 0000 4143 00000000 00000000 00000001 00000000 68656c6c6f f6ea6a7f"},
		{"RD Acknowledgement", "0201 abcd 00000001 00000002 003e 1234 0000000000000005 6a6e0f4f"},
		{"RD Not ready", "1240 abcd 00000001 00000002 0000 1234 64b99644"},
		{"RD Reset", "0a00 abcd 00000001 00000000 0000 1234 8d8f803c"},
	}
	var file bytes.Buffer
	c := newCapture(&file)
	for _, d := range datagrams {
		c.udp(initiator, responder, unhex(t, d.bytes))
	}
	if err := c.finish(); err != nil {
		t.Fatal(err)
	}
	frames := dissect(t, file.Bytes(), readsDatagrams(responder.Port())...)
	checkFrames(t, frames)
	if len(frames) != len(datagrams) {
		t.Fatalf("tshark sees %d datagrams, not %d", len(frames), len(datagrams))
	}
	for i, d := range datagrams {
		if got := frames[i].Shown["iwarp_udp.service"] + " " + frames[i].What; got != d.want {
			t.Errorf("tshark sees %q, not %q", got, d.want)
		}
	}
	if got := frames[1].number("iwarp_udp.record.length"); got != 5 {
		t.Errorf("Write-Record of %d bytes, not 5", got)
	}
	if got := frames[4].number("iwarp_udp.sack"); got != 5 {
		t.Errorf("bitmap %#x, not 5", got)
	}
}

// A datagram of a job ends with a seal: what is before it is read as ever.
func TestSealedVector(t *testing.T) {
	requireTshark(t)
	var file bytes.Buffer
	c := newCapture(&file)
	c.udp(initiator, responder, unhex(t, "4143 00000000 00000000 00000001 00000000 68656c6c6f 0123456789abcdef 0000002a dd946d8b02a0adc09217a7a3554ca7aa"))
	if err := c.finish(); err != nil {
		t.Fatal(err)
	}
	frames := dissect(t, file.Bytes(), append(readsDatagrams(responder.Port()), "-o", "iwarp_udp.sealed:TRUE")...)
	if len(frames) != 1 || len(frames[0].Broken) != 0 || frames[0].What != "Send" || frames[0].number("iwarp_udp.seal.number") != 42 {
		t.Errorf("tshark sees %+v", frames)
	}
}

// dissect has tshark check the checksums; here they are checked against what is known without tshark.
func TestCaptureChecksums(t *testing.T) {
	from, to := netip.MustParseAddr("192.168.0.1"), netip.MustParseAddr("192.168.0.199")
	// An IPv4 header whose checksum, worked out by hand, is 0xb861.
	header := unhex(t, "4500 0073 0000 4000 4011 0000 c0a80001 c0a800c7")
	if got := checksum(0, header); got != 0xb861 {
		t.Errorf("checksum of the header: %#x", got)
	}
	datagram := unhex(t, "3039 d431 000a 0000 4869")
	sum := transportChecksum(protocolUDP, from, to, datagram)
	datagram[6], datagram[7] = byte(sum>>8), byte(sum)
	if got := transportChecksum(protocolUDP, from, to, datagram); got != 0 {
		t.Errorf("a datagram that contains its checksum %#x sums up to %#x, not 0", sum, got)
	}
}
