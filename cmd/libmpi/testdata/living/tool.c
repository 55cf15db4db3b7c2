/* A tool that counts sends, by PMPI. */
#include <mpi.h>
#include <stdio.h>

static int sends;

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  sends++;
  return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Finalize(void) {
  printf("%d sends\n", sends);
  return PMPI_Finalize();
}
