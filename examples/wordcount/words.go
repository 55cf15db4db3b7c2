package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// file is one to be read. Its fields are exported so that it can be encoded.
type file struct {
	Path string
	Size int64
}

// find returns the files that the paths name; of a directory, all that are in it and below.
func find(paths []string) (files []file, err error) {
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err == nil && info.Mode().IsRegular() {
				files = append(files, file{path, info.Size()})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no files in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

// deal gives each rank about the same number of bytes: the largest file first, always to the rank
// that has the least. It gives the same answer everywhere.
func deal(files []file, ranks int) [][]file {
	shares, bytes := make([][]file, ranks), make([]int64, ranks)
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b file) int { return cmp.Compare(b.Size, a.Size) })
	for _, f := range files {
		least := 0
		for r := range bytes {
			if bytes[r] < bytes[least] {
				least = r
			}
		}
		shares[least] = append(shares[least], f)
		bytes[least] += f.Size
	}
	return shares
}

// count adds the words of a file to counts. A word is a run of letters; capitals count as small
// letters.
func count(path string, counts map[string]int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for text := range strings.FieldsFuncSeq(strings.ToLower(string(text)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		counts[text]++
	}
	return nil
}

// home is the rank that a word belongs to.
func home(text string, ranks int) int {
	h := fnv.New32a()
	h.Write([]byte(text))
	return int(h.Sum32() % uint32(ranks))
}

// word is a word and how often it was found.
type word struct {
	Text  string
	Count int
}

// frequent returns the most frequent words of a map.
func frequent(counts map[string]int, top int) []word {
	all := make([]word, 0, len(counts))
	for text, n := range counts {
		all = append(all, word{text, n})
	}
	return best(all, top)
}

// best returns the most frequent words of a list, in alphabetical order where the counts are equal.
func best(all []word, top int) []word {
	slices.SortFunc(all, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return all[:min(top, len(all))]
}
