package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// The stranger is a program on a host of the job's network that does not belong to the job and does what it can against
// it, until its standard input ends: "stranger MODE words...".
var strangerModes = map[string]func(words []string) error{
	"connect":  strangerConnects,
	"datagram": strangerSends,
	"sniff":    strangerSniffs,
	"replay":   strangerReplays,
	"forge":    strangerForges,
}

func strangerMain() {
	if len(os.Args) < 2 || strangerModes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "stranger: unknown mode", os.Args[1:])
		os.Exit(99)
	}
	go func() {
		if err := strangerModes[os.Args[1]](os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "stranger:", err)
			os.Exit(1)
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// forged is the request of a connection, as anybody can make it, with so much private data.
func forged(private int) []byte {
	b := append([]byte("MPA ID Req Frame"), 0x40, 1)
	b = binary.BigEndian.AppendUint16(b, uint16(private))
	return append(b, make([]byte, private)...)
}

// greetings are what the stranger says on a connection.
func greetings(replayed []byte) [][]byte {
	garbage := make([]byte, 3000)
	for i := range garbage {
		garbage[i] = byte(pattern(i) >> 56)
	}
	return [][]byte{nil, {'M'}, garbage, []byte("GET / HTTP/1.1\r\nHost: h0\r\n\r\n"), forged(0), forged(512), forged(60000),
		replayed, append(append([]byte{}, replayed...), garbage...)}
}

// strangerConnects COUNT FILE TARGETS...: that many connections at once, with greetings of all kinds, the
// request in FILE among them. One that is closed by the other side is made again.
func strangerConnects(words []string) error {
	count, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	replayed, err := os.ReadFile(words[1])
	if err != nil {
		return err
	}
	say, targets := greetings(replayed), words[2:]
	var made, closed atomic.Int64
	for i := range count {
		go func() {
			for {
				c, err := net.Dial("tcp", targets[i%len(targets)])
				if err != nil {
					time.Sleep(10 * time.Millisecond) // the queue of the listener may be full
					continue
				}
				_, _ = c.Write(say[i/len(targets)%len(say)])
				made.Add(1)
				_, _ = io.Copy(io.Discard, c)
				_ = c.Close()
				closed.Add(1)
				time.Sleep(300 * time.Millisecond) // a flood would only show how many processors there are
			}
		}()
	}
	for {
		fmt.Printf("connections made: %d, closed: %d\n", made.Load(), closed.Load())
		if made.Load() >= int64(count) {
			fmt.Println("in place")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// strangerSends TARGETS...: datagrams of all lengths to each of them, some a thousand times a second.
func strangerSends(targets []string) error {
	c, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return err
	}
	garbage := make([]byte, 1400)
	for i := 0; ; i++ {
		for k := range garbage {
			garbage[k] = byte(pattern(i*len(garbage)+k) >> 56)
		}
		to, err := net.ResolveUDPAddr("udp4", targets[i%len(targets)])
		if err != nil {
			return err
		}
		_, _ = c.WriteToUDP(garbage[:i%len(garbage)], to)
		if i == 2000 {
			fmt.Println("in place")
		}
		time.Sleep(time.Millisecond)
	}
}

// strangerSniffs FIRST LAST FILE: listens to everything that this host gets on these ports. The first
// request for a connection, its own ranks' requests included, goes into FILE, and the first datagrams that
// come, with their IP headers and their lengths before them, into FILE.udp.
func strangerSniffs(words []string) error {
	first, err := strconv.Atoi(words[0])
	last, err2 := strconv.Atoi(words[1])
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	fd, err := openEar()
	if err != nil {
		return err
	}
	datagrams, err := os.Create(words[2] + ".udp")
	if err != nil {
		return err
	}
	fmt.Println("in place")
	packet := make([]byte, 1<<16)
	for found, heard := false, 0; ; {
		n, from, err := unix.Recvfrom(fd, packet, 0)
		if err != nil {
			return err
		}
		link, ok := from.(*unix.SockaddrLinklayer)
		comes := ok && link.Pkttype != unix.PACKET_OUTGOING
		protocol, port, payload := dissect(packet[:n])
		switch {
		case port < first || port > last:
		case protocol == unix.IPPROTO_TCP && !found && strings.HasPrefix(string(payload), "MPA ID Req Frame"):
			found = true
			if err := os.WriteFile(words[2], payload, 0o600); err != nil {
				return err
			}
			fmt.Println("heard a request")
		case protocol == unix.IPPROTO_UDP && comes && len(payload) > 0 && n <= 1500 && heard < 200:
			if heard++; heard == 20 {
				fmt.Println("heard datagrams")
			}
			if _, err := datagrams.Write(append(binary.BigEndian.AppendUint16(nil, uint16(n)), packet[:n]...)); err != nil {
				return err
			}
		}
	}
}

// openEar opens a socket that hears all packets of this host.
func openEar() (fd int, err error) {
	fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, int(binary.NativeEndian.Uint16([]byte{unix.ETH_P_ALL >> 8, unix.ETH_P_ALL & 255})))
	if err == nil { // what is missed is not said again
		err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 64<<20)
	}
	return fd, err
}

// strangerForges FIRST LAST: of each datagram that leaves this host for these ports it makes one
// that would be later, with other bytes, and sends that under the name of who sent the first.
func strangerForges(words []string) error {
	first, err := strconv.Atoi(words[0])
	last, err2 := strconv.Atoi(words[1])
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	ear, err := openEar()
	if err != nil {
		return err
	}
	mouth, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
	if err != nil {
		return err
	}
	const own = 33 // the time to live of what we have made ourselves
	packet, made := make([]byte, 1<<16), 0
	for {
		n, from, err := unix.Recvfrom(ear, packet, 0)
		if err != nil {
			return err
		}
		link, ok := from.(*unix.SockaddrLinklayer)
		protocol, port, payload := dissect(packet[:n])
		if !ok || link.Pkttype != unix.PACKET_OUTGOING || protocol != unix.IPPROTO_UDP || port < first || port > last || n > 1500 || packet[8] == own || !forge(payload) {
			continue
		}
		head := int(packet[0]&15) * 4
		packet[8], packet[head+6], packet[head+7] = own, 0, 0
		if err := unix.Sendto(mouth, packet[:n], 0, &unix.SockaddrInet4{Addr: [4]byte(packet[16:20])}); err != nil {
			return err
		}
		if made++; made == 100 {
			fmt.Println("in place")
		}
	}
}

// forge makes of a datagram one that comes later, with other bytes, and has what might be a CRC fit
// again: that of what is changed is known, whatever it starts from. It answers false for a datagram
// without a payload.
func forge(b []byte) bool {
	const header, crc = 18 + 20, 4 // of a Send and of a frame
	before, table := append([]byte(nil), b...), crc32.MakeTable(crc32.Castagnoli)
	switch {
	case len(b) > header+crc && b[0]&3 == 1: // ud: the frame's number
		binary.LittleEndian.PutUint32(b[18+8:], binary.LittleEndian.Uint32(b[18+8:])+100)
		b[header] ^= 1
	case len(b) > 16+header+crc && b[0]&0x83 == 0x82: // rd: the datagram's, and the frame's
		binary.BigEndian.PutUint32(b[4:], binary.BigEndian.Uint32(b[4:])+20)
		binary.LittleEndian.PutUint32(b[16+18+8:], binary.LittleEndian.Uint32(b[16+18+8:])+20)
		b[16+header] ^= 1
	default:
		return false
	}
	end := len(b) - crc
	change := crc32.Checksum(before[:end], table) ^ crc32.Checksum(b[:end], table)
	binary.LittleEndian.PutUint32(b[end:], binary.LittleEndian.Uint32(b[end:])^change)
	return true
}

// dissect finds protocol, destination port and payload of an IPv4 packet.
func dissect(p []byte) (protocol, port int, payload []byte) {
	if len(p) < 20 || p[0]>>4 != 4 {
		return 0, 0, nil
	}
	head := int(p[0]&15) * 4
	protocol = int(p[9])
	size := 8
	if protocol == unix.IPPROTO_TCP {
		size = 20
	}
	if len(p) < head+size {
		return 0, 0, nil
	}
	if protocol == unix.IPPROTO_TCP {
		size = int(p[head+12]>>4) * 4
	}
	if len(p) < head+size {
		return 0, 0, nil
	}
	return protocol, int(binary.BigEndian.Uint16(p[head+2:])), p[head+size:]
}

// strangerReplays FILE: sends the datagrams in FILE.udp again and again, under the name of who sent them
// first, and with a byte changed.
func strangerReplays(words []string) error {
	text, err := os.ReadFile(words[0] + ".udp")
	if err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		for rest := text; len(rest) > 2; {
			n := int(binary.BigEndian.Uint16(rest))
			packet := rest[2 : 2+n]
			rest = rest[2+n:]
			head := int(packet[0]&15) * 4
			packet[head+6], packet[head+7] = 0, 0 // no checksum: the first one may be unfinished, for the interface to fill in
			if round%2 == 1 {
				packet[head+8+round%(n-head-8)] ^= 1
			}
			to := &unix.SockaddrInet4{Addr: [4]byte(packet[16:20])}
			if err := unix.Sendto(fd, packet, 0, to); err != nil {
				return err
			}
			time.Sleep(time.Millisecond)
		}
		if round == 3 {
			fmt.Println("in place")
		}
	}
}
