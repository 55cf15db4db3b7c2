/* Ranks, a ring of messages, an allreduce and a user's reduction. */
#include "check.h"

static void join(void *in, void *inout, int *n, MPI_Datatype *type) {
  int i, *a = in, *b = inout;
  CHECK(*type == MPI_INT);
  for (i = 0; i < *n; i++) b[i] = a[i] * 10 + b[i];
}

int main(int argc, char **argv) {
  int rank, size, i, x, flag;
  double d, sum;
  long double ld, lsum;
  MPI_Op op;
  MPI_Status st;
  MPI_Request r[2];

  CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Init(&argc, &argv) == MPI_SUCCESS);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  x = -1;
  MPI_Irecv(&x, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  CHECK(x == (rank + size - 1) % size);
  CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);

  if (size > 1 && rank < 2) {
    char *big = calloc(1, 1 << 20);
    if (rank == 0) {
      for (i = 0; i < 1 << 20; i++) big[i] = (char)i;
      MPI_Send(big, 1 << 20, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
      MPI_Recv(big, 100, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &st);
    } else {
      MPI_Recv(big, 1 << 20, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
      CHECK(st.MPI_SOURCE == 0 && st.MPI_TAG == 3);
      MPI_Get_count(&st, MPI_CHAR, &i);
      CHECK(i == 1 << 20);
      for (i = 0; i < 1 << 20; i++) CHECK(big[i] == (char)i);
      MPI_Send(big, 0, MPI_CHAR, 0, 4, MPI_COMM_WORLD);
    }
    free(big);
  }

  d = rank + 0.5;
  MPI_Allreduce(&d, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2.0 + size * 0.5);
  ld = rank + 0.25L;
  MPI_Allreduce(&ld, &lsum, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(lsum == size * (size - 1) / 2.0L + size * 0.25L);

  MPI_Op_create(join, 0, &op);
  x = rank + 1;
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, op, MPI_COMM_WORLD);
  for (i = 0, flag = 0; i < size; i++) flag = flag * 10 + i + 1;
  CHECK(x == flag);
  MPI_Op_free(&op);

  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks\n", size);
  MPI_Finalize();
  MPI_Finalized(&flag);
  CHECK(flag);
  return 0;
}
