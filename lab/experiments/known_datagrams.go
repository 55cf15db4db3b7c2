package experiments

// knownDatagrams are what the measured costs of Weft's own software device, scaled to the clusters of chapter 6, do not show.
var knownDatagrams = []Miss{
	{"F6.3", "64 KB: UD over RC", Defect, "with markers each end of a connection takes 0.85 us per KB in Weft's device, where plain TCP takes 0.16 and a datagram 0.26 (`weft verbs send_lat --markers --compare raw`): a frame is made, copied between its markers, and its checksum made anew. With a stream as cheap per byte as plain TCP (stream_us_per_kb 0.27 instead of 1.46) the ratio is 1.2, as cheap as datagrams (0.44) 1.0"},
}
