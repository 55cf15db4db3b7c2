#include "guests.h"

#include "door.h"

#include <string.h>

extern void weftRing(int rank);

/* Where a payload is, and whether more of it follows; see internal/shm/ring.go. */
enum { INLINE = 0, IN_SMALL = 1, IN_BULK = 2, INLINE_MAX = 112, SMALL_MAX = 512, EAGER = 1, CELL = 128 };

/* Where Go has its own part of a status, and in it the number of bytes. */
enum { WEFT_STATUS_OURS = 12, WEFT_STATUS_BYTES = 16 };

/* One receive of so many is Go's; of those that are posted, one of so many. */
enum { CALLS = 64, PATIENCE = 2000 };

struct cell {
  uint32_t seq;
  uint8_t kind, how;
  uint16_t n;
  uint32_t ctx;
  int32_t tag;
  uint8_t body[INLINE_MAX];
};

struct place {
  uint32_t off, end;
  uint64_t len, label;
  uint32_t send;
};

struct control {
  uint32_t cell_tail, small_tail, bulk_tail, spare[13];
  uint32_t hungry, spare2[15];
};

struct cells {
  struct cell *at;
  intptr_t n, room;
};

struct bytes {
  uint8_t *at;
  intptr_t n, room;
};

struct byte_ring {
  struct bytes mem;
  uint32_t head, tail;
};

struct weft_outbox {
  struct cells cells;
  struct control *ctl;
  struct byte_ring small, bulk;
  uint32_t head, tail;
};

struct weft_inbox {
  struct cells cells;
  struct control *ctl;
  struct bytes small, bulk;
  uint32_t head, given;
  uint32_t small_end, bulk_end;
};

struct weft_guests weft_guests;
struct weft_known weft_known;
struct weft_posted weft_posted;
uintptr_t weft_sent;

#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define LIKELY(x) __builtin_expect(!!(x), 1)

static inline void pause_here(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* enter takes the word of the gate if it is free and guests may do what. */
static inline int enter(uint32_t what) {
  struct weft_gate *g = &weft_guests.gate;
  uint32_t none = 0;
  if (!__atomic_compare_exchange_n(&g->word, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
  if (LIKELY(g->open & what)) return 1;
  __atomic_store_n(&g->word, 0, __ATOMIC_RELEASE);
  return 0;
}

static inline void leave(void) { __atomic_store_n(&weft_guests.gate.word, 0, __ATOMIC_RELEASE); }

void weft_guests_end(void) {
  weft_guests.gate.word = 1;
  weft_guests.gate.open = 0;
}

/* message is a buffer and a peer in a communicator. */
struct message {
  uint8_t *buf;
  uint64_t n;
  const struct weft_known_comm *comm;
  int32_t place;
};

/* understand reads the first six words of a send or a receive, and tells whether they are for guests. */
static inline int understand(const uintptr_t *a, struct message *m) {
  uintptr_t type = a[2] - WEFT_FIRST_TYPE;
  if (type >= WEFT_TYPES || a[1] > weft_guests.rings.eager_max) return 0;
  uint64_t size = weft_known.sizes[type];
  m->comm = &weft_known.comms[a[5] % WEFT_KNOWN_COMMS];
  m->buf = (uint8_t *)a[0];
  m->n = a[1] * size;
  if (!size || m->comm->handle != a[5] || a[3] >= m->comm->size || (m->n && a[0] < 4096)) return 0;
  m->place = m->comm->places[a[3]];
  return m->place >= 0;
}

/* fit finds room for n bytes in a row, as byteRing.fit does. */
static inline int fit(struct byte_ring *r, uint32_t n, const uint32_t *shared, uint32_t *off, uint32_t *end) {
  uint32_t size = (uint32_t)r->mem.n;
  *off = r->head & (size - 1);
  *end = r->head + n;
  if (*off + n > size) {
    *end += size - *off;
    *off = 0;
  }
  if (*end - r->tail > size) {
    r->tail = LOAD(shared);
    if (*end - r->tail > size) return 0;
  }
  return 1;
}

/* fetch asks for the memory of the next payload, as byteRing.fetch does. */
static inline void fetch(const struct byte_ring *r, uint32_t n) {
  for (uint32_t i = 0; i < n; i += 64) __builtin_prefetch(r->mem.at + ((r->head + i) & (uint32_t)(r->mem.n - 1)), 1);
}

/* put appends a message to a ring and tells whether there was room. */
static inline int put(struct weft_outbox *o, const struct message *m, int32_t tag) {
  uint32_t cells = (uint32_t)o->cells.n, n = (uint32_t)m->n, off = 0, end = 0;
  if (o->head - o->tail >= cells) {
    o->tail = LOAD(&o->ctl->cell_tail);
    if (o->head - o->tail >= cells) return 0;
  }
  struct cell *c = &o->cells.at[o->head & (cells - 1)];
  if (n <= INLINE_MAX) {
    c->how = INLINE;
    memcpy(c->body, m->buf, n);
  } else {
    int small = n <= SMALL_MAX;
    struct byte_ring *r = small ? &o->small : &o->bulk;
    if (!fit(r, n, small ? &o->ctl->small_tail : &o->ctl->bulk_tail, &off, &end)) return 0;
    memcpy(r->mem.at + off, m->buf, n);
    r->head = end;
    struct place p = {.off = off, .end = end, .len = n};
    c->how = small ? IN_SMALL : IN_BULK;
    memcpy(c->body, &p, sizeof p);
  }
  c->kind = EAGER;
  c->n = (uint16_t)n;
  c->ctx = m->comm->out;
  c->tag = tag;
  o->head++;
  __atomic_store_n(&c->seq, o->head, __ATOMIC_SEQ_CST); /* before the look at the bell */
  struct cell *next = &o->cells.at[(o->head + 1) & (cells - 1)];
  __builtin_prefetch(next, 1);
  __builtin_prefetch((uint8_t *)next + CELL / 2, 1);
  if (n > INLINE_MAX) fetch(n <= SMALL_MAX ? &o->small : &o->bulk, n);
  return 1;
}

int weft_guest_send(const uintptr_t *a) {
  struct message m;
  int32_t tag = (int32_t)a[4];
  if (tag < 0 || !enter(WEFT_MAY_SEND)) return 0;
  struct weft_outbox *o;
  if (!understand(a, &m) || m.n > weft_guests.rings.eager_max || !(o = weft_guests.rings.outs[m.place]) ||
      !put(o, &m, tag)) {
    leave();
    return 0;
  }
  weft_guests.gate.sends++;
  weft_guests.gate.sent_bytes += m.n;
  const uint32_t *bell = weft_guests.rings.bells[m.place];
  leave();
  if (__atomic_load_n(bell, __ATOMIC_SEQ_CST)) weftRing(m.place);
  return 1;
}

int weft_guest_isend(const uintptr_t *a) {
  uintptr_t *request = (uintptr_t *)a[6];
  if (!request || !weft_guest_send(a)) return 0;
  *request = weft_sent;
  return 1;
}

/* arrived is a message at the head of a ring. */
struct arrived {
  const uint8_t *payload;
  uint32_t n, ctx;
  int32_t tag;
  uint32_t *end, at; /* of a byte ring: where it has been read up to, and will be */
};

/* found is what the head of a ring holds: nothing, a message that guests may take, or something that is Go's. */
enum found { NOTHING, OURS, NOT_OURS };

/* look finds what is at the head of a ring. What a peer has written is checked as inbox.deliver does. */
static inline enum found look(struct weft_inbox *in, struct arrived *m) {
  struct cell *c = &in->cells.at[in->head & (uint32_t)(in->cells.n - 1)];
  if (LOAD(&c->seq) != in->head + 1) return NOTHING;
  uint8_t how = c->how;
  m->n = c->n, m->tag = c->tag, m->ctx = c->ctx, m->end = 0, m->at = 0;
  if (c->kind != EAGER) return NOT_OURS;
  if (how == INLINE) {
    m->payload = c->body;
    return m->n <= INLINE_MAX ? OURS : NOT_OURS;
  }
  if (how != IN_SMALL && how != IN_BULK) return NOT_OURS;
  const struct bytes *ring = how == IN_SMALL ? &in->small : &in->bulk;
  struct place p;
  memcpy(&p, c->body, sizeof p);
  if ((uint64_t)p.off + m->n > (uint64_t)ring->n || p.len != m->n || p.label) return NOT_OURS;
  m->payload = ring->at + p.off;
  m->end = how == IN_SMALL ? &in->small_end : &in->bulk_end;
  m->at = p.end;
  return OURS;
}

/* take takes the message at the head of a ring to buf. */
static inline void take(struct weft_inbox *in, const struct arrived *m, uint8_t *buf) {
  memcpy(buf, m->payload, m->n);
  if (m->end) *m->end = m->at;
  in->head++;
  weft_guests.gate.receives++;
  weft_guests.gate.arrived_bytes += m->n;
}

/* tell fills in a status but for the error. */
static inline void tell(MPI_Status *s, int source, int tag, uint64_t bytes) {
  if (!s) return;
  s->MPI_SOURCE = source;
  s->MPI_TAG = tag;
  memset((char *)s + WEFT_STATUS_OURS, 0, sizeof *s - WEFT_STATUS_OURS);
  memcpy((char *)s + WEFT_STATUS_BYTES, &bytes, sizeof bytes);
}

/* give tells the sender how far we have read, now and then, as inbox.release does, and whether it waits for that. */
static inline int give(struct weft_inbox *in) {
  struct control *ctl = in->ctl;
  uint32_t small = in->small_end - ctl->small_tail, bulk = in->bulk_end - ctl->bulk_tail;
  if (in->head - in->given < (uint32_t)(in->cells.n / 4) && small < (uint32_t)(in->small.n / 4) &&
      bulk < (uint32_t)(in->bulk.n / 4) && !__atomic_load_n(&ctl->hungry, __ATOMIC_SEQ_CST))
    return 0;
  in->given = in->head;
  __atomic_store_n(&ctl->small_tail, in->small_end, __ATOMIC_SEQ_CST);
  __atomic_store_n(&ctl->bulk_tail, in->bulk_end, __ATOMIC_SEQ_CST);
  __atomic_store_n(&ctl->cell_tail, in->head, __ATOMIC_SEQ_CST);
  return __atomic_load_n(&ctl->hungry, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&ctl->hungry, 0, __ATOMIC_SEQ_CST);
}

/* Every so often a receive is Go's though it could be a guest's: so that what others ask of us is seen to, whatever the
 * program receives. */
static inline int is_gos(void) { return weft_guests.gate.receives % CALLS == CALLS - 1; }

/* wake rings a rank that waits for room, if it sleeps. The gate has been left. */
static void wake(int place) {
  if (__atomic_load_n(weft_guests.rings.bells[place], __ATOMIC_SEQ_CST)) weftRing(place);
}

int weft_guest_recv(const uintptr_t *a) {
  struct message m;
  struct arrived got;
  int32_t tag = (int32_t)a[4];
  struct weft_gate *g = &weft_guests.gate;
  if ((tag < 0 && tag != MPI_ANY_TAG) || !enter(WEFT_MAY_RECEIVE)) return 0;
  struct weft_inbox *in;
  enum found found = NOT_OURS;
  int hungry = 0;
  if (!g->posted && understand(a, &m) && (in = weft_guests.rings.ins[m.place]) && !is_gos()) {
    for (uint32_t looks = g->spins; looks; looks--) {
      if ((found = look(in, &got)) != NOTHING || LOAD(&g->wanted)) break;
      pause_here();
    }
    if (found == OURS && (got.ctx != m.comm->in || got.n > m.n)) found = NOT_OURS;
    if (found == OURS && tag != MPI_ANY_TAG && tag != got.tag) found = NOT_OURS;
    if (found == OURS) {
      take(in, &got, m.buf);
      hungry = give(in);
    }
  }
  leave();
  if (found != OURS) return 0;
  if (hungry) wake(m.place);
  tell((MPI_Status *)a[6], (int)a[3], got.tag, got.n);
  return 1;
}

int weft_guest_irecv(const uintptr_t *a) {
  struct message m;
  int32_t tag = (int32_t)a[4];
  uintptr_t *request = (uintptr_t *)a[6];
  struct weft_gate *g = &weft_guests.gate;
  if ((tag < 0 && tag != MPI_ANY_TAG) || !request || !enter(WEFT_MAY_RECEIVE)) return 0;
  uint32_t i = weft_posted.next % WEFT_RECEIVES;
  struct weft_receive *r = &weft_posted.all[i];
  int done = r->state == WEFT_FREE && g->receives < PATIENCE && understand(a, &m);
  if (done) {
    *r = (struct weft_receive){.buf = m.buf, .comm = a[5], .room = (uint32_t)m.n, .in = m.comm->in, .place = m.place,
                               .source = (int32_t)a[3], .tag = tag, .state = WEFT_WAITS};
    if (!g->posted) weft_posted.first = weft_posted.next;
    weft_posted.next++;
    g->posted++;
    *request = weft_sent + 1 + i;
  }
  leave();
  return done;
}

/* posted is the receive of a handle that a guest may wait for; null if there is none. */
static inline struct weft_receive *posted(uintptr_t handle) {
  uintptr_t i = handle - weft_sent - 1;
  if (i >= WEFT_RECEIVES) return 0;
  struct weft_receive *r = &weft_posted.all[i];
  return r->state == WEFT_WAITS || r->state == WEFT_OVER ? r : 0;
}

/* match takes the message at the head of the ring that r waits for to the first receive that it is for: NOT_OURS if
 * Go is to find that. */
static enum found match(const struct weft_receive *r, int *hungry) {
  struct weft_inbox *in = weft_guests.rings.ins[r->place];
  struct arrived got;
  enum found found = in ? look(in, &got) : NOT_OURS;
  if (found != OURS) return found;
  for (uint32_t i = weft_posted.first; i != weft_posted.next; i++) {
    struct weft_receive *q = &weft_posted.all[i % WEFT_RECEIVES];
    if (q->state != WEFT_WAITS) {
      if (i == weft_posted.first) weft_posted.first++;
      continue;
    }
    if (q->place != r->place || q->in != got.ctx || (q->tag != MPI_ANY_TAG && q->tag != got.tag)) continue;
    if (got.n > q->room) return NOT_OURS;
    take(in, &got, q->buf);
    q->state = WEFT_OVER;
    q->n = got.n;
    q->got = got.tag;
    weft_guests.gate.posted--;
    *hungry = give(in);
    return OURS;
  }
  return NOT_OURS;
}

/* await waits for n requests that guests have started, as long as that is worth it. */
static int await(const uintptr_t *all, int n) {
  struct weft_gate *g = &weft_guests.gate;
  if (!enter(WEFT_MAY_RECEIVE)) return 0;
  uint32_t looks = g->spins;
  for (int i = 0; i < n;) {
    struct weft_receive *r = all[i] == weft_sent ? 0 : posted(all[i]);
    int hungry = 0;
    if (all[i] == weft_sent || (r && r->state == WEFT_OVER)) {
      i++;
      continue;
    }
    enum found found = r ? match(r, &hungry) : NOT_OURS;
    if (hungry) {
      int place = r->place;
      leave();
      wake(place);
      if (!enter(WEFT_MAY_RECEIVE)) return 0;
    }
    if (found == OURS) {
      looks = g->spins;
    } else if (found == NOT_OURS || !--looks || LOAD(&g->wanted)) {
      leave();
      return 0;
    } else {
      pause_here();
    }
  }
  return 1;
}

/* collect ends n requests, all of which are over, and leaves the gate if it has been entered. */
static void collect(uintptr_t *all, int n, MPI_Status *statuses, int entered) {
  for (int i = 0; i < n; i++) {
    MPI_Status *s = statuses ? &statuses[i] : 0;
    if (all[i] == weft_sent) {
      tell(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    } else {
      struct weft_receive *r = &weft_posted.all[all[i] - weft_sent - 1];
      tell(s, r->source, r->got, r->n);
      r->state = WEFT_FREE;
    }
    all[i] = (uintptr_t)MPI_REQUEST_NULL;
  }
  if (entered) leave();
}

/* wait_for is Wait and Waitall. */
static int wait_for(uintptr_t *all, int n, MPI_Status *statuses) {
  int received = 0;
  if (!all || !weft_sent || n <= 0) return 0;
  for (int i = 0; i < n; i++) {
    if (all[i] == weft_sent) continue;
    if (all[i] - weft_sent - 1 >= WEFT_RECEIVES) return 0;
    received = 1;
  }
  if (received && !await(all, n)) return 0;
  collect(all, n, statuses, received);
  return 1;
}

int weft_guest_wait(const uintptr_t *a) { return wait_for((uintptr_t *)a[0], 1, (MPI_Status *)a[1]); }

int weft_guest_waitall(const uintptr_t *a) {
  return wait_for((uintptr_t *)a[1], (int)a[0], (MPI_Status *)a[2]);
}

#define AT(type, field) offsetof(struct type, field)
const uintptr_t weft_layout[] = {
    sizeof(struct cell), AT(cell, seq), AT(cell, kind), AT(cell, how), AT(cell, n), AT(cell, ctx), AT(cell, tag),
    AT(cell, body), INLINE_MAX, AT(place, off), AT(place, end), AT(place, len), AT(place, label), AT(place, send),
    AT(control, cell_tail), AT(control, small_tail), AT(control, bulk_tail), AT(control, hungry),
    AT(weft_outbox, cells), AT(weft_outbox, ctl), AT(weft_outbox, small.mem), AT(weft_outbox, small.head),
    AT(weft_outbox, small.tail), AT(weft_outbox, bulk.mem), AT(weft_outbox, bulk.head),
    AT(weft_outbox, bulk.tail), AT(weft_outbox, head), AT(weft_outbox, tail), AT(weft_inbox, cells),
    AT(weft_inbox, ctl), AT(weft_inbox, small), AT(weft_inbox, bulk), AT(weft_inbox, head), AT(weft_inbox, given),
    AT(weft_inbox, small_end), AT(weft_inbox, bulk_end), sizeof(struct weft_rings), AT(weft_rings, outs),
    AT(weft_rings, ins), AT(weft_rings, bells), AT(weft_rings, ranks), AT(weft_rings, eager_max), IN_SMALL,
    IN_BULK, SMALL_MAX,
    /* progress.GateLayout */
    sizeof(struct weft_gate), AT(weft_gate, word), AT(weft_gate, wanted), AT(weft_gate, open),
    AT(weft_gate, spins), AT(weft_gate, shut), AT(weft_gate, posted), AT(weft_gate, sends),
    AT(weft_gate, receives), AT(weft_gate, sent_bytes), AT(weft_gate, arrived_bytes), WEFT_MAY_SEND, WEFT_MAY_RECEIVE,
    /* boot.GuestLayout */
    AT(weft_guests, gate), AT(weft_guests, rings), EAGER,
    /* abi.GuestLayout */
    sizeof(struct weft_known), AT(weft_known, comms), AT(weft_known, sizes), WEFT_KNOWN_COMMS, WEFT_FIRST_TYPE,
    WEFT_TYPES, sizeof(struct weft_known_comm), AT(weft_known_comm, handle), AT(weft_known_comm, in),
    AT(weft_known_comm, out), AT(weft_known_comm, size), AT(weft_known_comm, places), WEFT_STATUS_OURS,
    WEFT_STATUS_BYTES, sizeof(MPI_Status), sizeof(struct weft_posted), AT(weft_posted, first),
    AT(weft_posted, next), AT(weft_posted, all), sizeof(struct weft_receive), AT(weft_receive, buf),
    AT(weft_receive, comm), AT(weft_receive, room), AT(weft_receive, in), AT(weft_receive, place),
    AT(weft_receive, source), AT(weft_receive, tag), AT(weft_receive, state), AT(weft_receive, n),
    AT(weft_receive, got), WEFT_RECEIVES,
};
const int weft_layout_length = sizeof weft_layout / sizeof *weft_layout;
