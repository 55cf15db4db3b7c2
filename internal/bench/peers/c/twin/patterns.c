/*
 * patterns.c: exchanges of messages as programs make them. The twin of rank/patterns.go.
 */
#include "twin.h"

#include <stdlib.h>

#define WORLD MPI_COMM_WORLD

enum { TAG_PATTERN = 60, MOST = 8 };

static const struct test *how;
static int messages, to[MOST], from[MOST];
static char *pattern_out, *pattern_in;
static MPI_Request all[2 * MOST]; /* the receives, then the sends */

/* ---- who exchanges with whom ---- */

static void with_partner(int n)
{
    messages = n;
    for (int k = 0; k < n; k++)
        to[k] = from[k] = (rank + ranks / 2) % ranks;
}

static int power(int base, int exponent)
{
    int v = 1;
    while (exponent-- > 0)
        v *= base;
    return v;
}

/* width is the widest that the first of so many dimensions can be without being wider than the others. */
static int width(int of, int dimensions)
{
    int best = 1;
    if (dimensions == 1)
        return of;
    for (int w = 2; power(w, dimensions) <= of; w++)
        if (of % w == 0)
            best = w;
    return best;
}

static void on_grid(int dimensions)
{
    int stride = 1;
    messages = 0;
    for (int left = dimensions; left > 0; left--) {
        int wide = width(ranks / stride, left), at = rank / stride % wide;
        int up = rank + ((at + 1) % wide - at) * stride;
        int down = rank + ((at + wide - 1) % wide - at) * stride;
        to[messages] = from[messages + 1] = up;
        from[messages] = to[messages + 1] = down;
        messages += 2;
        stride *= wide;
    }
}

static MPI_Comm grid = MPI_COMM_NULL;

/* make_grid makes a Cartesian grid with the places of on_grid. */
static void make_grid(int dimensions)
{
    int sizes[3], periodic[3] = {1, 1, 1}, places = 1;
    for (int left = dimensions; left > 0; left--) {
        sizes[left - 1] = width(ranks / places, left);
        places *= sizes[left - 1];
    }
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Cart_create(WORLD, dimensions, sizes, periodic, 0, &grid);
}

/* ---- the calls ---- */

static void start_all(int size)
{
    for (int k = 0; k < messages; k++)
        MPI_Irecv(pattern_in + (size_t)k * size, size, MPI_BYTE, from[k], TAG_PATTERN + k, WORLD, &all[k]);
    for (int k = 0; k < messages; k++)
        MPI_Isend(pattern_out + (size_t)k * size, size, MPI_BYTE, to[k], TAG_PATTERN + k, WORLD, &all[messages + k]);
}

static void do_exchange(int size)
{
    start_all(size);
    MPI_Waitall(2 * messages, all, MPI_STATUSES_IGNORE);
}

static void do_neighbors(int size)
{
    MPI_Neighbor_alltoall(pattern_out, size, MPI_BYTE, pattern_in, size, MPI_BYTE, grid);
}

static void do_test_loop(int size)
{
    start_all(size);
    for (int k = 0; k < 2 * messages; k++)
        for (int done = 0; !done;)
            MPI_Test(&all[k], &done, MPI_STATUS_IGNORE);
}

static void do_start(int size)
{
    (void)size;
    MPI_Startall(2, all);
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
}

static void do_self(int size)
{
    MPI_Request got;
    MPI_Irecv(pattern_in, size, MPI_BYTE, rank, TAG_PATTERN, WORLD, &got);
    MPI_Send(pattern_out, size, MPI_BYTE, rank, TAG_PATTERN, WORLD);
    MPI_Wait(&got, MPI_STATUS_IGNORE);
}

/* ---- the loop ---- */

static void setup(const struct test *t, const struct step *steps, int n)
{
    how = t;
    free(pattern_out);
    free(pattern_in);
    if (t->model > 0)
        on_grid(t->model);
    if (t->call == do_neighbors)
        make_grid(t->model);
    if (t->model == 0)
        with_partner(t->neighbours);
    pattern_out = page_aligned((size_t)largest(steps, n) * (size_t)messages);
    pattern_in = page_aligned((size_t)largest(steps, n) * (size_t)messages);
}

static double repeat(struct step s, int iterations)
{
    int persists = how->call == do_start;
    if (persists) {
        MPI_Recv_init(pattern_in, s.size, MPI_BYTE, from[0], TAG_PATTERN, WORLD, &all[0]);
        MPI_Send_init(pattern_out, s.size, MPI_BYTE, to[0], TAG_PATTERN, WORLD, &all[1]);
    }
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        how->call(s.size);
    double spent = MPI_Wtime() - start;
    if (persists) {
        MPI_Request_free(&all[0]);
        MPI_Request_free(&all[1]);
    }
    return spent;
}

#define PAIR(NAME, MESSAGES, CALL) \
    {.name = NAME, .kind = CALLS, .batch = repeat, .setup = setup, .call = CALL, .neighbours = MESSAGES}
#define GRID(NAME, DIMENSIONS, CALL) \
    {.name = NAME, .kind = CALLS, .batch = repeat, .setup = setup, .call = CALL, .model = DIMENSIONS}

const struct test pattern_tests[] = {
    PAIR("isend_irecv", 1, do_exchange), PAIR("persistent_pair", 1, do_start), PAIR("waitall8", 8, do_exchange),
    PAIR("test_loop", 1, do_test_loop),  PAIR("self", 1, do_self),
    GRID("halo2d", 2, do_exchange),      GRID("halo3d", 3, do_exchange),
    GRID("cart2d", 2, do_neighbors), GRID("cart3d", 3, do_neighbors),
};
const int pattern_count = sizeof pattern_tests / sizeof pattern_tests[0];
