package soft

import "iter"

// counters are what a device counts, under its lock.
type counters struct {
	streamCounts
	datagramCounts
	reliableCounts

	strangers, completionsLost, eventsLost, polls, served, borrowed uint64
}

// streamCounts are those of RC.
type streamCounts struct {
	connsMade, connsTaken, connsRefused, connsLost             uint64
	fpdusOut, fpdusIn, bytesOut, bytesIn, sendCalls, recvCalls uint64
	placedDirect, placedCopied, terminatesOut, terminatesIn    uint64
	waitsForReceive, badRecords                                uint64
}

// datagramCounts are those of UD and RD.
type datagramCounts struct {
	datagramsOut, datagramsIn, badCheck, badFormat, noReceive uint64
	badTag, replayed, tooOld, crowded                         uint64
	noQueuePair, noticesOut, noticesIn, noticesHeld           uint64
	offloadRefused, recordsPartial, readsRepeated             uint64
}

// reliableCounts are those of RD alone.
type reliableCounts struct {
	resent, duplicates, outOfOrder, poolFull, flowsFailed, acks uint64
}

// Counters lists what the device counted.
func (d *Device) Counters() iter.Seq2[string, uint64] {
	d.mu.Lock()
	c := d.count
	c.offloadRefused = d.refusedBefore
	for u := range d.sockets {
		c.offloadRefused += u.sock.Counts().Refused
	}
	d.mu.Unlock()
	list := []struct {
		name  string
		value uint64
	}{
		{"rc_connections_made", c.connsMade}, {"rc_connections_taken", c.connsTaken},
		{"rc_connections_refused", c.connsRefused}, {"rc_connections_lost", c.connsLost},
		{"strangers", c.strangers},
		{"rc_fpdus_out", c.fpdusOut}, {"rc_fpdus_in", c.fpdusIn}, {"rc_bytes_out", c.bytesOut}, {"rc_bytes_in", c.bytesIn},
		{"rc_send_calls", c.sendCalls}, {"rc_receive_calls", c.recvCalls},
		{"rc_bytes_placed_directly", c.placedDirect}, {"rc_bytes_placed_by_copy", c.placedCopied},
		{"rc_terminates_out", c.terminatesOut}, {"rc_terminates_in", c.terminatesIn},
		{"rc_waits_for_receive", c.waitsForReceive}, {"rc_bad_records", c.badRecords}, {"messages_borrowed", c.borrowed},
		{"completions_lost", c.completionsLost}, {"events_lost", c.eventsLost},
		{"datagrams_out", c.datagramsOut}, {"datagrams_in", c.datagramsIn},
		{"datagrams_bad_check", c.badCheck}, {"datagrams_bad_tag", c.badTag}, {"datagrams_replayed", c.replayed},
		{"datagrams_too_old", c.tooOld}, {"datagrams_too_many_senders", c.crowded}, {"datagrams_bad_format", c.badFormat},
		{"datagrams_no_receive", c.noReceive}, {"datagrams_no_queue_pair", c.noQueuePair},
		{"datagram_errors_out", c.noticesOut}, {"datagram_errors_in", c.noticesIn}, {"datagram_errors_held_back", c.noticesHeld},
		{"rd_resent", c.resent}, {"rd_duplicates", c.duplicates}, {"rd_out_of_order", c.outOfOrder},
		{"rd_pool_full", c.poolFull}, {"rd_flows_failed", c.flowsFailed}, {"rd_acks_alone", c.acks},
		{"udp_offload_refused", c.offloadRefused}, {"ud_records_partial", c.recordsPartial}, {"ud_reads_repeated", c.readsRepeated},
		{"polls", c.polls}, {"served_alone", c.served},
	}
	return func(yield func(string, uint64) bool) {
		for _, e := range list {
			if !yield(e.name, e.value) {
				return
			}
		}
	}
}
