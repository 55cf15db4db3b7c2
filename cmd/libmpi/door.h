/* What the C half of the library has in common. */
#ifndef WEFT_DOOR_H
#define WEFT_DOOR_H

#include "include/mpi.h"
#include "numbers.h"

/* weft_enter has Go carry out function fn of the table, with its arguments as words. */
int weft_enter(int fn, uintptr_t *a);

double weft_wtime(void);
double weft_wtick(void);

/* weft_environ is the process's environment as it is now. */
char **weft_environ(void);

/* weft_flush writes out what stdio holds; weft_at_exit has Go told when the process ends. */
void weft_flush(void);
void weft_at_exit(void);

/* Calls of functions that the program has given us. */
void weft_reduce(uintptr_t fn, void *in, void *inout, int64_t n, uintptr_t type, int large);
int weft_fold(int own, int op, void *in, void *inout, int64_t n);
void weft_handle(uintptr_t fn, uintptr_t handle, int code);
int weft_copy(uintptr_t fn, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value, uintptr_t *copied, int *flag);
int weft_delete(uintptr_t fn, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra);
int weft_query(uintptr_t fn, uintptr_t extra, void *status);
int weft_free(uintptr_t fn, uintptr_t extra);
int weft_cancel(uintptr_t fn, uintptr_t extra, int complete);

#endif
