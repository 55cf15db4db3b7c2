/*
 * work.c: computation that is counted, and the memory of this process. The twin of rank/work.go and rank/crowd.go.
 */
#include "twin.h"

#include <stdint.h>
#include <stdio.h>

enum { CALIBRATION_STEPS = 20000, CALIBRATION_PIECES = 200 };

static volatile uint64_t state = 1;
static double per_microsecond;

/* grind is a chain of multiplications of which each needs the one before. */
static __attribute__((noinline)) uint64_t grind(uint64_t x, long steps)
{
    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

void calibrate(void)
{
    double pieces[CALIBRATION_PIECES];
    for (int i = 0; i < CALIBRATION_PIECES; i++) {
        double start = MPI_Wtime();
        state = grind(state, CALIBRATION_STEPS);
        pieces[i] = MPI_Wtime() - start;
    }
    double piece = median(pieces, CALIBRATION_PIECES);
    per_microsecond = CALIBRATION_STEPS / (piece > 1e-9 ? piece * 1e6 : 1e-3);
}

void compute(double microseconds) { state = grind(state, (long)(microseconds * per_microsecond)); }

/* resident_megabytes is anonymous and shared memory, without program text and mapped files. */
double resident_megabytes(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    if (f == NULL)
        return 0;
    char line[256];
    double total = 0, kilobytes;
    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "RssAnon: %lf", &kilobytes) == 1 || sscanf(line, "RssShmem: %lf", &kilobytes) == 1)
            total += kilobytes / 1024;
    fclose(f);
    return total;
}
