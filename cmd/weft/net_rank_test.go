package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/soak"
	"github.com/weft-mpi/weft/mpi"
)

// netModes are what a rank of a job over several hosts can do: "netrank MODE words...". Modes that go on until there is
// a file take its name as their first word; rank 0 looks for it.
var netModes = map[string]func(world *mpi.Comm, words []string) error{
	"soak":   netSoak,
	"every":  netEvery,
	"rounds": netRounds,
	"stream": netStream,
	"wait":   netWait,
	"idle":   netIdle,
}

// netRank is the whole program.
func netRank() {
	if len(os.Args) > 2 && os.Args[1] == "key" {
		os.Exit(netKey(os.Args[2]))
	}
	if len(os.Args) < 2 || netModes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "netrank: unknown mode", os.Args[1:])
		os.Exit(99)
	}
	if deny := os.Getenv("NETRANK_DENY"); deny != "" && deny == os.Getenv("WEFT_HOST") {
		if err := denyCopies(); err != nil {
			fmt.Fprintln(os.Stderr, "netrank:", err)
			os.Exit(98)
		}
	}
	mpi.Main(func(world *mpi.Comm) error { return netModes[os.Args[1]](world, os.Args[2:]) })
}

// netSoak SEED ROUNDS: random messages of every kind and collectives, each byte checked.
func netSoak(world *mpi.Comm, words []string) error {
	seed, err := strconv.ParseUint(words[0], 10, 64)
	rounds, err2 := strconv.Atoi(words[1])
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	sum, err := soak.Run(world, soak.Config{Seed: seed, Rounds: rounds, Limit: time.Minute})
	if err == nil && world.Rank() == 0 {
		fmt.Printf("%d collectives and %d messages right\n", sum.Collectives, sum.Messages)
	}
	return err
}

// netEvery BYTES...: every collective of each length, checked, on several communicators.
func netEvery(world *mpi.Comm, words []string) error {
	var cfg soak.EveryConfig
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil {
			return err
		}
		cfg.Bytes = append(cfg.Bytes, n)
	}
	calls, err := soak.Every(world, cfg)
	if err == nil && world.Rank() == 0 {
		fmt.Printf("%d collectives right\n", calls)
	}
	return err
}

// netRounds FILE: short and long messages around a ring and collectives, checked, until there is the file.
func netRounds(world *mpi.Comm, words []string) error {
	f := &faulty{world: world}
	steps := []func(round int) error{f.exchange(25), f.exchange(50_000), f.collectives}
	for round, over := 0, false; !over; round++ {
		for _, step := range steps {
			if err := step(round); err != nil {
				return err
			}
		}
		if world.Rank() == 0 && round%10 == 0 {
			fmt.Printf("round %d\n", round)
		}
		var err error
		if over, err = netOver(world, words[0]); err != nil {
			return err
		}
	}
	if world.Rank() == 0 {
		fmt.Println("all rounds right")
	}
	return nil
}

// netStream FILE MEGABYTES: rank 0 sends long messages to rank 1, which looks at every byte, until there is the file.
func netStream(world *mpi.Comm, words []string) error {
	megabytes, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	buf := make([]uint64, megabytes<<17)
	for number, over := 0, false; !over; number++ {
		if world.Rank() == 0 {
			err = netSendLong(world, buf, number)
		} else {
			err = netReceiveLong(world, buf, number)
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", number, err)
		}
		if over, err = netOver(world, words[0]); err != nil {
			return err
		}
	}
	return nil
}

func netSendLong(world *mpi.Comm, buf []uint64, number int) error {
	for i := range buf {
		buf[i] = pattern(i + number)
	}
	fmt.Printf("sending %d\n", number)
	return mpi.Send(world, buf, 1, 0)
}

func netReceiveLong(world *mpi.Comm, buf []uint64, number int) error {
	clear(buf)
	if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
		return err
	}
	for i, got := range buf {
		if want := pattern(i + number); got != want {
			return fmt.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
	fmt.Printf("whole %d\n", number)
	return nil
}

// netOver tells all ranks alike whether rank 0 has seen the file.
func netOver(world *mpi.Comm, file string) (bool, error) {
	over := []bool{false}
	if world.Rank() == 0 {
		_, err := os.Stat(file)
		over[0] = err == nil
	}
	err := mpi.Bcast(world, over, 0)
	return over[0], err
}

// netWait RANK: all others wait for a message of that rank, which waits for one that nobody sends.
func netWait(world *mpi.Comm, words []string) error {
	rank, err := strconv.Atoi(words[0])
	if err == nil {
		err = mpi.Barrier(world)
	}
	if err != nil {
		return err
	}
	fmt.Printf("rank %d is process %d\n", world.Rank(), os.Getpid())
	if world.Rank() == rank {
		rank = (rank + 1) % world.Size()
	}
	_, err = mpi.Recv(world, make([]byte, 1), rank, 0)
	return err
}

// netKey FILE: speaks to the launcher alone, asks it for the job's key, says it and waits until there is the file.
func netKey(file string) int {
	fd, err := strconv.Atoi(os.Getenv("PMI_FD"))
	if err != nil {
		return 98
	}
	control, err := pmi.Inherit(fd)
	if err != nil {
		return 97
	}
	client := pmi.NewClient(control, true)
	key, found, err := "", false, client.Init()
	if err == nil {
		key, found, err = client.Get(pmi.JobKey)
	}
	if raw, bad := hex.DecodeString(key); err != nil || !found || bad != nil || len(raw) != 32 {
		fmt.Println("no key:", key, found, err, bad)
		return 96
	}
	fmt.Println("key", key)
	for {
		if _, err := os.Stat(file); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if errors.Join(client.Barrier(), client.Finalize()) != nil {
		return 95
	}
	return 0
}
