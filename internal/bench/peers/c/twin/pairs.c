/*
 * pairs.c: tests between pairs of ranks, rank i and rank i + pairs. The twin of rank/pairs.go and rank/buffers.go.
 */
#include "twin.h"

int leads(void) { return rank < ranks / 2; }
int peer(void) { return leads() ? rank + ranks / 2 : rank - ranks / 2; }

/* bounce sends one message from the leader to its peer and back. */
void bounce(char *from, char *to, int size)
{
    if (leads()) {
        MPI_Send(from, size, MPI_BYTE, peer(), TAG_PING, MPI_COMM_WORLD);
        MPI_Recv(to, size, MPI_BYTE, peer(), TAG_PONG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(to, size, MPI_BYTE, peer(), TAG_PING, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(from, size, MPI_BYTE, peer(), TAG_PONG, MPI_COMM_WORLD);
    }
}

double ping_pong(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        bounce(out, in, s.size);
    return MPI_Wtime() - start;
}

/* ---- streams: windows of messages, then one short answer ---- */

static void send_window(int size)
{
    for (int k = 0; k < window; k++)
        MPI_Isend(out, size, MPI_BYTE, peer(), TAG_DATA, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

static void receive_window(int size)
{
    for (int k = 0; k < window; k++)
        MPI_Irecv(in, size, MPI_BYTE, peer(), TAG_DATA, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

double stream(struct step s, int iterations)
{
    char ack[4] = {0};
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (leads()) {
            send_window(s.size);
            MPI_Recv(ack, 4, MPI_BYTE, peer(), TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            receive_window(s.size);
            MPI_Send(ack, 4, MPI_BYTE, peer(), TAG_ACK, MPI_COMM_WORLD);
        }
    }
    return MPI_Wtime() - start;
}

double stream_both_ways(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < window; k++)
            MPI_Irecv(in, s.size, MPI_BYTE, peer(), TAG_DATA, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < window; k++)
            MPI_Isend(out, s.size, MPI_BYTE, peer(), TAG_DATA, MPI_COMM_WORLD, &requests[window + k]);
        MPI_Waitall(2 * window, requests, MPI_STATUSES_IGNORE);
    }
    return MPI_Wtime() - start;
}

/* ---- reuse: one buffer again and again, or each message from another ---- */

enum { POOL_BYTES = 64 << 20, POOL_BUFFERS = 2048 };

static char *pool_out, *pool_in;
static size_t stride, pool_bytes, next_buffer = 1;
static int due;

static size_t pages(int bytes) { return bytes < 1 ? PAGE : ((size_t)bytes + PAGE - 1) / PAGE * PAGE; }

void reuse_setup(const struct test *t, const struct step *steps, int n)
{
    (void)t;
    stride = pages(largest(steps, n));
    size_t buffers = POOL_BYTES / stride;
    buffers = buffers < 2 ? 2 : buffers > POOL_BUFFERS ? POOL_BUFFERS : buffers;
    pool_bytes = buffers * stride;
    pool_out = page_aligned(pool_bytes);
    pool_in = page_aligned(pool_bytes);
}

double reuse(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        size_t at = 0;
        due += s.share;
        if (due >= 100) {
            due -= 100;
        } else {
            at = next_buffer * stride;
            if (++next_buffer * stride >= pool_bytes)
                next_buffer = 1;
        }
        bounce(pool_out + at, pool_in + at, s.size);
    }
    return MPI_Wtime() - start;
}

/* ---- spectrum: the first buffer carries one message, the second two, and so on ---- */

static int paged;

static size_t spectrum_stride(int size) { return paged ? pages(size) : (size_t)size; }

void spectrum_setup(const struct test *t, const struct step *steps, int n)
{
    paged = t->model; /* the table says so */
    size_t bytes = 0;
    for (int i = 0; i < n; i++) {
        int buffers = steps[i].iterations > steps[i].warmup ? steps[i].iterations : steps[i].warmup;
        size_t need = spectrum_stride(steps[i].size) * (size_t)buffers;
        bytes = need > bytes ? need : bytes;
    }
    pool_out = page_aligned(bytes);
    pool_in = page_aligned(bytes);
}

double spectrum(struct step s, int buffers)
{
    size_t apart = spectrum_stride(s.size);
    double start = MPI_Wtime();
    for (int i = 0; i < buffers; i++)
        for (int k = 0; k <= i; k++)
            bounce(pool_out + (size_t)i * apart, pool_in + (size_t)i * apart, s.size);
    return MPI_Wtime() - start;
}
