// Package verbs is the seam between Weft and whatever moves bytes between hosts: RDMA verbs, as Go interfaces.
//
// It owns the vocabulary (devices, protection domains, memory regions, completion queues, shared receive queues,
// queue pairs, address handles, work requests, completions, events) and the devices that wrap another one: trace,
// count and fault. It promises nothing that only some device can do: what differs is in Caps, and the suite in
// verbstest holds every device to the rest. It must not know any concrete device, nor MPI.
//
// # The life of a queue pair
//
//	pd, _ := dev.NewPD()
//	cq, _ := dev.NewCQ(verbs.CQConfig{Depth: 256})
//	mr, _ := pd.Register(buf, verbs.LocalWrite|verbs.RemoteWrite)
//	qp, _ := pd.NewQP(verbs.QPConfig{Type: verbs.UD, SendCQ: cq, RecvCQ: cq, SendDepth: 64, RecvDepth: 64})
//	qp.Modify(verbs.Init)                 // receives may be posted
//	qp.Modify(verbs.RTS)                  // UD and RD: a purely local step; RC gets there by Connect or Accept
//	qp.PostRecv(receives)
//	qp.PostSend(sends)
//	for n := cq.Poll(done); ...           // completions, and the device's own progress
//
// # Who owns memory
//
// From PostSend or PostRecv until its completion is polled (for an unsignaled send: until the completion of a later
// send of the same queue pair), the memory of a work request belongs to the device. Work requests themselves and
// their gather lists are copied by the call. An Inline send gives its memory back when PostSend returns.
//
// Memory that peers may read can be read by the device at any time until its region is closed or gets another key: an
// answer that got lost is put together again.
//
// # Messages that take no receive, or only a part of one
//
// Where the device can (Caps.Borrow, Caps.Place) and the queue asks for it (CQConfig), two kinds of
// completions spare copies. A Recv with Data is a message that lies where the device has received it: the
// bytes are the caller's until the next Poll of the queue, and no receive was used. A RecvHead tells of the
// beginning of a message while its end is still to come; who knows from it where the message belongs
// answers by QP.Place, and the Recv follows when all of it is there. Nobody has to answer, and a device
// that does neither uses receives: programs take the bytes from wherever a completion says they are.
//
// # Order
//
// Completions of one send queue come in the order of posting; so do completions of one receive queue fed by
// one peer. On RC and RD a Send is delivered after all earlier Writes and Sends of the same queue pair to
// that peer are placed; a Read sees every earlier Write. UC has no Reads and no atomics: a Send or Write
// completes when it has left, and comes in order or, if it was lost, found no receive or names memory that
// it may not write, not at all; nobody is told, and the connection stands. XRC promises what RD does. UD
// promises no order and no delivery, only that what arrives is whole.
//
// # Progress
//
// Poll drives the device: the lowest latency is had by polling. Who stops polling either calls Wait or Arm; the
// device then serves its peers by itself, as it also does, a little later, for a program that just went away to
// compute. All calls may be made from any goroutine.
package verbs
