/* What the programs of this directory check with. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(x)                                              \
  do {                                                        \
    if (!(x)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
      MPI_Abort(MPI_COMM_WORLD, 3);                           \
    }                                                         \
  } while (0)

#define OK(call) CHECK((call) == MPI_SUCCESS)
