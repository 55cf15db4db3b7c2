package experiments

// knownCollectives lists the bars of chapters 3 to 5 of document 002 that are not kept, and of chapter 5 of document 000 those of one-sided and
// collective operations.
var knownCollectives = []Miss{
	{"002.F3.2", "both ways: two rails over one at 1 MB", Model, "cutting and matching cost nothing on the model's interfaces, and a message of 1 MB is long enough to hide its handshake: two rails carry twice what one does"},
	{"002.F3.3", "both ways: two rails over one at 1 MB", Model, "as in F3.2; nothing that both rails share is near its limit on the model, and the document's remote writes do reach 1332 MB/s on that machine"},
	{"002.F3.11", "best at 128 B", Model, noAlltoall},
	{"002.F3.11", "best at 512 B", Model, noAlltoall},
	{"002.F4.2", "bcast of 16 KB: shm_bcast, times faster", Model, noCaches},
	{"002.F4.2", "bcast of 128 KB: shm_bcast, times faster", Model, noCaches},
	{"002.F4.5", "best at 64 B", Model, rootAlone},
	{"002.F4.5", "best at 256 B", Model, rootAlone},
	{"002.F5.2", "most of 4 groups as of 3 within 5%", Model, "the greatest gain is with 256 B, where the model's interface takes more messages per second than nine connections give it; from 2 KB on 3 and 4 groups are within 8%"},
	{"002.F5.6", "best at 512 B", Model, fourGroups},
	{"002.F5.6", "best at 16 KB", Model, fourGroups},
}

const (
	noCaches   = "a copy costs the same per byte at any length on the model, which has no caches: what F4.1 says of copies makes 16 KB take 64 µs through memory and 56 by the broadcast of the hardware, and 128 KB 337 and some 400. The document's copies must be cheaper when short and dearer when long"
	rootAlone  = "all blocks pass through the root, whose interface takes in three nodes' and sends out everything, while in SMP Bruck each node sends a quarter: 15 µs against 11 at 64 B, 32 against 20 at 256 B, and 7.0 against 7.6 at 4 B, where it is the best"
	noAlltoall = "the document does not tell what elan_alltoall does; taken for it here is memory of nodes up to 2 KB, as in its gather, and 512 B copied in and out by all take 133 µs, against 57 µs of two ports, and 128 B 40 µs, against 35 µs of Bruck. The factor at 2 KB, 2.26 in the document, is 2.4"
	fourGroups = "four groups win: they have the least memory traffic (80 M against 88 M in table 5.1), and the model's interface has its best with 16 connections, the document's with 8 (F5.1)"
)
