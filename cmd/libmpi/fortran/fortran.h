/* What the functions that Fortran programs call have in common. Fortran's handles are C's as integers, its statuses are C's,
   its logicals are 0 and 1 (those of gfortran and flang), and lengths of texts come behind all arguments. */
#ifndef WEFT_FORTRAN_H
#define WEFT_FORTRAN_H

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

typedef int fint;

/* Texts that functions return have at most so many bytes. */
enum { WEFT_ROOM = MPI_MAX_LIBRARY_VERSION_STRING };
static inline int weft_room(int n) { return n < WEFT_ROOM ? n : WEFT_ROOM; }

/* Constants that are addresses in C: Fortran's are variables in common blocks, of which the program has the memory. */
void *weft_buffer(void *p);
int *weft_weights(fint *p);
MPI_Status *weft_status(fint *p);

/* weft_text makes a text of C's: without blanks at both ends, on the heap. weft_blanks is the way back. */
char *weft_text(const char *s, size_t n);
void weft_blanks(char *to, size_t n, const char *from);

/* weft_handles makes an array of handles, on the heap; weft_integers is the way back. */
void **weft_handles(const fint *f, int n);
void weft_integers(void **c, fint *f, int n);

/* weft_peers is how many ranks a collective exchanges blocks with, weft_degree how many neighbours it sends to or receives from. */
int weft_peers(fint comm);
int weft_degree(fint comm, int out);

#endif
