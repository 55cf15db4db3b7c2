package bench

import (
	"slices"
	"strings"
)

// operationTests are the operations of mpi that the OSU suite does not have in this form: other
// modes of sending, exchanges, counts, non-blocking forms, communicators, windows.
func operationTests() []Test {
	exscan := Test{Name: "exscan", Title: "MPI Exscan Latency Test", About: "sum over the ranks before me",
		Shape: Collective, Vector: true, Smallest: 4, Largest: mib}
	counted := countedTests()
	all := append(modeTests(),
		exchangeOf("sendrecv", "to the right and from the left neighbour at once"),
		exchangeOf("sendrecv_replace", "the same out of and into one buffer"))
	all = append(all, patternTests()...)
	all = append(all, layoutTests()...)
	all = append(all, keptTests()...)
	all = append(all, exscan)
	all = append(all, counted...)
	all = append(all, startedTests(slices.Concat(basics(), []Test{exscan}, counted, layoutTests()))...)
	return append(all,
		commTest("dup", "duplicate the communicator, and free it"),
		commTest("split", "halves of the communicator, and free them"),
		commTest("split_shared", "a communicator of each host, and free it"),
		commTest("create", "a communicator of a group, and free it"),
		windowTest("win_allocate", "a window over memory of the library's, and free it"),
		windowTest("win_create", "a window over memory of the program's, and free it"),
	)
}

// modeTests are ping-pongs whose messages are sent or received in another way than by Send and Recv.
func modeTests() []Test {
	var all []Test
	for _, m := range []struct{ name, about string }{
		{"isend", "messages that are started and waited for at both ends"},
		{"ssend", "synchronous sends"},
		{"bsend", "buffered sends"},
		{"rsend", "ready sends: receives are posted before"},
		{"issend", "synchronous sends that are started and waited for"},
		{"ibsend", "buffered sends that are started and waited for"},
		{"irsend", "ready sends that are started and waited for"},
		{"persistent", "persistent sends and receives that are started and waited for"},
		{"probe", "receives after a probe"},
		{"mprobe", "receives of probed messages"},
	} {
		all = append(all, Test{Name: m.name, Title: "MPI " + m.name + " Latency Test", About: "half round trip of pairs, " + m.about,
			Shape: PingPong, EvenRanks: true, Mode: m.name, Largest: 4 * mib})
	}
	return all
}

// layoutTests move elements that do not lie next to each other: their sizes count what is moved.
func layoutTests() []Test {
	var all []Test
	for _, l := range []struct{ name, about string }{
		{"strided1", "every second double"},
		{"strided8", "blocks of 8 doubles, as far apart"},
		{"strided64", "blocks of 64 doubles, as far apart"},
		{"indexed", "blocks of 1 to 3 doubles at uneven distances"},
		{"fields", "three fields of structs, half of their bytes"},
	} {
		all = append(all, Test{Name: l.name, Title: "MPI " + l.name + " Latency Test", About: "half round trip of pairs, " + l.about,
			Shape: PingPong, EvenRanks: true, Mode: l.name, Smallest: 64, Largest: 4 * mib})
	}
	return append(all, Test{Name: "alltoallw", Title: "MPI Alltoallw Latency Test", About: "every second double of a block from each rank to each",
		Shape: Collective, Spread: true, Smallest: 64, Largest: mib})
}

// keptTests are what is made once and started again and again, but for messages in one piece, which modeTests have.
func keptTests() []Test {
	all := []Test{{Name: "partitioned", Title: "MPI partitioned Latency Test", About: "half round trip of pairs, messages in 8 parts that get ready one by one",
		Shape: PingPong, EvenRanks: true, Recent: true, Mode: "partitioned", Smallest: Parts, Largest: 4 * mib}}
	for _, name := range []string{"bcast", "allreduce", "alltoall"} {
		t := basic(name)
		t.Operation, t.Kept, t.Recent = t.Name, true, true
		t.Name += "_init"
		t.Title = "MPI " + t.Name + " Latency Test"
		t.About += "; made once, started and waited for"
		all = append(all, t)
	}
	return all
}

// Parts is how many parts partitioned messages have.
const Parts = 8

// patternTests are exchanges as programs make them, and messages by many goroutines.
func patternTests() []Test {
	paired := func(t Test) Test { t.EvenRanks = true; return t }
	threaded := func(t Test) Test {
		t.EvenRanks, t.Threads, t.ShareText, t.Largest = true, true, "goroutines", 64*kib
		return t
	}
	return []Test{
		paired(exchangeOf("isend_irecv", "pairs: a receive and a send are started and waited for together")),
		paired(exchangeOf("persistent_pair", "the same with persistent requests")),
		paired(exchangeOf("waitall8", "the same with eight of each")),
		paired(exchangeOf("test_loop", "the same by a loop over Test")),
		exchangeOf("self", "each rank sends to itself"),
		exchangeOf("halo2d", "with the 4 neighbours in a periodic grid"),
		exchangeOf("halo3d", "with the 6 neighbours in a periodic grid"),
		exchangeOf("cart2d", "all to all with the 4 neighbours in a periodic Cartesian grid"),
		exchangeOf("cart3d", "all to all with the 6 neighbours in a periodic Cartesian grid"),
		threaded(Test{Name: "latency_mt", Title: "OSU MPI Multi-threaded Latency Test",
			About: "half round trip of pairs by several goroutines of each rank, over all of them", Shape: PingPong}),
		threaded(Test{Name: "rate_mt", Title: "MPI Multi-threaded Message Rate Test",
			About: "bandwidth and message rate of pairs by several goroutines of each rank", Shape: Stream, Rate: true, Smallest: 1}),
	}
}

func exchangeOf(name, about string) Test {
	return Test{Name: name, Title: "MPI " + name + " Latency Test", About: about,
		Shape: Collective, Chained: true, Smallest: 1, Largest: mib}
}

// countedTests are the v-forms, each with equal counts and with skewed ones.
func countedTests() []Test {
	var all []Test
	for _, name := range []string{"gather", "scatter", "allgather", "alltoall", "reduce_scatter"} {
		t := basic(name)
		t.Name += "v"
		t.Title = "OSU MPI " + strings.ToUpper(t.Name[:1]) + t.Name[1:] + " Latency Test"
		t.About += ", by counts that are equal"
		all = append(all, t)
		t.Operation, t.Skewed = t.Name, true
		t.Name += "_skewed"
		t.About = strings.Replace(t.About, "equal", "skewed: some 0, one several times the mean", 1)
		all = append(all, t)
	}
	return all
}

// startedTests are the non-blocking forms of collectives, with equal counts.
func startedTests(of []Test) []Test {
	var all []Test
	for _, t := range of {
		if t.Shape != Collective || t.Skewed {
			continue
		}
		t.Operation, t.Starts = t.Name, true
		t.Name = "i" + t.Name
		t.Title = "MPI " + t.Name + " Latency Test"
		t.About += "; started and waited for"
		all = append(all, t)
	}
	return all
}

func commTest(name, about string) Test {
	return Test{Name: name, Title: "MPI " + name + " Latency Test", About: about, Shape: Collective, Sizeless: true, Manages: true}
}

func windowTest(name, about string) Test {
	return Test{Name: name, Title: "MPI " + name + " Latency Test", About: about,
		Shape: Collective, Manages: true, Smallest: 1, Largest: mib}
}

// Skew returns how much each of ranks has when counts are skewed and their mean is mean: every
// third rank nothing, the others half the mean, and the last all that is left, which is several
// times the mean.
func Skew(mean, ranks int) []int {
	counts := make([]int, ranks)
	left := mean * ranks
	for r := range ranks - 1 {
		if r%3 != 0 {
			counts[r] = mean / 2
		}
		left -= counts[r]
	}
	counts[ranks-1] = left
	return counts
}
