/*
 * calls.c: collective calls, each timed alone with a barrier between calls. The twin of rank/group.go.
 */
#include "twin.h"

static void do_barrier(int size) { (void)size; MPI_Barrier(MPI_COMM_WORLD); }
static void do_bcast(int size) { MPI_Bcast(out, size, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void do_reduce(int size) { MPI_Reduce(out, in, size / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD); }
static void do_allreduce(int size) { MPI_Allreduce(out, in, size / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void do_scan(int size) { MPI_Scan(out, in, size / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }

static void do_gather(int size) { MPI_Gather(out, size, MPI_BYTE, in, size, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void do_scatter(int size) { MPI_Scatter(out, size, MPI_BYTE, in, size, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void do_allgather(int size) { MPI_Allgather(out, size, MPI_BYTE, in, size, MPI_BYTE, MPI_COMM_WORLD); }
static void do_alltoall(int size) { MPI_Alltoall(out, size, MPI_BYTE, in, size, MPI_BYTE, MPI_COMM_WORLD); }

static void do_reduce_scatter(int size)
{
    MPI_Reduce_scatter_block(out, in, size / 4 / ranks, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void (*call)(int size);

static void setup(const struct test *t, const struct step *steps, int n)
{
    (void)steps;
    (void)n;
    call = t->call;
}

static double collective(struct step s, int iterations)
{
    double spent = 0;
    for (int i = 0; i < iterations; i++) {
        double start = MPI_Wtime();
        call(s.size);
        spent += MPI_Wtime() - start;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return spent;
}

static double collective_barrier(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        call(s.size);
    return MPI_Wtime() - start;
}

const struct test collective_tests[] = {
    {.name = "barrier", .kind = CALLS, .batch = collective_barrier, .setup = setup, .call = do_barrier},
    {.name = "bcast", .kind = CALLS, .batch = collective, .setup = setup, .call = do_bcast},
    {.name = "reduce", .kind = CALLS, .batch = collective, .setup = setup, .call = do_reduce},
    {.name = "allreduce", .kind = CALLS, .batch = collective, .setup = setup, .call = do_allreduce},
    {.name = "gather", .kind = CALLS, .batch = collective, .setup = setup, .call = do_gather, .spread = 1},
    {.name = "scatter", .kind = CALLS, .batch = collective, .setup = setup, .call = do_scatter, .spread = 1},
    {.name = "allgather", .kind = CALLS, .batch = collective, .setup = setup, .call = do_allgather, .spread = 1},
    {.name = "alltoall", .kind = CALLS, .batch = collective, .setup = setup, .call = do_alltoall, .spread = 1},
    {.name = "reduce_scatter", .kind = CALLS, .batch = collective, .setup = setup, .call = do_reduce_scatter},
    {.name = "scan", .kind = CALLS, .batch = collective, .setup = setup, .call = do_scan},
};
const int collective_count = sizeof collective_tests / sizeof collective_tests[0];
