package experiments

// knownApps lists the bars of figures with applications that are not kept.
var knownApps = []Miss{
	{"F4.17a", "CG.B, not adaptive: waits become shorter", Model, rarelyCrossing},
	{"F4.17a", "CG.B, adaptive: waits become shorter", Model, rarelyCrossing},
	{"F4.17b", "CG.B: offers that are used", Model, rarelyCrossing},
	{"T5.1", "CG: sends from a buffer that was used before within 35%", Document, "CG sends all its short messages, of 8 and 16 B, from one buffer, 7904 times, as the document says in the same table. So all but the first are repeated; 42.94% must count other sends, or none below 128 B"},
	{"T5.4", "LU: buffers in frequent use within 35%", Model, "our LU has one buffer for all its edges, and the table knows buffers by their place: one of one is in frequent use. The document does not say what the other two thirds are; the collectives before and after the steps are not among ours, since they send what they copied"},
	{"F5.10", "LU: gain in sends within 35%", Document, "an interface that fetches a payload reads the buffer until then, so a blocking send without the copy must last as long: 10% longer, in the mean of all sends, than with the copy of 1.6 KB. The document's formulas (5.1 and 5.2) leave that out, and its gain is what the copy alone takes. Left to itself Weft copies what a blocking send has (lab_reuse_waits=off), and loses nothing"},
	{"F6.6", "from 16 processes: the least that any application gains", Defect, longOverDatagrams},
	{"F6.7", "C2: the most that any application gains within 35%", Model, wireRules},
	{"F6.7", "from 16 processes: the least that any application gains", Defect, longOverDatagrams},
	{"002.T4.1", "RADIX: times as fast", Model, fewGathers},
	{"002.T4.1", "RADIX: its communication, times as fast", Model, fewGathers},
	{"002.T6.3", "N-BODY on 16: over the library within 35%", Model, "its processes spend most of the time of their allgathers waiting for those that still compute forces, which no algorithm shortens: they are 1% apart by assumption, and 16 to 768 B take little beside that. So all three algorithms are within 2% of each other on any number of processes"},
	{"004.T1", "IS: peers with a ring within 5%", Model, bruckPeers},
	{"004.T1", "IS: watermark events", Model, burstOfOffers},
	{"004.T1", "FT: watermark events", Model, burstOfOffers},
	{"004.T1", "SP: peers with a ring within 25%", Model, fewShort},
	{"004.T1", "most of the time in MPI", Model, "FT moves 8.6 MB in an alltoall, 10 ms at the network's rate, where it computes for 0.2 s: 6%. The document's 38% is several times what its network needs, so its processes must have waited for each other; ours differ by the assumed 1%"},
	{"004.F4", "IS on 64: ARDMA-SR over SRQ", Model, smallerQueue},
	{"004.F4", "MG on 64: ARDMA-SR over SRQ", Model, smallerQueue},
	{"004.F4", "CG on 64: ARDMA-SR over SRQ", Model, smallerQueue},
	{"004.F4", "FT on 64: ARDMA-SR over SRQ", Model, smallerQueue},
	{"004.F4", "the slowest channel of any kernel, of the fastest", Model, "IS lasts 0.2 s. On ARDMA-SR the full sets of receives for 63 peers are 77 MB to register, which takes 30 ms of these at the price that the model has for a page. The document's library allocates them as well. All others are within 2%"},
}

// Reasons of the applications.
const (
	rarelyCrossing = "19 of 20 offers of CG.B come before their sender has asked, as ranks differ by 1% and more; the document's crossed in one case of five or more, which ranks in step do. What an offer costs that crosses is 0.6% here (F4.19a)"
	wireRules      = "RADIX gains 45% of its time in calls on 16 processes, as in the document, but these calls are half of its time with the assumed speed of the processors: 22% of the run time"
	fewGathers     = "the allgathers of 4 KB are 14% of the time in calls here, and become twice as fast. By the document's two numbers they must be two thirds of it: it sorted fewer keys, or waits for ranks that come late count as theirs. How many keys it sorted is not said"

	longOverDatagrams = "messages of CG and MG above 64 KB are cut into datagrams here, each of which its receiver copies, and connections write them; on one processor per rank the copies come on top"

	bruckPeers    = "the alltoall of 4 B is Bruck's here, whose messages come from the ranks 1, 2, 4 and so on before, and 8.5 is the mean of these and of the partners of the reduction. The document's 6.14 fits an alltoall by doubling, whose partners are the six of the reduction"
	fewShort      = "all short messages of SP are in the broadcasts before its steps and in the two reductions after them: too few for a ring to any peer. The document does not say what others its library sent"
	burstOfOffers = "offers of long messages from 63 peers come at once to 64 shared receives; with 512 in the beginning (--set lab_srq_size=512) there are still some on each process. The document does not say how many there are"
	smallerQueue  = "SRQ takes 1.1 to 1.3 MB here. If all kernels take about as much on SRQ in the document, as its 5 MB suggest, 512 receives of 9 KB would be it. ARDMA-SR with its 77 MB in IS and 74 in FT, 63 full sets of receives of 17 KB, would be 17 times that, with receives of 12 KB twelve times; CG and MG would be 1.6 and 3.3 times that"
)
