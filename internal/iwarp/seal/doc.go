// Package seal tells datagrams of a job from all others: those of strangers, of other jobs, changed
// ones, and ones that have come before. It owns the keys of directions, the trailer behind a
// datagram, and the windows that find repetitions.
//
// A socket has a Table. Seal puts behind a datagram the sender's epoch, the datagram's number in
// it, and a tag: AES-GCM without a plaintext (GMAC), under a key that is derived by HKDF (RFC 5869)
// from the secret of the job, the epoch, and both addresses. So a datagram is good for one
// receiver, and not for the one who sent it. Open checks the tag, and lets every number of an epoch
// through once, in whatever order they come within a window (RFC 4303, 6479).
//
// With a key for that, datagrams are encrypted too: AES-GCM with all of the datagram as plaintext, and the epoch
// and the number behind the tag. A key is then left for that of the next epoch after 2^24 datagrams.
//
// What does not know the secret leaves no trace: state is kept for senders only of which a genuine
// datagram has come. There is no handshake, so a receiver that has kept nothing of a sender takes
// its word for the epoch: a socket that is opened anew, at the address of a former one and with the
// same secret, cannot tell datagrams that were recorded before from new ones.
//
// The package is pure: it knows no time and no chance. Who makes a Table chooses its epoch, greater
// than any that was used with the same secret at the same address before: else numbers would be
// used again under one key, and receivers would take what is new for old.
package seal
