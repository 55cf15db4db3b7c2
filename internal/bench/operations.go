package bench

import (
	"slices"
	"strings"
)

// operationTests are the operations of mpi that the OSU suite does not have in this form: other
// modes of sending, rings, counts, non-blocking forms, communicators, windows.
func operationTests() []Test {
	exscan := Test{Name: "exscan", Title: "MPI Exscan Latency Test", About: "sum over the ranks before me",
		Shape: Collective, Vector: true, Smallest: 4, Largest: mib}
	counted := countedTests()
	all := append(modeTests(),
		ringTest("sendrecv", "to the right and from the left neighbour at once"),
		ringTest("sendrecv_replace", "the same out of and into one buffer"),
		exscan)
	all = append(all, counted...)
	all = append(all, startedTests(slices.Concat(basics(), []Test{exscan}, counted))...)
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

func ringTest(name, about string) Test {
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
