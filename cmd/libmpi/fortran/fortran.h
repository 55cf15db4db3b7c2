/* What the functions that Fortran programs call have in common. Fortran's handles are C's as integers, its statuses are C's,
   its logicals are 0 and 1 (those of gfortran and flang), and lengths of texts come behind all arguments. */
#ifndef WEFT_FORTRAN_H
#define WEFT_FORTRAN_H

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

typedef int fint;

#ifdef WEFT_FACE /* the same functions over a face's: handles are integers of that library's Fortran */
#define MPI_Comm_fromint MPI_Comm_f2c
#define MPI_Comm_toint MPI_Comm_c2f
#define MPI_Group_fromint MPI_Group_f2c
#define MPI_Group_toint MPI_Group_c2f
#define MPI_Win_fromint MPI_Win_f2c
#define MPI_Win_toint MPI_Win_c2f
#define MPI_File_fromint MPI_File_f2c
#define MPI_File_toint MPI_File_c2f
#define MPI_Session_fromint MPI_Session_f2c
#define MPI_Session_toint MPI_Session_c2f
#define MPI_Message_fromint MPI_Message_f2c
#define MPI_Message_toint MPI_Message_c2f
#define MPI_Info_fromint MPI_Info_f2c
#define MPI_Info_toint MPI_Info_c2f
#define MPI_Errhandler_fromint MPI_Errhandler_f2c
#define MPI_Errhandler_toint MPI_Errhandler_c2f
#define MPI_Request_fromint MPI_Request_f2c
#define MPI_Request_toint MPI_Request_c2f
#define MPI_Type_fromint MPI_Type_f2c
#define MPI_Type_toint MPI_Type_c2f
#define MPI_Op_fromint MPI_Op_f2c
#define MPI_Op_toint MPI_Op_c2f
#endif

/* NAMED gives a function its other names: Open MPI's Fortran libraries call each other by their own. */
#ifdef WEFT_FACE_OPENMPI
#define NAMED(name) _Pragma(PRAGMA(weak mpi_##name##_ = pmpi_##name##_)) _Pragma(PRAGMA(weak ompi_##name##_f = pmpi_##name##_))
#else
#define NAMED(name) _Pragma(PRAGMA(weak mpi_##name##_ = pmpi_##name##_))
#endif
#define PRAGMA(x) #x

/* Texts that functions return have at most so many bytes. */
enum { WEFT_ROOM = 8192 };
static inline int weft_room(int n) { return n < WEFT_ROOM ? n : WEFT_ROOM; }

/* Constants that are addresses in C: Fortran's are variables in common blocks, of which the program has the memory. */
void *weft_buffer(void *p);
int *weft_weights(fint *p);
MPI_Status *weft_status(fint *p);

/* weft_text makes a text of C's: without blanks at both ends, on the heap. weft_blanks is the way back. */
char *weft_text(const char *s, size_t n);
void weft_blanks(char *to, size_t n, const char *from);

/* HANDLES makes an array of handles, on the heap; INTEGERS is the way back. */
#define HANDLES(object, type, x, n)                                                    \
  int n_##x = (n);                                                                     \
  type *c_##x = weft_array(n_##x, sizeof *c_##x);                                      \
  for (int i = 0; i < n_##x; i++) c_##x[i] = MPI_##object##_fromint(x[i]);
#define INTEGERS(object, x) \
  for (int i = 0; i < n_##x; i++) x[i] = MPI_##object##_toint(c_##x[i]);
void *weft_array(int n, size_t size);

/* weft_peers is how many ranks a collective exchanges blocks with, weft_degree how many neighbours it sends to or receives from. */
int weft_peers(fint comm);
int weft_degree(fint comm, int out);

#endif
