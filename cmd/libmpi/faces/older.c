/* Names of MPI 1, as older.h of the header has them, and handles as Fortran's integers. */
#include "face.h"

#define INTEGERS(name, type, kind)                                       \
  MPI_Fint PMPI_##name##_c2f(type h) { return to_fortran_##kind(h); }    \
  type PMPI_##name##_f2c(MPI_Fint h) { return from_fortran_##kind(h); }  \
  TWIN(name##_c2f)                                                       \
  TWIN(name##_f2c)
#ifdef WEFT_FACE_MPICH
#define SAME(name, type, kind)                                                                 \
  static MPI_Fint to_fortran_##kind(type h) { return (MPI_Fint)(intptr_t)h; }                  \
  static type from_fortran_##kind(MPI_Fint h) { return (type)(intptr_t)h; }
WEFT_INTEGERS(SAME)
#else
/* Predefined objects know their numbers; those that programs make have the interface's, which are larger. */
#define NUMBERED(name, type, kind)                                                                       \
  static MPI_Fint to_fortran_##kind(type h) {                                                            \
    if (!h) return -1;                                                                                   \
    return (MPI_Fint)((uintptr_t)h & MADE ? (intptr_t)in_object(h) : ((struct weft_object *)h)->fortran); \
  }                                                                                                      \
  static void *fortran_##kind(MPI_Fint h) {                                                              \
    switch (h) { FORTRAN_##kind }                                                                        \
    return (void *)((uintptr_t)(unsigned)h | MADE);                                                      \
  }                                                                                                      \
  static type from_fortran_##kind(MPI_Fint h) { return fortran_##kind(h); }
WEFT_INTEGERS(NUMBERED)
#endif
WEFT_INTEGERS(INTEGERS)

/* A status is the same integers in Fortran. */
int PMPI_Status_c2f(const MPI_Status *c, MPI_Fint *f) {
  memcpy(f, c, sizeof *c);
  return MPI_SUCCESS;
}
int PMPI_Status_f2c(const MPI_Fint *f, MPI_Status *c) {
  memcpy(c, f, sizeof *c);
  return MPI_SUCCESS;
}
TWIN(Status_c2f)
TWIN(Status_f2c)

int PMPI_Address(void *p, MPI_Aint *a) { return PMPI_Get_address(p, a); }
int PMPI_Type_hindexed(int n, int *l, MPI_Aint *d, MPI_Datatype t, MPI_Datatype *r) { return PMPI_Type_create_hindexed(n, l, d, t, r); }
int PMPI_Type_hvector(int n, int l, MPI_Aint s, MPI_Datatype t, MPI_Datatype *r) { return PMPI_Type_create_hvector(n, l, s, t, r); }
int PMPI_Type_struct(int n, int *l, MPI_Aint *d, MPI_Datatype *t, MPI_Datatype *r) { return PMPI_Type_create_struct(n, l, d, t, r); }
int PMPI_Type_extent(MPI_Datatype t, MPI_Aint *e) {
  MPI_Aint lb;
  return PMPI_Type_get_extent(t, &lb, e);
}
int PMPI_Type_lb(MPI_Datatype t, MPI_Aint *lb) {
  MPI_Aint e;
  return PMPI_Type_get_extent(t, lb, &e);
}
int PMPI_Type_ub(MPI_Datatype t, MPI_Aint *ub) {
  MPI_Aint lb, e;
  int code = PMPI_Type_get_extent(t, &lb, &e);
  if (code == MPI_SUCCESS) *ub = lb + e;
  return code;
}
int PMPI_Errhandler_create(MPI_Handler_function *f, MPI_Errhandler *e) { return PMPI_Comm_create_errhandler(f, e); }
int PMPI_Errhandler_set(MPI_Comm c, MPI_Errhandler e) { return PMPI_Comm_set_errhandler(c, e); }
int PMPI_Errhandler_get(MPI_Comm c, MPI_Errhandler *e) { return PMPI_Comm_get_errhandler(c, e); }
TWIN(Address)
TWIN(Type_hindexed)
TWIN(Type_hvector)
TWIN(Type_struct)
TWIN(Type_extent)
TWIN(Type_lb)
TWIN(Type_ub)
TWIN(Errhandler_create)
TWIN(Errhandler_set)
TWIN(Errhandler_get)
