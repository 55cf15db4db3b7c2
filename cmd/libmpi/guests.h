/* Guests: short messages of this host that C sends and receives by itself, under the lock of the rank's loop, where
 * nothing else is under way. What follows is laid out as in Go (boot.Guests, abi.Known, internal/shm/ring.go); a test
 * compares. */
#ifndef WEFT_GUESTS_H
#define WEFT_GUESTS_H

#include <stddef.h>
#include <stdint.h>

enum { WEFT_MAY_SEND = 1, WEFT_MAY_RECEIVE = 2 };

/* progress.Gate */
struct weft_gate {
  uint32_t word, wanted, open, spins, shut, posted;
  uint64_t sends, receives, sent_bytes, arrived_bytes;
};

/* shm.Rings */
struct weft_rings {
  struct weft_outbox **outs;
  struct weft_inbox **ins;
  uint32_t **bells;
  uint32_t ranks, eager_max;
};

struct weft_guests {
  struct weft_gate gate;
  struct weft_rings rings;
};

/* abi.Known */
enum { WEFT_KNOWN_COMMS = 32, WEFT_FIRST_TYPE = 0x200, WEFT_TYPES = 0x100 };

struct weft_known_comm {
  uintptr_t handle;
  uint32_t in, out, size, spare;
  const int32_t *places; /* by rank: its place in the segment; -1: not for guests */
};

struct weft_known {
  struct weft_known_comm comms[WEFT_KNOWN_COMMS];
  uint8_t sizes[WEFT_TYPES]; /* of predefined types without holes; 0: not for guests */
};

/* abi.Posted: receives that guests have started, in order: number i is all[i % WEFT_RECEIVES]. Those that wait are
 * among the numbers from first to next. Whoever enters in Go takes them over. */
enum { WEFT_RECEIVES = 128 };
enum { WEFT_FREE, WEFT_WAITS, WEFT_OVER, WEFT_GOS };

struct weft_receive {
  uint8_t *buf;
  uintptr_t comm;
  uint32_t room, in;
  int32_t place, source, tag;
  uint32_t state;
  uint32_t n; /* of one that is over: bytes, and the tag */
  int32_t got;
};

struct weft_posted {
  uint32_t first, next;
  struct weft_receive all[WEFT_RECEIVES];
};

extern struct weft_posted weft_posted;
extern struct weft_guests weft_guests;
extern struct weft_known weft_known;

/* The handle of all sends that were over when they were started. Those of posted receives come behind it. */
extern uintptr_t weft_sent;

/* Each of these does what MPI's function of that name does with the words of a, and tells whether it has: if not,
 * nothing has happened, and Go is to do it. */
int weft_guest_send(const uintptr_t *a);
int weft_guest_isend(const uintptr_t *a);
int weft_guest_recv(const uintptr_t *a);
int weft_guest_irecv(const uintptr_t *a);
int weft_guest_wait(const uintptr_t *a);
int weft_guest_waitall(const uintptr_t *a);

/* weft_guests_end lets no guest in any more: in a child of fork. */
void weft_guests_end(void);

/* weft_layout is how C lays all this out: offsets and sizes, in the order of shm.GuestLayout and the others. */
extern const uintptr_t weft_layout[];
extern const int weft_layout_length;

#endif
