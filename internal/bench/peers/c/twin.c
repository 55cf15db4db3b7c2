/*
 * twin.c: the benchmarks of `weft bench` for any MPI library, so that Weft and its peers run the same loops.
 *
 * usage: twin TEST WINDOW SIZE:ITERATIONS:WARMUP:BATCHES[,...]
 *
 * Rank 0 prints lines that start with "weft-bench ": the library, one row per step, and "end". The structure
 * follows bench/rank file by file: a step is warmed up, then timed in batches; the value is the median batch.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1000, TAG_PING = 1, TAG_PONG = 2, TAG_DATA = 3, TAG_ACK = 4 };

struct step {
    int size, iterations, warmup, batches;
};

/* What a batch works on; buffers are large enough for the largest step of the run. */
static int rank, ranks, window;
static char *out, *in;
static MPI_Request *requests;

static void fail(const char *what)
{
    fprintf(stderr, "twin: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* ---- ping-pong: rank i and rank i + pairs ---- */

static double ping_pong(int size, int iterations)
{
    int pairs = ranks / 2;
    double start = MPI_Wtime();
    if (rank < pairs) {
        int peer = rank + pairs;
        for (int i = 0; i < iterations; i++) {
            MPI_Send(out, size, MPI_BYTE, peer, TAG_PING, MPI_COMM_WORLD);
            MPI_Recv(in, size, MPI_BYTE, peer, TAG_PONG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        int peer = rank - pairs;
        for (int i = 0; i < iterations; i++) {
            MPI_Recv(in, size, MPI_BYTE, peer, TAG_PING, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, size, MPI_BYTE, peer, TAG_PONG, MPI_COMM_WORLD);
        }
    }
    return MPI_Wtime() - start;
}

/* ---- streams: windows of messages, then one short answer ---- */

static void send_window(int size, int peer)
{
    for (int k = 0; k < window; k++)
        MPI_Isend(out, size, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

static void receive_window(int size, int peer)
{
    for (int k = 0; k < window; k++)
        MPI_Irecv(in, size, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

static double stream(int size, int iterations)
{
    int pairs = ranks / 2;
    char ack[4] = {0};
    double start = MPI_Wtime();
    if (rank < pairs) {
        int peer = rank + pairs;
        for (int i = 0; i < iterations; i++) {
            send_window(size, peer);
            MPI_Recv(ack, 4, MPI_BYTE, peer, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        int peer = rank - pairs;
        for (int i = 0; i < iterations; i++) {
            receive_window(size, peer);
            MPI_Send(ack, 4, MPI_BYTE, peer, TAG_ACK, MPI_COMM_WORLD);
        }
    }
    return MPI_Wtime() - start;
}

static double stream_both_ways(int size, int iterations)
{
    int pairs = ranks / 2;
    int peer = rank < pairs ? rank + pairs : rank - pairs;
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < window; k++)
            MPI_Irecv(in, size, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < window; k++)
            MPI_Isend(out, size, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[window + k]);
        MPI_Waitall(2 * window, requests, MPI_STATUSES_IGNORE);
    }
    return MPI_Wtime() - start;
}

/* ---- collectives: each call timed alone, a barrier between calls ---- */

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

static double collective(int size, int iterations)
{
    double spent = 0;
    for (int i = 0; i < iterations; i++) {
        double start = MPI_Wtime();
        call(size);
        spent += MPI_Wtime() - start;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return spent;
}

static double collective_barrier(int size, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        call(size);
    return MPI_Wtime() - start;
}

/* ---- one table of tests ---- */

struct test {
    const char *name;
    double (*batch)(int size, int iterations);
    void (*call)(int size);
    int spread; /* one buffer holds a block for every rank */
};

static const struct test tests[] = {
    {"latency", ping_pong, NULL, 0},
    {"multi_lat", ping_pong, NULL, 0},
    {"bw", stream, NULL, 0},
    {"mbw_mr", stream, NULL, 0},
    {"bibw", stream_both_ways, NULL, 0},
    {"barrier", collective_barrier, do_barrier, 0},
    {"bcast", collective, do_bcast, 0},
    {"reduce", collective, do_reduce, 0},
    {"allreduce", collective, do_allreduce, 0},
    {"gather", collective, do_gather, 1},
    {"scatter", collective, do_scatter, 1},
    {"allgather", collective, do_allgather, 1},
    {"alltoall", collective, do_alltoall, 1},
    {"reduce_scatter", collective, do_reduce_scatter, 0},
    {"scan", collective, do_scan, 0},
};

static const struct test *find_test(const char *name)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (strcmp(tests[i].name, name) == 0)
            return &tests[i];
    fail("no such test");
    return NULL;
}

/* ---- from a batch's seconds, one per rank, to the row's value ---- */

struct row {
    double value, low, high, rate;
};

static struct row convert(const struct test *t, struct step s, const double *seconds)
{
    struct row r = {0, 0, 0, 0};
    double sum = 0, low = seconds[0], high = seconds[0];
    for (int i = 0; i < ranks; i++) {
        sum += seconds[i];
        low = seconds[i] < low ? seconds[i] : low;
        high = seconds[i] > high ? seconds[i] : high;
    }
    if (t->batch == ping_pong) {
        r.value = sum / ranks * 1e6 / (2.0 * s.iterations);
    } else if (t->batch == stream || t->batch == stream_both_ways) {
        int pairs = ranks / 2;
        double slowest = 0; /* the senders hold the clock, as they get the answer */
        for (int i = 0; i < pairs; i++)
            slowest = seconds[i] > slowest ? seconds[i] : slowest;
        int ways = t->batch == stream ? 1 : 2;
        r.rate = (double)ways * pairs * window * s.iterations / slowest;
        r.value = r.rate * s.size / 1e6;
    } else {
        r.value = sum / ranks * 1e6 / s.iterations;
        r.low = low * 1e6 / s.iterations;
        r.high = high * 1e6 / s.iterations;
    }
    return r;
}

static int by_value(const void *a, const void *b)
{
    double x = ((const struct row *)a)->value, y = ((const struct row *)b)->value;
    return (x > y) - (x < y);
}

static void measure(const struct test *t, struct step s)
{
    struct row *rows = calloc((size_t)s.batches, sizeof *rows);
    double *seconds = calloc((size_t)ranks, sizeof *seconds);
    if (rows == NULL || seconds == NULL)
        fail("out of memory");
    MPI_Barrier(MPI_COMM_WORLD);
    t->batch(s.size, s.warmup);
    for (int b = 0; b < s.batches; b++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double mine = t->batch(s.size, s.iterations);
        MPI_Gather(&mine, 1, MPI_DOUBLE, seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            rows[b] = convert(t, s, seconds);
    }
    if (rank == 0) {
        qsort(rows, (size_t)s.batches, sizeof *rows, by_value);
        struct row m = rows[s.batches / 2];
        printf("weft-bench row %d %.6f %.6f %.6f %.3f %d -\n", s.size, m.value, m.low, m.high, m.rate, s.iterations);
        fflush(stdout);
    }
    free(rows);
    free(seconds);
}

static int parse_steps(const char *text, struct step *steps)
{
    int n = 0;
    while (n < MAX_STEPS) {
        struct step s;
        int used = 0;
        if (sscanf(text, "%d:%d:%d:%d%n", &s.size, &s.iterations, &s.warmup, &s.batches, &used) != 4)
            fail("cannot read the steps");
        if (s.size < 0 || s.iterations < 1 || s.warmup < 0 || s.batches < 1)
            fail("a step is out of range");
        steps[n++] = s;
        text += used;
        if (*text == '\0')
            return n;
        if (*text++ != ',')
            fail("cannot read the steps");
    }
    fail("too many steps");
    return 0;
}

static void print_library(void)
{
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length);
    /* MPICH reports its build as lines of "key:\tvalue"; the first line and comma are enough to know it. */
    name[strcspn(name, "\n,")] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (*c == '\t')
            *c = ' ';
    printf("weft-bench library %s\n", name);
}

/* page_aligned returns zeroed memory, every page of it touched. */
static char *page_aligned(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 4096, bytes + 4096) != 0)
        fail("out of memory");
    memset(p, 0, bytes + 4096);
    return p;
}

int main(int argc, char **argv)
{
    static struct step steps[MAX_STEPS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4)
        fail("usage: twin TEST WINDOW SIZE:ITERATIONS:WARMUP:BATCHES[,...]");
    const struct test *t = find_test(argv[1]);
    call = t->call;
    window = atoi(argv[2]);
    if (window < 1 || ranks < 2 || (call == NULL && ranks % 2 != 0))
        fail("wrong window or number of ranks");
    int n = parse_steps(argv[3], steps);
    size_t largest = 0;
    for (int i = 0; i < n; i++)
        largest = (size_t)steps[i].size > largest ? (size_t)steps[i].size : largest;
    if (t->spread)
        largest *= (size_t)ranks;
    out = page_aligned(largest);
    in = page_aligned(largest);
    requests = calloc((size_t)window * 2, sizeof *requests);
    if (requests == NULL)
        fail("out of memory");
    if (rank == 0)
        print_library();
    for (int i = 0; i < 400000 / (ranks * ranks); i++) /* come to rest, as the Weft side does */
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        measure(t, steps[i]);
    if (rank == 0) {
        printf("weft-bench end\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
