/*
 * layouts.c: ping-pongs of elements that do not lie next to each other. The twin of rank/layouts.go.
 */
#include "twin.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD

static int at_most(int a, int b) { return a < b ? a : b; }

/* strided_type is doubles in blocks of so many, each with as much room behind it: size bytes of them. */
MPI_Datatype strided_type(int block, int size, size_t *span)
{
    MPI_Datatype t;
    block = at_most(block, size / 8);
    MPI_Type_vector(size / 8 / block, block, 2 * block, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    *span = 2 * (size_t)size;
    return t;
}

static struct items strided(int block, int size)
{
    struct items i = {.count = 1};
    i.type = strided_type(block, size, &i.span);
    return i;
}

static struct items strided1(int size) { return strided(1, size); }
static struct items strided8(int size) { return strided(8, size); }
static struct items strided64(int size) { return strided(64, size); }

/* indexed is doubles in blocks of 1, 2, 3, 1, ... with one or two between them. */
static struct items indexed(int size)
{
    struct items it = {.count = 1};
    int n = size / 8, blocks = 0, at = 0;
    int *lens = malloc((size_t)n * sizeof *lens), *starts = malloc((size_t)n * sizeof *starts);
    for (int left = n; left > 0; blocks++) {
        lens[blocks] = at_most(1 + blocks % 3, left);
        starts[blocks] = at;
        at += lens[blocks] + 1 + blocks % 2;
        left -= lens[blocks];
    }
    MPI_Type_indexed(blocks, lens, starts, MPI_DOUBLE, &it.type);
    MPI_Type_commit(&it.type);
    free(lens);
    free(starts);
    it.span = 8 * (size_t)at;
    return it;
}

struct record {
    double x;
    int32_t id, age;
    double y;
    float mass, heat;
};

/* fields are x, id and mass of records. */
static struct items fields(int size)
{
    int lens[] = {1, 1, 1};
    MPI_Aint at[] = {offsetof(struct record, x), offsetof(struct record, id), offsetof(struct record, mass)};
    MPI_Datatype kinds[] = {MPI_DOUBLE, MPI_INT32_T, MPI_FLOAT}, one;
    struct items i = {.count = size / 16, .span = 2 * (size_t)size};
    MPI_Type_create_struct(3, lens, at, kinds, &one);
    MPI_Type_create_resized(one, 0, sizeof(struct record), &i.type);
    MPI_Type_commit(&i.type);
    MPI_Type_free(&one);
    return i;
}

static const struct test *how;

static void setup(const struct test *t, const struct step *steps, int n)
{
    (void)steps, (void)n;
    how = t;
}

static double laid(struct step s, int iterations)
{
    struct items i = how->lay(s.size);
    char *from = page_aligned(i.span), *to = page_aligned(i.span);
    memset(from, 1, i.span);
    memset(to, 2, i.span);
    double start = MPI_Wtime();
    for (int k = 0; k < iterations; k++) {
        if (leads())
            MPI_Send(from, i.count, i.type, peer(), TAG_PING, WORLD);
        MPI_Recv(to, i.count, i.type, peer(), leads() ? TAG_PONG : TAG_PING, WORLD, MPI_STATUS_IGNORE);
        if (!leads())
            MPI_Send(from, i.count, i.type, peer(), TAG_PONG, WORLD);
    }
    double spent = MPI_Wtime() - start;
    MPI_Type_free(&i.type);
    free(from);
    free(to);
    return spent;
}

#define LAID(NAME) {.name = #NAME, .kind = PING_PONG, .batch = laid, .setup = setup, .lay = NAME}

const struct test layout_tests[] = {LAID(strided1), LAID(strided8), LAID(strided64), LAID(indexed), LAID(fields)};
const int layout_count = sizeof layout_tests / sizeof layout_tests[0];
