package hosts

import (
	"context"
	"net"
	"os"
	"strings"
	"time"
)

// Here tells whether name is this host: localhost, its own name, an address of its own, or a longer form of its own
// name that resolves to such an address.
func Here(name string) bool {
	if name == "localhost" {
		return true
	}
	if ip := net.ParseIP(name); ip != nil {
		return ownAddress(ip)
	}
	own, err := os.Hostname()
	if err != nil {
		return false
	}
	if strings.EqualFold(name, own) {
		return true
	}
	short, _, _ := strings.Cut(own, ".")
	first, _, long := strings.Cut(name, ".")
	if !strings.EqualFold(first, short) {
		return false
	}
	return !long || resolvesHere(name)
}

// resolvesHere looks name up; two hosts of different domains may share their first word.
func resolvesHere(name string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupIPAddr(ctx, name)
	if err != nil {
		return false
	}
	for _, a := range addresses {
		if ownAddress(a.IP) {
			return true
		}
	}
	return false
}

func ownAddress(ip net.IP) bool {
	if ip.IsLoopback() {
		return true
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range own {
		if n, ok := a.(*net.IPNet); ok && n.IP.Equal(ip) {
			return true
		}
	}
	return false
}
