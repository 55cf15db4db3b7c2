// Command wordcount counts the words in files: a small map-reduce.
//
// Rank 0 finds the files and tells all ranks; every rank reads its share of them and counts (map).
// Each word belongs to one rank, which gets everybody's counts for it (shuffle) and adds them up
// (reduce); rank 0 collects the most frequent ones. It shows BcastValue, SendValue and RecvValue
// for maps and structs, and a goroutine that sends while the rank receives, so that no rank waits
// for another one to listen. The files must have the same names on all hosts. Run it with
//
//	weft run -n 4 ./examples/wordcount docs
//	weft run -n 4 ./examples/wordcount -top 20 README.md docs examples
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	top := flag.Int("top", 10, "show that many of the most frequent words")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: wordcount [-top n] file-or-directory ...")
		flag.PrintDefaults()
	}
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *top, flag.Args()) })
}

// Tags say what a message is.
const (
	tagCounts = iota // counts of words that belong to the receiver
	tagTop           // the most frequent words of a rank, for rank 0
)

// run counts, and has rank 0 print the result.
func run(world *mpi.Comm, out io.Writer, top int, paths []string) error {
	if top < 0 {
		return fmt.Errorf("-top %d: it must not be negative", top)
	}
	if len(paths) == 0 {
		return errors.New("name files or directories: weft run -n 4 ./examples/wordcount docs")
	}
	var files []file
	if world.Rank() == 0 {
		var err error
		if files, err = find(paths); err != nil {
			return err
		}
	}
	files, err := mpi.BcastValue(world, files, 0)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, f := range deal(files, world.Size())[world.Rank()] {
		if err := count(f.Path, counts); err != nil {
			return err
		}
	}
	own, err := shuffle(world, counts)
	if err != nil {
		return err
	}
	total := []int{0, len(own)} // words, different words
	for _, n := range own {
		total[0] += n
	}
	sums := make([]int, 2)
	if err := mpi.Reduce(world, total, sums, mpi.Sum, 0); err != nil {
		return err
	}
	best, err := collect(world, frequent(own, top), top)
	if err != nil || world.Rank() != 0 {
		return err
	}
	fmt.Fprintf(out, "%d files on %d ranks: %d words, %d different ones\n", len(files), world.Size(), sums[0], sums[1])
	for _, w := range best {
		fmt.Fprintf(out, "%8d %s\n", w.Count, w.Text)
	}
	return nil
}

// shuffle brings the counts of every word to the rank that it belongs to, and returns the sums for
// this rank's words. All ranks call it.
func shuffle(world *mpi.Comm, counts map[string]int) (map[string]int, error) {
	parts := make([]map[string]int, world.Size())
	for r := range parts {
		parts[r] = map[string]int{}
	}
	for text, n := range counts {
		parts[home(text, world.Size())][text] = n
	}
	sent := make(chan error)
	go func() {
		var err error
		for i := range parts {
			to := (world.Rank() + i) % world.Size() // not all to the same one at a time
			err = errors.Join(err, mpi.SendValue(world, parts[to], to, tagCounts))
		}
		sent <- err
	}()
	own := map[string]int{}
	var err error
	for range parts {
		part, _, rerr := mpi.RecvValue[map[string]int](world, mpi.AnySource, tagCounts)
		err = errors.Join(err, rerr)
		for text, n := range part {
			own[text] += n
		}
	}
	return own, errors.Join(err, <-sent)
}

// collect returns the most frequent words of all ranks at rank 0, and nil at the others.
func collect(world *mpi.Comm, own []word, top int) ([]word, error) {
	if world.Rank() != 0 {
		return nil, mpi.SendValue(world, own, 0, tagTop)
	}
	all := own
	for range world.Size() - 1 {
		more, _, err := mpi.RecvValue[[]word](world, mpi.AnySource, tagTop)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return best(all, top), nil
}
