/* Windows: puts and gets with types, accumulates, locks, post and start, shared and dynamic ones. */
#include "check.h"

#define N 8

/* The lowest and highest values with their places, in elements that have gaps and in such that have none. */
#define PAIRS(name, value, place, type)                                                                  \
  static void name(int rank, int size) {                                                                 \
    struct { value v; place at; } *mem, mine[3], old, all[3] = {{0, 0}};                                 \
    MPI_Win w;                                                                                           \
    int i;                                                                                               \
    OK(MPI_Win_allocate(3 * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &w));         \
    for (i = 0; i < 3; i++) {                                                                            \
      mem[i].v = 50, mem[i].at = 99;                                                                     \
      mine[i].v = (value)(i == 1 ? 7 : 40 + (rank + i) % size), mine[i].at = (place)(size - rank);       \
    }                                                                                                    \
    OK(MPI_Win_fence(0, w));                                                                             \
    for (i = 0; i < size; i++) OK(MPI_Accumulate(mine, 3, type, i, 0, 3, type, MPI_MINLOC, w));          \
    OK(MPI_Win_fence(0, w));                                                                             \
    CHECK(mem[0].v == 40 && mem[0].at == size);                                                          \
    CHECK(mem[1].v == 7 && mem[1].at == 1); /* the lowest place of equal ones */                         \
    CHECK(mem[2].v == 40 && mem[2].at == size - (2 * size - 2) % size);                                  \
    OK(MPI_Win_fence(0, w));                                                                             \
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w));                                                          \
    OK(MPI_Get_accumulate(mine, 3, type, all, 3, type, 0, 0, 3, type, MPI_MAXLOC, w));                   \
    OK(MPI_Win_unlock(0, w));                                                                            \
    CHECK(all[1].v == 7 && all[0].v >= 40);                                                              \
    OK(MPI_Win_fence(0, w));                                                                             \
    if (rank == 0) CHECK(mem[0].v == 40 + size - 1 && mem[0].at == 1);                                   \
    OK(MPI_Win_fence(0, w));                                                                             \
    mine[0].v = 100, mine[0].at = (place)(rank + 5);                                                     \
    OK(MPI_Win_lock_all(0, w));                                                                          \
    OK(MPI_Fetch_and_op(mine, &old, type, 0, 1, MPI_MAXLOC, w));                                         \
    OK(MPI_Win_flush_all(w));                                                                            \
    CHECK((old.v == 7 && old.at == 1) || (old.v == 100 && old.at >= 5));                                 \
    OK(MPI_Barrier(MPI_COMM_WORLD));                                                                     \
    OK(MPI_Fetch_and_op(NULL, &old, type, 0, 1, MPI_NO_OP, w));                                          \
    OK(MPI_Win_flush_all(w));                                                                            \
    CHECK(old.v == 100 && old.at == 5);                                                                  \
    OK(MPI_Barrier(MPI_COMM_WORLD));                                                                     \
    if (rank == size - 1) OK(MPI_Fetch_and_op(mine, &old, type, 0, 2, MPI_REPLACE, w));                  \
    OK(MPI_Win_unlock_all(w));                                                                           \
    OK(MPI_Win_fence(0, w));                                                                             \
    if (rank == 0) CHECK(mem[2].v == 100 && mem[2].at == size + 4);                                      \
    OK(MPI_Win_fence(0, w));                                                                             \
    OK(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));                                                    \
    CHECK(MPI_Accumulate(&i, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MINLOC, w) == MPI_ERR_OP);                \
    CHECK(MPI_Accumulate(mine, 3, type, 0, 1, 3, type, MPI_MINLOC, w) == MPI_ERR_RMA_RANGE);             \
    OK(MPI_Win_free(&w));                                                                                \
  }
PAIRS(float_int, float, int, MPI_FLOAT_INT)
PAIRS(double_int, double, int, MPI_DOUBLE_INT)
PAIRS(long_int, long, int, MPI_LONG_INT)
PAIRS(short_int, short, int, MPI_SHORT_INT)
PAIRS(int_int, int, int, MPI_2INT)
PAIRS(two_doubles, double, double, MPI_2DOUBLE_PRECISION)

int main(int argc, char **argv) {
  int rank, size, i, *mem, one = 1, old, unit, peer;
  MPI_Win w;
  MPI_Aint bytes, at, *all;
  MPI_Datatype column;
  MPI_Comm host;
  MPI_Group group, other;
  MPI_Request r;
  void *value;

  OK(MPI_Init(&argc, &argv));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  peer = (rank + 1) % size;

  float_int(rank, size);
  double_int(rank, size);
  long_int(rank, size);
  short_int(rank, size);
  int_int(rank, size);
  two_doubles(rank, size);

  OK(MPI_Win_allocate(N * N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &w));
  OK(MPI_Win_get_attr(w, MPI_WIN_SIZE, &value, &i));
  CHECK(i && *(MPI_Aint *)value == N * N * (MPI_Aint)sizeof(int));
  OK(MPI_Win_get_attr(w, MPI_WIN_BASE, &value, &i));
  CHECK(i && value == mem);
  for (i = 0; i < N * N; i++) mem[i] = 1000 * rank + i;
  OK(MPI_Win_fence(0, w));
  /* My row goes to the peer's third column. */
  int row[N], got[N];
  for (i = 0; i < N; i++) row[i] = -100 * rank - i;
  OK(MPI_Type_vector(N, 1, N, MPI_INT, &column));
  OK(MPI_Type_commit(&column));
  OK(MPI_Put(row, N, MPI_INT, peer, 2, 1, column, w));
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < N; i++) CHECK(mem[N * i + 2] == -100 * ((rank + size - 1) % size) - i);
  /* And it comes back from there, into a column of ours. */
  int matrix[N * N] = {0};
  OK(MPI_Get(matrix + 5, 1, column, peer, 2, 1, column, w));
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < N; i++) CHECK(matrix[N * i + 5] == row[i]);

  mem[0] = 0;
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < 10; i++) OK(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, w));
  OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w));
  if (rank == 0) CHECK(mem[0] == 10 * size);
  MPI_Barrier(MPI_COMM_WORLD);

  OK(MPI_Win_lock_all(0, w));
  OK(MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, w));
  OK(MPI_Win_flush(0, w));
  CHECK(old >= 10 * size && old < 11 * size);
  OK(MPI_Rget(got, 2, MPI_INT, peer, 3, 2, MPI_INT, w, &r));
  OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
  CHECK(got[0] == 1000 * peer + 3 && got[1] == 1000 * peer + 4);
  OK(MPI_Win_unlock_all(w));
  MPI_Barrier(MPI_COMM_WORLD);

  for (i = 0; i < size; i++) { /* one of all wins the place */
    int mine = rank + 1, none = 0, was;
    if (rank == i && i == 0) mem[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == i) {
      OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w));
      OK(MPI_Compare_and_swap(&mine, &none, &was, MPI_INT, 0, 1, w));
      OK(MPI_Win_unlock(0, w));
      CHECK(was == (i == 0 ? 0 : 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  OK(MPI_Comm_group(MPI_COMM_WORLD, &group));
  int left = (rank + size - 1) % size;
  MPI_Group from, to;
  OK(MPI_Group_incl(group, 1, &left, &from));
  OK(MPI_Group_incl(group, 1, &peer, &to));
  OK(MPI_Win_post(from, 0, w));
  OK(MPI_Win_start(to, 0, w));
  OK(MPI_Put(&rank, 1, MPI_INT, peer, 7, 1, MPI_INT, w));
  OK(MPI_Win_complete(w));
  OK(MPI_Win_wait(w));
  CHECK(mem[7] == left);
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  OK(MPI_Win_get_group(w, &other));
  OK(MPI_Group_compare(group, other, &i));
  CHECK(i == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&other);
  OK(MPI_Win_free(&w));
  CHECK(w == MPI_WIN_NULL);

  /* Errors of a window come back where the program wants that. */
  int place;
  OK(MPI_Win_create(&place, sizeof place, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w));
  OK(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
  OK(MPI_Win_fence(0, w));
  CHECK(MPI_Put(&one, 1, MPI_INT, peer, 2, 1, MPI_INT, w) == MPI_ERR_RMA_RANGE);
  CHECK(MPI_Put(&one, 1, MPI_INT, size, 0, 1, MPI_INT, w) == MPI_ERR_RANK);
  CHECK(MPI_Win_unlock(peer, w) == MPI_ERR_RMA_SYNC);
  OK(MPI_Win_fence(0, w));
  OK(MPI_Win_free(&w));

  OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w));
  place = -1;
  OK(MPI_Win_attach(w, &place, sizeof place));
  OK(MPI_Get_address(&place, &at));
  all = malloc(size * sizeof *all);
  OK(MPI_Allgather(&at, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD));
  OK(MPI_Win_fence(0, w));
  OK(MPI_Put(&rank, 1, MPI_INT, peer, all[peer], 1, MPI_INT, w));
  OK(MPI_Win_fence(0, w));
  CHECK(place == left);
  OK(MPI_Win_detach(w, &place));
  OK(MPI_Win_free(&w));
  free(all);

  OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host));
  int hosts, here;
  MPI_Comm_size(host, &hosts);
  MPI_Comm_rank(host, &here);
  OK(MPI_Win_allocate_shared(here == 0 ? hosts * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, host, &mem, &w));
  OK(MPI_Win_shared_query(w, 0, &bytes, &unit, &mem));
  CHECK(bytes == hosts * (MPI_Aint)sizeof(int) && unit == sizeof(int));
  OK(MPI_Win_fence(0, w));
  mem[here] = here * here;
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < hosts; i++) CHECK(mem[i] == i * i);
  OK(MPI_Win_fence(0, w));
  OK(MPI_Win_free(&w));
  /* Parts lie one behind the other. */
  OK(MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, host, &mem, &w));
  OK(MPI_Win_fence(0, w));
  mem[0] = mem[1] = 10 * here;
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < hosts; i++) CHECK(mem[2 * (i - here)] == 10 * i && mem[2 * (i - here) + 1] == 10 * i);
  OK(MPI_Win_fence(0, w));
  for (i = 0; i < hosts; i++) OK(MPI_Accumulate(&one, 1, MPI_INT, i, 1, 1, MPI_INT, MPI_SUM, w));
  OK(MPI_Win_fence(0, w));
  CHECK(mem[0] == 10 * here && mem[1] == 10 * here + one * hosts);
  OK(MPI_Win_free(&w));
  OK(MPI_Comm_free(&host));
  OK(MPI_Type_free(&column));
  OK(MPI_Finalize());
  return 0;
}
