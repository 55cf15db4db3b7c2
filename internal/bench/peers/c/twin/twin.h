/*
 * twin.h: what the files of the twin share. The twin is the benchmarks of `weft bench` for any MPI library, so that
 * Weft and its peers run the same loops; each file mirrors one or two of bench/rank.
 */
#ifndef TWIN_H
#define TWIN_H

#include <mpi.h>
#include <stddef.h>

enum { MAX_STEPS = 1000, PAGE = 4096 };

/* One line of the table that the starter sends. */
struct step {
    int size, iterations, warmup, batches, share, work;
};

/* What a step gives. */
struct row {
    double value, base, low, high, rate;
};

/* Items of a datatype, and the memory that they need. */
struct items {
    MPI_Datatype type;
    int count;
    size_t span;
};

/* A test is timed in batches, or measures a step in its own way. setup may be NULL. */
struct test {
    const char *name;
    enum kind { PING_PONG, STREAM, BOTH_WAYS, CALLS, CYCLE, SPECTRUM, SIDED } kind;
    double (*batch)(struct step s, int iterations); /* seconds of this rank */
    void (*setup)(const struct test *t, const struct step *steps, int n);
    struct row (*measure)(const struct test *t, struct step s);
    void (*call)(int size); /* collectives */
    int spread;             /* one buffer holds a block for every rank */
    int computes, first;    /* overlap and progress: SENDER or RECEIVER */
    int model, neighbours;  /* exchange */
    int skewed;             /* blocks are of very different lengths */
    void (*send)(int size), (*receive)(int size); /* ping-pongs in other modes */
    struct items (*lay)(int size); /* ping-pongs of elements that do not lie next to each other */
    int verb;               /* one-sided: PUT and so on */
    int epoch;              /* one-sided: what an operation stands between */
    int threads;            /* in as many threads as a step's share says */
    int created, requested; /* one-sided: memory of the program's; the form with a request */
};

enum { SENDER, RECEIVER };
enum { PUT, GET, FETCH, ADD, GET_ADD, SWAP };
enum { FLUSHED, FENCED, POSTED, LOCKED };
enum { TAG_PING = 1, TAG_PONG = 2, TAG_DATA = 3, TAG_ACK = 4 };

/* What a batch works on; buffers are large enough for the largest step of the run. */
extern int rank, ranks, window;
extern char *out, *in;
extern MPI_Request *requests;
extern double resident_before; /* megabytes before MPI_Init */

void fail(const char *what);
char *page_aligned(size_t bytes);
int largest(const struct step *steps, int n);

/* work.c */
void calibrate(void);
void compute(double microseconds);
double resident_megabytes(void);

/* pairs.c */
int leads(void);
int peer(void);
void bounce(char *from, char *to, int size);
double ping_pong(struct step s, int iterations);
double stream(struct step s, int iterations);
double stream_both_ways(struct step s, int iterations);
void reuse_setup(const struct test *t, const struct step *steps, int n);
double reuse(struct step s, int iterations);
void spectrum_setup(const struct test *t, const struct step *steps, int n);
double spectrum(struct step s, int buffers);

/* calls.c */
extern const struct test collective_tests[];
extern const int collective_count;

/* layouts.c */
extern const struct test layout_tests[];
extern const int layout_count;
MPI_Datatype strided_type(int block, int size, size_t *span);

/* kept.c */
extern const struct test kept_tests[];
extern const int kept_count;

/* modes.c */
extern const struct test mode_tests[];
extern const int mode_count;

/* patterns.c */
extern const struct test pattern_tests[];
extern const int pattern_count;

/* threads.c */
extern const struct test thread_tests[];
extern const int thread_count;

/* party.c */
void party_setup(const struct test *t, const struct step *steps, int n);
struct row overlap(const struct test *t, struct step s);
struct row progress(const struct test *t, struct step s);
double median(double *values, int n);

/* beside.c */
void beside_setup(const struct test *t, const struct step *steps, int n);
struct row beside(const struct test *t, struct step s);

/* cycle.c */
void cycle_setup(const struct test *t, const struct step *steps, int n);
double exchange(struct step s, int iterations);
double crossing(struct step s, int iterations);
struct row resident(const struct test *t, struct step s);
struct row idle(const struct test *t, struct step s);

/* sided.c */
extern const struct test sided_tests[];
extern const int sided_count;
void sided_end(void);

#endif
