/*
 * twin.c: the twin's table of tests and its main loop.
 *
 * usage: twin WINDOW TEST SIZE:ITERATIONS:WARMUP:BATCHES:SHARE:WORK[,...] [TEST STEPS]...
 *        twin list
 *
 * Rank 0 prints lines that start with "weft-bench ": the library, one row per step, and "end". Tests run one after the
 * other in one job. A step is warmed up, then timed in batches; the value is the median batch.
 */
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, ranks, window;
char *out, *in;
MPI_Request *requests;
double resident_before;

void fail(const char *what)
{
    fprintf(stderr, "twin: %s\n", what);
    usleep(100000); /* let the launcher pass on these words before it ends everything */
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

#define PARTY(NAME, MEASURE, COMPUTES, FIRST) \
    {.name = NAME, .setup = party_setup, .measure = MEASURE, .computes = COMPUTES, .first = FIRST}
#define EXCHANGE(NAME, MODEL, NEIGHBOURS) \
    {.name = NAME, .kind = CYCLE, .batch = exchange, .setup = cycle_setup, .model = MODEL, .neighbours = NEIGHBOURS}

static const struct test tests[] = {
    {.name = "latency", .kind = PING_PONG, .batch = ping_pong},
    {.name = "multi_lat", .kind = PING_PONG, .batch = ping_pong},
    {.name = "bw", .kind = STREAM, .batch = stream},
    {.name = "mbw_mr", .kind = STREAM, .batch = stream},
    {.name = "bibw", .kind = BOTH_WAYS, .batch = stream_both_ways},
    PARTY("overlap_send_sender_first", overlap, SENDER, SENDER),
    PARTY("overlap_send_receiver_first", overlap, SENDER, RECEIVER),
    PARTY("overlap_recv_sender_first", overlap, RECEIVER, SENDER),
    PARTY("overlap_recv_receiver_first", overlap, RECEIVER, RECEIVER),
    PARTY("progress_send_sender_first", progress, SENDER, SENDER),
    PARTY("progress_send_receiver_first", progress, SENDER, RECEIVER),
    PARTY("progress_recv_sender_first", progress, RECEIVER, SENDER),
    PARTY("progress_recv_receiver_first", progress, RECEIVER, RECEIVER),
    EXCHANGE("exchange_m1_n1", 1, 1),
    EXCHANGE("exchange_m1_n2", 1, 2),
    EXCHANGE("exchange_m2_n1", 2, 1),
    EXCHANGE("exchange_m2_n2", 2, 2),
    {.name = "crossing", .kind = CYCLE, .batch = crossing, .setup = cycle_setup},
    {.name = "reuse", .kind = PING_PONG, .batch = reuse, .setup = reuse_setup},
    {.name = "spectrum_packed", .kind = SPECTRUM, .batch = spectrum, .setup = spectrum_setup},
    {.name = "spectrum_paged", .kind = SPECTRUM, .batch = spectrum, .setup = spectrum_setup, .model = 1},
    {.name = "busy_latency", .setup = beside_setup, .measure = beside},
    {.name = "memory", .measure = resident},
    {.name = "idle", .measure = idle},
    {.name = "wakes", .measure = idle, .model = 1},
};

/* The tables of all files. */
static const struct table {
    const struct test *tests;
    const int *count;
} tables[] = {
    {tests, &(const int){sizeof tests / sizeof tests[0]}},
    {collective_tests, &collective_count},
    {mode_tests, &mode_count},
    {layout_tests, &layout_count},
    {kept_tests, &kept_count},
    {pattern_tests, &pattern_count},
    {thread_tests, &thread_count},
    {sided_tests, &sided_count},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const struct test *find_test(const char *name)
{
    for (int k = 0; k < TABLES; k++)
        for (int i = 0; i < *tables[k].count; i++)
            if (strcmp(tables[k].tests[i].name, name) == 0)
                return &tables[k].tests[i];
    fail("no such test");
    return NULL;
}

/* in_threads says whether the test that is named first calls from several threads. */
static int in_threads(const char *name)
{
    for (int i = 0; i < thread_count; i++)
        if (strcmp(thread_tests[i].name, name) == 0)
            return 1;
    return 0;
}

static int list_tests(void)
{
    for (int k = 0; k < TABLES; k++)
        for (int i = 0; i < *tables[k].count; i++)
            puts(tables[k].tests[i].name);
    return 0;
}

/* convert turns a batch's seconds, one per rank, into its row. */
static struct row convert(const struct test *t, struct step s, const double *seconds)
{
    struct row r = {0};
    double sum = 0, low = seconds[0], high = seconds[0];
    for (int i = 0; i < ranks; i++) {
        sum += seconds[i];
        low = seconds[i] < low ? seconds[i] : low;
        high = seconds[i] > high ? seconds[i] : high;
    }
    double n = s.iterations;
    if (t->kind == SPECTRUM)
        n = n * (n + 1) / 2;
    if (t->threads)
        n *= s.share > 1 ? s.share : 1;
    if (t->kind == PING_PONG || t->kind == SPECTRUM) {
        r.value = sum / ranks * 1e6 / (2 * n);
    } else if (t->kind == STREAM || t->kind == BOTH_WAYS) {
        int pairs = ranks / 2;
        double slowest = 0; /* the senders hold the clock, as they get the answer */
        for (int i = 0; i < pairs; i++)
            slowest = seconds[i] > slowest ? seconds[i] : slowest;
        int ways = t->kind == STREAM ? 1 : 2;
        r.rate = ways * pairs * window * n / slowest;
        r.value = r.rate * s.size / 1e6;
    } else if (t->kind == SIDED) {
        for (int i = ranks / 2; i < ranks; i++)
            sum -= seconds[i]; /* of those who are operated on */
        r.value = sum / (ranks / 2) * 1e6 / n;
    } else {
        r.value = sum / ranks * 1e6 / n;
        r.low = low * 1e6 / n;
        r.high = high * 1e6 / n;
    }
    return r;
}

static int by_value(const void *a, const void *b)
{
    double x = ((const struct row *)a)->value, y = ((const struct row *)b)->value;
    return (x > y) - (x < y);
}

/* in_batches warms up, runs the batches and returns the median one; it means something on rank 0 only. */
static struct row in_batches(const struct test *t, struct step s)
{
    struct row *rows = calloc((size_t)s.batches, sizeof *rows), median;
    double *seconds = calloc((size_t)ranks, sizeof *seconds);
    if (rows == NULL || seconds == NULL)
        fail("out of memory");
    MPI_Barrier(MPI_COMM_WORLD);
    t->batch(s, s.warmup);
    for (int b = 0; b < s.batches; b++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double mine = t->batch(s, s.iterations);
        MPI_Gather(&mine, 1, MPI_DOUBLE, seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            rows[b] = convert(t, s, seconds);
    }
    qsort(rows, (size_t)s.batches, sizeof *rows, by_value);
    median = rows[s.batches / 2];
    free(rows);
    free(seconds);
    return median;
}

static void measure(const struct test *t, struct step s)
{
    struct row r = t->measure != NULL ? t->measure(t, s) : in_batches(t, s);
    if (rank != 0)
        return;
    printf("weft-bench row %d %d %.6f %.6f %.6f %.6f %.3f %d -\n", s.size, s.share, r.value, r.base, r.low, r.high,
           r.rate, s.iterations);
    fflush(stdout);
}

static int parse_steps(const char *text, struct step *steps)
{
    int n = 0;
    while (n < MAX_STEPS) {
        struct step s;
        int used = 0;
        if (sscanf(text, "%d:%d:%d:%d:%d:%d%n", &s.size, &s.iterations, &s.warmup, &s.batches, &s.share, &s.work, &used) != 6)
            fail("cannot read the steps");
        if (s.size < 0 || s.iterations < 1 || s.warmup < 0 || s.batches < 1 || s.share < 0 || s.work < 0)
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
char *page_aligned(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 4096, bytes + 4096) != 0)
        fail("out of memory");
    memset(p, 0, bytes + 4096);
    return p;
}

int largest(const struct step *steps, int n)
{
    int bytes = 0;
    for (int i = 0; i < n; i++)
        bytes = steps[i].size > bytes ? steps[i].size : bytes;
    return bytes;
}

/* come_to_rest does as the Weft side does: barriers until rank 0 has seen enough time pass. */
static void come_to_rest(void)
{
    double start = MPI_Wtime();
    for (char more = 1; more != 0;) {
        for (int i = 0; i < 20; i++)
            MPI_Barrier(MPI_COMM_WORLD);
        more = MPI_Wtime() - start <= 0.15;
        MPI_Bcast(&more, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
}

/* run measures one test. */
static void run(const struct test *t, const char *text)
{
    static struct step steps[MAX_STEPS];
    int n = parse_steps(text, steps);
    size_t bytes = (size_t)largest(steps, n) * (size_t)(t->spread ? ranks : 1);
    out = page_aligned(bytes);
    in = page_aligned(bytes);
    if (t->setup != NULL)
        t->setup(t, steps, n);
    for (int i = 0; i < n; i++)
        measure(t, steps[i]);
    if (t->kind == SIDED)
        sided_end();
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_tests();
    resident_before = resident_megabytes();
    int threads = argc > 2 && in_threads(argv[2]), given;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &given);
    if (threads && given != MPI_THREAD_MULTIPLE)
        fail("this library does not let several threads call it");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || argc % 2 != 0)
        fail("usage: twin WINDOW TEST SIZE:ITERATIONS:WARMUP:BATCHES:SHARE:WORK[,...] [TEST STEPS]...");
    window = atoi(argv[1]);
    if (window < 1 || ranks < 2)
        fail("wrong window or number of ranks");
    requests = calloc((size_t)window * 2, sizeof *requests);
    if (requests == NULL)
        fail("out of memory");
    if (rank == 0)
        print_library();
    if (find_test(argv[2])->measure != resident) /* nothing is timed there */
        come_to_rest();
    for (int i = 2; i + 1 < argc; i += 2)
        run(find_test(argv[i]), argv[i + 1]);
    if (rank == 0) {
        printf("weft-bench end\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
