package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// scaled returns full, or short in a short test, which it tells.
func scaled(t *testing.T, full, short int, what string) int {
	t.Helper()
	if !testing.Short() {
		return full
	}
	t.Logf("%d %s instead of %d: this is a short test", short, what, full)
	return short
}

// availableMemory is what a test may use, in GiB: what the kernel has, and what the container's limit leaves.
func availableMemory() int {
	text, _ := os.ReadFile("/proc/meminfo")
	m := regexp.MustCompile(`MemAvailable: +(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0
	}
	kilobytes, _ := strconv.Atoi(string(m[1]))
	free := kilobytes >> 20
	limit, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if bytes, err2 := strconv.Atoi(strings.TrimSpace(string(limit))); err == nil && err2 == nil {
		used, _ := os.ReadFile("/sys/fs/cgroup/memory.current")
		taken, _ := strconv.Atoi(strings.TrimSpace(string(used)))
		free = min(free, (bytes-taken)>>30)
	}
	return free
}

// A message whose length does not fit into 32 bits arrives whole, by single copies.
func TestFaultMessageOf5GiB(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 10 GiB of memory and several seconds")
	}
	if free := availableMemory(); free < 14 {
		t.Skipf("needs 14 GiB of memory, %d are available", free)
	}
	r := faultJob{ranks: 2, program: "large 5120", limit: 600}.run(t, 0)
	r.printed(t, "5368709120 bytes intact\n", 1)
}

// A message that is a thousand times as long as the ring it has to go through.
func TestFaultLongMessageThroughRing(t *testing.T) {
	megabytes := scaled(t, 600, 60, "MiB")
	r := faultJob{ranks: 2, env: []string{"WEFT_CMA=off"}, program: fmt.Sprintf("large %d", megabytes)}.run(t, 0)
	r.printed(t, fmt.Sprintf("%d bytes intact\n", megabytes<<20), 1)
}

// Messages that come before anybody asks for them are kept, as many as there are, and matched in any order.
func TestFaultUnexpectedMessages(t *testing.T) {
	count := scaled(t, 1_000_000, 100_000, "messages")
	for _, order := range []string{"forward", "reverse"} {
		r := faultJob{ranks: 2, program: fmt.Sprintf("unexpected %d %s", count, order)}.run(t, 0)
		r.printed(t, fmt.Sprintf("%d messages in order\n", count), 1)
	}
}

// Many more ranks than processors start, agree on something and end.
func TestFaultManyRanks(t *testing.T) {
	ranks := scaled(t, 64, 24, "ranks")
	r := faultJob{ranks: ranks, program: "sum"}.run(t, 0)
	r.printed(t, fmt.Sprintf("of %d: the sum is %d\n", ranks, ranks*(ranks-1)/2), ranks)
}

func TestFaultCrowdedCollectives(t *testing.T) {
	rounds := scaled(t, 200, 20, "rounds")
	r := faultJob{ranks: 16, flags: "--set check=on", program: fmt.Sprintf("collective %d", rounds)}.run(t, 0)
	r.printed(t, "all rounds right", 1)
}

// A rank that waits leaves its processor to others.
func TestFaultIdleRank(t *testing.T) {
	pause := scaled(t, 1000, 500, "milliseconds")
	r := faultJob{ranks: 2, program: fmt.Sprintf("idle %d", pause)}.run(t, 0)
	var percent float64
	if _, err := fmt.Sscanf(r.out.String(), "idle %f percent", &percent); err != nil {
		t.Fatalf("%v: %q", err, r.out.String())
	}
	if percent >= 1 {
		t.Errorf("a rank that waits in Recv uses %.2f percent of a processor", percent)
	}
	t.Logf("a rank that waits in Recv uses %.3f percent of a processor", percent)
}
