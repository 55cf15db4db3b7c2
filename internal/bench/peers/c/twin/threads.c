/*
 * threads.c: tests of pairs by several threads of each rank at the same time, each with buffers and tags of its own. The
 * twin of rank/threads.go.
 */
#include "twin.h"

#include <pthread.h>
#include <stdlib.h>

enum { TAGS_OF_PAIR = 4 };

struct thread {
    pthread_t id;
    int tags; /* added to all tags */
    char *out, *in;
    MPI_Request *requests;
    struct step step;
    int iterations;
    double start;
};

static const struct test *how;
static struct thread *threads;
static pthread_barrier_t begin;

static void thread_ping_pong(const struct thread *t)
{
    int size = t->step.size;
    for (int i = 0; i < t->iterations; i++) {
        if (leads()) {
            MPI_Send(t->out, size, MPI_BYTE, peer(), t->tags + TAG_PING, MPI_COMM_WORLD);
            MPI_Recv(t->in, size, MPI_BYTE, peer(), t->tags + TAG_PONG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(t->in, size, MPI_BYTE, peer(), t->tags + TAG_PING, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(t->out, size, MPI_BYTE, peer(), t->tags + TAG_PONG, MPI_COMM_WORLD);
        }
    }
}

static void thread_stream(const struct thread *t)
{
    char ack[4] = {0};
    for (int i = 0; i < t->iterations; i++) {
        for (int k = 0; k < window; k++)
            if (leads())
                MPI_Isend(t->out, t->step.size, MPI_BYTE, peer(), t->tags + TAG_DATA, MPI_COMM_WORLD, &t->requests[k]);
            else
                MPI_Irecv(t->in, t->step.size, MPI_BYTE, peer(), t->tags + TAG_DATA, MPI_COMM_WORLD, &t->requests[k]);
        MPI_Waitall(window, t->requests, MPI_STATUSES_IGNORE);
        if (leads())
            MPI_Recv(ack, 4, MPI_BYTE, peer(), t->tags + TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(ack, 4, MPI_BYTE, peer(), t->tags + TAG_ACK, MPI_COMM_WORLD);
    }
}

static void *run(void *arg)
{
    pthread_barrier_wait(&begin);
    ((struct thread *)arg)->start = MPI_Wtime();
    if (how->kind == STREAM)
        thread_stream(arg);
    else
        thread_ping_pong(arg);
    return NULL;
}

static void setup(const struct test *t, const struct step *steps, int n)
{
    int most = 1;
    how = t;
    for (int i = 0; i < n; i++)
        most = steps[i].share > most ? steps[i].share : most;
    threads = calloc((size_t)most, sizeof *threads);
    if (threads == NULL)
        fail("out of memory");
    for (int g = 0; g < most; g++) {
        threads[g].tags = g * TAGS_OF_PAIR;
        threads[g].out = page_aligned((size_t)largest(steps, n));
        threads[g].in = page_aligned((size_t)largest(steps, n));
        threads[g].requests = calloc((size_t)window, sizeof *requests);
        if (threads[g].requests == NULL)
            fail("out of memory");
    }
}

/* in_threads returns the seconds from the first thread's start until the last is done. */
static double in_threads(struct step s, int iterations)
{
    int n = s.share > 1 ? s.share : 1;
    pthread_barrier_init(&begin, NULL, (unsigned)n + 1);
    for (int g = 0; g < n; g++) {
        threads[g].step = s;
        threads[g].iterations = iterations;
        if (pthread_create(&threads[g].id, NULL, run, &threads[g]) != 0)
            fail("no more threads");
    }
    pthread_barrier_wait(&begin);
    for (int g = 0; g < n; g++)
        pthread_join(threads[g].id, NULL);
    double end = MPI_Wtime(), start = end;
    for (int g = 0; g < n; g++)
        start = threads[g].start < start ? threads[g].start : start;
    pthread_barrier_destroy(&begin);
    return end - start;
}

const struct test thread_tests[] = {
    {.name = "latency_mt", .kind = PING_PONG, .batch = in_threads, .setup = setup, .threads = 1},
    {.name = "rate_mt", .kind = STREAM, .batch = in_threads, .setup = setup, .threads = 1},
};
const int thread_count = sizeof thread_tests / sizeof thread_tests[0];
