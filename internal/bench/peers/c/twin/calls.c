/*
 * calls.c: collective calls, each timed alone with a barrier between calls unless ranks wait for each other in them. The
 * twin of rank/group.go, rank/operations.go, rank/counts.go and rank/manage.go.
 */
#include "twin.h"

#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD

/* ---- lengths of blocks and where they begin, of the size that prepare was called for ---- */

static int *counts, *at;                            /* of the ranks */
static int *send_counts, *send_at, *recv_counts, *recv_at; /* of this rank's exchange with each */
static int *float_counts;
static MPI_Group everyone;

/* lengths is what rank/counts.go calls counts. */
static void lengths(int mean, int skewed, int *into)
{
    int left = mean * ranks;
    for (int r = 0; r < ranks; r++) {
        into[r] = !skewed ? mean : r == ranks - 1 ? left : r % 3 != 0 ? mean / 2 : 0;
        left -= into[r];
    }
}

static void displace(const int *lengths, int *into)
{
    int end = 0;
    for (int r = 0; r < ranks; r++) {
        into[r] = end;
        end += lengths[r];
    }
}

static int skewed, lays;

static void lay(int size);

static void prepare(int size)
{
    lengths(size, skewed, counts);
    displace(counts, at);
    for (int k = 0; k < ranks; k++) { /* the k-th count goes to the k-th rank after its sender */
        send_counts[(rank + k) % ranks] = counts[k];
        recv_counts[(rank + ranks - k) % ranks] = counts[k];
    }
    displace(send_counts, send_at);
    displace(recv_counts, recv_at);
    lengths(size / 4 / ranks, skewed, float_counts);
    if (lays)
        lay(size);
}

/* ---- the calls, and their non-blocking forms with a wait ---- */

#define CALLS_OF(NAME, CALL, START, ...)                                  \
    static void do_##NAME(int size)                                       \
    {                                                                     \
        (void)size;                                                       \
        CALL(__VA_ARGS__, WORLD);                                         \
    }                                                                     \
    static void do_i##NAME(int size)                                      \
    {                                                                     \
        MPI_Request r;                                                    \
        (void)size;                                                       \
        START(__VA_ARGS__, WORLD, &r);                                    \
        MPI_Wait(&r, MPI_STATUS_IGNORE);                                  \
    }

CALLS_OF(bcast, MPI_Bcast, MPI_Ibcast, out, size, MPI_BYTE, 0)
CALLS_OF(reduce, MPI_Reduce, MPI_Ireduce, out, in, size / 4, MPI_FLOAT, MPI_SUM, 0)
CALLS_OF(allreduce, MPI_Allreduce, MPI_Iallreduce, out, in, size / 4, MPI_FLOAT, MPI_SUM)
CALLS_OF(scan, MPI_Scan, MPI_Iscan, out, in, size / 4, MPI_FLOAT, MPI_SUM)
CALLS_OF(exscan, MPI_Exscan, MPI_Iexscan, out, in, size / 4, MPI_FLOAT, MPI_SUM)
CALLS_OF(gather, MPI_Gather, MPI_Igather, out, size, MPI_BYTE, in, size, MPI_BYTE, 0)
CALLS_OF(scatter, MPI_Scatter, MPI_Iscatter, out, size, MPI_BYTE, in, size, MPI_BYTE, 0)
CALLS_OF(allgather, MPI_Allgather, MPI_Iallgather, out, size, MPI_BYTE, in, size, MPI_BYTE)
CALLS_OF(alltoall, MPI_Alltoall, MPI_Ialltoall, out, size, MPI_BYTE, in, size, MPI_BYTE)
CALLS_OF(reduce_scatter, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, size / 4 / ranks, MPI_FLOAT, MPI_SUM)
CALLS_OF(gatherv, MPI_Gatherv, MPI_Igatherv, out, counts[rank], MPI_BYTE, in, counts, at, MPI_BYTE, 0)
CALLS_OF(scatterv, MPI_Scatterv, MPI_Iscatterv, out, counts, at, MPI_BYTE, in, counts[rank], MPI_BYTE, 0)
CALLS_OF(allgatherv, MPI_Allgatherv, MPI_Iallgatherv, out, counts[rank], MPI_BYTE, in, counts, at, MPI_BYTE)
CALLS_OF(alltoallv, MPI_Alltoallv, MPI_Ialltoallv, out, send_counts, send_at, MPI_BYTE, in, recv_counts, recv_at, MPI_BYTE)
CALLS_OF(reduce_scatterv, MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, float_counts, MPI_FLOAT, MPI_SUM)

/* every second double of a block from each to each; types and displacements are those of the last size */
static struct {
    int size, *ones, *at;
    MPI_Datatype *types;
    char *out, *in;
} laid;

static void lay(int size)
{
    size_t span;
    if (laid.size == size)
        return;
    if (laid.size > 0) {
        MPI_Type_free(&laid.types[0]);
        free(laid.out);
        free(laid.in);
    } else {
        laid.ones = malloc((size_t)ranks * sizeof *laid.ones);
        laid.at = malloc((size_t)ranks * sizeof *laid.at);
        laid.types = malloc((size_t)ranks * sizeof *laid.types);
    }
    MPI_Datatype t = strided_type(1, size, &span);
    for (int r = 0; r < ranks; r++) {
        laid.ones[r] = 1;
        laid.at[r] = r * (int)span;
        laid.types[r] = t;
    }
    laid.out = page_aligned((size_t)ranks * span);
    laid.in = page_aligned((size_t)ranks * span);
    memset(laid.out, 1, (size_t)ranks * span);
    memset(laid.in, 2, (size_t)ranks * span);
    laid.size = size;
}

CALLS_OF(alltoallw, MPI_Alltoallw, MPI_Ialltoallw, laid.out, laid.ones, laid.at, laid.types, laid.in, laid.ones, laid.at, laid.types)

static void do_barrier(int size) { (void)size; MPI_Barrier(WORLD); }

static void do_ibarrier(int size)
{
    MPI_Request r;
    (void)size;
    MPI_Ibarrier(WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* ---- rings ---- */

enum { TAG_RING = 50 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static void do_sendrecv(int size)
{
    MPI_Sendrecv(out, size, MPI_BYTE, right(), TAG_RING, in, size, MPI_BYTE, left(), TAG_RING, WORLD, MPI_STATUS_IGNORE);
}

static void do_sendrecv_replace(int size)
{
    MPI_Sendrecv_replace(out, size, MPI_BYTE, right(), TAG_RING, left(), TAG_RING, WORLD, MPI_STATUS_IGNORE);
}

/* ---- communicators and windows that are made and freed ---- */

static void do_dup(int size)
{
    MPI_Comm c;
    (void)size;
    MPI_Comm_dup(WORLD, &c);
    MPI_Comm_free(&c);
}

static void do_split(int size)
{
    MPI_Comm c;
    (void)size;
    MPI_Comm_split(WORLD, rank % 2, rank, &c);
    MPI_Comm_free(&c);
}

static void do_split_shared(int size)
{
    MPI_Comm c;
    (void)size;
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &c);
    MPI_Comm_free(&c);
}

static void do_create(int size)
{
    MPI_Comm c;
    (void)size;
    MPI_Comm_create(WORLD, everyone, &c);
    MPI_Comm_free(&c);
}

static void do_win_allocate(int size)
{
    MPI_Win w;
    void *mem;
    MPI_Win_allocate(size, 1, MPI_INFO_NULL, WORLD, &mem, &w);
    MPI_Win_free(&w);
}

static void do_win_create(int size)
{
    MPI_Win w;
    MPI_Win_create(in, size, 1, MPI_INFO_NULL, WORLD, &w);
    MPI_Win_free(&w);
}

/* ---- the loops ---- */

static void (*call)(int size);

static int *per_rank(void)
{
    int *p = calloc((size_t)ranks, sizeof *p);
    if (p == NULL)
        fail("out of memory");
    return p;
}

static void setup(const struct test *t, const struct step *steps, int n)
{
    (void)steps;
    (void)n;
    call = t->call;
    skewed = t->skewed;
    lays = t->call == do_alltoallw || t->call == do_ialltoallw;
    if (counts != NULL)
        return;
    counts = per_rank(), at = per_rank(), float_counts = per_rank();
    send_counts = per_rank(), send_at = per_rank(), recv_counts = per_rank(), recv_at = per_rank();
    MPI_Comm_group(WORLD, &everyone);
}

static double collective(struct step s, int iterations)
{
    double spent = 0;
    prepare(s.size);
    for (int i = 0; i < iterations; i++) {
        double start = MPI_Wtime();
        call(s.size);
        spent += MPI_Wtime() - start;
        MPI_Barrier(WORLD);
    }
    return spent;
}

static double chained(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        call(s.size);
    return MPI_Wtime() - start;
}

#define CALL(NAME) {.name = #NAME, .kind = CALLS, .batch = collective, .setup = setup, .call = do_##NAME}
#define BLOCKS(NAME) {.name = #NAME, .kind = CALLS, .batch = collective, .setup = setup, .call = do_##NAME, .spread = 1}
#define SKEWED(NAME) {.name = #NAME "_skewed", .kind = CALLS, .batch = collective, .setup = setup, .call = do_##NAME, .spread = 1, .skewed = 1}
#define CHAIN(NAME) {.name = #NAME, .kind = CALLS, .batch = chained, .setup = setup, .call = do_##NAME}

const struct test collective_tests[] = {
    CHAIN(barrier), CHAIN(ibarrier), CHAIN(sendrecv), CHAIN(sendrecv_replace),
    CALL(bcast), CALL(reduce), CALL(allreduce), CALL(reduce_scatter), CALL(scan), CALL(exscan),
    CALL(ibcast), CALL(ireduce), CALL(iallreduce), CALL(ireduce_scatter), CALL(iscan), CALL(iexscan),
    BLOCKS(gather), BLOCKS(scatter), BLOCKS(allgather), BLOCKS(alltoall),
    BLOCKS(igather), BLOCKS(iscatter), BLOCKS(iallgather), BLOCKS(ialltoall),
    BLOCKS(gatherv), BLOCKS(scatterv), BLOCKS(allgatherv), BLOCKS(alltoallv), CALL(reduce_scatterv),
    CALL(alltoallw), CALL(ialltoallw),
    BLOCKS(igatherv), BLOCKS(iscatterv), BLOCKS(iallgatherv), BLOCKS(ialltoallv), CALL(ireduce_scatterv),
    SKEWED(gatherv), SKEWED(scatterv), SKEWED(allgatherv), SKEWED(alltoallv), SKEWED(reduce_scatterv),
    CALL(dup), CALL(split), CALL(split_shared), CALL(create), CALL(win_allocate), CALL(win_create),
};
const int collective_count = sizeof collective_tests / sizeof collective_tests[0];
