/* Written by go generate from internal/abi/spec. Do not edit. */

#include "fortran.h"

#ifndef WEFT_FACE
void pmpi_abi_get_info_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Abi_get_info(&c_info);
  *info = MPI_Info_toint(c_info);
}
NAMED(abi_get_info)
#endif
#ifndef WEFT_FACE
void pmpi_abi_get_version_(int *abi_major, int *abi_minor, fint *ierror) {
  *ierror = MPI_Abi_get_version(abi_major, abi_minor);
}
NAMED(abi_get_version)
#endif
void pmpi_abort_(fint *comm, int *errorcode, fint *ierror) {
  *ierror = MPI_Abort(MPI_Comm_fromint(*comm), *errorcode);
}
NAMED(abort)
void pmpi_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
NAMED(accumulate)
void pmpi_add_error_class_(int *errorclass, fint *ierror) {
  *ierror = MPI_Add_error_class(errorclass);
}
NAMED(add_error_class)
void pmpi_add_error_code_(int *errorclass, int *errorcode, fint *ierror) {
  *ierror = MPI_Add_error_code(*errorclass, errorcode);
}
NAMED(add_error_code)
void pmpi_add_error_string_(int *errorcode, char *string, fint *ierror, size_t l_string) {
  char *c_string = weft_text(string, l_string);
  *ierror = MPI_Add_error_string(*errorcode, c_string);
  free(c_string);
}
NAMED(add_error_string)
void pmpi_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(allgather)
void pmpi_allgather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allgather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(allgather_init)
void pmpi_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(allgatherv)
void pmpi_allgatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allgatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(allgatherv_init)
void pmpi_alloc_mem_(MPI_Aint *size, fint *info, void *baseptr, fint *ierror) {
  *ierror = MPI_Alloc_mem(*size, MPI_Info_fromint(*info), weft_buffer(baseptr));
}
NAMED(alloc_mem)
void pmpi_allreduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Allreduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
NAMED(allreduce)
void pmpi_allreduce_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Allreduce_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(allreduce_init)
void pmpi_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(alltoall)
void pmpi_alltoall_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoall_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(alltoall_init)
void pmpi_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(alltoallv)
void pmpi_alltoallv_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoallv_init(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(alltoallv_init)
void pmpi_alltoallw_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_peers(*comm))
  *ierror = MPI_Alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm));
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(alltoallw)
void pmpi_alltoallw_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *info, fint *request, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_peers(*comm))
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Alltoallw_init(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(alltoallw_init)
void pmpi_attr_delete_(fint *comm, int *keyval, fint *ierror) {
  *ierror = MPI_Attr_delete(MPI_Comm_fromint(*comm), *keyval);
}
NAMED(attr_delete)
void pmpi_barrier_(fint *comm, fint *ierror) {
  *ierror = MPI_Barrier(MPI_Comm_fromint(*comm));
}
NAMED(barrier)
void pmpi_barrier_init_(fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Barrier_init(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(barrier_init)
void pmpi_bcast_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Bcast(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm));
}
NAMED(bcast)
void pmpi_bcast_init_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Bcast_init(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(bcast_init)
void pmpi_bsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Bsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
NAMED(bsend)
void pmpi_bsend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Bsend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(bsend_init)
void pmpi_buffer_attach_(void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Buffer_attach(weft_buffer(buffer), *size);
}
NAMED(buffer_attach)
void pmpi_buffer_flush_(fint *ierror) {
  *ierror = MPI_Buffer_flush();
}
NAMED(buffer_flush)
void pmpi_buffer_iflush_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Buffer_iflush(&c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(buffer_iflush)
void pmpi_cancel_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Cancel(&c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(cancel)
void pmpi_cart_coords_(fint *comm, int *rank, int *maxdims, int *coords, fint *ierror) {
  *ierror = MPI_Cart_coords(MPI_Comm_fromint(*comm), *rank, *maxdims, coords);
}
NAMED(cart_coords)
void pmpi_cart_create_(fint *comm_old, int *ndims, int *dims, int *periods, int *reorder, fint *comm_cart, fint *ierror) {
  MPI_Comm c_comm_cart = MPI_Comm_fromint(*comm_cart);
  *ierror = MPI_Cart_create(MPI_Comm_fromint(*comm_old), *ndims, dims, periods, *reorder, &c_comm_cart);
  *comm_cart = MPI_Comm_toint(c_comm_cart);
}
NAMED(cart_create)
void pmpi_cart_get_(fint *comm, int *maxdims, int *dims, int *periods, int *coords, fint *ierror) {
  *ierror = MPI_Cart_get(MPI_Comm_fromint(*comm), *maxdims, dims, periods, coords);
}
NAMED(cart_get)
void pmpi_cart_map_(fint *comm, int *ndims, int *dims, int *periods, int *newrank, fint *ierror) {
  *ierror = MPI_Cart_map(MPI_Comm_fromint(*comm), *ndims, dims, periods, newrank);
}
NAMED(cart_map)
void pmpi_cart_rank_(fint *comm, int *coords, int *rank, fint *ierror) {
  *ierror = MPI_Cart_rank(MPI_Comm_fromint(*comm), coords, rank);
}
NAMED(cart_rank)
void pmpi_cart_shift_(fint *comm, int *direction, int *disp, int *rank_source, int *rank_dest, fint *ierror) {
  *ierror = MPI_Cart_shift(MPI_Comm_fromint(*comm), *direction, *disp, rank_source, rank_dest);
}
NAMED(cart_shift)
void pmpi_cart_sub_(fint *comm, int *remain_dims, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Cart_sub(MPI_Comm_fromint(*comm), remain_dims, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(cart_sub)
void pmpi_cartdim_get_(fint *comm, int *ndims, fint *ierror) {
  *ierror = MPI_Cartdim_get(MPI_Comm_fromint(*comm), ndims);
}
NAMED(cartdim_get)
void pmpi_close_port_(char *port_name, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Close_port(c_port_name);
  free(c_port_name);
}
NAMED(close_port)
void pmpi_comm_accept_(char *port_name, fint *info, int *root, fint *comm, fint *newcomm, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_accept(c_port_name, MPI_Info_fromint(*info), *root, MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_port_name);
}
NAMED(comm_accept)
void pmpi_comm_attach_buffer_(fint *comm, void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Comm_attach_buffer(MPI_Comm_fromint(*comm), weft_buffer(buffer), *size);
}
NAMED(comm_attach_buffer)
void pmpi_comm_call_errhandler_(fint *comm, int *errorcode, fint *ierror) {
  *ierror = MPI_Comm_call_errhandler(MPI_Comm_fromint(*comm), *errorcode);
}
NAMED(comm_call_errhandler)
void pmpi_comm_compare_(fint *comm1, fint *comm2, int *result, fint *ierror) {
  *ierror = MPI_Comm_compare(MPI_Comm_fromint(*comm1), MPI_Comm_fromint(*comm2), result);
}
NAMED(comm_compare)
void pmpi_comm_connect_(char *port_name, fint *info, int *root, fint *comm, fint *newcomm, fint *ierror, size_t l_port_name) {
  char *c_port_name = weft_text(port_name, l_port_name);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_connect(c_port_name, MPI_Info_fromint(*info), *root, MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_port_name);
}
NAMED(comm_connect)
void pmpi_comm_create_(fint *comm, fint *group, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create(MPI_Comm_fromint(*comm), MPI_Group_fromint(*group), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_create)
#ifndef WEFT_FACE
void pmpi_comm_create_errhandler_(void *comm_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)comm_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(comm_create_errhandler)
#endif
void pmpi_comm_create_from_group_(fint *group, char *stringtag, fint *info, fint *errhandler, fint *newcomm, fint *ierror, size_t l_stringtag) {
  char *c_stringtag = weft_text(stringtag, l_stringtag);
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create_from_group(MPI_Group_fromint(*group), c_stringtag, MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
  free(c_stringtag);
}
NAMED(comm_create_from_group)
void pmpi_comm_create_group_(fint *comm, fint *group, int *tag, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_create_group(MPI_Comm_fromint(*comm), MPI_Group_fromint(*group), *tag, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_create_group)
void pmpi_comm_delete_attr_(fint *comm, int *comm_keyval, fint *ierror) {
  *ierror = MPI_Comm_delete_attr(MPI_Comm_fromint(*comm), *comm_keyval);
}
NAMED(comm_delete_attr)
void pmpi_comm_disconnect_(fint *comm, fint *ierror) {
  MPI_Comm c_comm = MPI_Comm_fromint(*comm);
  *ierror = MPI_Comm_disconnect(&c_comm);
  *comm = MPI_Comm_toint(c_comm);
}
NAMED(comm_disconnect)
void pmpi_comm_dup_(fint *comm, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_dup(MPI_Comm_fromint(*comm), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_dup)
void pmpi_comm_dup_with_info_(fint *comm, fint *info, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_dup_with_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_dup_with_info)
void pmpi_comm_flush_buffer_(fint *comm, fint *ierror) {
  *ierror = MPI_Comm_flush_buffer(MPI_Comm_fromint(*comm));
}
NAMED(comm_flush_buffer)
void pmpi_comm_free_(fint *comm, fint *ierror) {
  MPI_Comm c_comm = MPI_Comm_fromint(*comm);
  *ierror = MPI_Comm_free(&c_comm);
  *comm = MPI_Comm_toint(c_comm);
}
NAMED(comm_free)
void pmpi_comm_free_keyval_(int *comm_keyval, fint *ierror) {
  *ierror = MPI_Comm_free_keyval(comm_keyval);
}
NAMED(comm_free_keyval)
void pmpi_comm_get_errhandler_(fint *comm, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Comm_get_errhandler(MPI_Comm_fromint(*comm), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(comm_get_errhandler)
void pmpi_comm_get_info_(fint *comm, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Comm_get_info(MPI_Comm_fromint(*comm), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
NAMED(comm_get_info)
void pmpi_comm_get_name_(fint *comm, char *comm_name, int *resultlen, fint *ierror, size_t l_comm_name) {
  char c_comm_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Comm_get_name(MPI_Comm_fromint(*comm), c_comm_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(comm_name, l_comm_name, c_comm_name);
}
NAMED(comm_get_name)
void pmpi_comm_get_parent_(fint *parent, fint *ierror) {
  MPI_Comm c_parent = MPI_Comm_fromint(*parent);
  *ierror = MPI_Comm_get_parent(&c_parent);
  *parent = MPI_Comm_toint(c_parent);
}
NAMED(comm_get_parent)
void pmpi_comm_group_(fint *comm, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Comm_group(MPI_Comm_fromint(*comm), &c_group);
  *group = MPI_Group_toint(c_group);
}
NAMED(comm_group)
void pmpi_comm_idup_(fint *comm, fint *newcomm, fint *request, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_idup(MPI_Comm_fromint(*comm), &c_newcomm, &c_request);
  *newcomm = MPI_Comm_toint(c_newcomm);
  *request = MPI_Request_toint(c_request);
}
NAMED(comm_idup)
void pmpi_comm_idup_with_info_(fint *comm, fint *info, fint *newcomm, fint *request, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_idup_with_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_newcomm, &c_request);
  *newcomm = MPI_Comm_toint(c_newcomm);
  *request = MPI_Request_toint(c_request);
}
NAMED(comm_idup_with_info)
void pmpi_comm_iflush_buffer_(fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Comm_iflush_buffer(MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(comm_iflush_buffer)
void pmpi_comm_join_(int *fd, fint *intercomm, fint *ierror) {
  MPI_Comm c_intercomm = MPI_Comm_fromint(*intercomm);
  *ierror = MPI_Comm_join(*fd, &c_intercomm);
  *intercomm = MPI_Comm_toint(c_intercomm);
}
NAMED(comm_join)
void pmpi_comm_rank_(fint *comm, int *rank, fint *ierror) {
  *ierror = MPI_Comm_rank(MPI_Comm_fromint(*comm), rank);
}
NAMED(comm_rank)
void pmpi_comm_remote_group_(fint *comm, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Comm_remote_group(MPI_Comm_fromint(*comm), &c_group);
  *group = MPI_Group_toint(c_group);
}
NAMED(comm_remote_group)
void pmpi_comm_remote_size_(fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Comm_remote_size(MPI_Comm_fromint(*comm), size);
}
NAMED(comm_remote_size)
void pmpi_comm_set_errhandler_(fint *comm, fint *errhandler, fint *ierror) {
  *ierror = MPI_Comm_set_errhandler(MPI_Comm_fromint(*comm), MPI_Errhandler_fromint(*errhandler));
}
NAMED(comm_set_errhandler)
void pmpi_comm_set_info_(fint *comm, fint *info, fint *ierror) {
  *ierror = MPI_Comm_set_info(MPI_Comm_fromint(*comm), MPI_Info_fromint(*info));
}
NAMED(comm_set_info)
void pmpi_comm_set_name_(fint *comm, char *comm_name, fint *ierror, size_t l_comm_name) {
  char *c_comm_name = weft_text(comm_name, l_comm_name);
  *ierror = MPI_Comm_set_name(MPI_Comm_fromint(*comm), c_comm_name);
  free(c_comm_name);
}
NAMED(comm_set_name)
void pmpi_comm_size_(fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Comm_size(MPI_Comm_fromint(*comm), size);
}
NAMED(comm_size)
void pmpi_comm_split_(fint *comm, int *color, int *key, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_split(MPI_Comm_fromint(*comm), *color, *key, &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_split)
void pmpi_comm_split_type_(fint *comm, int *split_type, int *key, fint *info, fint *newcomm, fint *ierror) {
  MPI_Comm c_newcomm = MPI_Comm_fromint(*newcomm);
  *ierror = MPI_Comm_split_type(MPI_Comm_fromint(*comm), *split_type, *key, MPI_Info_fromint(*info), &c_newcomm);
  *newcomm = MPI_Comm_toint(c_newcomm);
}
NAMED(comm_split_type)
void pmpi_comm_test_inter_(fint *comm, int *flag, fint *ierror) {
  *ierror = MPI_Comm_test_inter(MPI_Comm_fromint(*comm), flag);
}
NAMED(comm_test_inter)
void pmpi_compare_and_swap_(void *origin_addr, void *compare_addr, void *result_addr, fint *datatype, int *target_rank, MPI_Aint *target_disp, fint *win, fint *ierror) {
  *ierror = MPI_Compare_and_swap(weft_buffer(origin_addr), weft_buffer(compare_addr), weft_buffer(result_addr), MPI_Type_fromint(*datatype), *target_rank, *target_disp, MPI_Win_fromint(*win));
}
NAMED(compare_and_swap)
void pmpi_dims_create_(int *nnodes, int *ndims, int *dims, fint *ierror) {
  *ierror = MPI_Dims_create(*nnodes, *ndims, dims);
}
NAMED(dims_create)
void pmpi_dist_graph_create_(fint *comm_old, int *n, int *sources, int *degrees, int *destinations, fint *weights, fint *info, int *reorder, fint *comm_dist_graph, fint *ierror) {
  MPI_Comm c_comm_dist_graph = MPI_Comm_fromint(*comm_dist_graph);
  *ierror = MPI_Dist_graph_create(MPI_Comm_fromint(*comm_old), *n, sources, degrees, destinations, weft_weights(weights), MPI_Info_fromint(*info), *reorder, &c_comm_dist_graph);
  *comm_dist_graph = MPI_Comm_toint(c_comm_dist_graph);
}
NAMED(dist_graph_create)
void pmpi_dist_graph_create_adjacent_(fint *comm_old, int *indegree, int *sources, fint *sourceweights, int *outdegree, int *destinations, fint *destweights, fint *info, int *reorder, fint *comm_dist_graph, fint *ierror) {
  MPI_Comm c_comm_dist_graph = MPI_Comm_fromint(*comm_dist_graph);
  *ierror = MPI_Dist_graph_create_adjacent(MPI_Comm_fromint(*comm_old), *indegree, sources, weft_weights(sourceweights), *outdegree, destinations, weft_weights(destweights), MPI_Info_fromint(*info), *reorder, &c_comm_dist_graph);
  *comm_dist_graph = MPI_Comm_toint(c_comm_dist_graph);
}
NAMED(dist_graph_create_adjacent)
void pmpi_dist_graph_neighbors_(fint *comm, int *maxindegree, int *sources, fint *sourceweights, int *maxoutdegree, int *destinations, fint *destweights, fint *ierror) {
  *ierror = MPI_Dist_graph_neighbors(MPI_Comm_fromint(*comm), *maxindegree, sources, weft_weights(sourceweights), *maxoutdegree, destinations, weft_weights(destweights));
}
NAMED(dist_graph_neighbors)
void pmpi_dist_graph_neighbors_count_(fint *comm, int *indegree, int *outdegree, int *weighted, fint *ierror) {
  *ierror = MPI_Dist_graph_neighbors_count(MPI_Comm_fromint(*comm), indegree, outdegree, weighted);
}
NAMED(dist_graph_neighbors_count)
void pmpi_errhandler_free_(fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Errhandler_free(&c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(errhandler_free)
void pmpi_error_class_(int *errorcode, int *errorclass, fint *ierror) {
  *ierror = MPI_Error_class(*errorcode, errorclass);
}
NAMED(error_class)
void pmpi_error_string_(int *errorcode, char *string, int *resultlen, fint *ierror, size_t l_string) {
  char c_string[WEFT_ROOM + 1] = "";
  *ierror = MPI_Error_string(*errorcode, c_string, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(string, l_string, c_string);
}
NAMED(error_string)
void pmpi_exscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Exscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
NAMED(exscan)
void pmpi_exscan_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Exscan_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(exscan_init)
void pmpi_fetch_and_op_(void *origin_addr, void *result_addr, fint *datatype, int *target_rank, MPI_Aint *target_disp, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Fetch_and_op(weft_buffer(origin_addr), weft_buffer(result_addr), MPI_Type_fromint(*datatype), *target_rank, *target_disp, MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
NAMED(fetch_and_op)
void pmpi_file_call_errhandler_(fint *fh, int *errorcode, fint *ierror) {
  *ierror = MPI_File_call_errhandler(MPI_File_fromint(*fh), *errorcode);
}
NAMED(file_call_errhandler)
void pmpi_file_close_(fint *fh, fint *ierror) {
  MPI_File c_fh = MPI_File_fromint(*fh);
  *ierror = MPI_File_close(&c_fh);
  *fh = MPI_File_toint(c_fh);
}
NAMED(file_close)
#ifndef WEFT_FACE
void pmpi_file_create_errhandler_(void *file_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_File_create_errhandler((MPI_File_errhandler_function *)file_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(file_create_errhandler)
#endif
void pmpi_file_delete_(char *filename, fint *info, fint *ierror, size_t l_filename) {
  char *c_filename = weft_text(filename, l_filename);
  *ierror = MPI_File_delete(c_filename, MPI_Info_fromint(*info));
  free(c_filename);
}
NAMED(file_delete)
void pmpi_file_get_amode_(fint *fh, int *amode, fint *ierror) {
  *ierror = MPI_File_get_amode(MPI_File_fromint(*fh), amode);
}
NAMED(file_get_amode)
void pmpi_file_get_atomicity_(fint *fh, int *flag, fint *ierror) {
  *ierror = MPI_File_get_atomicity(MPI_File_fromint(*fh), flag);
}
NAMED(file_get_atomicity)
void pmpi_file_get_byte_offset_(fint *fh, MPI_Offset *offset, MPI_Offset *disp, fint *ierror) {
  *ierror = MPI_File_get_byte_offset(MPI_File_fromint(*fh), *offset, disp);
}
NAMED(file_get_byte_offset)
void pmpi_file_get_errhandler_(fint *file, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_File_get_errhandler(MPI_File_fromint(*file), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(file_get_errhandler)
void pmpi_file_get_group_(fint *fh, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_File_get_group(MPI_File_fromint(*fh), &c_group);
  *group = MPI_Group_toint(c_group);
}
NAMED(file_get_group)
void pmpi_file_get_info_(fint *fh, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_File_get_info(MPI_File_fromint(*fh), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
NAMED(file_get_info)
void pmpi_file_get_position_(fint *fh, MPI_Offset *offset, fint *ierror) {
  *ierror = MPI_File_get_position(MPI_File_fromint(*fh), offset);
}
NAMED(file_get_position)
void pmpi_file_get_position_shared_(fint *fh, MPI_Offset *offset, fint *ierror) {
  *ierror = MPI_File_get_position_shared(MPI_File_fromint(*fh), offset);
}
NAMED(file_get_position_shared)
void pmpi_file_get_size_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_get_size(MPI_File_fromint(*fh), size);
}
NAMED(file_get_size)
void pmpi_file_get_type_extent_(fint *fh, fint *datatype, MPI_Aint *extent, fint *ierror) {
  *ierror = MPI_File_get_type_extent(MPI_File_fromint(*fh), MPI_Type_fromint(*datatype), extent);
}
NAMED(file_get_type_extent)
void pmpi_file_get_view_(fint *fh, MPI_Offset *disp, fint *etype, fint *filetype, char *datarep, fint *ierror, size_t l_datarep) {
  MPI_Datatype c_etype = MPI_Type_fromint(*etype);
  MPI_Datatype c_filetype = MPI_Type_fromint(*filetype);
  char c_datarep[WEFT_ROOM + 1] = "";
  *ierror = MPI_File_get_view(MPI_File_fromint(*fh), disp, &c_etype, &c_filetype, c_datarep);
  *etype = MPI_Type_toint(c_etype);
  *filetype = MPI_Type_toint(c_filetype);
  if (*ierror == MPI_SUCCESS) weft_blanks(datarep, l_datarep, c_datarep);
}
NAMED(file_get_view)
void pmpi_file_iread_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iread)
void pmpi_file_iread_all_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iread_all)
void pmpi_file_iread_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iread_at)
void pmpi_file_iread_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iread_at_all)
void pmpi_file_iread_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iread_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iread_shared)
void pmpi_file_iwrite_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iwrite)
void pmpi_file_iwrite_all_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iwrite_all)
void pmpi_file_iwrite_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iwrite_at)
void pmpi_file_iwrite_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iwrite_at_all)
void pmpi_file_iwrite_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_File_iwrite_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(file_iwrite_shared)
void pmpi_file_open_(fint *comm, char *filename, int *amode, fint *info, fint *fh, fint *ierror, size_t l_filename) {
  char *c_filename = weft_text(filename, l_filename);
  MPI_File c_fh = MPI_File_fromint(*fh);
  *ierror = MPI_File_open(MPI_Comm_fromint(*comm), c_filename, *amode, MPI_Info_fromint(*info), &c_fh);
  *fh = MPI_File_toint(c_fh);
  free(c_filename);
}
NAMED(file_open)
void pmpi_file_preallocate_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_preallocate(MPI_File_fromint(*fh), *size);
}
NAMED(file_preallocate)
void pmpi_file_read_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read)
void pmpi_file_read_all_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read_all)
void pmpi_file_read_all_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_all_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_read_all_begin)
void pmpi_file_read_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_read_all_end)
void pmpi_file_read_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read_at)
void pmpi_file_read_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read_at_all)
void pmpi_file_read_at_all_begin_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_at_all_begin(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_read_at_all_begin)
void pmpi_file_read_at_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_at_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_read_at_all_end)
void pmpi_file_read_ordered_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_ordered(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read_ordered)
void pmpi_file_read_ordered_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_read_ordered_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_read_ordered_begin)
void pmpi_file_read_ordered_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_read_ordered_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_read_ordered_end)
void pmpi_file_read_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_read_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_read_shared)
void pmpi_file_seek_(fint *fh, MPI_Offset *offset, int *whence, fint *ierror) {
  *ierror = MPI_File_seek(MPI_File_fromint(*fh), *offset, *whence);
}
NAMED(file_seek)
void pmpi_file_seek_shared_(fint *fh, MPI_Offset *offset, int *whence, fint *ierror) {
  *ierror = MPI_File_seek_shared(MPI_File_fromint(*fh), *offset, *whence);
}
NAMED(file_seek_shared)
void pmpi_file_set_atomicity_(fint *fh, int *flag, fint *ierror) {
  *ierror = MPI_File_set_atomicity(MPI_File_fromint(*fh), *flag);
}
NAMED(file_set_atomicity)
void pmpi_file_set_errhandler_(fint *file, fint *errhandler, fint *ierror) {
  *ierror = MPI_File_set_errhandler(MPI_File_fromint(*file), MPI_Errhandler_fromint(*errhandler));
}
NAMED(file_set_errhandler)
void pmpi_file_set_info_(fint *fh, fint *info, fint *ierror) {
  *ierror = MPI_File_set_info(MPI_File_fromint(*fh), MPI_Info_fromint(*info));
}
NAMED(file_set_info)
void pmpi_file_set_size_(fint *fh, MPI_Offset *size, fint *ierror) {
  *ierror = MPI_File_set_size(MPI_File_fromint(*fh), *size);
}
NAMED(file_set_size)
void pmpi_file_set_view_(fint *fh, MPI_Offset *disp, fint *etype, fint *filetype, char *datarep, fint *info, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_File_set_view(MPI_File_fromint(*fh), *disp, MPI_Type_fromint(*etype), MPI_Type_fromint(*filetype), c_datarep, MPI_Info_fromint(*info));
  free(c_datarep);
}
NAMED(file_set_view)
void pmpi_file_sync_(fint *fh, fint *ierror) {
  *ierror = MPI_File_sync(MPI_File_fromint(*fh));
}
NAMED(file_sync)
void pmpi_file_write_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write)
void pmpi_file_write_all_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_all(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write_all)
void pmpi_file_write_all_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_all_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_write_all_begin)
void pmpi_file_write_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_write_all_end)
void pmpi_file_write_at_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write_at)
void pmpi_file_write_at_all_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at_all(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write_at_all)
void pmpi_file_write_at_all_begin_(fint *fh, MPI_Offset *offset, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_at_all_begin(MPI_File_fromint(*fh), *offset, weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_write_at_all_begin)
void pmpi_file_write_at_all_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_at_all_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_write_at_all_end)
void pmpi_file_write_ordered_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_ordered(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write_ordered)
void pmpi_file_write_ordered_begin_(fint *fh, void *buf, int *count, fint *datatype, fint *ierror) {
  *ierror = MPI_File_write_ordered_begin(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype));
}
NAMED(file_write_ordered_begin)
void pmpi_file_write_ordered_end_(fint *fh, void *buf, fint *status, fint *ierror) {
  *ierror = MPI_File_write_ordered_end(MPI_File_fromint(*fh), weft_buffer(buf), weft_status(status));
}
NAMED(file_write_ordered_end)
void pmpi_file_write_shared_(fint *fh, void *buf, int *count, fint *datatype, fint *status, fint *ierror) {
  *ierror = MPI_File_write_shared(MPI_File_fromint(*fh), weft_buffer(buf), *count, MPI_Type_fromint(*datatype), weft_status(status));
}
NAMED(file_write_shared)
void pmpi_finalize_(fint *ierror) {
  *ierror = MPI_Finalize();
}
NAMED(finalize)
void pmpi_finalized_(int *flag, fint *ierror) {
  *ierror = MPI_Finalized(flag);
}
NAMED(finalized)
void pmpi_free_mem_(void *base, fint *ierror) {
  *ierror = MPI_Free_mem(weft_buffer(base));
}
NAMED(free_mem)
void pmpi_gather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Gather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
NAMED(gather)
void pmpi_gather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Gather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(gather_init)
void pmpi_gatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Gatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
NAMED(gatherv)
void pmpi_gatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Gatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(gatherv_init)
void pmpi_get_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *ierror) {
  *ierror = MPI_Get(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win));
}
NAMED(get)
void pmpi_get_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, void *result_addr, int *result_count, fint *result_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *ierror) {
  *ierror = MPI_Get_accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), weft_buffer(result_addr), *result_count, MPI_Type_fromint(*result_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win));
}
NAMED(get_accumulate)
void pmpi_get_address_(void *location, MPI_Aint *address, fint *ierror) {
  *ierror = MPI_Get_address(weft_buffer(location), address);
}
NAMED(get_address)
void pmpi_get_count_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Get_count(weft_status(status), MPI_Type_fromint(*datatype), count);
}
NAMED(get_count)
void pmpi_get_elements_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Get_elements(weft_status(status), MPI_Type_fromint(*datatype), count);
}
NAMED(get_elements)
void pmpi_get_elements_x_(fint *status, fint *datatype, MPI_Count *count, fint *ierror) {
  *ierror = MPI_Get_elements_x(weft_status(status), MPI_Type_fromint(*datatype), count);
}
NAMED(get_elements_x)
void pmpi_get_hw_resource_info_(fint *hw_info, fint *ierror) {
  MPI_Info c_hw_info = MPI_Info_fromint(*hw_info);
  *ierror = MPI_Get_hw_resource_info(&c_hw_info);
  *hw_info = MPI_Info_toint(c_hw_info);
}
NAMED(get_hw_resource_info)
void pmpi_get_library_version_(char *version, int *resultlen, fint *ierror, size_t l_version) {
  char c_version[WEFT_ROOM + 1] = "";
  *ierror = MPI_Get_library_version(c_version, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(version, l_version, c_version);
}
NAMED(get_library_version)
void pmpi_get_processor_name_(char *name, int *resultlen, fint *ierror, size_t l_name) {
  char c_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Get_processor_name(c_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(name, l_name, c_name);
}
NAMED(get_processor_name)
void pmpi_get_version_(int *version, int *subversion, fint *ierror) {
  *ierror = MPI_Get_version(version, subversion);
}
NAMED(get_version)
void pmpi_graph_create_(fint *comm_old, int *nnodes, int *indx, int *edges, int *reorder, fint *comm_graph, fint *ierror) {
  MPI_Comm c_comm_graph = MPI_Comm_fromint(*comm_graph);
  *ierror = MPI_Graph_create(MPI_Comm_fromint(*comm_old), *nnodes, indx, edges, *reorder, &c_comm_graph);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  *comm_graph = MPI_Comm_toint(c_comm_graph);
}
NAMED(graph_create)
void pmpi_graph_get_(fint *comm, int *maxindex, int *maxedges, int *indx, int *edges, fint *ierror) {
  *ierror = MPI_Graph_get(MPI_Comm_fromint(*comm), *maxindex, *maxedges, indx, edges);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
}
NAMED(graph_get)
void pmpi_graph_map_(fint *comm, int *nnodes, int *indx, int *edges, int *newrank, fint *ierror) {
  *ierror = MPI_Graph_map(MPI_Comm_fromint(*comm), *nnodes, indx, edges, newrank);
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
}
NAMED(graph_map)
void pmpi_graph_neighbors_(fint *comm, int *rank, int *maxneighbors, int *neighbors, fint *ierror) {
  *ierror = MPI_Graph_neighbors(MPI_Comm_fromint(*comm), *rank, *maxneighbors, neighbors);
}
NAMED(graph_neighbors)
void pmpi_graph_neighbors_count_(fint *comm, int *rank, int *nneighbors, fint *ierror) {
  *ierror = MPI_Graph_neighbors_count(MPI_Comm_fromint(*comm), *rank, nneighbors);
}
NAMED(graph_neighbors_count)
void pmpi_graphdims_get_(fint *comm, int *nnodes, int *nedges, fint *ierror) {
  *ierror = MPI_Graphdims_get(MPI_Comm_fromint(*comm), nnodes, nedges);
}
NAMED(graphdims_get)
void pmpi_grequest_complete_(fint *request, fint *ierror) {
  *ierror = MPI_Grequest_complete(MPI_Request_fromint(*request));
}
NAMED(grequest_complete)
void pmpi_group_compare_(fint *group1, fint *group2, int *result, fint *ierror) {
  *ierror = MPI_Group_compare(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), result);
}
NAMED(group_compare)
void pmpi_group_difference_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_difference(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_difference)
void pmpi_group_excl_(fint *group, int *n, int *ranks, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_excl(MPI_Group_fromint(*group), *n, ranks, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_excl)
void pmpi_group_free_(fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Group_free(&c_group);
  *group = MPI_Group_toint(c_group);
}
NAMED(group_free)
void pmpi_group_from_session_pset_(fint *session, char *pset_name, fint *newgroup, fint *ierror, size_t l_pset_name) {
  char *c_pset_name = weft_text(pset_name, l_pset_name);
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_from_session_pset(MPI_Session_fromint(*session), c_pset_name, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
  free(c_pset_name);
}
NAMED(group_from_session_pset)
void pmpi_group_incl_(fint *group, int *n, int *ranks, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_incl(MPI_Group_fromint(*group), *n, ranks, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_incl)
void pmpi_group_intersection_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_intersection(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_intersection)
void pmpi_group_range_excl_(fint *group, int *n, int *ranges, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_range_excl(MPI_Group_fromint(*group), *n, (int (*)[3])ranges, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_range_excl)
void pmpi_group_range_incl_(fint *group, int *n, int *ranges, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_range_incl(MPI_Group_fromint(*group), *n, (int (*)[3])ranges, &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_range_incl)
void pmpi_group_rank_(fint *group, int *rank, fint *ierror) {
  *ierror = MPI_Group_rank(MPI_Group_fromint(*group), rank);
}
NAMED(group_rank)
void pmpi_group_size_(fint *group, int *size, fint *ierror) {
  *ierror = MPI_Group_size(MPI_Group_fromint(*group), size);
}
NAMED(group_size)
void pmpi_group_translate_ranks_(fint *group1, int *n, int *ranks1, fint *group2, int *ranks2, fint *ierror) {
  *ierror = MPI_Group_translate_ranks(MPI_Group_fromint(*group1), *n, ranks1, MPI_Group_fromint(*group2), ranks2);
}
NAMED(group_translate_ranks)
void pmpi_group_union_(fint *group1, fint *group2, fint *newgroup, fint *ierror) {
  MPI_Group c_newgroup = MPI_Group_fromint(*newgroup);
  *ierror = MPI_Group_union(MPI_Group_fromint(*group1), MPI_Group_fromint(*group2), &c_newgroup);
  *newgroup = MPI_Group_toint(c_newgroup);
}
NAMED(group_union)
void pmpi_iallgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iallgather)
void pmpi_iallgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iallgatherv)
void pmpi_iallreduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iallreduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iallreduce)
void pmpi_ialltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ialltoall)
void pmpi_ialltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ialltoallv)
void pmpi_ialltoallw_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtypes, fint *comm, fint *request, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_peers(*comm))
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ialltoallw(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(ialltoallw)
void pmpi_ibarrier_(fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibarrier(MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ibarrier)
void pmpi_ibcast_(void *buffer, int *count, fint *datatype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibcast(weft_buffer(buffer), *count, MPI_Type_fromint(*datatype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ibcast)
void pmpi_ibsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ibsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ibsend)
void pmpi_iexscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iexscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iexscan)
void pmpi_igather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Igather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(igather)
void pmpi_igatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Igatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(igatherv)
void pmpi_improbe_(int *source, int *tag, fint *comm, int *flag, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Improbe(*source, *tag, MPI_Comm_fromint(*comm), flag, &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
NAMED(improbe)
void pmpi_imrecv_(void *buf, int *count, fint *datatype, fint *message, fint *request, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Imrecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_message, &c_request);
  *message = MPI_Message_toint(c_message);
  *request = MPI_Request_toint(c_request);
}
NAMED(imrecv)
void pmpi_ineighbor_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ineighbor_allgather)
void pmpi_ineighbor_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ineighbor_allgatherv)
void pmpi_ineighbor_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ineighbor_alltoall)
void pmpi_ineighbor_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ineighbor_alltoallv)
void pmpi_ineighbor_alltoallw_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *request, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_degree(*comm, 1))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_degree(*comm, 0))
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ineighbor_alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(ineighbor_alltoallw)
void pmpi_info_create_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Info_create(&c_info);
  *info = MPI_Info_toint(c_info);
}
NAMED(info_create)
void pmpi_info_delete_(fint *info, char *key, fint *ierror, size_t l_key) {
  char *c_key = weft_text(key, l_key);
  *ierror = MPI_Info_delete(MPI_Info_fromint(*info), c_key);
  free(c_key);
}
NAMED(info_delete)
void pmpi_info_dup_(fint *info, fint *newinfo, fint *ierror) {
  MPI_Info c_newinfo = MPI_Info_fromint(*newinfo);
  *ierror = MPI_Info_dup(MPI_Info_fromint(*info), &c_newinfo);
  *newinfo = MPI_Info_toint(c_newinfo);
}
NAMED(info_dup)
void pmpi_info_free_(fint *info, fint *ierror) {
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Info_free(&c_info);
  *info = MPI_Info_toint(c_info);
}
NAMED(info_free)
void pmpi_info_get_(fint *info, char *key, int *valuelen, char *value, int *flag, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  char c_value[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get(MPI_Info_fromint(*info), c_key, weft_room(*valuelen), c_value, flag);
  if (*ierror == MPI_SUCCESS && *flag) weft_blanks(value, l_value, c_value);
  free(c_key);
}
NAMED(info_get)
void pmpi_info_get_nkeys_(fint *info, int *nkeys, fint *ierror) {
  *ierror = MPI_Info_get_nkeys(MPI_Info_fromint(*info), nkeys);
}
NAMED(info_get_nkeys)
void pmpi_info_get_nthkey_(fint *info, int *n, char *key, fint *ierror, size_t l_key) {
  char c_key[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get_nthkey(MPI_Info_fromint(*info), *n, c_key);
  if (*ierror == MPI_SUCCESS) weft_blanks(key, l_key, c_key);
}
NAMED(info_get_nthkey)
void pmpi_info_get_string_(fint *info, char *key, int *buflen, char *value, int *flag, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  int c_buflen = *buflen > 0 ? weft_room(*buflen) + 1 : 0;
  char c_value[WEFT_ROOM + 1] = "";
  *ierror = MPI_Info_get_string(MPI_Info_fromint(*info), c_key, &c_buflen, c_value, flag);
  if (*ierror == MPI_SUCCESS && c_buflen > 0) *buflen = c_buflen - 1;
  if (*ierror == MPI_SUCCESS && *flag) weft_blanks(value, l_value, c_value);
  free(c_key);
}
NAMED(info_get_string)
void pmpi_info_get_valuelen_(fint *info, char *key, int *valuelen, int *flag, fint *ierror, size_t l_key) {
  char *c_key = weft_text(key, l_key);
  *ierror = MPI_Info_get_valuelen(MPI_Info_fromint(*info), c_key, valuelen, flag);
  free(c_key);
}
NAMED(info_get_valuelen)
void pmpi_info_set_(fint *info, char *key, char *value, fint *ierror, size_t l_key, size_t l_value) {
  char *c_key = weft_text(key, l_key);
  char *c_value = weft_text(value, l_value);
  *ierror = MPI_Info_set(MPI_Info_fromint(*info), c_key, c_value);
  free(c_key);
  free(c_value);
}
NAMED(info_set)
void pmpi_initialized_(int *flag, fint *ierror) {
  *ierror = MPI_Initialized(flag);
}
NAMED(initialized)
void pmpi_intercomm_create_(fint *local_comm, int *local_leader, fint *peer_comm, int *remote_leader, int *tag, fint *newintercomm, fint *ierror) {
  MPI_Comm c_newintercomm = MPI_Comm_fromint(*newintercomm);
  *ierror = MPI_Intercomm_create(MPI_Comm_fromint(*local_comm), *local_leader, MPI_Comm_fromint(*peer_comm), *remote_leader, *tag, &c_newintercomm);
  *newintercomm = MPI_Comm_toint(c_newintercomm);
}
NAMED(intercomm_create)
void pmpi_intercomm_create_from_groups_(fint *local_group, int *local_leader, fint *remote_group, int *remote_leader, char *stringtag, fint *info, fint *errhandler, fint *newintercomm, fint *ierror, size_t l_stringtag) {
  char *c_stringtag = weft_text(stringtag, l_stringtag);
  MPI_Comm c_newintercomm = MPI_Comm_fromint(*newintercomm);
  *ierror = MPI_Intercomm_create_from_groups(MPI_Group_fromint(*local_group), *local_leader, MPI_Group_fromint(*remote_group), *remote_leader, c_stringtag, MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_newintercomm);
  *newintercomm = MPI_Comm_toint(c_newintercomm);
  free(c_stringtag);
}
NAMED(intercomm_create_from_groups)
void pmpi_intercomm_merge_(fint *intercomm, int *high, fint *newintracomm, fint *ierror) {
  MPI_Comm c_newintracomm = MPI_Comm_fromint(*newintracomm);
  *ierror = MPI_Intercomm_merge(MPI_Comm_fromint(*intercomm), *high, &c_newintracomm);
  *newintracomm = MPI_Comm_toint(c_newintracomm);
}
NAMED(intercomm_merge)
void pmpi_iprobe_(int *source, int *tag, fint *comm, int *flag, fint *status, fint *ierror) {
  *ierror = MPI_Iprobe(*source, *tag, MPI_Comm_fromint(*comm), flag, weft_status(status));
}
NAMED(iprobe)
void pmpi_irecv_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Irecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(irecv)
void pmpi_ireduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ireduce)
void pmpi_ireduce_scatter_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce_scatter(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ireduce_scatter)
void pmpi_ireduce_scatter_block_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ireduce_scatter_block(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ireduce_scatter_block)
void pmpi_irsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Irsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(irsend)
void pmpi_is_thread_main_(int *flag, fint *ierror) {
  *ierror = MPI_Is_thread_main(flag);
}
NAMED(is_thread_main)
void pmpi_iscan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iscan)
void pmpi_iscatter_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscatter(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iscatter)
void pmpi_iscatterv_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Iscatterv(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(iscatterv)
void pmpi_isend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(isend)
void pmpi_isendrecv_(void *sendbuf, int *sendcount, fint *sendtype, int *dest, int *sendtag, void *recvbuf, int *recvcount, fint *recvtype, int *source, int *recvtag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isendrecv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), *dest, *sendtag, weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *source, *recvtag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(isendrecv)
void pmpi_isendrecv_replace_(void *buf, int *count, fint *datatype, int *dest, int *sendtag, int *source, int *recvtag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Isendrecv_replace(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *sendtag, *source, *recvtag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(isendrecv_replace)
void pmpi_issend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Issend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(issend)
void pmpi_keyval_free_(int *keyval, fint *ierror) {
  *ierror = MPI_Keyval_free(keyval);
}
NAMED(keyval_free)
void pmpi_lookup_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char c_port_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Lookup_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  if (*ierror == MPI_SUCCESS) weft_blanks(port_name, l_port_name, c_port_name);
  free(c_service_name);
}
NAMED(lookup_name)
void pmpi_mprobe_(int *source, int *tag, fint *comm, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Mprobe(*source, *tag, MPI_Comm_fromint(*comm), &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
NAMED(mprobe)
void pmpi_mrecv_(void *buf, int *count, fint *datatype, fint *message, fint *status, fint *ierror) {
  MPI_Message c_message = MPI_Message_fromint(*message);
  *ierror = MPI_Mrecv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), &c_message, weft_status(status));
  *message = MPI_Message_toint(c_message);
}
NAMED(mrecv)
void pmpi_neighbor_allgather_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_allgather(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(neighbor_allgather)
void pmpi_neighbor_allgather_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_allgather_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(neighbor_allgather_init)
void pmpi_neighbor_allgatherv_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_allgatherv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(neighbor_allgatherv)
void pmpi_neighbor_allgatherv_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcounts, int *displs, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_allgatherv_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, displs, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(neighbor_allgatherv_init)
void pmpi_neighbor_alltoall_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_alltoall(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(neighbor_alltoall)
void pmpi_neighbor_alltoall_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoall_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(neighbor_alltoall_init)
void pmpi_neighbor_alltoallv_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *ierror) {
  *ierror = MPI_Neighbor_alltoallv(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm));
}
NAMED(neighbor_alltoallv)
void pmpi_neighbor_alltoallv_init_(void *sendbuf, int *sendcounts, int *sdispls, fint *sendtype, void *recvbuf, int *recvcounts, int *rdispls, fint *recvtype, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoallv_init(weft_buffer(sendbuf), sendcounts, sdispls, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), recvcounts, rdispls, MPI_Type_fromint(*recvtype), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(neighbor_alltoallv_init)
void pmpi_neighbor_alltoallw_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_degree(*comm, 1))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_degree(*comm, 0))
  *ierror = MPI_Neighbor_alltoallw(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm));
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(neighbor_alltoallw)
void pmpi_neighbor_alltoallw_init_(void *sendbuf, int *sendcounts, MPI_Aint *sdispls, fint *sendtypes, void *recvbuf, int *recvcounts, MPI_Aint *rdispls, fint *recvtypes, fint *comm, fint *info, fint *request, fint *ierror) {
  HANDLES(Type, MPI_Datatype, sendtypes, weft_degree(*comm, 1))
  HANDLES(Type, MPI_Datatype, recvtypes, weft_degree(*comm, 0))
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Neighbor_alltoallw_init(weft_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, weft_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
  free(c_sendtypes);
  free(c_recvtypes);
}
NAMED(neighbor_alltoallw_init)
void pmpi_op_commutative_(fint *op, int *commute, fint *ierror) {
  *ierror = MPI_Op_commutative(MPI_Op_fromint(*op), commute);
}
NAMED(op_commutative)
#ifndef WEFT_FACE
void pmpi_op_create_(void *user_fn, int *commute, fint *op, fint *ierror) {
  MPI_Op c_op = MPI_Op_fromint(*op);
  *ierror = MPI_Op_create((MPI_User_function *)user_fn, *commute, &c_op);
  *op = MPI_Op_toint(c_op);
}
NAMED(op_create)
#endif
void pmpi_op_free_(fint *op, fint *ierror) {
  MPI_Op c_op = MPI_Op_fromint(*op);
  *ierror = MPI_Op_free(&c_op);
  *op = MPI_Op_toint(c_op);
}
NAMED(op_free)
void pmpi_open_port_(fint *info, char *port_name, fint *ierror, size_t l_port_name) {
  char c_port_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Open_port(MPI_Info_fromint(*info), c_port_name);
  if (*ierror == MPI_SUCCESS) weft_blanks(port_name, l_port_name, c_port_name);
}
NAMED(open_port)
void pmpi_pack_(void *inbuf, int *incount, fint *datatype, void *outbuf, int *outsize, int *position, fint *comm, fint *ierror) {
  *ierror = MPI_Pack(weft_buffer(inbuf), *incount, MPI_Type_fromint(*datatype), weft_buffer(outbuf), *outsize, position, MPI_Comm_fromint(*comm));
}
NAMED(pack)
void pmpi_pack_external_(char *datarep, void *inbuf, int *incount, fint *datatype, void *outbuf, MPI_Aint *outsize, MPI_Aint *position, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Pack_external(c_datarep, weft_buffer(inbuf), *incount, MPI_Type_fromint(*datatype), weft_buffer(outbuf), *outsize, position);
  free(c_datarep);
}
NAMED(pack_external)
void pmpi_pack_external_size_(char *datarep, int *incount, fint *datatype, MPI_Aint *size, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Pack_external_size(c_datarep, *incount, MPI_Type_fromint(*datatype), size);
  free(c_datarep);
}
NAMED(pack_external_size)
void pmpi_pack_size_(int *incount, fint *datatype, fint *comm, int *size, fint *ierror) {
  *ierror = MPI_Pack_size(*incount, MPI_Type_fromint(*datatype), MPI_Comm_fromint(*comm), size);
}
NAMED(pack_size)
void pmpi_parrived_(fint *request, int *partition, int *flag, fint *ierror) {
  *ierror = MPI_Parrived(MPI_Request_fromint(*request), *partition, flag);
}
NAMED(parrived)
void pmpi_pready_(int *partition, fint *request, fint *ierror) {
  *ierror = MPI_Pready(*partition, MPI_Request_fromint(*request));
}
NAMED(pready)
void pmpi_pready_list_(int *length, int *array_of_partitions, fint *request, fint *ierror) {
  *ierror = MPI_Pready_list(*length, array_of_partitions, MPI_Request_fromint(*request));
}
NAMED(pready_list)
void pmpi_pready_range_(int *partition_low, int *partition_high, fint *request, fint *ierror) {
  *ierror = MPI_Pready_range(*partition_low, *partition_high, MPI_Request_fromint(*request));
}
NAMED(pready_range)
void pmpi_precv_init_(void *buf, int *partitions, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Precv_init(weft_buffer(buf), *partitions, *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(precv_init)
void pmpi_probe_(int *source, int *tag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Probe(*source, *tag, MPI_Comm_fromint(*comm), weft_status(status));
}
NAMED(probe)
void pmpi_psend_init_(void *buf, int *partitions, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Psend_init(weft_buffer(buf), *partitions, *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(psend_init)
void pmpi_publish_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Publish_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  free(c_service_name);
  free(c_port_name);
}
NAMED(publish_name)
void pmpi_put_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *ierror) {
  *ierror = MPI_Put(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win));
}
NAMED(put)
void pmpi_query_thread_(int *provided, fint *ierror) {
  *ierror = MPI_Query_thread(provided);
}
NAMED(query_thread)
void pmpi_raccumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Raccumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(raccumulate)
void pmpi_recv_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Recv(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), weft_status(status));
}
NAMED(recv)
void pmpi_recv_init_(void *buf, int *count, fint *datatype, int *source, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Recv_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *source, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(recv_init)
void pmpi_reduce_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm));
}
NAMED(reduce)
void pmpi_reduce_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(reduce_init)
void pmpi_reduce_local_(void *inbuf, void *inoutbuf, int *count, fint *datatype, fint *op, fint *ierror) {
  *ierror = MPI_Reduce_local(weft_buffer(inbuf), weft_buffer(inoutbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op));
}
NAMED(reduce_local)
void pmpi_reduce_scatter_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce_scatter(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
NAMED(reduce_scatter)
void pmpi_reduce_scatter_block_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Reduce_scatter_block(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
NAMED(reduce_scatter_block)
void pmpi_reduce_scatter_block_init_(void *sendbuf, void *recvbuf, int *recvcount, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_scatter_block_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(reduce_scatter_block_init)
void pmpi_reduce_scatter_init_(void *sendbuf, void *recvbuf, int *recvcounts, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Reduce_scatter_init(weft_buffer(sendbuf), weft_buffer(recvbuf), recvcounts, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(reduce_scatter_init)
void pmpi_remove_error_class_(int *errorclass, fint *ierror) {
  *ierror = MPI_Remove_error_class(*errorclass);
}
NAMED(remove_error_class)
void pmpi_remove_error_code_(int *errorcode, fint *ierror) {
  *ierror = MPI_Remove_error_code(*errorcode);
}
NAMED(remove_error_code)
void pmpi_remove_error_string_(int *errorcode, fint *ierror) {
  *ierror = MPI_Remove_error_string(*errorcode);
}
NAMED(remove_error_string)
void pmpi_request_free_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Request_free(&c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(request_free)
void pmpi_request_get_status_(fint *request, int *flag, fint *status, fint *ierror) {
  *ierror = MPI_Request_get_status(MPI_Request_fromint(*request), flag, weft_status(status));
}
NAMED(request_get_status)
void pmpi_request_get_status_all_(int *count, fint *array_of_requests, int *flag, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Request_get_status_all(*count, c_array_of_requests, flag, weft_status(array_of_statuses));
  free(c_array_of_requests);
}
NAMED(request_get_status_all)
void pmpi_request_get_status_any_(int *count, fint *array_of_requests, int *indx, int *flag, fint *status, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Request_get_status_any(*count, c_array_of_requests, indx, flag, weft_status(status));
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
NAMED(request_get_status_any)
void pmpi_request_get_status_some_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *incount)
  *ierror = MPI_Request_get_status_some(*incount, c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
NAMED(request_get_status_some)
void pmpi_rget_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rget(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(rget)
void pmpi_rget_accumulate_(void *origin_addr, int *origin_count, fint *origin_datatype, void *result_addr, int *result_count, fint *result_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *op, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rget_accumulate(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), weft_buffer(result_addr), *result_count, MPI_Type_fromint(*result_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Op_fromint(*op), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(rget_accumulate)
void pmpi_rput_(void *origin_addr, int *origin_count, fint *origin_datatype, int *target_rank, MPI_Aint *target_disp, int *target_count, fint *target_datatype, fint *win, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rput(weft_buffer(origin_addr), *origin_count, MPI_Type_fromint(*origin_datatype), *target_rank, *target_disp, *target_count, MPI_Type_fromint(*target_datatype), MPI_Win_fromint(*win), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(rput)
void pmpi_rsend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Rsend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
NAMED(rsend)
void pmpi_rsend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Rsend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(rsend_init)
void pmpi_scan_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *ierror) {
  *ierror = MPI_Scan(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
NAMED(scan)
void pmpi_scan_init_(void *sendbuf, void *recvbuf, int *count, fint *datatype, fint *op, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scan_init(weft_buffer(sendbuf), weft_buffer(recvbuf), *count, MPI_Type_fromint(*datatype), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(scan_init)
void pmpi_scatter_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Scatter(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
NAMED(scatter)
void pmpi_scatter_init_(void *sendbuf, int *sendcount, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scatter_init(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(scatter_init)
void pmpi_scatterv_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *ierror) {
  *ierror = MPI_Scatterv(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm));
}
NAMED(scatterv)
void pmpi_scatterv_init_(void *sendbuf, int *sendcounts, int *displs, fint *sendtype, void *recvbuf, int *recvcount, fint *recvtype, int *root, fint *comm, fint *info, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Scatterv_init(weft_buffer(sendbuf), sendcounts, displs, MPI_Type_fromint(*sendtype), weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *root, MPI_Comm_fromint(*comm), MPI_Info_fromint(*info), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(scatterv_init)
void pmpi_send_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Send(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
NAMED(send)
void pmpi_send_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Send_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(send_init)
void pmpi_sendrecv_(void *sendbuf, int *sendcount, fint *sendtype, int *dest, int *sendtag, void *recvbuf, int *recvcount, fint *recvtype, int *source, int *recvtag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Sendrecv(weft_buffer(sendbuf), *sendcount, MPI_Type_fromint(*sendtype), *dest, *sendtag, weft_buffer(recvbuf), *recvcount, MPI_Type_fromint(*recvtype), *source, *recvtag, MPI_Comm_fromint(*comm), weft_status(status));
}
NAMED(sendrecv)
void pmpi_sendrecv_replace_(void *buf, int *count, fint *datatype, int *dest, int *sendtag, int *source, int *recvtag, fint *comm, fint *status, fint *ierror) {
  *ierror = MPI_Sendrecv_replace(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *sendtag, *source, *recvtag, MPI_Comm_fromint(*comm), weft_status(status));
}
NAMED(sendrecv_replace)
void pmpi_session_attach_buffer_(fint *session, void *buffer, int *size, fint *ierror) {
  *ierror = MPI_Session_attach_buffer(MPI_Session_fromint(*session), weft_buffer(buffer), *size);
}
NAMED(session_attach_buffer)
void pmpi_session_call_errhandler_(fint *session, int *errorcode, fint *ierror) {
  *ierror = MPI_Session_call_errhandler(MPI_Session_fromint(*session), *errorcode);
}
NAMED(session_call_errhandler)
#ifndef WEFT_FACE
void pmpi_session_create_errhandler_(void *session_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Session_create_errhandler((MPI_Session_errhandler_function *)session_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(session_create_errhandler)
#endif
void pmpi_session_finalize_(fint *session, fint *ierror) {
  MPI_Session c_session = MPI_Session_fromint(*session);
  *ierror = MPI_Session_finalize(&c_session);
  *session = MPI_Session_toint(c_session);
}
NAMED(session_finalize)
void pmpi_session_flush_buffer_(fint *session, fint *ierror) {
  *ierror = MPI_Session_flush_buffer(MPI_Session_fromint(*session));
}
NAMED(session_flush_buffer)
void pmpi_session_get_errhandler_(fint *session, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Session_get_errhandler(MPI_Session_fromint(*session), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(session_get_errhandler)
void pmpi_session_get_info_(fint *session, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Session_get_info(MPI_Session_fromint(*session), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
NAMED(session_get_info)
void pmpi_session_get_nth_pset_(fint *session, fint *info, int *n, int *pset_len, char *pset_name, fint *ierror, size_t l_pset_name) {
  int c_pset_len = *pset_len > 0 ? weft_room(*pset_len) + 1 : 0;
  char c_pset_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Session_get_nth_pset(MPI_Session_fromint(*session), MPI_Info_fromint(*info), *n, &c_pset_len, c_pset_name);
  if (*ierror == MPI_SUCCESS && c_pset_len > 0) *pset_len = c_pset_len - 1;
  if (*ierror == MPI_SUCCESS) weft_blanks(pset_name, l_pset_name, c_pset_name);
}
NAMED(session_get_nth_pset)
void pmpi_session_get_num_psets_(fint *session, fint *info, int *npset_names, fint *ierror) {
  *ierror = MPI_Session_get_num_psets(MPI_Session_fromint(*session), MPI_Info_fromint(*info), npset_names);
}
NAMED(session_get_num_psets)
void pmpi_session_get_pset_info_(fint *session, char *pset_name, fint *info, fint *ierror, size_t l_pset_name) {
  char *c_pset_name = weft_text(pset_name, l_pset_name);
  MPI_Info c_info = MPI_Info_fromint(*info);
  *ierror = MPI_Session_get_pset_info(MPI_Session_fromint(*session), c_pset_name, &c_info);
  *info = MPI_Info_toint(c_info);
  free(c_pset_name);
}
NAMED(session_get_pset_info)
void pmpi_session_iflush_buffer_(fint *session, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Session_iflush_buffer(MPI_Session_fromint(*session), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(session_iflush_buffer)
void pmpi_session_init_(fint *info, fint *errhandler, fint *session, fint *ierror) {
  MPI_Session c_session = MPI_Session_fromint(*session);
  *ierror = MPI_Session_init(MPI_Info_fromint(*info), MPI_Errhandler_fromint(*errhandler), &c_session);
  *session = MPI_Session_toint(c_session);
}
NAMED(session_init)
void pmpi_session_set_errhandler_(fint *session, fint *errhandler, fint *ierror) {
  *ierror = MPI_Session_set_errhandler(MPI_Session_fromint(*session), MPI_Errhandler_fromint(*errhandler));
}
NAMED(session_set_errhandler)
void pmpi_ssend_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *ierror) {
  *ierror = MPI_Ssend(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm));
}
NAMED(ssend)
void pmpi_ssend_init_(void *buf, int *count, fint *datatype, int *dest, int *tag, fint *comm, fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Ssend_init(weft_buffer(buf), *count, MPI_Type_fromint(*datatype), *dest, *tag, MPI_Comm_fromint(*comm), &c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(ssend_init)
void pmpi_start_(fint *request, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Start(&c_request);
  *request = MPI_Request_toint(c_request);
}
NAMED(start)
void pmpi_startall_(int *count, fint *array_of_requests, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Startall(*count, c_array_of_requests);
  INTEGERS(Request, array_of_requests)
  free(c_array_of_requests);
}
NAMED(startall)
void pmpi_status_get_error_(fint *status, int *error, fint *ierror) {
  *ierror = MPI_Status_get_error(weft_status(status), error);
}
NAMED(status_get_error)
void pmpi_status_get_source_(fint *status, int *source, fint *ierror) {
  *ierror = MPI_Status_get_source(weft_status(status), source);
}
NAMED(status_get_source)
void pmpi_status_get_tag_(fint *status, int *tag, fint *ierror) {
  *ierror = MPI_Status_get_tag(weft_status(status), tag);
}
NAMED(status_get_tag)
void pmpi_status_set_cancelled_(fint *status, int *flag, fint *ierror) {
  *ierror = MPI_Status_set_cancelled(weft_status(status), *flag);
}
NAMED(status_set_cancelled)
void pmpi_status_set_elements_(fint *status, fint *datatype, int *count, fint *ierror) {
  *ierror = MPI_Status_set_elements(weft_status(status), MPI_Type_fromint(*datatype), *count);
}
NAMED(status_set_elements)
void pmpi_status_set_elements_x_(fint *status, fint *datatype, MPI_Count *count, fint *ierror) {
  *ierror = MPI_Status_set_elements_x(weft_status(status), MPI_Type_fromint(*datatype), *count);
}
NAMED(status_set_elements_x)
void pmpi_status_set_error_(fint *status, int *error, fint *ierror) {
  *ierror = MPI_Status_set_error(weft_status(status), *error);
}
NAMED(status_set_error)
void pmpi_status_set_source_(fint *status, int *source, fint *ierror) {
  *ierror = MPI_Status_set_source(weft_status(status), *source);
}
NAMED(status_set_source)
void pmpi_status_set_tag_(fint *status, int *tag, fint *ierror) {
  *ierror = MPI_Status_set_tag(weft_status(status), *tag);
}
NAMED(status_set_tag)
void pmpi_test_(fint *request, int *flag, fint *status, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Test(&c_request, flag, weft_status(status));
  *request = MPI_Request_toint(c_request);
}
NAMED(test)
void pmpi_test_cancelled_(fint *status, int *flag, fint *ierror) {
  *ierror = MPI_Test_cancelled(weft_status(status), flag);
}
NAMED(test_cancelled)
void pmpi_testall_(int *count, fint *array_of_requests, int *flag, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Testall(*count, c_array_of_requests, flag, weft_status(array_of_statuses));
  INTEGERS(Request, array_of_requests)
  free(c_array_of_requests);
}
NAMED(testall)
void pmpi_testany_(int *count, fint *array_of_requests, int *indx, int *flag, fint *status, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Testany(*count, c_array_of_requests, indx, flag, weft_status(status));
  INTEGERS(Request, array_of_requests)
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
NAMED(testany)
void pmpi_testsome_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *incount)
  *ierror = MPI_Testsome(*incount, c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  INTEGERS(Request, array_of_requests)
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
NAMED(testsome)
void pmpi_topo_test_(fint *comm, int *status, fint *ierror) {
  *ierror = MPI_Topo_test(MPI_Comm_fromint(*comm), status);
}
NAMED(topo_test)
void pmpi_type_commit_(fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_commit(&c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
NAMED(type_commit)
void pmpi_type_contiguous_(int *count, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_contiguous(*count, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_contiguous)
void pmpi_type_create_darray_(int *size, int *rank, int *ndims, int *array_of_gsizes, int *array_of_distribs, int *array_of_dargs, int *array_of_psizes, int *order, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_darray(*size, *rank, *ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, *order, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_darray)
void pmpi_type_create_f90_complex_(int *p, int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_complex(*p, *r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_f90_complex)
void pmpi_type_create_f90_integer_(int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_integer(*r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_f90_integer)
void pmpi_type_create_f90_real_(int *p, int *r, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_f90_real(*p, *r, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_f90_real)
void pmpi_type_create_hindexed_(int *count, int *array_of_blocklengths, MPI_Aint *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hindexed(*count, array_of_blocklengths, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_hindexed)
void pmpi_type_create_hindexed_block_(int *count, int *blocklength, MPI_Aint *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hindexed_block(*count, *blocklength, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_hindexed_block)
void pmpi_type_create_hvector_(int *count, int *blocklength, MPI_Aint *stride, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_hvector(*count, *blocklength, *stride, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_hvector)
void pmpi_type_create_indexed_block_(int *count, int *blocklength, int *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_indexed_block(*count, *blocklength, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_indexed_block)
void pmpi_type_create_resized_(fint *oldtype, MPI_Aint *lb, MPI_Aint *extent, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_resized(MPI_Type_fromint(*oldtype), *lb, *extent, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_resized)
void pmpi_type_create_struct_(int *count, int *array_of_blocklengths, MPI_Aint *array_of_displacements, fint *array_of_types, fint *newtype, fint *ierror) {
  HANDLES(Type, MPI_Datatype, array_of_types, *count)
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_struct(*count, array_of_blocklengths, array_of_displacements, c_array_of_types, &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
  free(c_array_of_types);
}
NAMED(type_create_struct)
void pmpi_type_create_subarray_(int *ndims, int *array_of_sizes, int *array_of_subsizes, int *array_of_starts, int *order, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_create_subarray(*ndims, array_of_sizes, array_of_subsizes, array_of_starts, *order, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_create_subarray)
void pmpi_type_delete_attr_(fint *datatype, int *type_keyval, fint *ierror) {
  *ierror = MPI_Type_delete_attr(MPI_Type_fromint(*datatype), *type_keyval);
}
NAMED(type_delete_attr)
void pmpi_type_dup_(fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_dup(MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_dup)
void pmpi_type_free_(fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_free(&c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
NAMED(type_free)
void pmpi_type_free_keyval_(int *type_keyval, fint *ierror) {
  *ierror = MPI_Type_free_keyval(type_keyval);
}
NAMED(type_free_keyval)
void pmpi_type_get_contents_(fint *datatype, int *max_integers, int *max_addresses, int *max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, fint *array_of_datatypes, fint *ierror) {
  HANDLES(Type, MPI_Datatype, array_of_datatypes, *max_datatypes)
  *ierror = MPI_Type_get_contents(MPI_Type_fromint(*datatype), *max_integers, *max_addresses, *max_datatypes, array_of_integers, array_of_addresses, c_array_of_datatypes);
  INTEGERS(Type, array_of_datatypes)
  free(c_array_of_datatypes);
}
NAMED(type_get_contents)
void pmpi_type_get_contents_c_(fint *datatype, MPI_Count *max_integers, MPI_Count *max_addresses, MPI_Count *max_large_counts, MPI_Count *max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses, MPI_Count *array_of_large_counts, fint *array_of_datatypes, fint *ierror) {
  HANDLES(Type, MPI_Datatype, array_of_datatypes, *max_datatypes)
  *ierror = MPI_Type_get_contents_c(MPI_Type_fromint(*datatype), *max_integers, *max_addresses, *max_large_counts, *max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, c_array_of_datatypes);
  INTEGERS(Type, array_of_datatypes)
  free(c_array_of_datatypes);
}
NAMED(type_get_contents_c)
void pmpi_type_get_envelope_(fint *datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner, fint *ierror) {
  *ierror = MPI_Type_get_envelope(MPI_Type_fromint(*datatype), num_integers, num_addresses, num_datatypes, combiner);
}
NAMED(type_get_envelope)
void pmpi_type_get_envelope_c_(fint *datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner, fint *ierror) {
  *ierror = MPI_Type_get_envelope_c(MPI_Type_fromint(*datatype), num_integers, num_addresses, num_large_counts, num_datatypes, combiner);
}
NAMED(type_get_envelope_c)
void pmpi_type_get_extent_(fint *datatype, MPI_Aint *lb, MPI_Aint *extent, fint *ierror) {
  *ierror = MPI_Type_get_extent(MPI_Type_fromint(*datatype), lb, extent);
}
NAMED(type_get_extent)
void pmpi_type_get_extent_x_(fint *datatype, MPI_Count *lb, MPI_Count *extent, fint *ierror) {
  *ierror = MPI_Type_get_extent_x(MPI_Type_fromint(*datatype), lb, extent);
}
NAMED(type_get_extent_x)
void pmpi_type_get_name_(fint *datatype, char *type_name, int *resultlen, fint *ierror, size_t l_type_name) {
  char c_type_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Type_get_name(MPI_Type_fromint(*datatype), c_type_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(type_name, l_type_name, c_type_name);
}
NAMED(type_get_name)
void pmpi_type_get_true_extent_(fint *datatype, MPI_Aint *true_lb, MPI_Aint *true_extent, fint *ierror) {
  *ierror = MPI_Type_get_true_extent(MPI_Type_fromint(*datatype), true_lb, true_extent);
}
NAMED(type_get_true_extent)
void pmpi_type_get_true_extent_x_(fint *datatype, MPI_Count *true_lb, MPI_Count *true_extent, fint *ierror) {
  *ierror = MPI_Type_get_true_extent_x(MPI_Type_fromint(*datatype), true_lb, true_extent);
}
NAMED(type_get_true_extent_x)
void pmpi_type_get_value_index_(fint *value_type, fint *index_type, fint *pair_type, fint *ierror) {
  MPI_Datatype c_pair_type = MPI_Type_fromint(*pair_type);
  *ierror = MPI_Type_get_value_index(MPI_Type_fromint(*value_type), MPI_Type_fromint(*index_type), &c_pair_type);
  *pair_type = MPI_Type_toint(c_pair_type);
}
NAMED(type_get_value_index)
void pmpi_type_indexed_(int *count, int *array_of_blocklengths, int *array_of_displacements, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_indexed(*count, array_of_blocklengths, array_of_displacements, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_indexed)
void pmpi_type_match_size_(int *typeclass, int *size, fint *datatype, fint *ierror) {
  MPI_Datatype c_datatype = MPI_Type_fromint(*datatype);
  *ierror = MPI_Type_match_size(*typeclass, *size, &c_datatype);
  *datatype = MPI_Type_toint(c_datatype);
}
NAMED(type_match_size)
void pmpi_type_set_name_(fint *datatype, char *type_name, fint *ierror, size_t l_type_name) {
  char *c_type_name = weft_text(type_name, l_type_name);
  *ierror = MPI_Type_set_name(MPI_Type_fromint(*datatype), c_type_name);
  free(c_type_name);
}
NAMED(type_set_name)
void pmpi_type_size_(fint *datatype, int *size, fint *ierror) {
  *ierror = MPI_Type_size(MPI_Type_fromint(*datatype), size);
}
NAMED(type_size)
void pmpi_type_size_x_(fint *datatype, MPI_Count *size, fint *ierror) {
  *ierror = MPI_Type_size_x(MPI_Type_fromint(*datatype), size);
}
NAMED(type_size_x)
void pmpi_type_vector_(int *count, int *blocklength, int *stride, fint *oldtype, fint *newtype, fint *ierror) {
  MPI_Datatype c_newtype = MPI_Type_fromint(*newtype);
  *ierror = MPI_Type_vector(*count, *blocklength, *stride, MPI_Type_fromint(*oldtype), &c_newtype);
  *newtype = MPI_Type_toint(c_newtype);
}
NAMED(type_vector)
void pmpi_unpack_(void *inbuf, int *insize, int *position, void *outbuf, int *outcount, fint *datatype, fint *comm, fint *ierror) {
  *ierror = MPI_Unpack(weft_buffer(inbuf), *insize, position, weft_buffer(outbuf), *outcount, MPI_Type_fromint(*datatype), MPI_Comm_fromint(*comm));
}
NAMED(unpack)
void pmpi_unpack_external_(char *datarep, void *inbuf, MPI_Aint *insize, MPI_Aint *position, void *outbuf, int *outcount, fint *datatype, fint *ierror, size_t l_datarep) {
  char *c_datarep = weft_text(datarep, l_datarep);
  *ierror = MPI_Unpack_external(c_datarep, weft_buffer(inbuf), *insize, position, weft_buffer(outbuf), *outcount, MPI_Type_fromint(*datatype));
  free(c_datarep);
}
NAMED(unpack_external)
void pmpi_unpublish_name_(char *service_name, fint *info, char *port_name, fint *ierror, size_t l_service_name, size_t l_port_name) {
  char *c_service_name = weft_text(service_name, l_service_name);
  char *c_port_name = weft_text(port_name, l_port_name);
  *ierror = MPI_Unpublish_name(c_service_name, MPI_Info_fromint(*info), c_port_name);
  free(c_service_name);
  free(c_port_name);
}
NAMED(unpublish_name)
void pmpi_wait_(fint *request, fint *status, fint *ierror) {
  MPI_Request c_request = MPI_Request_fromint(*request);
  *ierror = MPI_Wait(&c_request, weft_status(status));
  *request = MPI_Request_toint(c_request);
}
NAMED(wait)
void pmpi_waitall_(int *count, fint *array_of_requests, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Waitall(*count, c_array_of_requests, weft_status(array_of_statuses));
  INTEGERS(Request, array_of_requests)
  free(c_array_of_requests);
}
NAMED(waitall)
void pmpi_waitany_(int *count, fint *array_of_requests, int *indx, fint *status, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *count)
  *ierror = MPI_Waitany(*count, c_array_of_requests, indx, weft_status(status));
  INTEGERS(Request, array_of_requests)
  if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;
  free(c_array_of_requests);
}
NAMED(waitany)
void pmpi_waitsome_(int *incount, fint *array_of_requests, int *outcount, int *array_of_indices, fint *array_of_statuses, fint *ierror) {
  HANDLES(Request, MPI_Request, array_of_requests, *incount)
  *ierror = MPI_Waitsome(*incount, c_array_of_requests, outcount, array_of_indices, weft_status(array_of_statuses));
  INTEGERS(Request, array_of_requests)
  if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];
  free(c_array_of_requests);
}
NAMED(waitsome)
void pmpi_win_allocate_(MPI_Aint *size, int *disp_unit, fint *info, fint *comm, void *baseptr, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_allocate(*size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), weft_buffer(baseptr), &c_win);
  *win = MPI_Win_toint(c_win);
}
NAMED(win_allocate)
void pmpi_win_allocate_shared_(MPI_Aint *size, int *disp_unit, fint *info, fint *comm, void *baseptr, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_allocate_shared(*size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), weft_buffer(baseptr), &c_win);
  *win = MPI_Win_toint(c_win);
}
NAMED(win_allocate_shared)
void pmpi_win_attach_(fint *win, void *base, MPI_Aint *size, fint *ierror) {
  *ierror = MPI_Win_attach(MPI_Win_fromint(*win), weft_buffer(base), *size);
}
NAMED(win_attach)
void pmpi_win_call_errhandler_(fint *win, int *errorcode, fint *ierror) {
  *ierror = MPI_Win_call_errhandler(MPI_Win_fromint(*win), *errorcode);
}
NAMED(win_call_errhandler)
void pmpi_win_complete_(fint *win, fint *ierror) {
  *ierror = MPI_Win_complete(MPI_Win_fromint(*win));
}
NAMED(win_complete)
void pmpi_win_create_(void *base, MPI_Aint *size, int *disp_unit, fint *info, fint *comm, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_create(weft_buffer(base), *size, *disp_unit, MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), &c_win);
  *win = MPI_Win_toint(c_win);
}
NAMED(win_create)
void pmpi_win_create_dynamic_(fint *info, fint *comm, fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_create_dynamic(MPI_Info_fromint(*info), MPI_Comm_fromint(*comm), &c_win);
  *win = MPI_Win_toint(c_win);
}
NAMED(win_create_dynamic)
#ifndef WEFT_FACE
void pmpi_win_create_errhandler_(void *win_errhandler_fn, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Win_create_errhandler((MPI_Win_errhandler_function *)win_errhandler_fn, &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(win_create_errhandler)
#endif
void pmpi_win_delete_attr_(fint *win, int *win_keyval, fint *ierror) {
  *ierror = MPI_Win_delete_attr(MPI_Win_fromint(*win), *win_keyval);
}
NAMED(win_delete_attr)
void pmpi_win_detach_(fint *win, void *base, fint *ierror) {
  *ierror = MPI_Win_detach(MPI_Win_fromint(*win), weft_buffer(base));
}
NAMED(win_detach)
void pmpi_win_fence_(int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_fence(*assert, MPI_Win_fromint(*win));
}
NAMED(win_fence)
void pmpi_win_flush_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_flush(*rank, MPI_Win_fromint(*win));
}
NAMED(win_flush)
void pmpi_win_flush_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_all(MPI_Win_fromint(*win));
}
NAMED(win_flush_all)
void pmpi_win_flush_local_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_local(*rank, MPI_Win_fromint(*win));
}
NAMED(win_flush_local)
void pmpi_win_flush_local_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_flush_local_all(MPI_Win_fromint(*win));
}
NAMED(win_flush_local_all)
void pmpi_win_free_(fint *win, fint *ierror) {
  MPI_Win c_win = MPI_Win_fromint(*win);
  *ierror = MPI_Win_free(&c_win);
  *win = MPI_Win_toint(c_win);
}
NAMED(win_free)
void pmpi_win_free_keyval_(int *win_keyval, fint *ierror) {
  *ierror = MPI_Win_free_keyval(win_keyval);
}
NAMED(win_free_keyval)
void pmpi_win_get_errhandler_(fint *win, fint *errhandler, fint *ierror) {
  MPI_Errhandler c_errhandler = MPI_Errhandler_fromint(*errhandler);
  *ierror = MPI_Win_get_errhandler(MPI_Win_fromint(*win), &c_errhandler);
  *errhandler = MPI_Errhandler_toint(c_errhandler);
}
NAMED(win_get_errhandler)
void pmpi_win_get_group_(fint *win, fint *group, fint *ierror) {
  MPI_Group c_group = MPI_Group_fromint(*group);
  *ierror = MPI_Win_get_group(MPI_Win_fromint(*win), &c_group);
  *group = MPI_Group_toint(c_group);
}
NAMED(win_get_group)
void pmpi_win_get_info_(fint *win, fint *info_used, fint *ierror) {
  MPI_Info c_info_used = MPI_Info_fromint(*info_used);
  *ierror = MPI_Win_get_info(MPI_Win_fromint(*win), &c_info_used);
  *info_used = MPI_Info_toint(c_info_used);
}
NAMED(win_get_info)
void pmpi_win_get_name_(fint *win, char *win_name, int *resultlen, fint *ierror, size_t l_win_name) {
  char c_win_name[WEFT_ROOM + 1] = "";
  *ierror = MPI_Win_get_name(MPI_Win_fromint(*win), c_win_name, resultlen);
  if (*ierror == MPI_SUCCESS) weft_blanks(win_name, l_win_name, c_win_name);
}
NAMED(win_get_name)
void pmpi_win_lock_(int *lock_type, int *rank, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_lock(*lock_type, *rank, *assert, MPI_Win_fromint(*win));
}
NAMED(win_lock)
void pmpi_win_lock_all_(int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_lock_all(*assert, MPI_Win_fromint(*win));
}
NAMED(win_lock_all)
void pmpi_win_post_(fint *group, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_post(MPI_Group_fromint(*group), *assert, MPI_Win_fromint(*win));
}
NAMED(win_post)
void pmpi_win_set_errhandler_(fint *win, fint *errhandler, fint *ierror) {
  *ierror = MPI_Win_set_errhandler(MPI_Win_fromint(*win), MPI_Errhandler_fromint(*errhandler));
}
NAMED(win_set_errhandler)
void pmpi_win_set_info_(fint *win, fint *info, fint *ierror) {
  *ierror = MPI_Win_set_info(MPI_Win_fromint(*win), MPI_Info_fromint(*info));
}
NAMED(win_set_info)
void pmpi_win_set_name_(fint *win, char *win_name, fint *ierror, size_t l_win_name) {
  char *c_win_name = weft_text(win_name, l_win_name);
  *ierror = MPI_Win_set_name(MPI_Win_fromint(*win), c_win_name);
  free(c_win_name);
}
NAMED(win_set_name)
void pmpi_win_shared_query_(fint *win, int *rank, MPI_Aint *size, int *disp_unit, void *baseptr, fint *ierror) {
  *ierror = MPI_Win_shared_query(MPI_Win_fromint(*win), *rank, size, disp_unit, weft_buffer(baseptr));
}
NAMED(win_shared_query)
void pmpi_win_start_(fint *group, int *assert, fint *win, fint *ierror) {
  *ierror = MPI_Win_start(MPI_Group_fromint(*group), *assert, MPI_Win_fromint(*win));
}
NAMED(win_start)
void pmpi_win_sync_(fint *win, fint *ierror) {
  *ierror = MPI_Win_sync(MPI_Win_fromint(*win));
}
NAMED(win_sync)
void pmpi_win_test_(fint *win, int *flag, fint *ierror) {
  *ierror = MPI_Win_test(MPI_Win_fromint(*win), flag);
}
NAMED(win_test)
void pmpi_win_unlock_(int *rank, fint *win, fint *ierror) {
  *ierror = MPI_Win_unlock(*rank, MPI_Win_fromint(*win));
}
NAMED(win_unlock)
void pmpi_win_unlock_all_(fint *win, fint *ierror) {
  *ierror = MPI_Win_unlock_all(MPI_Win_fromint(*win));
}
NAMED(win_unlock_all)
void pmpi_win_wait_(fint *win, fint *ierror) {
  *ierror = MPI_Win_wait(MPI_Win_fromint(*win));
}
NAMED(win_wait)
