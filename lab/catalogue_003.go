package lab

// overlap lists the figures of document 003.
var overlap = []Figure{
	{ID: "003.F1", Title: "Blocks of the NE020", Axes: "diagram", Platform: "IW3", How: "T", Claims: []string{"parallel engines, 256 MB"}, Bars: []string{"the text of the profile"}},
	{ID: "003.F2", Title: "Latency and bandwidth of four MPIs", Axes: "time (µs) and bandwidth (MB/s) over message size", Platform: "IB4 MX2 IW3", How: "F",
		Claims: []string{"the same order of magnitude", "iWARP: higher latency, higher bandwidth when large", "Myrinet low (PCIe x4)"}, Bars: []string{"the order holds"}},
	{ID: "003.F3", Same: "F3.13", Title: "Timing model of overlap", Axes: "diagram", How: "T", Bars: []string{"as F3.13"}},
	{ID: "003.F4", Title: "Overlap of four MPIs", Axes: "percent over message size; send and receive", Platform: "IB4 MX2 IW3", How: "F",
		Claims: []string{"eager sends overlap well everywhere", "iWARP dips at 64 KB", "RGET sends to about 100% at 1 MB, RPUT about 0", "receives about 0 at 1 MB on InfiniBand and iWARP", "Myrinet receives: eager 30-75%, rendezvous high"},
		Bars:   []string{"1 MB send: RGET >= 90%, RPUT <= 10%", "receive <= 10%", "Myrinet rendezvous receive >= 80%"}},
	{ID: "003.F5", Title: "Progress of sends", Axes: "time (µs) over delay", Platform: "IB4 MX2 IW3", How: "F",
		Claims: []string{"MVAPICH and MPICH2-iWARP flat at all sizes", "MVAPICH2 32 KB: 84% left after the delay", "Myrinet 64 KB: 15 to 35% (162 us with 100 us hidden)"},
		Bars:   []string{"flat below 10%", "MVAPICH2 >= 70%", "Myrinet 64 KB: 10 to 40%"}},
	{ID: "003.F6", Title: "Progress of receives", Axes: "time (µs) over delay", Platform: "IB4 MX2 IW3", How: "F",
		Claims: []string{"none independent when eager (iWARP at most 30% left)", "rendezvous: all is left, but Myrinet is flat"},
		Bars:   []string{"eager: 10 to 40% left", "rendezvous: >= 90% left", "Myrinet below 10%"}},
}

// channels lists the figures and tables of document 004.
var channels = []Figure{
	{ID: "004.F1", Title: "Transports and services of InfiniBand", Axes: "diagram", Platform: "IB5", How: "T", Bars: []string{"the table of capabilities of the verbs seam"}},
	{ID: "004.F2", Title: "Eager channels", Axes: "diagram", Platform: "IB5", How: "T", Bars: []string{"a map of buffers"}},
	{ID: "004.F3", Title: "Low watermark of the shared receive queue", Axes: "diagram", Platform: "IB5", How: "T", Bars: []string{"a trace of watermark events"}},
	{ID: "004.T1", Title: "What applications do to the channels", Axes: "per application on 64: RDMA connections, watermark events, unexpected %, messages, MPI %", Platform: "IB5", How: "A",
		Claims: []string{"IS 6.14/0/2.7/1.9e5/47.25", "MG 9.0/0/10.2/3.1e5/9.16", "CG 3.09/0/13.5/2.7e6/33.87", "FT 0.98/0/11.9/3.6e5/37.85", "LU 3.92/0/38.1/5.8e6/14.23",
			"BT 3.89/0/0.3/1.6e6/10.17", "SP 1.17/0/0.7/4.7e6/11.88", "NAMD 53.15/0.03/48.2/3.7e6/23.54", "HPL 6.26/0/13.6/7.8e5/24.68"},
		Bars: []string{"messages of IS FT CG LU BT SP within 5%", "connections of IS CG FT within 5%, others 25%", "no events for NAS"}},
	{ID: "004.F4", Title: "Memory and performance of NAS kernels", Axes: "MB and relative performance; 3 channels; 16 to 81 processes", Platform: "IB5", How: "A",
		Claims: []string{"SRQ below 5 MB everywhere", "IS FT BT SP about ten times less than ARDMA-SR, LU MG CG about half", "LU: ARDMA-SRQ takes some 2 MB more than SRQ"},
		Bars:   []string{"SRQ <= 5 MB", "ratio >= 6 (IS FT BT SP), 1.5-4 (LU MG CG)", "performance within 5%"}},
	{ID: "004.F5", Title: "Sizes of messages of NAS kernels", Axes: "% of messages, unexpected, volume below size", Platform: "IB5", How: "A",
		Claims: []string{"codes with large messages move most volume in very large ones"}, Bars: []string{"cumulative curves", "control packets show as steps below 128 B"}},
	{ID: "004.T2", Title: "SuperLU", Axes: "garon2 and rim on 16, 32, 64", Platform: "IB5", How: "A",
		Claims: []string{"connections 12.44 25.75 40.25 / 7.25 12.06 14.25", "events 1.56 0.06 0.12 / 1.56 0.66 0.64", "unexpected 33.5 22.0 31.6 / 29.4 24.2 30.0", "messages 2.9e5 4.8e5 7.5e5 / 3.8e5 7.4e5 1.1e6"},
		Bars:   []string{"connections grow with processes", "more events on 16 than on 64"}},
	{ID: "004.F6", Title: "Memory and performance of SuperLU", Axes: "MB and relative performance; garon2, rim", Platform: "IB5", How: "A",
		Claims: []string{"SRQ 7 to 9 MB", "an order of magnitude (garon2), 9 and 4 times (rim) on 64", "more on 16 than on 32, 64"}, Bars: []string{"SRQ <= 10 MB and flat within 30%", "ARDMA-SR/SRQ >= 5 on 64"}},
	{ID: "004.F7", Title: "Sizes of messages of SuperLU", Axes: "% below size", Platform: "IB5", How: "A",
		Claims: []string{"94.99% and 94.33% of messages below 2 KB", "few large ones carry the volume"}, Bars: []string{">= 90% below 2 KB"}},
	{ID: "004.F8", Title: "Sizes of messages of NAMD", Axes: "% below size", Platform: "IB5", How: "A", Claims: []string{"50% below 128 B, the rest 128 B to 32 KB"}, Bars: []string{"45-55%", "none above 32 KB"}},
	{ID: "004.F9", Title: "Memory and performance of NAMD", Axes: "MB and relative performance", Platform: "IB5", How: "A",
		Claims: []string{"SRQ 6.1, 5.5, 5.2 MB", "50% less on 16", "28 MB less than ARDMA-SRQ on 64", "ARDMA-SR linear"}, Bars: []string{"SRQ falls or is flat", "the gap is connections x 500 KB within 10%"}},
	{ID: "004.F10", Title: "Memory and performance of HPL", Axes: "MB and relative performance", Platform: "IB5", How: "A",
		Claims: []string{"SRQ below 5 MB", "3.5 MB less than ARDMA-SRQ, 35 MB less again than ARDMA-SR on 64"}, Bars: []string{"gaps 2.5-4 MB and >= 20 MB", "performance within 5%"}},
	{ID: "004.F11", Title: "Sizes of messages of HPL", Axes: "% below size", Platform: "IB5", How: "A", Claims: []string{"50% below 128 B, mostly control"}, Bars: []string{"40-60%"}},
	{ID: "004.F12", Title: "Watermark events", Axes: "events over processes; NAMD, SuperLU", Platform: "IB5", How: "A", Claims: []string{"fall with size"}, Bars: []string{"not fewer on 16 than on 64"}},
}
