package bench

// Epoch is what an operation on a window stands between.
type Epoch int

// The epochs.
const (
	Flushed Epoch = iota // one lock for all operations, a flush after each
	Fenced               // fences of all ranks
	Posted               // post and wait of the target, start and complete of who operates
	Locked               // a lock of its own
)

// sidedTests are operations on windows.
func sidedTests() []Test {
	row := func(name, verb, title, about string) Test {
		return Test{Name: name, Title: "OSU MPI_" + title + " Latency Test", About: about, Shape: Sided, EvenRanks: true, Verb: verb,
			Smallest: 1, Largest: 4 * mib}
	}
	within := func(e Epoch, t Test) Test { t.Epoch = e; return t }
	created := func(t Test) Test { t.Created = true; return t }
	requested := func(t Test) Test { t.Starts = true; return t }
	sums := func(t Test) Test { t.Vector, t.Smallest = true, 4; return t }
	number := func(bytes int, t Test) Test { t.Smallest, t.Largest = bytes, bytes; return t }
	return []Test{
		row("put", "put", "Put", "put and flush, into memory that the library allocated"),
		row("get", "get", "Get", "get and flush, from memory that the library allocated"),
		within(Fenced, row("put_fence", "put", "Put", "put between fences of all ranks")),
		within(Fenced, row("get_fence", "get", "Get", "get between fences of all ranks")),
		created(row("put_created", "put", "Put", "put and flush, into memory of the program's")),
		created(row("get_created", "get", "Get", "get and flush, from memory of the program's")),
		number(8, row("fetch_op", "fetch", "Fetch_and_op", "add to a number of another rank's and get what it was")),

		within(Posted, row("put_post", "put", "Put", "put between start and complete, post and wait of the target")),
		within(Posted, row("get_post", "get", "Get", "get between start and complete, post and wait of the target")),
		within(Locked, row("put_lock", "put", "Put", "put between lock and unlock")),
		within(Locked, row("get_lock", "get", "Get", "get between lock and unlock")),
		requested(row("rput", "put", "Rput", "put that is waited for, and flush")),
		requested(row("rget", "get", "Rget", "get that is waited for")),
		sums(row("accumulate", "accumulate", "Accumulate", "add to the numbers of another rank, and flush")),
		sums(row("get_accumulate", "get_accumulate", "Get_accumulate", "the same, and get what they were")),
		number(4, row("compare_swap", "swap", "Compare_and_swap", "change a number of another rank's if it is what is expected")),
	}
}
