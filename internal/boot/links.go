package boot

// LinkInfo describes a link for people.
type LinkInfo struct{ Name, Text string }

// Links lists the ways that messages can travel in this version, in the order in which they are preferred.
func Links() []LinkInfo {
	return []LinkInfo{
		{"inproc", "ranks of one process, and a rank to itself: mailboxes; long messages by one copy"},
		{"shm", "processes of one host: rings in an anonymous shared segment; long messages by one copy where the kernel allows it"},
		{"rail", "processes of different hosts: RDMA, in software over TCP or UDP or by adapters (WEFT_DEVICE), several interfaces at a time; long messages straight into place"},
	}
}
