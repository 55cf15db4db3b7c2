/* Messages of this host, short and long, by calls of all kinds, on several communicators, from several threads: each
 * is the one that the standard says, with the bytes that its sender wrote. */
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { COMMS = 3, MOST = 24, TAGS = 4, LONGEST = 20000, THREADS = 4 };

struct expected {
  int tag, n, got;
};

static int rank, size;
static MPI_Comm comms[2 + THREADS > COMMS ? 2 + THREADS : COMMS];
static int me[COMMS];
static unsigned char *in, *out;

/* mix is a number that depends on its arguments alone. */
static unsigned mix(unsigned a, unsigned b, unsigned c, unsigned d) {
  unsigned h = 2166136261u ^ a;
  h = (h ^ b) * 16777619u;
  h = (h ^ c * 2654435761u) * 16777619u;
  h = (h ^ d * 40503u) * 16777619u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}

static unsigned state;
static unsigned chance(unsigned n) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

static int length_of(int round, int k, int from, int to, int i) {
  static const int around[] = {0, 1, 8, 111, 112, 113, 511, 512, 513, 4095, 4096, 4097, 8192, 8193};
  unsigned h = mix(round * 8 + k, from, to, i);
  if (h % 16 == 0) return (int)(h / 16 % LONGEST);
  if (h % 4 == 1) return around[h / 16 % (sizeof around / sizeof *around)];
  return (int)(h / 16 % 700);
}

static int count_of(int round, int k, int from, int to) { return (int)(mix(round, k + 77, from, to) % MOST); }
static int tag_of(int round, int k, int from, int to, int i) { return (int)(mix(round, k, from * 64 + to, i + 1000) % TAGS); }

static void fill(unsigned char *b, int n, int round, int k, int from, int to, int i) {
  unsigned h = mix(round + 9, k, from * 64 + to, i);
  for (int j = 0; j < n; j++) b[j] = (unsigned char)(h + j * 7);
}

/* check finds the message that a receive must have got from a rank: the first that has not been received and, if the
 * receive named a tag, has it. */
static void check(struct expected *all, int round, int k, int from, const unsigned char *b, const MPI_Status *st, int asked) {
  int n = count_of(round, k, from, me[k]), i, bytes;
  for (i = 0; i < n; i++)
    if (!all[i].got && (asked == MPI_ANY_TAG || all[i].tag == asked)) break;
  CHECK(i < n);
  all[i].got = 1;
  OK(MPI_Get_count(st, MPI_BYTE, &bytes));
  if (st->MPI_SOURCE != from || st->MPI_TAG != all[i].tag || bytes != all[i].n)
    fprintf(stderr, "rank %d, round %d, communicator %d: message %d from %d has tag %d and %d bytes, not %d and %d\n", rank, round, k, i, from,
            st->MPI_TAG, bytes, all[i].tag, all[i].n);
  CHECK(st->MPI_SOURCE == from && st->MPI_TAG == all[i].tag && bytes == all[i].n);
  for (int j = 0; j < bytes; j++) CHECK(b[j] == (unsigned char)(mix(round + 9, k, from * 64 + me[k], i) + j * 7));
}

/* send_all sends what this rank has for the others in a round, in some order of peers. */
static int send_all(int round, int k, MPI_Request *r) {
  int pending = 0, left = 0, next[16] = {0};
  unsigned char *at = out;
  for (int to = 0; to < size; to++) left += count_of(round, k, me[k], to);
  while (left > 0) {
    int to = (int)chance(size), i = next[to];
    if (i == count_of(round, k, me[k], to)) continue;
    int n = length_of(round, k, me[k], to, i), tag = tag_of(round, k, me[k], to, i);
    fill(at, n, round, k, me[k], to, i);
    if (n > 600 || to == me[k] || chance(3) == 0)
      OK(chance(5) ? MPI_Isend(at, n, MPI_BYTE, to, tag, comms[k], &r[pending++]) : MPI_Issend(at, n, MPI_BYTE, to, tag, comms[k], &r[pending++]));
    else if (n % 4 == 0)
      OK(MPI_Send(at, n / 4, MPI_INT, to, tag, comms[k]));
    else
      OK(MPI_Send_c(at, n, MPI_CHAR, to, tag, comms[k]));
    at += n;
    next[to]++;
    left--;
  }
  return pending;
}

/* receive_all receives what the others have for this rank in a round. */
static void receive_all(int round, int k) {
  static struct expected all[16][MOST];
  int left[16], sum = 0, flag;
  MPI_Status st, sts[4];
  MPI_Message message;
  MPI_Request r[4];
  for (int from = 0; from < size; from++) {
    sum += left[from] = count_of(round, k, from, me[k]);
    for (int i = 0; i < left[from]; i++) all[from][i] = (struct expected){tag_of(round, k, from, me[k], i), length_of(round, k, from, me[k], i), 0};
  }
  while (sum > 0) {
    int from = (int)chance(size), i, many = 0, tag;
    if (left[from] == 0) continue;
    do i = (int)chance(count_of(round, k, from, me[k]));
    while (all[from][i].got);
    tag = chance(2) ? all[from][i].tag : MPI_ANY_TAG;
    switch (chance(9)) {
    case 0: case 1: case 2:
      OK(MPI_Recv(in, LONGEST, MPI_BYTE, from, tag, comms[k], &st));
      break;
    case 3:
      for (i = 0; i < count_of(round, k, from, me[k]); i++)
        if (!all[from][i].got) break;
      OK(MPI_Recv(in, all[from][i].n, MPI_CHAR, from, all[from][i].tag, comms[k], &st)); /* no byte too many */
      tag = all[from][i].tag;
      break;
    case 4:
      OK(MPI_Recv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[k], &st));
      from = st.MPI_SOURCE;
      tag = MPI_ANY_TAG;
      break;
    case 5:
      OK(MPI_Probe(from, tag, comms[k], &st));
      OK(MPI_Recv(in, LONGEST, MPI_BYTE, from, st.MPI_TAG, comms[k], &st));
      tag = st.MPI_TAG;
      break;
    case 6:
      do OK(MPI_Improbe(from, tag, comms[k], &flag, &message, &st));
      while (!flag);
      OK(MPI_Mrecv(in, LONGEST, MPI_BYTE, &message, &st));
      break;
    case 7:
      OK(MPI_Irecv(in, LONGEST, MPI_BYTE, from, tag, comms[k], &r[0]));
      OK(MPI_Wait(&r[0], &st));
      break;
    default: /* several at once */
      many = left[from] < 4 ? left[from] : 4;
      for (i = 0; i < many; i++) OK(MPI_Irecv(in + i * LONGEST, LONGEST, MPI_BYTE, from, MPI_ANY_TAG, comms[k], &r[i]));
      OK(MPI_Waitall(many, r, sts));
      for (i = 0; i < many; i++) check(all[from], round, k, from, in + i * LONGEST, &sts[i], MPI_ANY_TAG);
    }
    if (!many) {
      check(all[from], round, k, from, in, &st, tag);
      many = 1;
    }
    left[from] -= many;
    sum -= many;
  }
}

/* exchange is turns of two ranks, where the receiver waits for each message. */
static void exchange(int round, int k) {
  for (int shift = 1; shift < size; shift++) {
    int to = (me[k] + shift) % size, from = (me[k] + size - shift) % size, n = (int)(mix(round, k, shift, 1) % 40);
    MPI_Status st = {.MPI_ERROR = 77};
    for (int i = 0; i < n; i++) {
      int mine = length_of(round, k, me[k], to, i), theirs = length_of(round, k, from, me[k], i), got;
      fill(out, mine, round, k, me[k], to, i);
      if (mine > 4096 || theirs > 4096 || i % 3 == 0)
        OK(MPI_Sendrecv(out, mine, MPI_BYTE, to, i, in, LONGEST, MPI_BYTE, from, i, comms[k], &st));
      else {
        OK(MPI_Send(out, mine, MPI_BYTE, to, i, comms[k]));
        OK(MPI_Recv(in, 4096, MPI_BYTE, from, i, comms[k], &st));
      }
      OK(MPI_Get_count(&st, MPI_BYTE, &got));
      CHECK(got == theirs && st.MPI_SOURCE == from && st.MPI_TAG == i && st.MPI_ERROR == 77);
      for (int j = 0; j < got; j++) CHECK(in[j] == (unsigned char)(mix(round + 9, k, from * 64 + me[k], i) + j * 7));
    }
  }
}

/* requests: sends that are over when they are started, in every call that takes requests. */
static void requests(void) {
  enum { N = 5 };
  const int values[N] = {0, 1, 2, 3, 4};
  int peer = rank ^ 1, b[N], flag, index, done, indices[N], i;
  MPI_Request r[N], one;
  MPI_Status sts[N], st;
  if (peer >= size) return;
  for (int how = 0; how < 9; how++) {
    for (i = 0; i < N; i++) OK(MPI_Isend(&values[i], 1, MPI_INT, peer, how, MPI_COMM_WORLD, &r[i]));
    switch (how) {
    case 0: OK(MPI_Waitall(N, r, sts)); break;
    case 1: for (i = 0; i < N; i++) OK(MPI_Wait(&r[i], MPI_STATUS_IGNORE)); break;
    case 2: for (i = 0; i < N; i++) do OK(MPI_Test(&r[i], &flag, &st)); while (!flag); break;
    case 3:
      for (i = 0; i < N; i++) {
        OK(MPI_Waitany(N, r, &index, &st));
        CHECK(index >= 0 && index < N && r[index] == MPI_REQUEST_NULL);
      }
      OK(MPI_Waitany(N, r, &index, &st));
      CHECK(index == MPI_UNDEFINED);
      break;
    case 4: do OK(MPI_Testall(N, r, &flag, MPI_STATUSES_IGNORE)); while (!flag); break;
    case 5:
      for (i = 0; i < N; i += done) OK(MPI_Waitsome(N, r, &done, indices, sts));
      break;
    case 6: for (i = 0; i < N; i++) OK(MPI_Request_free(&r[i])); break;
    case 7:
      for (i = 0; i < N; i++) {
        do OK(MPI_Request_get_status(r[i], &flag, &st)); while (!flag);
        CHECK(r[i] != MPI_REQUEST_NULL);
      }
      OK(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
      break;
    case 8: /* among others */
      OK(MPI_Irecv(b, 1, MPI_INT, peer, 50, MPI_COMM_WORLD, &one));
      OK(MPI_Send(&rank, 1, MPI_INT, peer, 50, MPI_COMM_WORLD));
      MPI_Request some[N + 2] = {r[0], one, r[1], MPI_REQUEST_NULL, r[2], r[3], r[4]};
      MPI_Status stats[N + 2];
      OK(MPI_Waitall(N + 2, some, stats));
      CHECK(b[0] == peer && stats[1].MPI_SOURCE == peer && stats[1].MPI_TAG == 50);
      for (i = 0; i < N + 2; i++) CHECK(some[i] == MPI_REQUEST_NULL);
      for (i = 0; i < N; i++) r[i] = MPI_REQUEST_NULL;
    }
    for (i = 0; i < N; i++) CHECK(r[i] == MPI_REQUEST_NULL);
    for (i = 0; i < N; i++) {
      OK(MPI_Recv(b, 1, MPI_INT, peer, how, MPI_COMM_WORLD, &st));
      CHECK(b[0] == i);
    }
  }
}

/* receives: such as are started before their messages have come, ended by every call that ends requests. */
static void receives(void) {
  enum { N = 6 };
  int peer = rank ^ 1, b[N], flag, index, done, indices[N], i, taken;
  MPI_Request r[N], again;
  MPI_Status sts[N], st;
  MPI_Comm dup;
  if (peer < size) {
    for (int how = 0; how < 11; how++) {
      for (i = 0; i < N; i++) {
        b[i] = -1;
        OK(MPI_Irecv(&b[i], 1, MPI_INT, peer, i % 3 ? 60 + how : MPI_ANY_TAG, MPI_COMM_WORLD, &r[i]));
      }
      int last = N;
      if (how == 7) { /* the last is taken back, if nothing has come for it: nothing is sent before both have done so */
        OK(MPI_Cancel(&r[--last]));
        OK(MPI_Wait(&r[last], &st));
        OK(MPI_Test_cancelled(&st, &flag));
        CHECK(flag && r[last] == MPI_REQUEST_NULL);
      }
      OK(MPI_Sendrecv(&how, 1, MPI_INT, peer, 99, &i, 1, MPI_INT, MPI_PROC_NULL, 99, comms[1], &st));
      OK(MPI_Recv(&i, 1, MPI_INT, peer, 99, comms[1], &st));
      CHECK(i == how);
      for (i = 0; i < last; i++)
        OK(how % 2 ? MPI_Ssend(&i, 1, MPI_INT, peer, 60 + how, MPI_COMM_WORLD) : MPI_Send(&i, 1, MPI_INT, peer, 60 + how, MPI_COMM_WORLD));
      switch (how) {
      case 0: OK(MPI_Waitall(N, r, sts)); break;
      case 1: for (i = N - 1; i >= 0; i--) OK(MPI_Wait(&r[i], &sts[i])); break;
      case 2: for (i = 0; i < N; i++) do OK(MPI_Test(&r[i], &flag, &sts[i])); while (!flag); break;
      case 3:
        for (i = 0; i < N; i++) {
          OK(MPI_Waitany(N, r, &index, &st));
          CHECK(index >= 0 && index < N && r[index] == MPI_REQUEST_NULL);
          sts[index] = st;
        }
        break;
      case 4: do OK(MPI_Testall(N, r, &flag, sts)); while (!flag); break;
      case 5:
        for (taken = 0; taken < N; taken += done) {
          MPI_Status some[N];
          OK(MPI_Waitsome(N, r, &done, indices, some));
          for (i = 0; i < done; i++) sts[indices[i]] = some[i];
        }
        break;
      case 6: /* nobody wants to know of some */
        OK(MPI_Wait(&r[0], &sts[0]));
        for (i = 1; i < N - 1; i++) OK(MPI_Request_free(&r[i]));
        OK(MPI_Wait(&r[N - 1], &sts[N - 1]));
        for (i = 1; i < N - 1; i++) sts[i] = sts[0];
        break;
      case 7: OK(MPI_Waitall(last, r, sts)); break;
      case 8:
        for (i = 0; i < N; i++) {
          do OK(MPI_Request_get_status(r[i], &flag, &st)); while (!flag);
          CHECK(st.MPI_SOURCE == peer && st.MPI_TAG == 68 && b[i] == i && r[i] != MPI_REQUEST_NULL);
        }
        OK(MPI_Waitall(N, r, sts));
        break;
      case 9: /* others that wait are looked at in between */
        OK(MPI_Wait(&r[2], &sts[2]));
        OK(MPI_Iprobe(peer, 1, MPI_COMM_WORLD, &flag, &st));
        OK(MPI_Wait(&r[0], &sts[0]));
        OK(MPI_Wait(&r[1], &sts[1]));
        OK(MPI_Waitall(3, r + 3, sts + 3));
        break;
      case 10: /* a receive does not overtake those that were started before it */
        OK(MPI_Irecv(&i, 1, MPI_INT, peer, 70, MPI_COMM_WORLD, &again));
        OK(MPI_Send(&rank, 1, MPI_INT, peer, 70, MPI_COMM_WORLD));
        OK(MPI_Send(&size, 1, MPI_INT, peer, 70, MPI_COMM_WORLD));
        OK(MPI_Recv(&taken, 1, MPI_INT, peer, 70, MPI_COMM_WORLD, &st));
        OK(MPI_Waitall(N, r, sts));
        OK(MPI_Wait(&again, &st));
        CHECK(i == peer && taken == size);
      }
      for (i = 0; i < last; i++) {
        CHECK(b[i] == i && r[i] == MPI_REQUEST_NULL && sts[i].MPI_SOURCE == peer && sts[i].MPI_TAG == 60 + how);
        OK(MPI_Get_count(&sts[i], MPI_INT, &done));
        CHECK(done == 1);
      }
    }
    /* Too long a message is the error of its own receive. */
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (i = 0; i < 3; i++) OK(MPI_Irecv(&b[i], 1, MPI_INT, peer, 80, MPI_COMM_WORLD, &r[i]));
    int two[2] = {rank, 5};
    for (i = 0; i < 3; i++) OK(MPI_Send(two, 1 + i % 2, MPI_INT, peer, 80, MPI_COMM_WORLD));
    CHECK(MPI_Waitall(3, r, sts) == MPI_ERR_IN_STATUS);
    CHECK(sts[0].MPI_ERROR == MPI_SUCCESS && sts[1].MPI_ERROR == MPI_ERR_TRUNCATE && sts[2].MPI_ERROR == MPI_SUCCESS);
    CHECK(b[0] == peer && b[1] == peer && b[2] == peer);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
  }
  /* A communicator is freed while a receive is under way there. */
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  if (peer < size) {
    OK(MPI_Irecv(&b[0], 1, MPI_INT, peer, 1, dup, &r[0]));
    OK(MPI_Irecv(&b[1], 1, MPI_INT, peer, 1, dup, &r[1]));
    OK(MPI_Send(&rank, 1, MPI_INT, peer, 1, dup));
    OK(MPI_Send(&size, 1, MPI_INT, peer, 1, dup));
  }
  OK(MPI_Comm_free(&dup));
  if (peer < size) {
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK(b[0] == peer && b[1] == size);
    enum { MANY = 300 }; /* more than there is place for */
    int all[MANY];
    MPI_Request rs[MANY];
    for (i = 0; i < MANY; i++) OK(MPI_Irecv(&all[i], 1, MPI_INT, peer, i % 5, MPI_COMM_WORLD, &rs[i]));
    for (i = 0; i < MANY; i++) OK(MPI_Send(&i, 1, MPI_INT, peer, i % 5, MPI_COMM_WORLD));
    OK(MPI_Waitall(MANY, rs, MPI_STATUSES_IGNORE));
    for (i = 0; i < MANY; i++) CHECK(all[i] == i);
  }
}

/* errors: what is wrong is said as ever, and nothing is lost of what is right. */
static void errors(void) {
  int peer = rank ^ 1, b[4] = {0}, count;
  MPI_Status st;
  MPI_Comm gone;
  MPI_Datatype pair;
  if (peer >= size) return;
  OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  for (int i = 0; i < 3; i++) {
    int two[2] = {rank, 10 + i};
    OK(MPI_Send(two, 2, MPI_INT, peer, 1, MPI_COMM_WORLD));
    OK(MPI_Send(two, 2, MPI_INT, peer, 2, MPI_COMM_WORLD));
    b[1] = -1;
    CHECK(MPI_Recv(b, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &st) == MPI_ERR_TRUNCATE);
    CHECK(b[0] == peer && b[1] == -1);
    OK(MPI_Recv(b, 2, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(b[1] == 10 + i);
  }
  CHECK(MPI_Send(b, 1, MPI_INT, size, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  CHECK(MPI_Send(b, 1, MPI_INT, -7, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  CHECK(MPI_Send(b, -1, MPI_INT, peer, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
  CHECK(MPI_Send(b, 1, MPI_INT, peer, -1, MPI_COMM_WORLD) == MPI_ERR_TAG);
  CHECK(MPI_Send(b, 1, MPI_DATATYPE_NULL, peer, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
  CHECK(MPI_Send(NULL, 1, MPI_INT, peer, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Recv(b, 1, MPI_INT, peer, -1, MPI_COMM_WORLD, &st) == MPI_ERR_TAG);
  CHECK(MPI_Recv(b, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &st) == MPI_ERR_RANK);
  OK(MPI_Send(b, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  OK(MPI_Recv(b, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &st));
  CHECK(st.MPI_SOURCE == MPI_PROC_NULL);
  OK(MPI_Send(NULL, 0, MPI_INT, peer, 9, MPI_COMM_WORLD));
  OK(MPI_Recv(NULL, 0, MPI_INT, peer, 9, MPI_COMM_WORLD, &st));
  OK(MPI_Get_count(&st, MPI_INT, &count));
  CHECK(count == 0);
  OK(MPI_Type_vector(2, 1, 2, MPI_INT, &pair)); /* not in a row */
  OK(MPI_Type_commit(&pair));
  int spread[3] = {rank, -1, rank + 1}, place[3] = {0, -2, 0};
  OK(MPI_Send(spread, 1, pair, peer, 3, MPI_COMM_WORLD));
  OK(MPI_Recv(place, 1, pair, peer, 3, MPI_COMM_WORLD, &st));
  CHECK(place[0] == peer && place[1] == -2 && place[2] == peer + 1);
  OK(MPI_Type_free(&pair));
  MPI_Group world, both;
  int two[2] = {rank < peer ? rank : peer, rank < peer ? peer : rank};
  OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  OK(MPI_Group_incl(world, 2, two, &both));
  OK(MPI_Comm_create_group(MPI_COMM_WORLD, both, 5, &gone));
  MPI_Comm was = gone;
  OK(MPI_Send(&rank, 1, MPI_INT, peer == two[1], 4, gone));
  OK(MPI_Recv(b, 1, MPI_INT, peer == two[1], 4, gone, &st));
  CHECK(b[0] == peer && st.MPI_SOURCE == (peer == two[1]));
  OK(MPI_Comm_free(&gone));
  CHECK(MPI_Send(b, 1, MPI_INT, 0, 4, was) == MPI_ERR_COMM);
  MPI_Group_free(&world);
  MPI_Group_free(&both);
  OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* sent is how many short messages MPI_T says that this rank has sent. */
static unsigned long long sent(const char *name) {
  static MPI_T_pvar_session session;
  MPI_T_pvar_handle h;
  int index, level, count;
  unsigned long long value = 0;
  if (!session) {
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    OK(MPI_T_pvar_session_create(&session));
  }
  OK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index));
  OK(MPI_T_pvar_handle_alloc(session, index, NULL, &h, &count));
  CHECK(count == 1);
  OK(MPI_T_pvar_read(session, h, &value));
  OK(MPI_T_pvar_handle_free(session, &h));
  return value;
}

/* counted: tools see every message, whoever has carried it. */
static void counted(void) {
  enum { N = 300 };
  int peer = rank ^ 1, b;
  if (peer >= size) return;
  unsigned long long left = sent("messages.EagerSends"), came = sent("messages.Expected") + sent("messages.Unexpected");
  for (int i = 0; i < N; i++) {
    OK(MPI_Send(&i, 1, MPI_INT, peer, 0, MPI_COMM_WORLD));
    OK(MPI_Recv(&b, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(b == i);
  }
  CHECK(sent("messages.EagerSends") - left >= N);
  CHECK(sent("messages.Expected") + sent("messages.Unexpected") - came >= N - 1); /* the first may have come before */
}

/* threads: some of each rank, every one with a tag of its own, and one that calls collectives. */
static void *thread(void *number) {
  int t = *(int *)number, n = 400, got[200], mine[200], sum;
  for (int i = 0; i < n; i++) {
    int to = (rank + 1 + i % size) % size, from = (rank + 2 * size - 1 - i % size) % size, words = (int)(mix(t, i, 0, 0) % 200);
    if (t == 0) {
      OK(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comms[1]));
      CHECK(sum == i * size);
      continue;
    }
    for (int j = 0; j < words; j++) mine[j] = 1000000 * t + 1000 * i + rank + j;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;
    if (i % 3)
      OK(MPI_Send(mine, words, MPI_INT, to, t, MPI_COMM_WORLD));
    else
      OK(MPI_Isend(mine, words, MPI_INT, to, t, MPI_COMM_WORLD, &r));
    OK(MPI_Recv(got, 200, MPI_INT, i % 7 ? from : MPI_ANY_SOURCE, t, MPI_COMM_WORLD, &st));
    from = st.MPI_SOURCE;
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    int bytes;
    OK(MPI_Get_count(&st, MPI_INT, &bytes));
    CHECK(bytes == words);
    for (int j = 0; j < words; j++) CHECK(got[j] == 1000000 * t + 1000 * i + from + j);
    if (i % 7 == 6 || i % 7 == 0) { /* a receive from any source has nothing else to take than messages of its turn */
      MPI_Request all;
      OK(MPI_Ibarrier(comms[2 + t], &all));
      OK(MPI_Wait(&all, MPI_STATUS_IGNORE));
    }
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[THREADS];
  int numbers[THREADS];
  for (int t = 0; t < THREADS; t++) {
    numbers[t] = t;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[2 + t]));
  }
  for (int t = 0; t < THREADS; t++) CHECK(pthread_create(&all[t], NULL, thread, &numbers[t]) == 0);
  for (int t = 0; t < THREADS; t++) CHECK(pthread_join(all[t], NULL) == 0);
  for (int t = 0; t < THREADS; t++) OK(MPI_Comm_free(&comms[2 + t]));
}

int main(int argc, char **argv) {
  int level;
  OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size <= 16);
  in = malloc(4 * LONGEST);
  out = malloc((size_t)size * MOST * LONGEST);
  MPI_Request *r = malloc((size_t)COMMS * size * MOST * sizeof *r);
  int rounds = argc > 1 ? atoi(argv[1]) : 30;
  comms[0] = MPI_COMM_WORLD;
  me[0] = rank;
  state = (unsigned)rank + 100u * (argc > 2 ? (unsigned)atoi(argv[2]) : 0);
  requests();
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
  receives();
  OK(MPI_Comm_free(&comms[1]));
  errors();
  counted();
  for (int round = 0; round < rounds; round++) {
    if (round % 5 == 0) {
      if (round > 0) {
        OK(MPI_Comm_free(&comms[1]));
        OK(MPI_Comm_free(&comms[2]));
      }
      OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
      OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]));
      MPI_Comm_rank(comms[1], &me[1]);
      MPI_Comm_rank(comms[2], &me[2]);
    }
    MPI_Request barrier = MPI_REQUEST_NULL;
    if (round % 4 == 1) OK(MPI_Ibarrier(MPI_COMM_WORLD, &barrier));
    int k = round % COMMS, n = send_all(round, k, r), sum, one = 1;
    receive_all(round, k);
    OK(MPI_Waitall(n, r, MPI_STATUSES_IGNORE));
    exchange(round, (k + 1) % COMMS);
    OK(MPI_Wait(&barrier, MPI_STATUS_IGNORE));
    if (round % 3 == 0) {
      OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[k]));
      CHECK(sum == size);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD)); /* messages of a round are received in it */
  }
  OK(MPI_Comm_free(&comms[2]));
  threads();
  OK(MPI_Comm_free(&comms[1]));
  OK(MPI_Finalize());
  free(in);
  free(out);
  free(r);
  return 0;
}
