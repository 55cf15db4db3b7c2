// pingpong BYTES ROUNDS: half the time of a round trip between two ranks of any MPI, in microseconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, i, bytes = argc > 1 ? atoi(argv[1]) : 64, rounds = argc > 2 ? atoi(argv[2]) : 100;
	char *ball = calloc(1, bytes);
	double start = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (i = -rounds / 10 - 1; i < rounds; i++) {
		if (i == 0)
			start = MPI_Wtime();
		if (rank == 0)
			MPI_Send(ball, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(ball, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(ball, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%d %.2f\n", bytes, (MPI_Wtime() - start) * 1e6 / rounds / 2);
	MPI_Finalize();
	return 0;
}
