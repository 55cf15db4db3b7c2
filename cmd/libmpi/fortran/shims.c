/* Written by go generate from internal/abi/spec. Do not edit. */

#include "fortran.h"

void pmpi_abi_get_info_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Abi_get_info(&c_info);
  *info = MPI_Info_toint(c_info);
}
#pragma weak mpi_abi_get_info_ = pmpi_abi_get_info_
void pmpi_abi_get_version_(int *abi_major, int *abi_minor, fint *ierror) {
  *ierror = MPI_Abi_get_version(abi_major, abi_minor);
}
#pragma weak mpi_abi_get_version_ = pmpi_abi_get_version_
void pmpi_abort_(fint *comm, int *errorcode, fint *ierror) {
  *ierror = MPI_Abort(MPI_Comm_fromint(*comm), *errorcode);
}
#pragma weak mpi_abort_ = pmpi_abort_
void pmpi_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
#pragma weak mpi_accumulate_ = pmpi_accumulate_
void pmpi_add_error_class_(int *errorclass, fint *ierror) {
  *ierror = MPI_Add_error_class(errorclass);
}
#pragma weak mpi_add_error_class_ = pmpi_add_error_class_
void pmpi_add_error_code_(int *errorclass, int *errorcode, fint *ierror) {
  *ierror = MPI_Add_error_code(*errorclass, errorcode);
}
#pragma weak mpi_add_error_code_ = pmpi_add_error_code_
void pmpi_add_error_string_(int *errorcode, char *string, fint *ierror, size_t l_string) {
  char *c_string = weft_text(string, l_string);
  *ierror = MPI_Add_error_string(*errorcode, c_string);
  free(c_string);
}
#pragma weak mpi_add_error_string_ = pmpi_add_error_string_
void pmpi_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_allgather_ = pmpi_allgather_
void pmpi_allgather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allgather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_allgather_init_ = pmpi_allgather_init_
void pmpi_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_allgatherv_ = pmpi_allgatherv_
void pmpi_allgatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allgatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_allgatherv_init_ = pmpi_allgatherv_init_
void pmpi_alloc_mem_(MPI_Aint *size, fint *info, void *baseptr, fint *ierror) {
  *ierror = MPI_Alloc_mem(*size, MPI_Info_fromint(*info), weft_buffer(baseptr));
}
#pragma weak mpi_alloc_mem_ = pmpi_alloc_mem_
void pmpi_allreduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Allreduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_allreduce_ = pmpi_allreduce_
void pmpi_allreduce_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allreduce_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_allreduce_init_ = pmpi_allreduce_init_
void pmpi_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_alltoall_ = pmpi_alltoall_
void pmpi_alltoall_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoall_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_alltoall_init_ = pmpi_alltoall_init_
void pmpi_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_alltoallv_ = pmpi_alltoallv_
void pmpi_alltoallv_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoallv_init(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_alltoallv_init_ = pmpi_alltoallv_init_
void pmpi_alltoallw_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *ierror) {
  int n_sendtypes = weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_peers(*comm); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  *ierror = MPI_Alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm));
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_alltoallw_ = pmpi_alltoallw_
void pmpi_alltoallw_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *info, fint *request, fint *ierror) {
  int n_sendtypes = weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_peers(*comm); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoallw_init(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_alltoallw_init_ = pmpi_alltoallw_init_
void pmpi_attr_delete_(fint *comm, int *keyval, fint *ierror) {
  *ierror = MPI_Attr_delete(MPI_Comm_fromint(*comm), *keyval);
}
#pragma weak mpi_attr_delete_ = pmpi_attr_delete_
void pmpi_barrier_(fint *comm, fint *ierror) {
  *ierror = MPI_Barrier(MPI_Comm_fromint(*comm));
}
#pragma weak mpi_barrier_ = pmpi_barrier_
void pmpi_barrier_init_(fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Barrier_init(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_barrier_init_ = pmpi_barrier_init_
void pmpi_bcast_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Bcast(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_bcast_ = pmpi_bcast_
void pmpi_bcast_init_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Bcast_init(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_bcast_init_ = pmpi_bcast_init_
void pmpi_bsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Bsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_bsend_ = pmpi_bsend_
void pmpi_bsend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Bsend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_bsend_init_ = pmpi_bsend_init_
void pmpi_buffer_attach_(void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Buffer_attach(weft_buffer(buffer), *size);
}
#pragma weak mpi_buffer_attach_ = pmpi_buffer_attach_
void pmpi_buffer_flush_(fint *ierror) {
  *ierror = MPI_Buffer_flush();
}
#pragma weak mpi_buffer_flush_ = pmpi_buffer_flush_
void pmpi_buffer_iflush_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Buffer_iflush(&c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_buffer_iflush_ = pmpi_buffer_iflush_
void pmpi_cancel_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Cancel(&c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_cancel_ = pmpi_cancel_
void pmpi_cart_coords_(fint *comm, int *rank, int *maxdims, int *coords, fint *ierror) {
  *ierror = MPI_Cart_coords(MPI_Comm_fromint(*comm), *rank, *maxdims, coords);
}
#pragma weak mpi_cart_coords_ = pmpi_cart_coords_
void pmpi_cart_create_(fint *comm_old, int *ndims, int *dims, int *periods, int *reorder, fint *comm_cart, fint *ierror) {
  MPI_Comm c_comm_cart = MPI_Comm_fromint(*comm_cart);
  *ierror = MPI_Cart_create(MPI_Comm_fromint(*comm_old), *ndims, dims, periods, *reorder, &c_comm_cart);
  *comm_cart = MPI_Comm_toint(c_comm_cart);
}
#pragma weak mpi_cart_create_ = pmpi_cart_create_
void pmpi_cart_get_(fint *comm, int *maxdims, int *dims, int *periods, int *coords, fint *ierror) {
  *ierror = MPI_Cart_get(MPI_Comm_fromint(*comm), *maxdims, dims, periods, coords);
}
#pragma weak mpi_cart_get_ = pmpi_cart_get_
void pmpi_cart_map_(fint *comm, int *ndims, int *dims, int *periods, int *newrank, fint *ierror) {
  *ierror = MPI_Cart_map(MPI_Comm_fromint(*comm), *ndims, dims, periods, newrank);
}
#pragma weak mpi_cart_map_ = pmpi_cart_map_
void pmpi_cart_rank_(fint *comm, int *coords, int *rank, fint *ierror) {
  *ierror = MPI_Cart_rank(MPI_Comm_fromint(*comm), coords, rank);
}
#pragma weak mpi_cart_rank_ = pmpi_cart_rank_
void pmpi_cart_shift_(fint *comm, int *direction, int *disp, int *rank_source, int *rank_dest, fint *ierror) {
  *ierror = MPI_Cart_shift(MPI_Comm_fromint(*comm), *direction, *disp, rank_source, rank_dest);
}
#pragma weak mpi_cart_shift_ = pmpi_cart_shift_
void pmpi_cart_sub_(fint *comm, int *remain_dims, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Cart_sub(MPI_Comm_fromint(*comm), remain_dims, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_cart_sub_ = pmpi_cart_sub_
void pmpi_cartdim_get_(fint *comm, int *ndims, fint *ierror) {
  *ierror = MPI_Cartdim_get(MPI_Comm_fromint(*comm), ndims);
}
#pragma weak mpi_cartdim_get_ = pmpi_cartdim_get_
void pmpi_close_port_(char *port_name, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Close_port(c_port_name);
  free(c_port_name);
}
#pragma weak mpi_close_port_ = pmpi_close_port_
void pmpi_comm_accept_(char *port_name, fint *info, int *root, fint *comm, fint *newcomm, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_accept(c_port_name, MPI_Info_fromint(*info), *root, MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_port_name);
}
#pragma weak mpi_comm_accept_ = pmpi_comm_accept_
void pmpi_comm_attach_buffer_(fint *comm, void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Comm_attach_buffer(MPI_Comm_fromint(*comm), weft_buffer(buffer), *size);
}
#pragma weak mpi_comm_attach_buffer_ = pmpi_comm_attach_buffer_
void pmpi_comm_call_errhandler_(fint *comm, int *errorcode, fint *ierror) {
  *ierror = MPI_Comm_call_errhandler(MPI_Comm_fromint(*comm), *errorcode);
}
#pragma weak mpi_comm_call_errhandler_ = pmpi_comm_call_errhandler_
void pmpi_comm_compare_(fint *comm1, fint *comm2, int *result, fint *ierror) {
  *ierror = MPI_Comm_compare(MPI_Comm_fromint(*comm1), MPI_Comm_fromint(*comm2), result);
}
#pragma weak mpi_comm_compare_ = pmpi_comm_compare_
void pmpi_comm_connect_(char *port_name, fint *info, int *root, fint *comm, fint *newcomm, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_connect(c_port_name, MPI_Info_fromint(*info), *root, MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_port_name);
}
#pragma weak mpi_comm_connect_ = pmpi_comm_connect_
void pmpi_comm_create_(fint *comm, fint *group, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create(MPI_Comm_fromint(*comm), MPI_Group_fromint(*group), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_create_ = pmpi_comm_create_
void pmpi_comm_create_errhandler_(void *comm_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)comm_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_comm_create_errhandler_ = pmpi_comm_create_errhandler_
void pmpi_comm_create_from_group_(fint *group, char *stringtag, fint *info, fint *errhandler, fint *newcomm, fint *ierror, size_t l_stringtag) {
  char *c_stringtag = weft_text(stringtag, l_stringtag);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create_from_group(MPI_Group_fromint(*group), c_stringtag, MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_stringtag);
}
#pragma weak mpi_comm_create_from_group_ = pmpi_comm_create_from_group_
void pmpi_comm_create_group_(fint *comm, fint *group, int *tag, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create_group(MPI_Comm_fromint(*comm), MPI_Group_fromint(*group), *tag, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_create_group_ = pmpi_comm_create_group_
void pmpi_comm_delete_attr_(fint *comm, int *comm_keyval, fint *ierror) {
  *ierror = MPI_Comm_delete_attr(MPI_Comm_fromint(*comm), *comm_keyval);
}
#pragma weak mpi_comm_delete_attr_ = pmpi_comm_delete_attr_
void pmpi_comm_disconnect_(fint *comm, fint *ierror) {
  MPI_Comm c_comm = MPI_Comm_fromint(*comm);
  *ierror = MPI_Comm_disconnect(&c_comm);
  *comm = MPI_Comm_toint(c_comm);
}
#pragma weak mpi_comm_disconnect_ = pmpi_comm_disconnect_
void pmpi_comm_dup_(fint *comm, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_dup(MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_dup_ = pmpi_comm_dup_
void pmpi_comm_dup_with_info_(fint *comm, fint *info, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_dup_with_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_dup_with_info_ = pmpi_comm_dup_with_info_
void pmpi_comm_flush_buffer_(fint *comm, fint *ierror) {
  *ierror = MPI_Comm_flush_buffer(MPI_Comm_fromint(*comm));
}
#pragma weak mpi_comm_flush_buffer_ = pmpi_comm_flush_buffer_
void pmpi_comm_free_(fint *comm, fint *ierror) {
  MPI_Comm c_comm = MPI_Comm_fromint(*comm);
  *ierror = MPI_Comm_free(&c_comm);
  *comm = MPI_Comm_toint(c_comm);
}
#pragma weak mpi_comm_free_ = pmpi_comm_free_
void pmpi_comm_free_keyval_(int *comm_keyval, fint *ierror) {
  *ierror = MPI_Comm_free_keyval(comm_keyval);
}
#pragma weak mpi_comm_free_keyval_ = pmpi_comm_free_keyval_
void pmpi_comm_get_errhandler_(fint *comm, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Comm_get_errhandler(MPI_Comm_fromint(*comm), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_comm_get_errhandler_ = pmpi_comm_get_errhandler_
void pmpi_comm_get_info_(fint *comm, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Comm_get_info(MPI_Comm_fromint(*comm), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
#pragma weak mpi_comm_get_info_ = pmpi_comm_get_info_
void pmpi_comm_get_name_(fint *comm, char *comm_name, int *resultlen, fint *ierror, size_t l_comm_name) {
  char c_comm_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Comm_get_name(MPI_Comm_fromint(*comm), c_comm_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(comm_name, l_comm_name, c_comm_name);
}
#pragma weak mpi_comm_get_name_ = pmpi_comm_get_name_
void pmpi_comm_get_parent_(fint *parent, fint *ierror) {
  MPI_Comm c_parent = MPI_Comm_fromint(*parent);
  *ierror = MPI_Comm_get_parent(&c_parent);
  *parent = MPI_Comm_toint(c_parent);
}
#pragma weak mpi_comm_get_parent_ = pmpi_comm_get_parent_
void pmpi_comm_group_(fint *comm, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Comm_group(MPI_Comm_fromint(*comm), &c_group);
  *group = MPI_Group_toint(c_group);
}
#pragma weak mpi_comm_group_ = pmpi_comm_group_
void pmpi_comm_idup_(fint *comm, fint *newcomm, fint *request, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_idup(MPI_Comm_fromint(*comm), &c_newcomm, &c_request);
  *newcomm = MPI_Comm_toint(c_newcomm);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_comm_idup_ = pmpi_comm_idup_
void pmpi_comm_idup_with_info_(fint *comm, fint *info, fint *newcomm, fint *request, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_idup_with_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_newcomm, &c_request);
  *newcomm = MPI_Comm_toint(c_newcomm);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_comm_idup_with_info_ = pmpi_comm_idup_with_info_
void pmpi_comm_iflush_buffer_(fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_iflush_buffer(MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_comm_iflush_buffer_ = pmpi_comm_iflush_buffer_
void pmpi_comm_join_(int *fd, fint *intercomm, fint *ierror) {
  MPI_Comm c_intercomm = MPI_Comm_fromint(*intercomm);
  *ierror = MPI_Comm_join(*fd, &c_intercomm);
  *intercomm = MPI_Comm_toint(c_intercomm);
}
#pragma weak mpi_comm_join_ = pmpi_comm_join_
void pmpi_comm_rank_(fint *comm, int *rank, fint *ierror) {
  *ierror = MPI_Comm_rank(MPI_Comm_fromint(*comm), rank);
}
#pragma weak mpi_comm_rank_ = pmpi_comm_rank_
void pmpi_comm_remote_group_(fint *comm, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Comm_remote_group(MPI_Comm_fromint(*comm), &c_group);
  *group = MPI_Group_toint(c_group);
}
#pragma weak mpi_comm_remote_group_ = pmpi_comm_remote_group_
void pmpi_comm_remote_size_(fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Comm_remote_size(MPI_Comm_fromint(*comm), size);
}
#pragma weak mpi_comm_remote_size_ = pmpi_comm_remote_size_
void pmpi_comm_set_errhandler_(fint *comm, fint *errhandler, fint *ierror) {
  *ierror = MPI_Comm_set_errhandler(MPI_Comm_fromint(*comm), MPI_Errhandler_fromint(*errhandler));
}
#pragma weak mpi_comm_set_errhandler_ = pmpi_comm_set_errhandler_
void pmpi_comm_set_info_(fint *comm, fint *info, fint *ierror) {
  *ierror = MPI_Comm_set_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info));
}
#pragma weak mpi_comm_set_info_ = pmpi_comm_set_info_
void pmpi_comm_set_name_(fint *comm, char *comm_name, fint *ierror, size_t l_comm_name) {
  char *c_comm_name = weft_text(comm_name, l_comm_name);
  *ierror = MPI_Comm_set_name(MPI_Comm_fromint(*comm), c_comm_name);
  free(c_comm_name);
}
#pragma weak mpi_comm_set_name_ = pmpi_comm_set_name_
void pmpi_comm_size_(fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Comm_size(MPI_Comm_fromint(*comm), size);
}
#pragma weak mpi_comm_size_ = pmpi_comm_size_
void pmpi_comm_split_(fint *comm, int *color, int *key, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_split(MPI_Comm_fromint(*comm), *color, *key, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_split_ = pmpi_comm_split_
void pmpi_comm_split_type_(fint *comm, int *split_type, int *key, fint *info, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_split_type(MPI_Comm_fromint(*comm), *split_type, *key, MPI_Info_fromint(*info), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
#pragma weak mpi_comm_split_type_ = pmpi_comm_split_type_
void pmpi_comm_test_inter_(fint *comm, int *flag, fint *ierror) {
  *ierror = MPI_Comm_test_inter(MPI_Comm_fromint(*comm), flag);
}
#pragma weak mpi_comm_test_inter_ = pmpi_comm_test_inter_
void pmpi_compare_and_swap_(void *origin_addr, void *compare_addr, void *result_addr, fint *datatype, int *target_rank, MPI_Aint *target_disp, fint *win, fint *ierror) {
  *ierror = MPI_Compare_and_swap(weft_buffer(origin_addr), weft_buffer(compare_addr), weft_buffer(result_addr), MPI_Type_fromint(*datatype), *target_rank, *target_disp, MPI_Win_fromint(*win));
}
#pragma weak mpi_compare_and_swap_ = pmpi_compare_and_swap_
void pmpi_dims_create_(int *nnodes, int *ndims, int *dims, fint *ierror) {
  *ierror = MPI_Dims_create(*nnodes, *ndims, dims);
}
#pragma weak mpi_dims_create_ = pmpi_dims_create_
void pmpi_dist_graph_create_(fint *comm_old, int *n, int *sources, int *degrees, int *destinations, fint *weights, fint *info, int *reorder, fint *comm_dist_graph, fint *ierror) {
  MPI_Comm c_comm_dist_graph = MPI_Comm_fromint(*comm_dist_graph);
  *ierror = MPI_Dist_graph_create(MPI_Comm_fromint(*comm_old), *n, sources, degrees, destinations, weft_weights(weights), MPI_Info_fromint(*info), *reorder, &c_comm_dist_graph);
  *comm_dist_graph = MPI_Comm_toint(c_comm_dist_graph);
}
#pragma weak mpi_dist_graph_create_ = pmpi_dist_graph_create_
void pmpi_dist_graph_create_adjacent_(fint *comm_old, int *indegree, int *sources, fint *sourceweights, int *outdegree, int *destinations, fint *destweights, fint *info, int *reorder, fint *comm_dist_graph, fint *ierror) {
  MPI_Comm c_comm_dist_graph = MPI_Comm_fromint(*comm_dist_graph);
  *ierror = MPI_Dist_graph_create_adjacent(MPI_Comm_fromint(*comm_old), *indegree, sources, weft_weights(sourceweights), *outdegree, destinations, weft_weights(destweights), MPI_Info_fromint(*info), *reorder, &c_comm_dist_graph);
  *comm_dist_graph = MPI_Comm_toint(c_comm_dist_graph);
}
#pragma weak mpi_dist_graph_create_adjacent_ = pmpi_dist_graph_create_adjacent_
void pmpi_dist_graph_neighbors_(fint *comm, int *maxindegree, int *sources, fint *sourceweights, int *maxoutdegree, int *destinations, fint *destweights, fint *ierror) {
  *ierror = MPI_Dist_graph_neighbors(MPI_Comm_fromint(*comm), *maxindegree, sources, weft_weights(sourceweights), *maxoutdegree, destinations, weft_weights(destweights));
}
#pragma weak mpi_dist_graph_neighbors_ = pmpi_dist_graph_neighbors_
void pmpi_dist_graph_neighbors_count_(fint *comm, int *indegree, int *outdegree, int *weighted, fint *ierror) {
  *ierror = MPI_Dist_graph_neighbors_count(MPI_Comm_fromint(*comm), indegree, outdegree, weighted);
}
#pragma weak mpi_dist_graph_neighbors_count_ = pmpi_dist_graph_neighbors_count_
void pmpi_errhandler_free_(fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Errhandler_free(&c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_errhandler_free_ = pmpi_errhandler_free_
void pmpi_error_class_(int *errorcode, int *errorclass, fint *ierror) {
  *ierror = MPI_Error_class(*errorcode, errorclass);
}
#pragma weak mpi_error_class_ = pmpi_error_class_
void pmpi_error_string_(int *errorcode, char *string, int *resultlen, fint *ierror, size_t l_string) {
  char c_string[WEFT_ROOM + 1] = "";
  *ierror = MPI_Error_string(*errorcode, c_string, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(string, l_string, c_string);
}
#pragma weak mpi_error_string_ = pmpi_error_string_
void pmpi_exscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Exscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_exscan_ = pmpi_exscan_
void pmpi_exscan_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Exscan_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_exscan_init_ = pmpi_exscan_init_
void pmpi_fetch_and_op_(void *origin_addr, void *result_addr, fint *datatype, int *target_rank, MPI_Aint *target_disp, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Fetch_and_op(weft_buffer(origin_addr), weft_buffer(result_addr), MPI_Type_fromint(*datatype), *target_rank, *target_disp, MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
#pragma weak mpi_fetch_and_op_ = pmpi_fetch_and_op_
void pmpi_file_call_errhandler_(fint *fh, int *errorcode, fint *ierror) {
  *ierror = MPI_File_call_errhandler(MPI_File_fromint(*fh), *errorcode);
}
#pragma weak mpi_file_call_errhandler_ = pmpi_file_call_errhandler_
void pmpi_file_close_(fint *fh, fint *ierror) {
  MPI_File c_fh = MPI_File_fromint(*fh);
  *ierror = MPI_File_close(&c_fh);
  *fh = MPI_File_toint(c_fh);
}
#pragma weak mpi_file_close_ = pmpi_file_close_
void pmpi_file_create_errhandler_(void *file_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_File_create_errhandler((MPI_File_errhandler_function *)file_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_file_create_errhandler_ = pmpi_file_create_errhandler_
void pmpi_file_delete_(char *filename, fint *info, fint *ierror, size_t l_filename) {
  char *c_filename = weft_text(filename, l_filename);
  *ierror = MPI_File_delete(c_filename, MPI_Info_fromint(*info));
  free(c_filename);
}
#pragma weak mpi_file_delete_ = pmpi_file_delete_
void pmpi_file_get_amode_(fint *fh, int *amode, fint *ierror) {
  *ierror = MPI_File_get_amode(MPI_File_fromint(*fh), amode);
}
#pragma weak mpi_file_get_amode_ = pmpi_file_get_amode_
void pmpi_file_get_atomicity_(fint *fh, int *flag, fint *ierror) {
  *ierror = MPI_File_get_atomicity(MPI_File_fromint(*fh), flag);
}
#pragma weak mpi_file_get_atomicity_ = pmpi_file_get_atomicity_
void pmpi_file_get_byte_offset_(fint *fh, MPI_Offset *offset, MPI_Offset *disp, fint *ierror) {
  *ierror = MPI_File_get_byte_offset(MPI_File_fromint(*fh), *offset, disp);
}
#pragma weak mpi_file_get_byte_offset_ = pmpi_file_get_byte_offset_
void pmpi_file_get_errhandler_(fint *file, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_File_get_errhandler(MPI_File_fromint(*file), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_file_get_errhandler_ = pmpi_file_get_errhandler_
void pmpi_file_get_group_(fint *fh, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_File_get_group(MPI_File_fromint(*fh), &c_group);
  *group = MPI_Group_toint(c_group);
}
#pragma weak mpi_file_get_group_ = pmpi_file_get_group_
void pmpi_file_get_info_(fint *fh, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_File_get_info(MPI_File_fromint(*fh), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
#pragma weak mpi_file_get_info_ = pmpi_file_get_info_
void pmpi_file_get_position_(fint *fh, MPI_Offset *offset, fint *ierror) {
  *ierror = MPI_File_get_position(MPI_File_fromint(*fh), offset);
}
#pragma weak mpi_file_get_position_ = pmpi_file_get_position_
void pmpi_file_get_position_shared_(fint *fh, MPI_Offset *offset, fint *ierror) {
  *ierror = MPI_File_get_position_shared(MPI_File_fromint(*fh), offset);
}
#pragma weak mpi_file_get_position_shared_ = pmpi_file_get_position_shared_
void pmpi_file_get_size_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_get_size(MPI_File_fromint(*fh), size);
}
#pragma weak mpi_file_get_size_ = pmpi_file_get_size_
void pmpi_file_get_type_extent_(fint *fh, fint *datatype, MPI_Aint *extent, fint *ierror) {
  *ierror = MPI_File_get_type_extent(MPI_File_fromint(*fh), MPI_Type_fromint(*datatype), extent);
}
#pragma weak mpi_file_get_type_extent_ = pmpi_file_get_type_extent_
void pmpi_file_get_view_(fint *fh, MPI_Offset *disp, fint *etype, fint *filetype, char *datarep, fint *ierror, size_t l_datarep) {
  MPI_Datatype c_etype = MPI_Type_fromint(*etype);
  MPI_Datatype c_filetype = MPI_Type_fromint(*filetype);
  char c_datarep[WEFT_ROOM + 1] = "";
  *ierror = MPI_File_get_view(MPI_File_fromint(*fh), disp, &c_etype, &c_filetype, c_datarep);
  *etype = MPI_Type_toint(c_etype);
  *filetype = MPI_Type_toint(c_filetype);
  if (*ierror == MPI_SUCCESS) weft_blanks(datarep, l_datarep, c_datarep);
}
#pragma weak mpi_file_get_view_ = pmpi_file_get_view_
void pmpi_file_iread_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iread_ = pmpi_file_iread_
void pmpi_file_iread_all_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iread_all_ = pmpi_file_iread_all_
void pmpi_file_iread_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iread_at_ = pmpi_file_iread_at_
void pmpi_file_iread_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iread_at_all_ = pmpi_file_iread_at_all_
void pmpi_file_iread_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iread_shared_ = pmpi_file_iread_shared_
void pmpi_file_iwrite_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iwrite_ = pmpi_file_iwrite_
void pmpi_file_iwrite_all_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iwrite_all_ = pmpi_file_iwrite_all_
void pmpi_file_iwrite_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iwrite_at_ = pmpi_file_iwrite_at_
void pmpi_file_iwrite_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iwrite_at_all_ = pmpi_file_iwrite_at_all_
void pmpi_file_iwrite_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_file_iwrite_shared_ = pmpi_file_iwrite_shared_
void pmpi_file_open_(fint *comm, char *filename, int *amode, fint *info, fint *fh, fint *ierror, size_t l_filename) {
  char *c_filename = weft_text(filename, l_filename);
  MPI_File c_fh = MPI_File_fromint(*fh);
  *ierror = MPI_File_open(MPI_Comm_fromint(*comm), c_filename, *amode, MPI_Info_fromint(*info), &c_fh);
  *fh = MPI_File_toint(c_fh);
  free(c_filename);
}
#pragma weak mpi_file_open_ = pmpi_file_open_
void pmpi_file_preallocate_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_preallocate(MPI_File_fromint(*fh), *size);
}
#pragma weak mpi_file_preallocate_ = pmpi_file_preallocate_
void pmpi_file_read_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_ = pmpi_file_read_
void pmpi_file_read_all_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_all_ = pmpi_file_read_all_
void pmpi_file_read_all_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_all_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_read_all_begin_ = pmpi_file_read_all_begin_
void pmpi_file_read_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_read_all_end_ = pmpi_file_read_all_end_
void pmpi_file_read_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_at_ = pmpi_file_read_at_
void pmpi_file_read_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_at_all_ = pmpi_file_read_at_all_
void pmpi_file_read_at_all_begin_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_at_all_begin(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_read_at_all_begin_ = pmpi_file_read_at_all_begin_
void pmpi_file_read_at_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_read_at_all_end_ = pmpi_file_read_at_all_end_
void pmpi_file_read_ordered_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_ordered(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_ordered_ = pmpi_file_read_ordered_
void pmpi_file_read_ordered_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_ordered_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_read_ordered_begin_ = pmpi_file_read_ordered_begin_
void pmpi_file_read_ordered_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_ordered_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_read_ordered_end_ = pmpi_file_read_ordered_end_
void pmpi_file_read_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_read_shared_ = pmpi_file_read_shared_
void pmpi_file_seek_(fint *fh, MPI_Offset *offset, int *whence, fint *ierror) {
  *ierror = MPI_File_seek(MPI_File_fromint(*fh), *offset, *whence);
}
#pragma weak mpi_file_seek_ = pmpi_file_seek_
void pmpi_file_seek_shared_(fint *fh, MPI_Offset *offset, int *whence, fint *ierror) {
  *ierror = MPI_File_seek_shared(MPI_File_fromint(*fh), *offset, *whence);
}
#pragma weak mpi_file_seek_shared_ = pmpi_file_seek_shared_
void pmpi_file_set_atomicity_(fint *fh, int *flag, fint *ierror) {
  *ierror = MPI_File_set_atomicity(MPI_File_fromint(*fh), *flag);
}
#pragma weak mpi_file_set_atomicity_ = pmpi_file_set_atomicity_
void pmpi_file_set_errhandler_(fint *file, fint *errhandler, fint *ierror) {
  *ierror = MPI_File_set_errhandler(MPI_File_fromint(*file), MPI_Errhandler_fromint(*errhandler));
}
#pragma weak mpi_file_set_errhandler_ = pmpi_file_set_errhandler_
void pmpi_file_set_info_(fint *fh, fint *info, fint *ierror) {
  *ierror = MPI_File_set_info(MPI_File_fromint(*fh), MPI_Info_fromint(*info));
}
#pragma weak mpi_file_set_info_ = pmpi_file_set_info_
void pmpi_file_set_size_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_set_size(MPI_File_fromint(*fh), *size);
}
#pragma weak mpi_file_set_size_ = pmpi_file_set_size_
void pmpi_file_set_view_(fint *fh, MPI_Offset *disp, fint *etype, fint *filetype, char *datarep, fint *info, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_File_set_view(MPI_File_fromint(*fh), *disp, MPI_Type_fromint(*etype), MPI_Type_fromint(*filetype), c_datarep, MPI_Info_fromint(*info));
  free(c_datarep);
}
#pragma weak mpi_file_set_view_ = pmpi_file_set_view_
void pmpi_file_sync_(fint *fh, fint *ierror) {
  *ierror = MPI_File_sync(MPI_File_fromint(*fh));
}
#pragma weak mpi_file_sync_ = pmpi_file_sync_
void pmpi_file_write_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_ = pmpi_file_write_
void pmpi_file_write_all_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_all_ = pmpi_file_write_all_
void pmpi_file_write_all_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_all_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_write_all_begin_ = pmpi_file_write_all_begin_
void pmpi_file_write_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_write_all_end_ = pmpi_file_write_all_end_
void pmpi_file_write_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_at_ = pmpi_file_write_at_
void pmpi_file_write_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_at_all_ = pmpi_file_write_at_all_
void pmpi_file_write_at_all_begin_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_at_all_begin(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_write_at_all_begin_ = pmpi_file_write_at_all_begin_
void pmpi_file_write_at_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_write_at_all_end_ = pmpi_file_write_at_all_end_
void pmpi_file_write_ordered_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_ordered(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_ordered_ = pmpi_file_write_ordered_
void pmpi_file_write_ordered_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_ordered_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
#pragma weak mpi_file_write_ordered_begin_ = pmpi_file_write_ordered_begin_
void pmpi_file_write_ordered_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_ordered_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
#pragma weak mpi_file_write_ordered_end_ = pmpi_file_write_ordered_end_
void pmpi_file_write_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
#pragma weak mpi_file_write_shared_ = pmpi_file_write_shared_
void pmpi_finalize_(fint *ierror) {
  *ierror = MPI_Finalize();
}
#pragma weak mpi_finalize_ = pmpi_finalize_
void pmpi_finalized_(int *flag, fint *ierror) {
  *ierror = MPI_Finalized(flag);
}
#pragma weak mpi_finalized_ = pmpi_finalized_
void pmpi_free_mem_(void *base, fint *ierror) {
  *ierror = MPI_Free_mem(weft_buffer(base));
}
#pragma weak mpi_free_mem_ = pmpi_free_mem_
void pmpi_gather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Gather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_gather_ = pmpi_gather_
void pmpi_gather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Gather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_gather_init_ = pmpi_gather_init_
void pmpi_gatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Gatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_gatherv_ = pmpi_gatherv_
void pmpi_gatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Gatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_gatherv_init_ = pmpi_gatherv_init_
void pmpi_get_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *ierror) {
  *ierror = MPI_Get(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win));
}
#pragma weak mpi_get_ = pmpi_get_
void pmpi_get_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, void *result_addr, int *result_count, fint *result_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Get_accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), weft_buffer(result_addr), *result_count, MPI_Type_fromint(*result_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
#pragma weak mpi_get_accumulate_ = pmpi_get_accumulate_
void pmpi_get_address_(void *location, MPI_Aint *address, fint *ierror) {
  *ierror = MPI_Get_address(weft_buffer(location), address);
}
#pragma weak mpi_get_address_ = pmpi_get_address_
void pmpi_get_count_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Get_count(weft_status(status), MPI_Type_fromint(*datatype), count);
}
#pragma weak mpi_get_count_ = pmpi_get_count_
void pmpi_get_elements_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Get_elements(weft_status(status), MPI_Type_fromint(*datatype), count);
}
#pragma weak mpi_get_elements_ = pmpi_get_elements_
void pmpi_get_elements_x_(fint *status, fint *datatype, MPI_Count *count, fint *ierror) {
  *ierror = MPI_Get_elements_x(weft_status(status), MPI_Type_fromint(*datatype), count);
}
#pragma weak mpi_get_elements_x_ = pmpi_get_elements_x_
void pmpi_get_hw_resource_info_(fint *hw_info, fint *ierror) {
  MPI_Info c_hw_info = MPI_Info_fromint(*hw_info);
  *ierror = MPI_Get_hw_resource_info(&c_hw_info);
  *hw_info = MPI_Info_toint(c_hw_info);
}
#pragma weak mpi_get_hw_resource_info_ = pmpi_get_hw_resource_info_
void pmpi_get_library_version_(char *version, int *resultlen, fint *ierror, size_t l_version) {
  char c_version[WEFT_ROOM + 1] = "";
  *ierror = MPI_Get_library_version(c_version, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(version, l_version, c_version);
}
#pragma weak mpi_get_library_version_ = pmpi_get_library_version_
void pmpi_get_processor_name_(char *name, int *resultlen, fint *ierror, size_t l_name) {
  char c_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Get_processor_name(c_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(name, l_name, c_name);
}
#pragma weak mpi_get_processor_name_ = pmpi_get_processor_name_
void pmpi_get_version_(int *version, int *subversion, fint *ierror) {
  *ierror = MPI_Get_version(version, subversion);
}
#pragma weak mpi_get_version_ = pmpi_get_version_
void pmpi_graph_create_(fint *comm_old, int *nnodes, int *indx, int *edges, int *reorder, fint *comm_graph, fint *ierror) {
  MPI_Comm c_comm_graph = MPI_Comm_fromint(*comm_graph);
  *ierror = MPI_Graph_create(MPI_Comm_fromint(*comm_old), *nnodes, indx, edges, *reorder, &c_comm_graph);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  *comm_graph = MPI_Comm_toint(c_comm_graph);
}
#pragma weak mpi_graph_create_ = pmpi_graph_create_
void pmpi_graph_get_(fint *comm, int *maxindex, int *maxedges, int *indx, int *edges, fint *ierror) {
  *ierror = MPI_Graph_get(MPI_Comm_fromint(*comm), *maxindex, *maxedges, indx, edges);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
}
#pragma weak mpi_graph_get_ = pmpi_graph_get_
void pmpi_graph_map_(fint *comm, int *nnodes, int *indx, int *edges, int *newrank, fint *ierror) {
  *ierror = MPI_Graph_map(MPI_Comm_fromint(*comm), *nnodes, indx, edges, newrank);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
}
#pragma weak mpi_graph_map_ = pmpi_graph_map_
void pmpi_graph_neighbors_(fint *comm, int *rank, int *maxneighbors, int *neighbors, fint *ierror) {
  *ierror = MPI_Graph_neighbors(MPI_Comm_fromint(*comm), *rank, *maxneighbors, neighbors);
}
#pragma weak mpi_graph_neighbors_ = pmpi_graph_neighbors_
void pmpi_graph_neighbors_count_(fint *comm, int *rank, int *nneighbors, fint *ierror) {
  *ierror = MPI_Graph_neighbors_count(MPI_Comm_fromint(*comm), *rank, nneighbors);
}
#pragma weak mpi_graph_neighbors_count_ = pmpi_graph_neighbors_count_
void pmpi_graphdims_get_(fint *comm, int *nnodes, int *nedges, fint *ierror) {
  *ierror = MPI_Graphdims_get(MPI_Comm_fromint(*comm), nnodes, nedges);
}
#pragma weak mpi_graphdims_get_ = pmpi_graphdims_get_
void pmpi_grequest_complete_(fint *request, fint *ierror) {
  *ierror = MPI_Grequest_complete(MPI_Request_fromint(*request));
}
#pragma weak mpi_grequest_complete_ = pmpi_grequest_complete_
void pmpi_group_compare_(fint *group1, fint *group2, int *result, fint *ierror) {
  *ierror = MPI_Group_compare(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), result);
}
#pragma weak mpi_group_compare_ = pmpi_group_compare_
void pmpi_group_difference_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_difference(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_difference_ = pmpi_group_difference_
void pmpi_group_excl_(fint *group, int *n, int *ranks, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_excl(MPI_Group_fromint(*group), *n, ranks, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_excl_ = pmpi_group_excl_
void pmpi_group_free_(fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Group_free(&c_group);
  *group = MPI_Group_toint(c_group);
}
#pragma weak mpi_group_free_ = pmpi_group_free_
void pmpi_group_from_session_pset_(fint *session, char *pset_name, fint *newgroup, fint *ierror, size_t l_pset_name) {
  char *c_pset_name = weft_text(pset_name, l_pset_name);
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_from_session_pset(MPI_Session_fromint(*session), c_pset_name, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
  free(c_pset_name);
}
#pragma weak mpi_group_from_session_pset_ = pmpi_group_from_session_pset_
void pmpi_group_incl_(fint *group, int *n, int *ranks, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_incl(MPI_Group_fromint(*group), *n, ranks, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_incl_ = pmpi_group_incl_
void pmpi_group_intersection_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_intersection(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_intersection_ = pmpi_group_intersection_
void pmpi_group_range_excl_(fint *group, int *n, int *ranges, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_range_excl(MPI_Group_fromint(*group), *n, (int (*)[3])ranges, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_range_excl_ = pmpi_group_range_excl_
void pmpi_group_range_incl_(fint *group, int *n, int *ranges, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_range_incl(MPI_Group_fromint(*group), *n, (int (*)[3])ranges, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_range_incl_ = pmpi_group_range_incl_
void pmpi_group_rank_(fint *group, int *rank, fint *ierror) {
  *ierror = MPI_Group_rank(MPI_Group_fromint(*group), rank);
}
#pragma weak mpi_group_rank_ = pmpi_group_rank_
void pmpi_group_size_(fint *group, int *size, fint *ierror) {
  *ierror = MPI_Group_size(MPI_Group_fromint(*group), size);
}
#pragma weak mpi_group_size_ = pmpi_group_size_
void pmpi_group_translate_ranks_(fint *group1, int *n, int *ranks1, fint *group2, int *ranks2, fint *ierror) {
  *ierror = MPI_Group_translate_ranks(MPI_Group_fromint(*group1), *n, ranks1, MPI_Group_fromint(*group2), ranks2);
}
#pragma weak mpi_group_translate_ranks_ = pmpi_group_translate_ranks_
void pmpi_group_union_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_union(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
#pragma weak mpi_group_union_ = pmpi_group_union_
void pmpi_iallgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iallgather_ = pmpi_iallgather_
void pmpi_iallgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iallgatherv_ = pmpi_iallgatherv_
void pmpi_iallreduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallreduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iallreduce_ = pmpi_iallreduce_
void pmpi_ialltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ialltoall_ = pmpi_ialltoall_
void pmpi_ialltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ialltoallv_ = pmpi_ialltoallv_
void pmpi_ialltoallw_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *request, fint *ierror) {
  int n_sendtypes = weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_peers(*comm); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoallw(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_ialltoallw_ = pmpi_ialltoallw_
void pmpi_ibarrier_(fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibarrier(MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ibarrier_ = pmpi_ibarrier_
void pmpi_ibcast_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibcast(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ibcast_ = pmpi_ibcast_
void pmpi_ibsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ibsend_ = pmpi_ibsend_
void pmpi_iexscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iexscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iexscan_ = pmpi_iexscan_
void pmpi_igather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Igather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_igather_ = pmpi_igather_
void pmpi_igatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Igatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_igatherv_ = pmpi_igatherv_
void pmpi_improbe_(int *source, int *tag, fint *comm, int *flag, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Improbe(*source, *tag, MPI_Comm_fromint(*comm), flag, &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
#pragma weak mpi_improbe_ = pmpi_improbe_
void pmpi_imrecv_(void *buf, int *count, fint *datatype, fint *message, fint *request, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Imrecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_message, &c_request);
  *message = MPI_Message_toint(c_message);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_imrecv_ = pmpi_imrecv_
void pmpi_ineighbor_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ineighbor_allgather_ = pmpi_ineighbor_allgather_
void pmpi_ineighbor_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ineighbor_allgatherv_ = pmpi_ineighbor_allgatherv_
void pmpi_ineighbor_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ineighbor_alltoall_ = pmpi_ineighbor_alltoall_
void pmpi_ineighbor_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ineighbor_alltoallv_ = pmpi_ineighbor_alltoallv_
void pmpi_ineighbor_alltoallw_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *request, fint *ierror) {
  int n_sendtypes = weft_degree(*comm, 1); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_degree(*comm, 0); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_ineighbor_alltoallw_ = pmpi_ineighbor_alltoallw_
void pmpi_info_create_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Info_create(&c_info);
  *info = MPI_Info_toint(c_info);
}
#pragma weak mpi_info_create_ = pmpi_info_create_
void pmpi_info_delete_(fint *info, char *key, fint *ierror, size_t l_key) {
  char *c_key = weft_text(key, l_key);
  *ierror = MPI_Info_delete(MPI_Info_fromint(*info), c_key);
  free(c_key);
}
#pragma weak mpi_info_delete_ = pmpi_info_delete_
void pmpi_info_dup_(fint *info, fint *newinfo, fint *ierror) {
  MPI_Info c_newinfo = MPI_Info_fromint(*newinfo);
  *ierror = MPI_Info_dup(MPI_Info_fromint(*info), &c_newinfo);
  *newinfo = MPI_Info_toint(c_newinfo);
}
#pragma weak mpi_info_dup_ = pmpi_info_dup_
void pmpi_info_free_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Info_free(&c_info);
  *info = MPI_Info_toint(c_info);
}
#pragma weak mpi_info_free_ = pmpi_info_free_
void pmpi_info_get_(fint *info, char *key, int *valuelen, char *value, int *flag, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  char c_value[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get(MPI_Info_fromint(*info), c_key, weft_room(*valuelen), c_value, flag);
  if (*ierror == MPI_SUCCESS && *flag) weft_blanks(value, l_value, c_value);
  free(c_key);
}
#pragma weak mpi_info_get_ = pmpi_info_get_
void pmpi_info_get_nkeys_(fint *info, int *nkeys, fint *ierror) {
  *ierror = MPI_Info_get_nkeys(MPI_Info_fromint(*info), nkeys);
}
#pragma weak mpi_info_get_nkeys_ = pmpi_info_get_nkeys_
void pmpi_info_get_nthkey_(fint *info, int *n, char *key, fint *ierror, size_t l_key) {
  char c_key[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get_nthkey(MPI_Info_fromint(*info), *n, c_key);
  if (*ierror == MPI_SUCCESS) weft_blanks(key, l_key, c_key);
}
#pragma weak mpi_info_get_nthkey_ = pmpi_info_get_nthkey_
void pmpi_info_get_string_(fint *info, char *key, int *buflen, char *value, int *flag, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  int c_buflen = *buflen > 0 ? weft_room(*buflen) + 1 : 0;
  char c_value[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get_string(MPI_Info_fromint(*info), c_key, &c_buflen, c_value, flag);
  if (*ierror == MPI_SUCCESS && c_buflen > 0) *buflen = c_buflen - 1;
  if (*ierror == MPI_SUCCESS && *flag) weft_blanks(value, l_value, c_value);
  free(c_key);
}
#pragma weak mpi_info_get_string_ = pmpi_info_get_string_
void pmpi_info_get_valuelen_(fint *info, char *key, int *valuelen, int *flag, fint *ierror, size_t l_key) {
  char *c_key = weft_text(key, l_key);
  *ierror = MPI_Info_get_valuelen(MPI_Info_fromint(*info), c_key, valuelen, flag);
  free(c_key);
}
#pragma weak mpi_info_get_valuelen_ = pmpi_info_get_valuelen_
void pmpi_info_set_(fint *info, char *key, char *value, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  char *c_value = weft_text(value, l_value);
  *ierror = MPI_Info_set(MPI_Info_fromint(*info), c_key, c_value);
  free(c_key);
  free(c_value);
}
#pragma weak mpi_info_set_ = pmpi_info_set_
void pmpi_initialized_(int *flag, fint *ierror) {
  *ierror = MPI_Initialized(flag);
}
#pragma weak mpi_initialized_ = pmpi_initialized_
void pmpi_intercomm_create_(fint *local_comm, int *local_leader, fint *peer_comm, int *remote_leader, int *tag, fint *newintercomm, fint *ierror) {
  MPI_Comm c_newintercomm = MPI_Comm_fromint(*newintercomm);
  *ierror = MPI_Intercomm_create(MPI_Comm_fromint(*local_comm), *local_leader, MPI_Comm_fromint(*peer_comm), *remote_leader, *tag, &c_newintercomm);
  *newintercomm = MPI_Comm_toint(c_newintercomm);
}
#pragma weak mpi_intercomm_create_ = pmpi_intercomm_create_
void pmpi_intercomm_create_from_groups_(fint *local_group, int *local_leader, fint *remote_group, int *remote_leader, char *stringtag, fint *info, fint *errhandler, fint *newintercomm, fint *ierror, size_t l_stringtag) {
  char *c_stringtag = weft_text(stringtag, l_stringtag);
  MPI_Comm c_newintercomm = MPI_Comm_fromint(*newintercomm);
  *ierror = MPI_Intercomm_create_from_groups(MPI_Group_fromint(*local_group), *local_leader, MPI_Group_fromint(*remote_group), *remote_leader, c_stringtag, MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_newintercomm);
  *newintercomm = MPI_Comm_toint(c_newintercomm);
  free(c_stringtag);
}
#pragma weak mpi_intercomm_create_from_groups_ = pmpi_intercomm_create_from_groups_
void pmpi_intercomm_merge_(fint *intercomm, int *high, fint *newintracomm, fint *ierror) {
  MPI_Comm c_newintracomm = MPI_Comm_fromint(*newintracomm);
  *ierror = MPI_Intercomm_merge(MPI_Comm_fromint(*intercomm), *high, &c_newintracomm);
  *newintracomm = MPI_Comm_toint(c_newintracomm);
}
#pragma weak mpi_intercomm_merge_ = pmpi_intercomm_merge_
void pmpi_iprobe_(int *source, int *tag, fint *comm, int *flag, fint *status, fint *ierror) {
  *ierror = MPI_Iprobe(*source, *tag, MPI_Comm_fromint(*comm), flag, weft_status(status));
}
#pragma weak mpi_iprobe_ = pmpi_iprobe_
void pmpi_irecv_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Irecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_irecv_ = pmpi_irecv_
void pmpi_ireduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ireduce_ = pmpi_ireduce_
void pmpi_ireduce_scatter_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce_scatter(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ireduce_scatter_ = pmpi_ireduce_scatter_
void pmpi_ireduce_scatter_block_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce_scatter_block(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ireduce_scatter_block_ = pmpi_ireduce_scatter_block_
void pmpi_irsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Irsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_irsend_ = pmpi_irsend_
void pmpi_is_thread_main_(int *flag, fint *ierror) {
  *ierror = MPI_Is_thread_main(flag);
}
#pragma weak mpi_is_thread_main_ = pmpi_is_thread_main_
void pmpi_iscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iscan_ = pmpi_iscan_
void pmpi_iscatter_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscatter(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iscatter_ = pmpi_iscatter_
void pmpi_iscatterv_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscatterv(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_iscatterv_ = pmpi_iscatterv_
void pmpi_isend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_isend_ = pmpi_isend_
void pmpi_isendrecv_(void *sendbuf, int *sendcount, fint *sendtype, int *dest, int *sendtag, void *recvbuf, int *recvcount, fint *recvtype, int *source, int *recvtag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isendrecv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), *dest, *sendtag, weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *source, *recvtag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_isendrecv_ = pmpi_isendrecv_
void pmpi_isendrecv_replace_(void *buf, int *count, fint *datatype, int *dest, int *sendtag, int *source, int *recvtag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isendrecv_replace(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *sendtag, *source, *recvtag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_isendrecv_replace_ = pmpi_isendrecv_replace_
void pmpi_issend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Issend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_issend_ = pmpi_issend_
void pmpi_keyval_free_(int *keyval, fint *ierror) {
  *ierror = MPI_Keyval_free(keyval);
}
#pragma weak mpi_keyval_free_ = pmpi_keyval_free_
void pmpi_lookup_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char c_port_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Lookup_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  if (*ierror == MPI_SUCCESS) weft_blanks(port_name, l_port_name, c_port_name);
  free(c_service_name);
}
#pragma weak mpi_lookup_name_ = pmpi_lookup_name_
void pmpi_mprobe_(int *source, int *tag, fint *comm, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Mprobe(*source, *tag, MPI_Comm_fromint(*comm), &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
#pragma weak mpi_mprobe_ = pmpi_mprobe_
void pmpi_mrecv_(void *buf, int *count, fint *datatype, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Mrecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
#pragma weak mpi_mrecv_ = pmpi_mrecv_
void pmpi_neighbor_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_neighbor_allgather_ = pmpi_neighbor_allgather_
void pmpi_neighbor_allgather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_allgather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_neighbor_allgather_init_ = pmpi_neighbor_allgather_init_
void pmpi_neighbor_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_neighbor_allgatherv_ = pmpi_neighbor_allgatherv_
void pmpi_neighbor_allgatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_allgatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_neighbor_allgatherv_init_ = pmpi_neighbor_allgatherv_init_
void pmpi_neighbor_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_neighbor_alltoall_ = pmpi_neighbor_alltoall_
void pmpi_neighbor_alltoall_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoall_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_neighbor_alltoall_init_ = pmpi_neighbor_alltoall_init_
void pmpi_neighbor_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_neighbor_alltoallv_ = pmpi_neighbor_alltoallv_
void pmpi_neighbor_alltoallv_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoallv_init(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_neighbor_alltoallv_init_ = pmpi_neighbor_alltoallv_init_
void pmpi_neighbor_alltoallw_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *ierror) {
  int n_sendtypes = weft_degree(*comm, 1); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_degree(*comm, 0); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  *ierror = MPI_Neighbor_alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm));
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_neighbor_alltoallw_ = pmpi_neighbor_alltoallw_
void pmpi_neighbor_alltoallw_init_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *info, fint *request, fint *ierror) {
  int n_sendtypes = weft_degree(*comm, 1); void **c_sendtypes = weft_handles(sendtypes, n_sendtypes);
  int n_recvtypes = weft_degree(*comm, 0); void **c_recvtypes = weft_handles(recvtypes, n_recvtypes);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoallw_init(weft_buffer(sendbuf), sendcounts, sdispls, (MPI_Datatype *)c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, (MPI_Datatype *)c_recvtypes, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
#pragma weak mpi_neighbor_alltoallw_init_ = pmpi_neighbor_alltoallw_init_
void pmpi_op_commutative_(fint *op, int *commute, fint *ierror) {
  *ierror = MPI_Op_commutative(MPI_Op_fromint(*op), commute);
}
#pragma weak mpi_op_commutative_ = pmpi_op_commutative_
void pmpi_op_create_(void *user_fn, int *commute, fint *op, fint *ierror) {
  MPI_Op c_op = MPI_Op_fromint(*op);
  *ierror = MPI_Op_create((MPI_User_function *)user_fn, *commute, &c_op);
  *op = MPI_Op_toint(c_op);
}
#pragma weak mpi_op_create_ = pmpi_op_create_
void pmpi_op_free_(fint *op, fint *ierror) {
  MPI_Op c_op = MPI_Op_fromint(*op);
  *ierror = MPI_Op_free(&c_op);
  *op = MPI_Op_toint(c_op);
}
#pragma weak mpi_op_free_ = pmpi_op_free_
void pmpi_open_port_(fint *info, char *port_name, fint *ierror, size_t l_port_name) {
  char c_port_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Open_port(MPI_Info_fromint(*info), c_port_name);
  if (*ierror == MPI_SUCCESS) weft_blanks(port_name, l_port_name, c_port_name);
}
#pragma weak mpi_open_port_ = pmpi_open_port_
void pmpi_pack_(void *inbuf, int *incount, fint *datatype, void *outbuf, int *outsize, int *position, fint *comm, fint *ierror) {
  *ierror = MPI_Pack(weft_buffer(inbuf), *incount, MPI_Type_fromint(*datatype), weft_buffer(outbuf), *outsize, position, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_pack_ = pmpi_pack_
void pmpi_pack_external_(char *datarep, void *inbuf, int *incount, fint *datatype, void *outbuf, MPI_Aint *outsize, MPI_Aint *position, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Pack_external(c_datarep, weft_buffer(inbuf), *incount, MPI_Type_fromint(*datatype), weft_buffer(outbuf), *outsize, position);
  free(c_datarep);
}
#pragma weak mpi_pack_external_ = pmpi_pack_external_
void pmpi_pack_external_size_(char *datarep, int *incount, fint *datatype, MPI_Aint *size, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Pack_external_size(c_datarep, *incount, MPI_Type_fromint(*datatype), size);
  free(c_datarep);
}
#pragma weak mpi_pack_external_size_ = pmpi_pack_external_size_
void pmpi_pack_size_(int *incount, fint *datatype, fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Pack_size(*incount, MPI_Type_fromint(*datatype), MPI_Comm_fromint(*comm), size);
}
#pragma weak mpi_pack_size_ = pmpi_pack_size_
void pmpi_parrived_(fint *request, int *partition, int *flag, fint *ierror) {
  *ierror = MPI_Parrived(MPI_Request_fromint(*request), *partition, flag);
}
#pragma weak mpi_parrived_ = pmpi_parrived_
void pmpi_pready_(int *partition, fint *request, fint *ierror) {
  *ierror = MPI_Pready(*partition, MPI_Request_fromint(*request));
}
#pragma weak mpi_pready_ = pmpi_pready_
void pmpi_pready_list_(int *length, int *array_of_partitions, fint *request, fint *ierror) {
  *ierror = MPI_Pready_list(*length, array_of_partitions, MPI_Request_fromint(*request));
}
#pragma weak mpi_pready_list_ = pmpi_pready_list_
void pmpi_pready_range_(int *partition_low, int *partition_high, fint *request, fint *ierror) {
  *ierror = MPI_Pready_range(*partition_low, *partition_high, MPI_Request_fromint(*request));
}
#pragma weak mpi_pready_range_ = pmpi_pready_range_
void pmpi_precv_init_(void *buf, int *partitions, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Precv_init(weft_buffer(buf), *partitions, *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_precv_init_ = pmpi_precv_init_
void pmpi_probe_(int *source, int *tag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Probe(*source, *tag, MPI_Comm_fromint(*comm), weft_status(status));
}
#pragma weak mpi_probe_ = pmpi_probe_
void pmpi_psend_init_(void *buf, int *partitions, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Psend_init(weft_buffer(buf), *partitions, *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_psend_init_ = pmpi_psend_init_
void pmpi_publish_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Publish_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  free(c_service_name);
  free(c_port_name);
}
#pragma weak mpi_publish_name_ = pmpi_publish_name_
void pmpi_put_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *ierror) {
  *ierror = MPI_Put(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win));
}
#pragma weak mpi_put_ = pmpi_put_
void pmpi_query_thread_(int *provided, fint *ierror) {
  *ierror = MPI_Query_thread(provided);
}
#pragma weak mpi_query_thread_ = pmpi_query_thread_
void pmpi_raccumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Raccumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_raccumulate_ = pmpi_raccumulate_
void pmpi_recv_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Recv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), weft_status(status));
}
#pragma weak mpi_recv_ = pmpi_recv_
void pmpi_recv_init_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Recv_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_recv_init_ = pmpi_recv_init_
void pmpi_reduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_reduce_ = pmpi_reduce_
void pmpi_reduce_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_reduce_init_ = pmpi_reduce_init_
void pmpi_reduce_local_(void *inbuf, void *inoutbuf, int *count, fint *datatype, fint *op, fint *ierror) {
  *ierror = MPI_Reduce_local(weft_buffer(inbuf), weft_buffer(inoutbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op));
}
#pragma weak mpi_reduce_local_ = pmpi_reduce_local_
void pmpi_reduce_scatter_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce_scatter(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_reduce_scatter_ = pmpi_reduce_scatter_
void pmpi_reduce_scatter_block_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce_scatter_block(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_reduce_scatter_block_ = pmpi_reduce_scatter_block_
void pmpi_reduce_scatter_block_init_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_scatter_block_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_reduce_scatter_block_init_ = pmpi_reduce_scatter_block_init_
void pmpi_reduce_scatter_init_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_scatter_init(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_reduce_scatter_init_ = pmpi_reduce_scatter_init_
void pmpi_remove_error_class_(int *errorclass, fint *ierror) {
  *ierror = MPI_Remove_error_class(*errorclass);
}
#pragma weak mpi_remove_error_class_ = pmpi_remove_error_class_
void pmpi_remove_error_code_(int *errorcode, fint *ierror) {
  *ierror = MPI_Remove_error_code(*errorcode);
}
#pragma weak mpi_remove_error_code_ = pmpi_remove_error_code_
void pmpi_remove_error_string_(int *errorcode, fint *ierror) {
  *ierror = MPI_Remove_error_string(*errorcode);
}
#pragma weak mpi_remove_error_string_ = pmpi_remove_error_string_
void pmpi_request_free_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Request_free(&c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_request_free_ = pmpi_request_free_
void pmpi_request_get_status_(fint *request, int *flag, fint *status, fint *ierror) {
  *ierror = MPI_Request_get_status(MPI_Request_fromint(*request), flag, weft_status(status));
}
#pragma weak mpi_request_get_status_ = pmpi_request_get_status_
void pmpi_request_get_status_all_(int *count, fint *array_of_requests, int *flag, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Request_get_status_all(*count, (MPI_Request *)c_array_of_requests, flag, weft_status(array_of_statuses));
  free(c_array_of_requests);
}
#pragma weak mpi_request_get_status_all_ = pmpi_request_get_status_all_
void pmpi_request_get_status_any_(int *count, fint *array_of_requests, int *indx, int *flag, fint *status, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Request_get_status_any(*count, (MPI_Request *)c_array_of_requests, indx, flag, weft_status(status));
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
#pragma weak mpi_request_get_status_any_ = pmpi_request_get_status_any_
void pmpi_request_get_status_some_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *incount; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Request_get_status_some(*incount, (MPI_Request *)c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
#pragma weak mpi_request_get_status_some_ = pmpi_request_get_status_some_
void pmpi_rget_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rget(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_rget_ = pmpi_rget_
void pmpi_rget_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, void *result_addr, int *result_count, fint *result_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rget_accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), weft_buffer(result_addr), *result_count, MPI_Type_fromint(*result_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_rget_accumulate_ = pmpi_rget_accumulate_
void pmpi_rput_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rput(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_rput_ = pmpi_rput_
void pmpi_rsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Rsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_rsend_ = pmpi_rsend_
void pmpi_rsend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rsend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_rsend_init_ = pmpi_rsend_init_
void pmpi_scan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Scan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_scan_ = pmpi_scan_
void pmpi_scan_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scan_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_scan_init_ = pmpi_scan_init_
void pmpi_scatter_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Scatter(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_scatter_ = pmpi_scatter_
void pmpi_scatter_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scatter_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_scatter_init_ = pmpi_scatter_init_
void pmpi_scatterv_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Scatterv(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_scatterv_ = pmpi_scatterv_
void pmpi_scatterv_init_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scatterv_init(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_scatterv_init_ = pmpi_scatterv_init_
void pmpi_send_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Send(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_send_ = pmpi_send_
void pmpi_send_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Send_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_send_init_ = pmpi_send_init_
void pmpi_sendrecv_(void *sendbuf, int *sendcount, fint *sendtype, int *dest, int *sendtag, void *recvbuf, int *recvcount, fint *recvtype, int *source, int *recvtag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Sendrecv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), *dest, *sendtag, weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *source, *recvtag, MPI_Comm_fromint(*comm), weft_status(status));
}
#pragma weak mpi_sendrecv_ = pmpi_sendrecv_
void pmpi_sendrecv_replace_(void *buf, int *count, fint *datatype, int *dest, int *sendtag, int *source, int *recvtag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Sendrecv_replace(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *sendtag, *source, *recvtag, MPI_Comm_fromint(*comm), weft_status(status));
}
#pragma weak mpi_sendrecv_replace_ = pmpi_sendrecv_replace_
void pmpi_session_attach_buffer_(fint *session, void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Session_attach_buffer(MPI_Session_fromint(*session), weft_buffer(buffer), *size);
}
#pragma weak mpi_session_attach_buffer_ = pmpi_session_attach_buffer_
void pmpi_session_call_errhandler_(fint *session, int *errorcode, fint *ierror) {
  *ierror = MPI_Session_call_errhandler(MPI_Session_fromint(*session), *errorcode);
}
#pragma weak mpi_session_call_errhandler_ = pmpi_session_call_errhandler_
void pmpi_session_create_errhandler_(void *session_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Session_create_errhandler((MPI_Session_errhandler_function *)session_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_session_create_errhandler_ = pmpi_session_create_errhandler_
void pmpi_session_finalize_(fint *session, fint *ierror) {
  MPI_Session c_session = MPI_Session_fromint(*session);
  *ierror = MPI_Session_finalize(&c_session);
  *session = MPI_Session_toint(c_session);
}
#pragma weak mpi_session_finalize_ = pmpi_session_finalize_
void pmpi_session_flush_buffer_(fint *session, fint *ierror) {
  *ierror = MPI_Session_flush_buffer(MPI_Session_fromint(*session));
}
#pragma weak mpi_session_flush_buffer_ = pmpi_session_flush_buffer_
void pmpi_session_get_errhandler_(fint *session, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Session_get_errhandler(MPI_Session_fromint(*session), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_session_get_errhandler_ = pmpi_session_get_errhandler_
void pmpi_session_get_info_(fint *session, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Session_get_info(MPI_Session_fromint(*session), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
#pragma weak mpi_session_get_info_ = pmpi_session_get_info_
void pmpi_session_get_nth_pset_(fint *session, fint *info, int *n, int *pset_len, char *pset_name, fint *ierror, size_t l_pset_name) {
  int c_pset_len = *pset_len > 0 ? weft_room(*pset_len) + 1 : 0;
  char c_pset_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Session_get_nth_pset(MPI_Session_fromint(*session), MPI_Info_fromint(*info), *n, &c_pset_len, c_pset_name);
  if (*ierror == MPI_SUCCESS && c_pset_len > 0) *pset_len = c_pset_len - 1;
  if (*ierror == MPI_SUCCESS) weft_blanks(pset_name, l_pset_name, c_pset_name);
}
#pragma weak mpi_session_get_nth_pset_ = pmpi_session_get_nth_pset_
void pmpi_session_get_num_psets_(fint *session, fint *info, int *npset_names, fint *ierror) {
  *ierror = MPI_Session_get_num_psets(MPI_Session_fromint(*session), MPI_Info_fromint(*info), npset_names);
}
#pragma weak mpi_session_get_num_psets_ = pmpi_session_get_num_psets_
void pmpi_session_get_pset_info_(fint *session, char *pset_name, fint *info, fint *ierror, size_t l_pset_name) {
  char *c_pset_name = weft_text(pset_name, l_pset_name);
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Session_get_pset_info(MPI_Session_fromint(*session), c_pset_name, &c_info);
  *info = MPI_Info_toint(c_info);
  free(c_pset_name);
}
#pragma weak mpi_session_get_pset_info_ = pmpi_session_get_pset_info_
void pmpi_session_iflush_buffer_(fint *session, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Session_iflush_buffer(MPI_Session_fromint(*session), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_session_iflush_buffer_ = pmpi_session_iflush_buffer_
void pmpi_session_init_(fint *info, fint *errhandler, fint *session, fint *ierror) {
  MPI_Session c_session = MPI_Session_fromint(*session);
  *ierror = MPI_Session_init(MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_session);
  *session = MPI_Session_toint(c_session);
}
#pragma weak mpi_session_init_ = pmpi_session_init_
void pmpi_session_set_errhandler_(fint *session, fint *errhandler, fint *ierror) {
  *ierror = MPI_Session_set_errhandler(MPI_Session_fromint(*session), MPI_Errhandler_fromint(*errhandler));
}
#pragma weak mpi_session_set_errhandler_ = pmpi_session_set_errhandler_
void pmpi_ssend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Ssend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
#pragma weak mpi_ssend_ = pmpi_ssend_
void pmpi_ssend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ssend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_ssend_init_ = pmpi_ssend_init_
void pmpi_start_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Start(&c_request);
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_start_ = pmpi_start_
void pmpi_startall_(int *count, fint *array_of_requests, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Startall(*count, (MPI_Request *)c_array_of_requests);
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  free(c_array_of_requests);
}
#pragma weak mpi_startall_ = pmpi_startall_
void pmpi_status_get_error_(fint *status, int *error, fint *ierror) {
  *ierror = MPI_Status_get_error(weft_status(status), error);
}
#pragma weak mpi_status_get_error_ = pmpi_status_get_error_
void pmpi_status_get_source_(fint *status, int *source, fint *ierror) {
  *ierror = MPI_Status_get_source(weft_status(status), source);
}
#pragma weak mpi_status_get_source_ = pmpi_status_get_source_
void pmpi_status_get_tag_(fint *status, int *tag, fint *ierror) {
  *ierror = MPI_Status_get_tag(weft_status(status), tag);
}
#pragma weak mpi_status_get_tag_ = pmpi_status_get_tag_
void pmpi_status_set_cancelled_(fint *status, int *flag, fint *ierror) {
  *ierror = MPI_Status_set_cancelled(weft_status(status), *flag);
}
#pragma weak mpi_status_set_cancelled_ = pmpi_status_set_cancelled_
void pmpi_status_set_elements_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Status_set_elements(weft_status(status), MPI_Type_fromint(*datatype), *count);
}
#pragma weak mpi_status_set_elements_ = pmpi_status_set_elements_
void pmpi_status_set_elements_x_(fint *status, fint *datatype, MPI_Count *count, fint *ierror) {
  *ierror = MPI_Status_set_elements_x(weft_status(status), MPI_Type_fromint(*datatype), *count);
}
#pragma weak mpi_status_set_elements_x_ = pmpi_status_set_elements_x_
void pmpi_status_set_error_(fint *status, int *error, fint *ierror) {
  *ierror = MPI_Status_set_error(weft_status(status), *error);
}
#pragma weak mpi_status_set_error_ = pmpi_status_set_error_
void pmpi_status_set_source_(fint *status, int *source, fint *ierror) {
  *ierror = MPI_Status_set_source(weft_status(status), *source);
}
#pragma weak mpi_status_set_source_ = pmpi_status_set_source_
void pmpi_status_set_tag_(fint *status, int *tag, fint *ierror) {
  *ierror = MPI_Status_set_tag(weft_status(status), *tag);
}
#pragma weak mpi_status_set_tag_ = pmpi_status_set_tag_
void pmpi_test_(fint *request, int *flag, fint *status, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Test(&c_request, flag, weft_status(status));
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_test_ = pmpi_test_
void pmpi_test_cancelled_(fint *status, int *flag, fint *ierror) {
  *ierror = MPI_Test_cancelled(weft_status(status), flag);
}
#pragma weak mpi_test_cancelled_ = pmpi_test_cancelled_
void pmpi_testall_(int *count, fint *array_of_requests, int *flag, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Testall(*count, (MPI_Request *)c_array_of_requests, flag, weft_status(array_of_statuses));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  free(c_array_of_requests);
}
#pragma weak mpi_testall_ = pmpi_testall_
void pmpi_testany_(int *count, fint *array_of_requests, int *indx, int *flag, fint *status, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Testany(*count, (MPI_Request *)c_array_of_requests, indx, flag, weft_status(status));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
#pragma weak mpi_testany_ = pmpi_testany_
void pmpi_testsome_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *incount; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Testsome(*incount, (MPI_Request *)c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
#pragma weak mpi_testsome_ = pmpi_testsome_
void pmpi_topo_test_(fint *comm, int *status, fint *ierror) {
  *ierror = MPI_Topo_test(MPI_Comm_fromint(*comm), status);
}
#pragma weak mpi_topo_test_ = pmpi_topo_test_
void pmpi_type_commit_(fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_commit(&c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
#pragma weak mpi_type_commit_ = pmpi_type_commit_
void pmpi_type_contiguous_(int *count, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_contiguous(*count, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_contiguous_ = pmpi_type_contiguous_
void pmpi_type_create_darray_(int *size, int *rank, int *ndims, int *array_of_gsizes, int *array_of_distribs, int *array_of_dargs, int *array_of_psizes, int *order, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_darray(*size, *rank, *ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, *order, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_darray_ = pmpi_type_create_darray_
void pmpi_type_create_f90_complex_(int *p, int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_complex(*p, *r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_f90_complex_ = pmpi_type_create_f90_complex_
void pmpi_type_create_f90_integer_(int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_integer(*r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_f90_integer_ = pmpi_type_create_f90_integer_
void pmpi_type_create_f90_real_(int *p, int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_real(*p, *r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_f90_real_ = pmpi_type_create_f90_real_
void pmpi_type_create_hindexed_(int *count, int *array_of_blocklengths, MPI_Aint *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hindexed(*count, array_of_blocklengths, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_hindexed_ = pmpi_type_create_hindexed_
void pmpi_type_create_hindexed_block_(int *count, int *blocklength, MPI_Aint *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hindexed_block(*count, *blocklength, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_hindexed_block_ = pmpi_type_create_hindexed_block_
void pmpi_type_create_hvector_(int *count, int *blocklength, MPI_Aint *stride, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hvector(*count, *blocklength, *stride, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_hvector_ = pmpi_type_create_hvector_
void pmpi_type_create_indexed_block_(int *count, int *blocklength, int *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_indexed_block(*count, *blocklength, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_indexed_block_ = pmpi_type_create_indexed_block_
void pmpi_type_create_resized_(fint *oldtype, MPI_Aint *lb, MPI_Aint *extent, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_resized(MPI_Type_fromint(*oldtype), *lb, *extent, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_resized_ = pmpi_type_create_resized_
void pmpi_type_create_struct_(int *count, int *array_of_blocklengths, MPI_Aint *array_of_displacements, fint *array_of_types, fint *newtype, fint *ierror) {
  int n_array_of_types = *count; void **c_array_of_types = weft_handles(array_of_types, n_array_of_types);
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_struct(*count, array_of_blocklengths, array_of_displacements, (MPI_Datatype *)c_array_of_types, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
  free(c_array_of_types);
}
#pragma weak mpi_type_create_struct_ = pmpi_type_create_struct_
void pmpi_type_create_subarray_(int *ndims, int *array_of_sizes, int *array_of_subsizes, int *array_of_starts, int *order, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_subarray(*ndims, array_of_sizes, array_of_subsizes, array_of_starts, *order, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_create_subarray_ = pmpi_type_create_subarray_
void pmpi_type_delete_attr_(fint *datatype, int *type_keyval, fint *ierror) {
  *ierror = MPI_Type_delete_attr(MPI_Type_fromint(*datatype), *type_keyval);
}
#pragma weak mpi_type_delete_attr_ = pmpi_type_delete_attr_
void pmpi_type_dup_(fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_dup(MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_dup_ = pmpi_type_dup_
void pmpi_type_free_(fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_free(&c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
#pragma weak mpi_type_free_ = pmpi_type_free_
void pmpi_type_free_keyval_(int *type_keyval, fint *ierror) {
  *ierror = MPI_Type_free_keyval(type_keyval);
}
#pragma weak mpi_type_free_keyval_ = pmpi_type_free_keyval_
void pmpi_type_get_contents_(fint *datatype, int *max_integers, int *max_addresses, int *max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, fint *array_of_datatypes, fint *ierror) {
  int n_array_of_datatypes = *max_datatypes; void **c_array_of_datatypes = weft_handles(array_of_datatypes, n_array_of_datatypes);
  *ierror = MPI_Type_get_contents(MPI_Type_fromint(*datatype), *max_integers, *max_addresses, *max_datatypes, array_of_integers, array_of_addresses, (MPI_Datatype *)c_array_of_datatypes);
  weft_integers(c_array_of_datatypes, array_of_datatypes, n_array_of_datatypes);
  free(c_array_of_datatypes);
}
#pragma weak mpi_type_get_contents_ = pmpi_type_get_contents_
void pmpi_type_get_contents_c_(fint *datatype, MPI_Count *max_integers, MPI_Count *max_addresses, MPI_Count *max_large_counts, MPI_Count *max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, MPI_Count *array_of_large_counts, fint *array_of_datatypes, fint *ierror) {
  int n_array_of_datatypes = *max_datatypes; void **c_array_of_datatypes = weft_handles(array_of_datatypes, n_array_of_datatypes);
  *ierror = MPI_Type_get_contents_c(MPI_Type_fromint(*datatype), *max_integers, *max_addresses, *max_large_counts, *max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, (MPI_Datatype *)c_array_of_datatypes);
  weft_integers(c_array_of_datatypes, array_of_datatypes, n_array_of_datatypes);
  free(c_array_of_datatypes);
}
#pragma weak mpi_type_get_contents_c_ = pmpi_type_get_contents_c_
void pmpi_type_get_envelope_(fint *datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner, fint *ierror) {
  *ierror = MPI_Type_get_envelope(MPI_Type_fromint(*datatype), num_integers, num_addresses, num_datatypes, combiner);
}
#pragma weak mpi_type_get_envelope_ = pmpi_type_get_envelope_
void pmpi_type_get_envelope_c_(fint *datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner, fint *ierror) {
  *ierror = MPI_Type_get_envelope_c(MPI_Type_fromint(*datatype), num_integers, num_addresses, num_large_counts, num_datatypes, combiner);
}
#pragma weak mpi_type_get_envelope_c_ = pmpi_type_get_envelope_c_
void pmpi_type_get_extent_(fint *datatype, MPI_Aint *lb, MPI_Aint *extent, fint *ierror) {
  *ierror = MPI_Type_get_extent(MPI_Type_fromint(*datatype), lb, extent);
}
#pragma weak mpi_type_get_extent_ = pmpi_type_get_extent_
void pmpi_type_get_extent_x_(fint *datatype, MPI_Count *lb, MPI_Count *extent, fint *ierror) {
  *ierror = MPI_Type_get_extent_x(MPI_Type_fromint(*datatype), lb, extent);
}
#pragma weak mpi_type_get_extent_x_ = pmpi_type_get_extent_x_
void pmpi_type_get_name_(fint *datatype, char *type_name, int *resultlen, fint *ierror, size_t l_type_name) {
  char c_type_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Type_get_name(MPI_Type_fromint(*datatype), c_type_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(type_name, l_type_name, c_type_name);
}
#pragma weak mpi_type_get_name_ = pmpi_type_get_name_
void pmpi_type_get_true_extent_(fint *datatype, MPI_Aint *true_lb, MPI_Aint *true_extent, fint *ierror) {
  *ierror = MPI_Type_get_true_extent(MPI_Type_fromint(*datatype), true_lb, true_extent);
}
#pragma weak mpi_type_get_true_extent_ = pmpi_type_get_true_extent_
void pmpi_type_get_true_extent_x_(fint *datatype, MPI_Count *true_lb, MPI_Count *true_extent, fint *ierror) {
  *ierror = MPI_Type_get_true_extent_x(MPI_Type_fromint(*datatype), true_lb, true_extent);
}
#pragma weak mpi_type_get_true_extent_x_ = pmpi_type_get_true_extent_x_
void pmpi_type_get_value_index_(fint *value_type, fint *index_type, fint *pair_type, fint *ierror) {
  MPI_Datatype c_pair_type = MPI_Type_fromint(*pair_type);
  *ierror = MPI_Type_get_value_index(MPI_Type_fromint(*value_type), MPI_Type_fromint(*index_type), &c_pair_type);
  *pair_type = MPI_Type_toint(c_pair_type);
}
#pragma weak mpi_type_get_value_index_ = pmpi_type_get_value_index_
void pmpi_type_indexed_(int *count, int *array_of_blocklengths, int *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_indexed(*count, array_of_blocklengths, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_indexed_ = pmpi_type_indexed_
void pmpi_type_match_size_(int *typeclass, int *size, fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_match_size(*typeclass, *size, &c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
#pragma weak mpi_type_match_size_ = pmpi_type_match_size_
void pmpi_type_set_name_(fint *datatype, char *type_name, fint *ierror, size_t l_type_name) {
  char *c_type_name = weft_text(type_name, l_type_name);
  *ierror = MPI_Type_set_name(MPI_Type_fromint(*datatype), c_type_name);
  free(c_type_name);
}
#pragma weak mpi_type_set_name_ = pmpi_type_set_name_
void pmpi_type_size_(fint *datatype, int *size, fint *ierror) {
  *ierror = MPI_Type_size(MPI_Type_fromint(*datatype), size);
}
#pragma weak mpi_type_size_ = pmpi_type_size_
void pmpi_type_size_x_(fint *datatype, MPI_Count *size, fint *ierror) {
  *ierror = MPI_Type_size_x(MPI_Type_fromint(*datatype), size);
}
#pragma weak mpi_type_size_x_ = pmpi_type_size_x_
void pmpi_type_vector_(int *count, int *blocklength, int *stride, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_vector(*count, *blocklength, *stride, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
#pragma weak mpi_type_vector_ = pmpi_type_vector_
void pmpi_unpack_(void *inbuf, int *insize, int *position, void *outbuf, int *outcount, fint *datatype, fint *comm, fint *ierror) {
  *ierror = MPI_Unpack(weft_buffer(inbuf), *insize, position, weft_buffer(outbuf), *outcount, MPI_Type_fromint(*datatype), MPI_Comm_fromint(*comm));
}
#pragma weak mpi_unpack_ = pmpi_unpack_
void pmpi_unpack_external_(char *datarep, void *inbuf, MPI_Aint *insize, MPI_Aint *position, void *outbuf, int *outcount, fint *datatype, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Unpack_external(c_datarep, weft_buffer(inbuf), *insize, position, weft_buffer(outbuf), *outcount, MPI_Type_fromint(*datatype));
  free(c_datarep);
}
#pragma weak mpi_unpack_external_ = pmpi_unpack_external_
void pmpi_unpublish_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Unpublish_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  free(c_service_name);
  free(c_port_name);
}
#pragma weak mpi_unpublish_name_ = pmpi_unpublish_name_
void pmpi_wait_(fint *request, fint *status, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Wait(&c_request, weft_status(status));
  *request = MPI_Request_toint(c_request);
}
#pragma weak mpi_wait_ = pmpi_wait_
void pmpi_waitall_(int *count, fint *array_of_requests, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Waitall(*count, (MPI_Request *)c_array_of_requests, weft_status(array_of_statuses));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  free(c_array_of_requests);
}
#pragma weak mpi_waitall_ = pmpi_waitall_
void pmpi_waitany_(int *count, fint *array_of_requests, int *indx, fint *status, fint *ierror) {
  int n_array_of_requests = *count; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Waitany(*count, (MPI_Request *)c_array_of_requests, indx, weft_status(status));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
#pragma weak mpi_waitany_ = pmpi_waitany_
void pmpi_waitsome_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  int n_array_of_requests = *incount; void **c_array_of_requests = weft_handles(array_of_requests, n_array_of_requests);
  *ierror = MPI_Waitsome(*incount, (MPI_Request *)c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  weft_integers(c_array_of_requests, array_of_requests, n_array_of_requests);
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
#pragma weak mpi_waitsome_ = pmpi_waitsome_
void pmpi_win_allocate_(MPI_Aint *size, int *disp_unit, fint *info, fint *comm, void *baseptr, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_allocate(*size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), weft_buffer(baseptr), &c_win);
  *win = MPI_Win_toint(c_win);
}
#pragma weak mpi_win_allocate_ = pmpi_win_allocate_
void pmpi_win_allocate_shared_(MPI_Aint *size, int *disp_unit, fint *info, fint *comm, void *baseptr, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_allocate_shared(*size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), weft_buffer(baseptr), &c_win);
  *win = MPI_Win_toint(c_win);
}
#pragma weak mpi_win_allocate_shared_ = pmpi_win_allocate_shared_
void pmpi_win_attach_(fint *win, void *base, MPI_Aint *size, fint *ierror) {
  *ierror = MPI_Win_attach(MPI_Win_fromint(*win), weft_buffer(base), *size);
}
#pragma weak mpi_win_attach_ = pmpi_win_attach_
void pmpi_win_call_errhandler_(fint *win, int *errorcode, fint *ierror) {
  *ierror = MPI_Win_call_errhandler(MPI_Win_fromint(*win), *errorcode);
}
#pragma weak mpi_win_call_errhandler_ = pmpi_win_call_errhandler_
void pmpi_win_complete_(fint *win, fint *ierror) {
  *ierror = MPI_Win_complete(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_complete_ = pmpi_win_complete_
void pmpi_win_create_(void *base, MPI_Aint *size, int *disp_unit, fint *info, fint *comm, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_create(weft_buffer(base), *size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), &c_win);
  *win = MPI_Win_toint(c_win);
}
#pragma weak mpi_win_create_ = pmpi_win_create_
void pmpi_win_create_dynamic_(fint *info, fint *comm, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_create_dynamic(MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), &c_win);
  *win = MPI_Win_toint(c_win);
}
#pragma weak mpi_win_create_dynamic_ = pmpi_win_create_dynamic_
void pmpi_win_create_errhandler_(void *win_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Win_create_errhandler((MPI_Win_errhandler_function *)win_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_win_create_errhandler_ = pmpi_win_create_errhandler_
void pmpi_win_delete_attr_(fint *win, int *win_keyval, fint *ierror) {
  *ierror = MPI_Win_delete_attr(MPI_Win_fromint(*win), *win_keyval);
}
#pragma weak mpi_win_delete_attr_ = pmpi_win_delete_attr_
void pmpi_win_detach_(fint *win, void *base, fint *ierror) {
  *ierror = MPI_Win_detach(MPI_Win_fromint(*win), weft_buffer(base));
}
#pragma weak mpi_win_detach_ = pmpi_win_detach_
void pmpi_win_fence_(int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_fence(*assert, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_fence_ = pmpi_win_fence_
void pmpi_win_flush_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_flush(*rank, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_flush_ = pmpi_win_flush_
void pmpi_win_flush_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_all(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_flush_all_ = pmpi_win_flush_all_
void pmpi_win_flush_local_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_local(*rank, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_flush_local_ = pmpi_win_flush_local_
void pmpi_win_flush_local_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_local_all(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_flush_local_all_ = pmpi_win_flush_local_all_
void pmpi_win_free_(fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_free(&c_win);
  *win = MPI_Win_toint(c_win);
}
#pragma weak mpi_win_free_ = pmpi_win_free_
void pmpi_win_free_keyval_(int *win_keyval, fint *ierror) {
  *ierror = MPI_Win_free_keyval(win_keyval);
}
#pragma weak mpi_win_free_keyval_ = pmpi_win_free_keyval_
void pmpi_win_get_errhandler_(fint *win, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Win_get_errhandler(MPI_Win_fromint(*win), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
#pragma weak mpi_win_get_errhandler_ = pmpi_win_get_errhandler_
void pmpi_win_get_group_(fint *win, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Win_get_group(MPI_Win_fromint(*win), &c_group);
  *group = MPI_Group_toint(c_group);
}
#pragma weak mpi_win_get_group_ = pmpi_win_get_group_
void pmpi_win_get_info_(fint *win, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Win_get_info(MPI_Win_fromint(*win), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
#pragma weak mpi_win_get_info_ = pmpi_win_get_info_
void pmpi_win_get_name_(fint *win, char *win_name, int *resultlen, fint *ierror, size_t l_win_name) {
  char c_win_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Win_get_name(MPI_Win_fromint(*win), c_win_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(win_name, l_win_name, c_win_name);
}
#pragma weak mpi_win_get_name_ = pmpi_win_get_name_
void pmpi_win_lock_(int *lock_type, int *rank, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_lock(*lock_type, *rank, *assert, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_lock_ = pmpi_win_lock_
void pmpi_win_lock_all_(int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_lock_all(*assert, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_lock_all_ = pmpi_win_lock_all_
void pmpi_win_post_(fint *group, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_post(MPI_Group_fromint(*group), *assert, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_post_ = pmpi_win_post_
void pmpi_win_set_errhandler_(fint *win, fint *errhandler, fint *ierror) {
  *ierror = MPI_Win_set_errhandler(MPI_Win_fromint(*win), MPI_Errhandler_fromint(*errhandler));
}
#pragma weak mpi_win_set_errhandler_ = pmpi_win_set_errhandler_
void pmpi_win_set_info_(fint *win, fint *info, fint *ierror) {
  *ierror = MPI_Win_set_info(MPI_Win_fromint(*win), MPI_Info_fromint(*info));
}
#pragma weak mpi_win_set_info_ = pmpi_win_set_info_
void pmpi_win_set_name_(fint *win, char *win_name, fint *ierror, size_t l_win_name) {
  char *c_win_name = weft_text(win_name, l_win_name);
  *ierror = MPI_Win_set_name(MPI_Win_fromint(*win), c_win_name);
  free(c_win_name);
}
#pragma weak mpi_win_set_name_ = pmpi_win_set_name_
void pmpi_win_shared_query_(fint *win, int *rank, MPI_Aint *size, int *disp_unit, void *baseptr, fint *ierror) {
  *ierror = MPI_Win_shared_query(MPI_Win_fromint(*win), *rank, size, disp_unit, weft_buffer(baseptr));
}
#pragma weak mpi_win_shared_query_ = pmpi_win_shared_query_
void pmpi_win_start_(fint *group, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_start(MPI_Group_fromint(*group), *assert, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_start_ = pmpi_win_start_
void pmpi_win_sync_(fint *win, fint *ierror) {
  *ierror = MPI_Win_sync(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_sync_ = pmpi_win_sync_
void pmpi_win_test_(fint *win, int *flag, fint *ierror) {
  *ierror = MPI_Win_test(MPI_Win_fromint(*win), flag);
}
#pragma weak mpi_win_test_ = pmpi_win_test_
void pmpi_win_unlock_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_unlock(*rank, MPI_Win_fromint(*win));
}
#pragma weak mpi_win_unlock_ = pmpi_win_unlock_
void pmpi_win_unlock_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_unlock_all(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_unlock_all_ = pmpi_win_unlock_all_
void pmpi_win_wait_(fint *win, fint *ierror) {
  *ierror = MPI_Win_wait(MPI_Win_fromint(*win));
}
#pragma weak mpi_win_wait_ = pmpi_win_wait_
