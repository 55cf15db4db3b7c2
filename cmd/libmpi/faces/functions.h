/* Written by go generate from internal/abi/spec. Do not edit. */

struct abi_functions {
  int (*Abort)(abi_handle , int errorcode);
  int (*Accumulate)(const void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle );
  int (*Accumulate_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle );
  int (*Add_error_class)(int *errorclass);
  int (*Add_error_code)(int errorclass, int *errorcode);
  int (*Add_error_string)(int errorcode, const char *string);
  MPI_Aint (*Aint_add)(MPI_Aint base, MPI_Aint disp);
  MPI_Aint (*Aint_diff)(MPI_Aint addr1, MPI_Aint addr2);
  int (*Allgather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle );
  int (*Allgather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle );
  int (*Allgather_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Allgather_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Allgatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle );
  int (*Allgatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle );
  int (*Allgatherv_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Allgatherv_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alloc_mem)(MPI_Aint size, abi_handle , void *baseptr);
  int (*Allreduce)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle );
  int (*Allreduce_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle );
  int (*Allreduce_init)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Allreduce_init_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alltoall)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle );
  int (*Alltoall_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle );
  int (*Alltoall_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alltoall_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle );
  int (*Alltoallv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle );
  int (*Alltoallv_init)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alltoallv_init_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Alltoallw)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle *, abi_handle );
  int (*Alltoallw_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle );
  int (*Alltoallw_init)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle *, abi_handle , abi_handle , abi_handle *);
  int (*Alltoallw_init_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle , abi_handle *);
  int (*Attr_delete)(abi_handle , int keyval);
  int (*Attr_get)(abi_handle , int keyval, void *attribute_val, int *flag);
  int (*Attr_put)(abi_handle , int keyval, void *attribute_val);
  int (*Barrier)(abi_handle );
  int (*Barrier_init)(abi_handle , abi_handle , abi_handle *);
  int (*Bcast)(void *buffer, int count, abi_handle , int root, abi_handle );
  int (*Bcast_c)(void *buffer, MPI_Count count, abi_handle , int root, abi_handle );
  int (*Bcast_init)(void *buffer, int count, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Bcast_init_c)(void *buffer, MPI_Count count, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Bsend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle );
  int (*Bsend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle );
  int (*Bsend_init)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Bsend_init_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Buffer_attach)(void *buffer, int size);
  int (*Buffer_attach_c)(void *buffer, MPI_Count size);
  int (*Buffer_detach)(void *buffer_addr, int *size);
  int (*Buffer_detach_c)(void *buffer_addr, MPI_Count *size);
  int (*Buffer_flush)(void);
  int (*Buffer_iflush)(abi_handle *);
  int (*Cancel)(abi_handle *);
  int (*Cart_coords)(abi_handle , int rank, int maxdims, int coords[]);
  int (*Cart_create)(abi_handle , int ndims, const int dims[], const int periods[], int reorder, abi_handle *);
  int (*Cart_get)(abi_handle , int maxdims, int dims[], int periods[], int coords[]);
  int (*Cart_map)(abi_handle , int ndims, const int dims[], const int periods[], int *newrank);
  int (*Cart_rank)(abi_handle , const int coords[], int *rank);
  int (*Cart_shift)(abi_handle , int direction, int disp, int *rank_source, int *rank_dest);
  int (*Cart_sub)(abi_handle , const int remain_dims[], abi_handle *);
  int (*Cartdim_get)(abi_handle , int *ndims);
  int (*Close_port)(const char *port_name);
  int (*Comm_accept)(const char *port_name, abi_handle , int root, abi_handle , abi_handle *);
  int (*Comm_attach_buffer)(abi_handle , void *buffer, int size);
  int (*Comm_attach_buffer_c)(abi_handle , void *buffer, MPI_Count size);
  int (*Comm_call_errhandler)(abi_handle , int errorcode);
  int (*Comm_compare)(abi_handle , abi_handle , int *result);
  int (*Comm_connect)(const char *port_name, abi_handle , int root, abi_handle , abi_handle *);
  int (*Comm_create)(abi_handle , abi_handle , abi_handle *);
  int (*Comm_create_errhandler)(void *, abi_handle *);
  int (*Comm_create_from_group)(abi_handle , const char *stringtag, abi_handle , abi_handle , abi_handle *);
  int (*Comm_create_group)(abi_handle , abi_handle , int tag, abi_handle *);
  int (*Comm_create_keyval)(void *, void *, int *comm_keyval, void *extra_state);
  int (*Comm_delete_attr)(abi_handle , int comm_keyval);
  int (*Comm_detach_buffer)(abi_handle , void *buffer_addr, int *size);
  int (*Comm_detach_buffer_c)(abi_handle , void *buffer_addr, MPI_Count *size);
  int (*Comm_disconnect)(abi_handle *);
  int (*Comm_dup)(abi_handle , abi_handle *);
  int (*Comm_dup_with_info)(abi_handle , abi_handle , abi_handle *);
  int (*Comm_flush_buffer)(abi_handle );
  int (*Comm_free)(abi_handle *);
  int (*Comm_free_keyval)(int *comm_keyval);
  int (*Comm_get_attr)(abi_handle , int comm_keyval, void *attribute_val, int *flag);
  int (*Comm_get_errhandler)(abi_handle , abi_handle *);
  int (*Comm_get_info)(abi_handle , abi_handle *);
  int (*Comm_get_name)(abi_handle , char *comm_name, int *resultlen);
  int (*Comm_get_parent)(abi_handle *);
  int (*Comm_group)(abi_handle , abi_handle *);
  int (*Comm_idup)(abi_handle , abi_handle *, abi_handle *);
  int (*Comm_idup_with_info)(abi_handle , abi_handle , abi_handle *, abi_handle *);
  int (*Comm_iflush_buffer)(abi_handle , abi_handle *);
  int (*Comm_join)(int fd, abi_handle *);
  int (*Comm_rank)(abi_handle , int *rank);
  int (*Comm_remote_group)(abi_handle , abi_handle *);
  int (*Comm_remote_size)(abi_handle , int *size);
  int (*Comm_set_attr)(abi_handle , int comm_keyval, void *attribute_val);
  int (*Comm_set_errhandler)(abi_handle , abi_handle );
  int (*Comm_set_info)(abi_handle , abi_handle );
  int (*Comm_set_name)(abi_handle , const char *comm_name);
  int (*Comm_size)(abi_handle , int *size);
  int (*Comm_spawn)(const char *command, char *argv[], int maxprocs, abi_handle , int root, abi_handle , abi_handle *, int array_of_errcodes[]);
  int (*Comm_spawn_multiple)(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[], abi_handle *, int root, abi_handle , abi_handle *, int array_of_errcodes[]);
  int (*Comm_split)(abi_handle , int color, int key, abi_handle *);
  int (*Comm_split_type)(abi_handle , int split_type, int key, abi_handle , abi_handle *);
  int (*Comm_test_inter)(abi_handle , int *flag);
  int (*Compare_and_swap)(const void *origin_addr, const void *compare_addr, void *result_addr, abi_handle , int target_rank, MPI_Aint target_disp, abi_handle );
  int (*Dims_create)(int nnodes, int ndims, int dims[]);
  int (*Dist_graph_create)(abi_handle , int n, const int sources[], const int degrees[], const int destinations[], const int weights[], abi_handle , int reorder, abi_handle *);
  int (*Dist_graph_create_adjacent)(abi_handle , int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], abi_handle , int reorder, abi_handle *);
  int (*Dist_graph_neighbors)(abi_handle , int maxindegree, int sources[], int sourceweights[], int maxoutdegree, int destinations[], int destweights[]);
  int (*Dist_graph_neighbors_count)(abi_handle , int *indegree, int *outdegree, int *weighted);
  int (*Errhandler_free)(abi_handle *);
  int (*Error_class)(int errorcode, int *errorclass);
  int (*Error_string)(int errorcode, char *string, int *resultlen);
  int (*Exscan)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle );
  int (*Exscan_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle );
  int (*Exscan_init)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Exscan_init_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Fetch_and_op)(const void *origin_addr, void *result_addr, abi_handle , int target_rank, MPI_Aint target_disp, abi_handle , abi_handle );
  int (*File_call_errhandler)(abi_handle , int errorcode);
  int (*File_close)(abi_handle *);
  int (*File_create_errhandler)(void *, abi_handle *);
  int (*File_delete)(const char *filename, abi_handle );
  int (*File_get_amode)(abi_handle , int *amode);
  int (*File_get_atomicity)(abi_handle , int *flag);
  int (*File_get_byte_offset)(abi_handle , MPI_Offset offset, MPI_Offset *disp);
  int (*File_get_errhandler)(abi_handle , abi_handle *);
  int (*File_get_group)(abi_handle , abi_handle *);
  int (*File_get_info)(abi_handle , abi_handle *);
  int (*File_get_position)(abi_handle , MPI_Offset *offset);
  int (*File_get_position_shared)(abi_handle , MPI_Offset *offset);
  int (*File_get_size)(abi_handle , MPI_Offset *size);
  int (*File_get_type_extent)(abi_handle , abi_handle , MPI_Aint *extent);
  int (*File_get_type_extent_c)(abi_handle , abi_handle , MPI_Count *extent);
  int (*File_get_view)(abi_handle , MPI_Offset *disp, abi_handle *, abi_handle *, char *datarep);
  int (*File_iread)(abi_handle , void *buf, int count, abi_handle , abi_handle *);
  int (*File_iread_all)(abi_handle , void *buf, int count, abi_handle , abi_handle *);
  int (*File_iread_all_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iread_at)(abi_handle , MPI_Offset offset, void *buf, int count, abi_handle , abi_handle *);
  int (*File_iread_at_all)(abi_handle , MPI_Offset offset, void *buf, int count, abi_handle , abi_handle *);
  int (*File_iread_at_all_c)(abi_handle , MPI_Offset offset, void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iread_at_c)(abi_handle , MPI_Offset offset, void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iread_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iread_shared)(abi_handle , void *buf, int count, abi_handle , abi_handle *);
  int (*File_iread_shared_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iwrite)(abi_handle , const void *buf, int count, abi_handle , abi_handle *);
  int (*File_iwrite_all)(abi_handle , const void *buf, int count, abi_handle , abi_handle *);
  int (*File_iwrite_all_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iwrite_at)(abi_handle , MPI_Offset offset, const void *buf, int count, abi_handle , abi_handle *);
  int (*File_iwrite_at_all)(abi_handle , MPI_Offset offset, const void *buf, int count, abi_handle , abi_handle *);
  int (*File_iwrite_at_all_c)(abi_handle , MPI_Offset offset, const void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iwrite_at_c)(abi_handle , MPI_Offset offset, const void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iwrite_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_iwrite_shared)(abi_handle , const void *buf, int count, abi_handle , abi_handle *);
  int (*File_iwrite_shared_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_handle *);
  int (*File_open)(abi_handle , const char *filename, int amode, abi_handle , abi_handle *);
  int (*File_preallocate)(abi_handle , MPI_Offset size);
  int (*File_read)(abi_handle , void *buf, int count, abi_handle , abi_status *);
  int (*File_read_all)(abi_handle , void *buf, int count, abi_handle , abi_status *);
  int (*File_read_all_begin)(abi_handle , void *buf, int count, abi_handle );
  int (*File_read_all_begin_c)(abi_handle , void *buf, MPI_Count count, abi_handle );
  int (*File_read_all_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_read_all_end)(abi_handle , void *buf, abi_status *);
  int (*File_read_at)(abi_handle , MPI_Offset offset, void *buf, int count, abi_handle , abi_status *);
  int (*File_read_at_all)(abi_handle , MPI_Offset offset, void *buf, int count, abi_handle , abi_status *);
  int (*File_read_at_all_begin)(abi_handle , MPI_Offset offset, void *buf, int count, abi_handle );
  int (*File_read_at_all_begin_c)(abi_handle , MPI_Offset offset, void *buf, MPI_Count count, abi_handle );
  int (*File_read_at_all_c)(abi_handle , MPI_Offset offset, void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_read_at_all_end)(abi_handle , void *buf, abi_status *);
  int (*File_read_at_c)(abi_handle , MPI_Offset offset, void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_read_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_read_ordered)(abi_handle , void *buf, int count, abi_handle , abi_status *);
  int (*File_read_ordered_begin)(abi_handle , void *buf, int count, abi_handle );
  int (*File_read_ordered_begin_c)(abi_handle , void *buf, MPI_Count count, abi_handle );
  int (*File_read_ordered_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_read_ordered_end)(abi_handle , void *buf, abi_status *);
  int (*File_read_shared)(abi_handle , void *buf, int count, abi_handle , abi_status *);
  int (*File_read_shared_c)(abi_handle , void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_seek)(abi_handle , MPI_Offset offset, int whence);
  int (*File_seek_shared)(abi_handle , MPI_Offset offset, int whence);
  int (*File_set_atomicity)(abi_handle , int flag);
  int (*File_set_errhandler)(abi_handle , abi_handle );
  int (*File_set_info)(abi_handle , abi_handle );
  int (*File_set_size)(abi_handle , MPI_Offset size);
  int (*File_set_view)(abi_handle , MPI_Offset disp, abi_handle , abi_handle , const char *datarep, abi_handle );
  int (*File_sync)(abi_handle );
  int (*File_write)(abi_handle , const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_all)(abi_handle , const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_all_begin)(abi_handle , const void *buf, int count, abi_handle );
  int (*File_write_all_begin_c)(abi_handle , const void *buf, MPI_Count count, abi_handle );
  int (*File_write_all_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_write_all_end)(abi_handle , const void *buf, abi_status *);
  int (*File_write_at)(abi_handle , MPI_Offset offset, const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_at_all)(abi_handle , MPI_Offset offset, const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_at_all_begin)(abi_handle , MPI_Offset offset, const void *buf, int count, abi_handle );
  int (*File_write_at_all_begin_c)(abi_handle , MPI_Offset offset, const void *buf, MPI_Count count, abi_handle );
  int (*File_write_at_all_c)(abi_handle , MPI_Offset offset, const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_write_at_all_end)(abi_handle , const void *buf, abi_status *);
  int (*File_write_at_c)(abi_handle , MPI_Offset offset, const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_write_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_write_ordered)(abi_handle , const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_ordered_begin)(abi_handle , const void *buf, int count, abi_handle );
  int (*File_write_ordered_begin_c)(abi_handle , const void *buf, MPI_Count count, abi_handle );
  int (*File_write_ordered_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*File_write_ordered_end)(abi_handle , const void *buf, abi_status *);
  int (*File_write_shared)(abi_handle , const void *buf, int count, abi_handle , abi_status *);
  int (*File_write_shared_c)(abi_handle , const void *buf, MPI_Count count, abi_handle , abi_status *);
  int (*Finalize)(void);
  int (*Finalized)(int *flag);
  int (*Free_mem)(void *base);
  int (*Gather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle );
  int (*Gather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle );
  int (*Gather_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Gather_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Gatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , int root, abi_handle );
  int (*Gatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , int root, abi_handle );
  int (*Gatherv_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Gatherv_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Get)(void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle );
  int (*Get_accumulate)(const void *origin_addr, int origin_count, abi_handle , void *result_addr, int result_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle );
  int (*Get_accumulate_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , void *result_addr, MPI_Count result_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle );
  int (*Get_address)(const void *location, MPI_Aint *address);
  int (*Get_c)(void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle );
  int (*Get_count)(abi_status *, abi_handle , int *count);
  int (*Get_count_c)(abi_status *, abi_handle , MPI_Count *count);
  int (*Get_elements)(abi_status *, abi_handle , int *count);
  int (*Get_elements_c)(abi_status *, abi_handle , MPI_Count *count);
  int (*Get_elements_x)(abi_status *, abi_handle , MPI_Count *count);
  int (*Get_hw_resource_info)(abi_handle *);
  int (*Get_library_version)(char *version, int *resultlen);
  int (*Get_processor_name)(char *name, int *resultlen);
  int (*Get_version)(int *version, int *subversion);
  int (*Graph_create)(abi_handle , int nnodes, const int indx[], const int edges[], int reorder, abi_handle *);
  int (*Graph_get)(abi_handle , int maxindex, int maxedges, int indx[], int edges[]);
  int (*Graph_map)(abi_handle , int nnodes, const int indx[], const int edges[], int *newrank);
  int (*Graph_neighbors)(abi_handle , int rank, int maxneighbors, int neighbors[]);
  int (*Graph_neighbors_count)(abi_handle , int rank, int *nneighbors);
  int (*Graphdims_get)(abi_handle , int *nnodes, int *nedges);
  int (*Grequest_complete)(abi_handle );
  int (*Grequest_start)(void *, void *, void *, void *extra_state, abi_handle *);
  int (*Group_compare)(abi_handle , abi_handle , int *result);
  int (*Group_difference)(abi_handle , abi_handle , abi_handle *);
  int (*Group_excl)(abi_handle , int n, const int ranks[], abi_handle *);
  int (*Group_free)(abi_handle *);
  int (*Group_from_session_pset)(abi_handle , const char *pset_name, abi_handle *);
  int (*Group_incl)(abi_handle , int n, const int ranks[], abi_handle *);
  int (*Group_intersection)(abi_handle , abi_handle , abi_handle *);
  int (*Group_range_excl)(abi_handle , int n, int ranges[][3], abi_handle *);
  int (*Group_range_incl)(abi_handle , int n, int ranges[][3], abi_handle *);
  int (*Group_rank)(abi_handle , int *rank);
  int (*Group_size)(abi_handle , int *size);
  int (*Group_translate_ranks)(abi_handle , int n, const int ranks1[], abi_handle , int ranks2[]);
  int (*Group_union)(abi_handle , abi_handle , abi_handle *);
  int (*Iallgather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Iallgather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Iallgatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle , abi_handle *);
  int (*Iallgatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle , abi_handle *);
  int (*Iallreduce)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Iallreduce_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Ialltoall)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ialltoall_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ialltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle , abi_handle *);
  int (*Ialltoallv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle , abi_handle *);
  int (*Ialltoallw)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle *, abi_handle , abi_handle *);
  int (*Ialltoallw_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle *);
  int (*Ibarrier)(abi_handle , abi_handle *);
  int (*Ibcast)(void *buffer, int count, abi_handle , int root, abi_handle , abi_handle *);
  int (*Ibcast_c)(void *buffer, MPI_Count count, abi_handle , int root, abi_handle , abi_handle *);
  int (*Ibsend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Ibsend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Iexscan)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Iexscan_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Igather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Igather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Igatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , int root, abi_handle , abi_handle *);
  int (*Igatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , int root, abi_handle , abi_handle *);
  int (*Improbe)(int source, int tag, abi_handle , int *flag, abi_handle *, abi_status *);
  int (*Imrecv)(void *buf, int count, abi_handle , abi_handle *, abi_handle *);
  int (*Imrecv_c)(void *buf, MPI_Count count, abi_handle , abi_handle *, abi_handle *);
  int (*Ineighbor_allgather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_allgather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_allgatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_allgatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_alltoall)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_alltoall_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_alltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_alltoallv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle , abi_handle *);
  int (*Ineighbor_alltoallw)(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle *);
  int (*Ineighbor_alltoallw_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle *);
  int (*Info_create)(abi_handle *);
  int (*Info_create_env)(int argc, char *argv[], abi_handle *);
  int (*Info_delete)(abi_handle , const char *key);
  int (*Info_dup)(abi_handle , abi_handle *);
  int (*Info_free)(abi_handle *);
  int (*Info_get)(abi_handle , const char *key, int valuelen, char *value, int *flag);
  int (*Info_get_nkeys)(abi_handle , int *nkeys);
  int (*Info_get_nthkey)(abi_handle , int n, char *key);
  int (*Info_get_string)(abi_handle , const char *key, int *buflen, char *value, int *flag);
  int (*Info_get_valuelen)(abi_handle , const char *key, int *valuelen, int *flag);
  int (*Info_set)(abi_handle , const char *key, const char *value);
  int (*Init)(int *argc, char ***argv);
  int (*Init_thread)(int *argc, char ***argv, int required, int *provided);
  int (*Initialized)(int *flag);
  int (*Intercomm_create)(abi_handle , int local_leader, abi_handle , int remote_leader, int tag, abi_handle *);
  int (*Intercomm_create_from_groups)(abi_handle , int local_leader, abi_handle , int remote_leader, const char *stringtag, abi_handle , abi_handle , abi_handle *);
  int (*Intercomm_merge)(abi_handle , int high, abi_handle *);
  int (*Iprobe)(int source, int tag, abi_handle , int *flag, abi_status *);
  int (*Irecv)(void *buf, int count, abi_handle , int source, int tag, abi_handle , abi_handle *);
  int (*Irecv_c)(void *buf, MPI_Count count, abi_handle , int source, int tag, abi_handle , abi_handle *);
  int (*Ireduce)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , int root, abi_handle , abi_handle *);
  int (*Ireduce_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , int root, abi_handle , abi_handle *);
  int (*Ireduce_scatter)(const void *sendbuf, void *recvbuf, const int recvcounts[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Ireduce_scatter_block)(const void *sendbuf, void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Ireduce_scatter_block_c)(const void *sendbuf, void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Ireduce_scatter_c)(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Irsend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Irsend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Is_thread_main)(int *flag);
  int (*Iscan)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Iscan_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Iscatter)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Iscatter_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Iscatterv)(const void *sendbuf, const int sendcounts[], const int displs[], abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Iscatterv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle *);
  int (*Isend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Isend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Isendrecv)(const void *sendbuf, int sendcount, abi_handle , int dest, int sendtag, void *recvbuf, int recvcount, abi_handle , int source, int recvtag, abi_handle , abi_handle *);
  int (*Isendrecv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , int dest, int sendtag, void *recvbuf, MPI_Count recvcount, abi_handle , int source, int recvtag, abi_handle , abi_handle *);
  int (*Isendrecv_replace)(void *buf, int count, abi_handle , int dest, int sendtag, int source, int recvtag, abi_handle , abi_handle *);
  int (*Isendrecv_replace_c)(void *buf, MPI_Count count, abi_handle , int dest, int sendtag, int source, int recvtag, abi_handle , abi_handle *);
  int (*Issend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Issend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Keyval_create)(void *, void *, int *keyval, void *extra_state);
  int (*Keyval_free)(int *keyval);
  int (*Lookup_name)(const char *service_name, abi_handle , char *port_name);
  int (*Mprobe)(int source, int tag, abi_handle , abi_handle *, abi_status *);
  int (*Mrecv)(void *buf, int count, abi_handle , abi_handle *, abi_status *);
  int (*Mrecv_c)(void *buf, MPI_Count count, abi_handle , abi_handle *, abi_status *);
  int (*Neighbor_allgather)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle );
  int (*Neighbor_allgather_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle );
  int (*Neighbor_allgather_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_allgather_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_allgatherv)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle );
  int (*Neighbor_allgatherv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle );
  int (*Neighbor_allgatherv_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, const int recvcounts[], const int displs[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_allgatherv_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoall)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle );
  int (*Neighbor_alltoall_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle );
  int (*Neighbor_alltoall_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoall_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle );
  int (*Neighbor_alltoallv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle );
  int (*Neighbor_alltoallv_init)(const void *sendbuf, const int sendcounts[], const int sdispls[], abi_handle , void *recvbuf, const int recvcounts[], const int rdispls[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoallv_init_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle , void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoallw)(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle );
  int (*Neighbor_alltoallw_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle );
  int (*Neighbor_alltoallw_init)(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle , abi_handle *);
  int (*Neighbor_alltoallw_init_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], abi_handle *, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], abi_handle *, abi_handle , abi_handle , abi_handle *);
  int (*Op_commutative)(abi_handle , int *commute);
  int (*Op_create)(void *, int commute, abi_handle *);
  int (*Op_create_c)(void *, int commute, abi_handle *);
  int (*Op_free)(abi_handle *);
  int (*Open_port)(abi_handle , char *port_name);
  int (*Pack)(const void *inbuf, int incount, abi_handle , void *outbuf, int outsize, int *position, abi_handle );
  int (*Pack_c)(const void *inbuf, MPI_Count incount, abi_handle , void *outbuf, MPI_Count outsize, MPI_Count *position, abi_handle );
  int (*Pack_external)(const char *datarep, const void *inbuf, int incount, abi_handle , void *outbuf, MPI_Aint outsize, MPI_Aint *position);
  int (*Pack_external_c)(const char *datarep, const void *inbuf, MPI_Count incount, abi_handle , void *outbuf, MPI_Count outsize, MPI_Count *position);
  int (*Pack_external_size)(const char *datarep, int incount, abi_handle , MPI_Aint *size);
  int (*Pack_external_size_c)(const char *datarep, MPI_Count incount, abi_handle , MPI_Count *size);
  int (*Pack_size)(int incount, abi_handle , abi_handle , int *size);
  int (*Pack_size_c)(MPI_Count incount, abi_handle , abi_handle , MPI_Count *size);
  int (*Parrived)(abi_handle , int partition, int *flag);
  int (*Pcontrol)(const int level, ...);
  int (*Pready)(int partition, abi_handle );
  int (*Pready_list)(int length, const int array_of_partitions[], abi_handle );
  int (*Pready_range)(int partition_low, int partition_high, abi_handle );
  int (*Precv_init)(void *buf, int partitions, int count, abi_handle , int dest, int tag, abi_handle , abi_handle , abi_handle *);
  int (*Precv_init_c)(void *buf, int partitions, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle , abi_handle *);
  int (*Probe)(int source, int tag, abi_handle , abi_status *);
  int (*Psend_init)(const void *buf, int partitions, int count, abi_handle , int dest, int tag, abi_handle , abi_handle , abi_handle *);
  int (*Psend_init_c)(const void *buf, int partitions, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle , abi_handle *);
  int (*Publish_name)(const char *service_name, abi_handle , const char *port_name);
  int (*Put)(const void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle );
  int (*Put_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle );
  int (*Query_thread)(int *provided);
  int (*Raccumulate)(const void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Raccumulate_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Recv)(void *buf, int count, abi_handle , int source, int tag, abi_handle , abi_status *);
  int (*Recv_c)(void *buf, MPI_Count count, abi_handle , int source, int tag, abi_handle , abi_status *);
  int (*Recv_init)(void *buf, int count, abi_handle , int source, int tag, abi_handle , abi_handle *);
  int (*Recv_init_c)(void *buf, MPI_Count count, abi_handle , int source, int tag, abi_handle , abi_handle *);
  int (*Reduce)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , int root, abi_handle );
  int (*Reduce_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , int root, abi_handle );
  int (*Reduce_init)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Reduce_init_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Reduce_local)(const void *inbuf, void *inoutbuf, int count, abi_handle , abi_handle );
  int (*Reduce_local_c)(const void *inbuf, void *inoutbuf, MPI_Count count, abi_handle , abi_handle );
  int (*Reduce_scatter)(const void *sendbuf, void *recvbuf, const int recvcounts[], abi_handle , abi_handle , abi_handle );
  int (*Reduce_scatter_block)(const void *sendbuf, void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle );
  int (*Reduce_scatter_block_c)(const void *sendbuf, void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle );
  int (*Reduce_scatter_block_init)(const void *sendbuf, void *recvbuf, int recvcount, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Reduce_scatter_block_init_c)(const void *sendbuf, void *recvbuf, MPI_Count recvcount, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Reduce_scatter_c)(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], abi_handle , abi_handle , abi_handle );
  int (*Reduce_scatter_init)(const void *sendbuf, void *recvbuf, const int recvcounts[], abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Reduce_scatter_init_c)(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Register_datarep)(const char *datarep, void *, void *, void *, void *extra_state);
  int (*Register_datarep_c)(const char *datarep, void *, void *, void *, void *extra_state);
  int (*Remove_error_class)(int errorclass);
  int (*Remove_error_code)(int errorcode);
  int (*Remove_error_string)(int errorcode);
  int (*Request_free)(abi_handle *);
  int (*Request_get_status)(abi_handle , int *flag, abi_status *);
  int (*Request_get_status_all)(int count, abi_handle *, int *flag, abi_status *);
  int (*Request_get_status_any)(int count, abi_handle *, int *indx, int *flag, abi_status *);
  int (*Request_get_status_some)(int incount, abi_handle *, int *outcount, int array_of_indices[], abi_status *);
  int (*Rget)(void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle *);
  int (*Rget_accumulate)(const void *origin_addr, int origin_count, abi_handle , void *result_addr, int result_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Rget_accumulate_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , void *result_addr, MPI_Count result_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Rget_c)(void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle *);
  int (*Rput)(const void *origin_addr, int origin_count, abi_handle , int target_rank, MPI_Aint target_disp, int target_count, abi_handle , abi_handle , abi_handle *);
  int (*Rput_c)(const void *origin_addr, MPI_Count origin_count, abi_handle , int target_rank, MPI_Aint target_disp, MPI_Count target_count, abi_handle , abi_handle , abi_handle *);
  int (*Rsend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle );
  int (*Rsend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle );
  int (*Rsend_init)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Rsend_init_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Scan)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle );
  int (*Scan_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle );
  int (*Scan_init)(const void *sendbuf, void *recvbuf, int count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Scan_init_c)(const void *sendbuf, void *recvbuf, MPI_Count count, abi_handle , abi_handle , abi_handle , abi_handle , abi_handle *);
  int (*Scatter)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle );
  int (*Scatter_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle );
  int (*Scatter_init)(const void *sendbuf, int sendcount, abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Scatter_init_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Scatterv)(const void *sendbuf, const int sendcounts[], const int displs[], abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle );
  int (*Scatterv_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle );
  int (*Scatterv_init)(const void *sendbuf, const int sendcounts[], const int displs[], abi_handle , void *recvbuf, int recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Scatterv_init_c)(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], abi_handle , void *recvbuf, MPI_Count recvcount, abi_handle , int root, abi_handle , abi_handle , abi_handle *);
  int (*Send)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle );
  int (*Send_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle );
  int (*Send_init)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Send_init_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Sendrecv)(const void *sendbuf, int sendcount, abi_handle , int dest, int sendtag, void *recvbuf, int recvcount, abi_handle , int source, int recvtag, abi_handle , abi_status *);
  int (*Sendrecv_c)(const void *sendbuf, MPI_Count sendcount, abi_handle , int dest, int sendtag, void *recvbuf, MPI_Count recvcount, abi_handle , int source, int recvtag, abi_handle , abi_status *);
  int (*Sendrecv_replace)(void *buf, int count, abi_handle , int dest, int sendtag, int source, int recvtag, abi_handle , abi_status *);
  int (*Sendrecv_replace_c)(void *buf, MPI_Count count, abi_handle , int dest, int sendtag, int source, int recvtag, abi_handle , abi_status *);
  int (*Session_attach_buffer)(abi_handle , void *buffer, int size);
  int (*Session_attach_buffer_c)(abi_handle , void *buffer, MPI_Count size);
  int (*Session_call_errhandler)(abi_handle , int errorcode);
  int (*Session_create_errhandler)(void *, abi_handle *);
  int (*Session_detach_buffer)(abi_handle , void *buffer_addr, int *size);
  int (*Session_detach_buffer_c)(abi_handle , void *buffer_addr, MPI_Count *size);
  int (*Session_finalize)(abi_handle *);
  int (*Session_flush_buffer)(abi_handle );
  int (*Session_get_errhandler)(abi_handle , abi_handle *);
  int (*Session_get_info)(abi_handle , abi_handle *);
  int (*Session_get_nth_pset)(abi_handle , abi_handle , int n, int *pset_len, char *pset_name);
  int (*Session_get_num_psets)(abi_handle , abi_handle , int *npset_names);
  int (*Session_get_pset_info)(abi_handle , const char *pset_name, abi_handle *);
  int (*Session_iflush_buffer)(abi_handle , abi_handle *);
  int (*Session_init)(abi_handle , abi_handle , abi_handle *);
  int (*Session_set_errhandler)(abi_handle , abi_handle );
  int (*Ssend)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle );
  int (*Ssend_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle );
  int (*Ssend_init)(const void *buf, int count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Ssend_init_c)(const void *buf, MPI_Count count, abi_handle , int dest, int tag, abi_handle , abi_handle *);
  int (*Start)(abi_handle *);
  int (*Startall)(int count, abi_handle *);
  int (*Status_get_error)(abi_status *, int *error);
  int (*Status_get_source)(abi_status *, int *source);
  int (*Status_get_tag)(abi_status *, int *tag);
  int (*Status_set_cancelled)(abi_status *, int flag);
  int (*Status_set_elements)(abi_status *, abi_handle , int count);
  int (*Status_set_elements_c)(abi_status *, abi_handle , MPI_Count count);
  int (*Status_set_elements_x)(abi_status *, abi_handle , MPI_Count count);
  int (*Status_set_error)(abi_status *, int error);
  int (*Status_set_source)(abi_status *, int source);
  int (*Status_set_tag)(abi_status *, int tag);
  int (*T_category_changed)(int *update_number);
  int (*T_category_get_categories)(int cat_index, int len, int indices[]);
  int (*T_category_get_cvars)(int cat_index, int len, int indices[]);
  int (*T_category_get_events)(int cat_index, int len, int indices[]);
  int (*T_category_get_index)(const char *name, int *cat_index);
  int (*T_category_get_info)(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars, int *num_pvars, int *num_categories);
  int (*T_category_get_num)(int *num_cat);
  int (*T_category_get_num_events)(int cat_index, int *num_events);
  int (*T_category_get_pvars)(int cat_index, int len, int indices[]);
  int (*T_cvar_get_index)(const char *name, int *cvar_index);
  int (*T_cvar_get_info)(int cvar_index, char *name, int *name_len, int *verbosity, abi_handle *, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope);
  int (*T_cvar_get_num)(int *num_cvar);
  int (*T_cvar_handle_alloc)(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count);
  int (*T_cvar_handle_free)(MPI_T_cvar_handle *handle);
  int (*T_cvar_read)(MPI_T_cvar_handle handle, void *buf);
  int (*T_cvar_write)(MPI_T_cvar_handle handle, const void *buf);
  int (*T_enum_get_info)(MPI_T_enum enumtype, int *num, char *name, int *name_len);
  int (*T_enum_get_item)(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len);
  int (*T_event_callback_get_info)(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, abi_handle *);
  int (*T_event_callback_set_info)(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, abi_handle );
  int (*T_event_copy)(MPI_T_event_instance event_instance, void *buffer);
  int (*T_event_get_index)(const char *name, int *event_index);
  int (*T_event_get_info)(int event_index, char *name, int *name_len, int *verbosity, abi_handle *, MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, abi_handle *, char *desc, int *desc_len, int *bind);
  int (*T_event_get_num)(int *num_events);
  int (*T_event_get_source)(MPI_T_event_instance event_instance, int *source_index);
  int (*T_event_get_timestamp)(MPI_T_event_instance event_instance, MPI_Count *event_timestamp);
  int (*T_event_handle_alloc)(int event_index, void *obj_handle, abi_handle , MPI_T_event_registration *event_registration);
  int (*T_event_handle_free)(MPI_T_event_registration event_registration, void *user_data, void *);
  int (*T_event_handle_get_info)(MPI_T_event_registration event_registration, abi_handle *);
  int (*T_event_handle_set_info)(MPI_T_event_registration event_registration, abi_handle );
  int (*T_event_read)(MPI_T_event_instance event_instance, int element_index, void *buffer);
  int (*T_event_register_callback)(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, abi_handle , void *user_data, void *);
  int (*T_event_set_dropped_handler)(MPI_T_event_registration event_registration, void *);
  int (*T_finalize)(void);
  int (*T_init_thread)(int required, int *provided);
  int (*T_pvar_get_index)(const char *name, int var_class, int *pvar_index);
  int (*T_pvar_get_info)(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class, abi_handle *, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *readonly, int *continuous, int *atomic);
  int (*T_pvar_get_num)(int *num_pvar);
  int (*T_pvar_handle_alloc)(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle, int *count);
  int (*T_pvar_handle_free)(MPI_T_pvar_session session, MPI_T_pvar_handle *handle);
  int (*T_pvar_read)(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
  int (*T_pvar_readreset)(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
  int (*T_pvar_reset)(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
  int (*T_pvar_session_create)(MPI_T_pvar_session *session);
  int (*T_pvar_session_free)(MPI_T_pvar_session *session);
  int (*T_pvar_start)(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
  int (*T_pvar_stop)(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
  int (*T_pvar_write)(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf);
  int (*T_source_get_info)(int source_index, char *name, int *name_len, char *desc, int *desc_len, MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks, abi_handle *);
  int (*T_source_get_num)(int *num_sources);
  int (*T_source_get_timestamp)(int source_index, MPI_Count *timestamp);
  int (*Test)(abi_handle *, int *flag, abi_status *);
  int (*Test_cancelled)(abi_status *, int *flag);
  int (*Testall)(int count, abi_handle *, int *flag, abi_status *);
  int (*Testany)(int count, abi_handle *, int *indx, int *flag, abi_status *);
  int (*Testsome)(int incount, abi_handle *, int *outcount, int array_of_indices[], abi_status *);
  int (*Topo_test)(abi_handle , int *status);
  int (*Type_commit)(abi_handle *);
  int (*Type_contiguous)(int count, abi_handle , abi_handle *);
  int (*Type_contiguous_c)(MPI_Count count, abi_handle , abi_handle *);
  int (*Type_create_darray)(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, abi_handle , abi_handle *);
  int (*Type_create_darray_c)(int size, int rank, int ndims, const MPI_Count array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, abi_handle , abi_handle *);
  int (*Type_create_f90_complex)(int p, int r, abi_handle *);
  int (*Type_create_f90_integer)(int r, abi_handle *);
  int (*Type_create_f90_real)(int p, int r, abi_handle *);
  int (*Type_create_hindexed)(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_hindexed_block)(int count, int blocklength, const MPI_Aint array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_hindexed_block_c)(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_hindexed_c)(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_hvector)(int count, int blocklength, MPI_Aint stride, abi_handle , abi_handle *);
  int (*Type_create_hvector_c)(MPI_Count count, MPI_Count blocklength, MPI_Count stride, abi_handle , abi_handle *);
  int (*Type_create_indexed_block)(int count, int blocklength, const int array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_indexed_block_c)(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_create_keyval)(void *, void *, int *type_keyval, void *extra_state);
  int (*Type_create_resized)(abi_handle , MPI_Aint lb, MPI_Aint extent, abi_handle *);
  int (*Type_create_resized_c)(abi_handle , MPI_Count lb, MPI_Count extent, abi_handle *);
  int (*Type_create_struct)(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], abi_handle *, abi_handle *);
  int (*Type_create_struct_c)(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], abi_handle *, abi_handle *);
  int (*Type_create_subarray)(int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int array_of_starts[], int order, abi_handle , abi_handle *);
  int (*Type_create_subarray_c)(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[], const MPI_Count array_of_starts[], int order, abi_handle , abi_handle *);
  int (*Type_delete_attr)(abi_handle , int type_keyval);
  int (*Type_dup)(abi_handle , abi_handle *);
  int (*Type_free)(abi_handle *);
  int (*Type_free_keyval)(int *type_keyval);
  int (*Type_get_attr)(abi_handle , int type_keyval, void *attribute_val, int *flag);
  int (*Type_get_contents)(abi_handle , int max_integers, int max_addresses, int max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], abi_handle *);
  int (*Type_get_contents_c)(abi_handle , MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[], abi_handle *);
  int (*Type_get_envelope)(abi_handle , int *num_integers, int *num_addresses, int *num_datatypes, int *combiner);
  int (*Type_get_envelope_c)(abi_handle , MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner);
  int (*Type_get_extent)(abi_handle , MPI_Aint *lb, MPI_Aint *extent);
  int (*Type_get_extent_c)(abi_handle , MPI_Count *lb, MPI_Count *extent);
  int (*Type_get_extent_x)(abi_handle , MPI_Count *lb, MPI_Count *extent);
  int (*Type_get_name)(abi_handle , char *type_name, int *resultlen);
  int (*Type_get_true_extent)(abi_handle , MPI_Aint *true_lb, MPI_Aint *true_extent);
  int (*Type_get_true_extent_c)(abi_handle , MPI_Count *true_lb, MPI_Count *true_extent);
  int (*Type_get_true_extent_x)(abi_handle , MPI_Count *true_lb, MPI_Count *true_extent);
  int (*Type_get_value_index)(abi_handle , abi_handle , abi_handle *);
  int (*Type_indexed)(int count, const int array_of_blocklengths[], const int array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_indexed_c)(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], abi_handle , abi_handle *);
  int (*Type_match_size)(int typeclass, int size, abi_handle *);
  int (*Type_set_attr)(abi_handle , int type_keyval, void *attribute_val);
  int (*Type_set_name)(abi_handle , const char *type_name);
  int (*Type_size)(abi_handle , int *size);
  int (*Type_size_c)(abi_handle , MPI_Count *size);
  int (*Type_size_x)(abi_handle , MPI_Count *size);
  int (*Type_vector)(int count, int blocklength, int stride, abi_handle , abi_handle *);
  int (*Type_vector_c)(MPI_Count count, MPI_Count blocklength, MPI_Count stride, abi_handle , abi_handle *);
  int (*Unpack)(const void *inbuf, int insize, int *position, void *outbuf, int outcount, abi_handle , abi_handle );
  int (*Unpack_c)(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, abi_handle , abi_handle );
  int (*Unpack_external)(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf, int outcount, abi_handle );
  int (*Unpack_external_c)(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, abi_handle );
  int (*Unpublish_name)(const char *service_name, abi_handle , const char *port_name);
  int (*Wait)(abi_handle *, abi_status *);
  int (*Waitall)(int count, abi_handle *, abi_status *);
  int (*Waitany)(int count, abi_handle *, int *indx, abi_status *);
  int (*Waitsome)(int incount, abi_handle *, int *outcount, int array_of_indices[], abi_status *);
  int (*Win_allocate)(MPI_Aint size, int disp_unit, abi_handle , abi_handle , void *baseptr, abi_handle *);
  int (*Win_allocate_c)(MPI_Aint size, MPI_Aint disp_unit, abi_handle , abi_handle , void *baseptr, abi_handle *);
  int (*Win_allocate_shared)(MPI_Aint size, int disp_unit, abi_handle , abi_handle , void *baseptr, abi_handle *);
  int (*Win_allocate_shared_c)(MPI_Aint size, MPI_Aint disp_unit, abi_handle , abi_handle , void *baseptr, abi_handle *);
  int (*Win_attach)(abi_handle , void *base, MPI_Aint size);
  int (*Win_call_errhandler)(abi_handle , int errorcode);
  int (*Win_complete)(abi_handle );
  int (*Win_create)(void *base, MPI_Aint size, int disp_unit, abi_handle , abi_handle , abi_handle *);
  int (*Win_create_c)(void *base, MPI_Aint size, MPI_Aint disp_unit, abi_handle , abi_handle , abi_handle *);
  int (*Win_create_dynamic)(abi_handle , abi_handle , abi_handle *);
  int (*Win_create_errhandler)(void *, abi_handle *);
  int (*Win_create_keyval)(void *, void *, int *win_keyval, void *extra_state);
  int (*Win_delete_attr)(abi_handle , int win_keyval);
  int (*Win_detach)(abi_handle , const void *base);
  int (*Win_fence)(int assert, abi_handle );
  int (*Win_flush)(int rank, abi_handle );
  int (*Win_flush_all)(abi_handle );
  int (*Win_flush_local)(int rank, abi_handle );
  int (*Win_flush_local_all)(abi_handle );
  int (*Win_free)(abi_handle *);
  int (*Win_free_keyval)(int *win_keyval);
  int (*Win_get_attr)(abi_handle , int win_keyval, void *attribute_val, int *flag);
  int (*Win_get_errhandler)(abi_handle , abi_handle *);
  int (*Win_get_group)(abi_handle , abi_handle *);
  int (*Win_get_info)(abi_handle , abi_handle *);
  int (*Win_get_name)(abi_handle , char *win_name, int *resultlen);
  int (*Win_lock)(int lock_type, int rank, int assert, abi_handle );
  int (*Win_lock_all)(int assert, abi_handle );
  int (*Win_post)(abi_handle , int assert, abi_handle );
  int (*Win_set_attr)(abi_handle , int win_keyval, void *attribute_val);
  int (*Win_set_errhandler)(abi_handle , abi_handle );
  int (*Win_set_info)(abi_handle , abi_handle );
  int (*Win_set_name)(abi_handle , const char *win_name);
  int (*Win_shared_query)(abi_handle , int rank, MPI_Aint *size, int *disp_unit, void *baseptr);
  int (*Win_shared_query_c)(abi_handle , int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr);
  int (*Win_start)(abi_handle , int assert, abi_handle );
  int (*Win_sync)(abi_handle );
  int (*Win_test)(abi_handle , int *flag);
  int (*Win_unlock)(int rank, abi_handle );
  int (*Win_unlock_all)(abi_handle );
  int (*Win_wait)(abi_handle );
  double (*Wtick)(void);
  double (*Wtime)(void);
};

#define FUNCTIONS(X) \
  X(Abort) \
  X(Accumulate) \
  X(Accumulate_c) \
  X(Add_error_class) \
  X(Add_error_code) \
  X(Add_error_string) \
  X(Aint_add) \
  X(Aint_diff) \
  X(Allgather) \
  X(Allgather_c) \
  X(Allgather_init) \
  X(Allgather_init_c) \
  X(Allgatherv) \
  X(Allgatherv_c) \
  X(Allgatherv_init) \
  X(Allgatherv_init_c) \
  X(Alloc_mem) \
  X(Allreduce) \
  X(Allreduce_c) \
  X(Allreduce_init) \
  X(Allreduce_init_c) \
  X(Alltoall) \
  X(Alltoall_c) \
  X(Alltoall_init) \
  X(Alltoall_init_c) \
  X(Alltoallv) \
  X(Alltoallv_c) \
  X(Alltoallv_init) \
  X(Alltoallv_init_c) \
  X(Alltoallw) \
  X(Alltoallw_c) \
  X(Alltoallw_init) \
  X(Alltoallw_init_c) \
  X(Attr_delete) \
  X(Attr_get) \
  X(Attr_put) \
  X(Barrier) \
  X(Barrier_init) \
  X(Bcast) \
  X(Bcast_c) \
  X(Bcast_init) \
  X(Bcast_init_c) \
  X(Bsend) \
  X(Bsend_c) \
  X(Bsend_init) \
  X(Bsend_init_c) \
  X(Buffer_attach) \
  X(Buffer_attach_c) \
  X(Buffer_detach) \
  X(Buffer_detach_c) \
  X(Buffer_flush) \
  X(Buffer_iflush) \
  X(Cancel) \
  X(Cart_coords) \
  X(Cart_create) \
  X(Cart_get) \
  X(Cart_map) \
  X(Cart_rank) \
  X(Cart_shift) \
  X(Cart_sub) \
  X(Cartdim_get) \
  X(Close_port) \
  X(Comm_accept) \
  X(Comm_attach_buffer) \
  X(Comm_attach_buffer_c) \
  X(Comm_call_errhandler) \
  X(Comm_compare) \
  X(Comm_connect) \
  X(Comm_create) \
  X(Comm_create_errhandler) \
  X(Comm_create_from_group) \
  X(Comm_create_group) \
  X(Comm_create_keyval) \
  X(Comm_delete_attr) \
  X(Comm_detach_buffer) \
  X(Comm_detach_buffer_c) \
  X(Comm_disconnect) \
  X(Comm_dup) \
  X(Comm_dup_with_info) \
  X(Comm_flush_buffer) \
  X(Comm_free) \
  X(Comm_free_keyval) \
  X(Comm_get_attr) \
  X(Comm_get_errhandler) \
  X(Comm_get_info) \
  X(Comm_get_name) \
  X(Comm_get_parent) \
  X(Comm_group) \
  X(Comm_idup) \
  X(Comm_idup_with_info) \
  X(Comm_iflush_buffer) \
  X(Comm_join) \
  X(Comm_rank) \
  X(Comm_remote_group) \
  X(Comm_remote_size) \
  X(Comm_set_attr) \
  X(Comm_set_errhandler) \
  X(Comm_set_info) \
  X(Comm_set_name) \
  X(Comm_size) \
  X(Comm_spawn) \
  X(Comm_spawn_multiple) \
  X(Comm_split) \
  X(Comm_split_type) \
  X(Comm_test_inter) \
  X(Compare_and_swap) \
  X(Dims_create) \
  X(Dist_graph_create) \
  X(Dist_graph_create_adjacent) \
  X(Dist_graph_neighbors) \
  X(Dist_graph_neighbors_count) \
  X(Errhandler_free) \
  X(Error_class) \
  X(Error_string) \
  X(Exscan) \
  X(Exscan_c) \
  X(Exscan_init) \
  X(Exscan_init_c) \
  X(Fetch_and_op) \
  X(File_call_errhandler) \
  X(File_close) \
  X(File_create_errhandler) \
  X(File_delete) \
  X(File_get_amode) \
  X(File_get_atomicity) \
  X(File_get_byte_offset) \
  X(File_get_errhandler) \
  X(File_get_group) \
  X(File_get_info) \
  X(File_get_position) \
  X(File_get_position_shared) \
  X(File_get_size) \
  X(File_get_type_extent) \
  X(File_get_type_extent_c) \
  X(File_get_view) \
  X(File_iread) \
  X(File_iread_all) \
  X(File_iread_all_c) \
  X(File_iread_at) \
  X(File_iread_at_all) \
  X(File_iread_at_all_c) \
  X(File_iread_at_c) \
  X(File_iread_c) \
  X(File_iread_shared) \
  X(File_iread_shared_c) \
  X(File_iwrite) \
  X(File_iwrite_all) \
  X(File_iwrite_all_c) \
  X(File_iwrite_at) \
  X(File_iwrite_at_all) \
  X(File_iwrite_at_all_c) \
  X(File_iwrite_at_c) \
  X(File_iwrite_c) \
  X(File_iwrite_shared) \
  X(File_iwrite_shared_c) \
  X(File_open) \
  X(File_preallocate) \
  X(File_read) \
  X(File_read_all) \
  X(File_read_all_begin) \
  X(File_read_all_begin_c) \
  X(File_read_all_c) \
  X(File_read_all_end) \
  X(File_read_at) \
  X(File_read_at_all) \
  X(File_read_at_all_begin) \
  X(File_read_at_all_begin_c) \
  X(File_read_at_all_c) \
  X(File_read_at_all_end) \
  X(File_read_at_c) \
  X(File_read_c) \
  X(File_read_ordered) \
  X(File_read_ordered_begin) \
  X(File_read_ordered_begin_c) \
  X(File_read_ordered_c) \
  X(File_read_ordered_end) \
  X(File_read_shared) \
  X(File_read_shared_c) \
  X(File_seek) \
  X(File_seek_shared) \
  X(File_set_atomicity) \
  X(File_set_errhandler) \
  X(File_set_info) \
  X(File_set_size) \
  X(File_set_view) \
  X(File_sync) \
  X(File_write) \
  X(File_write_all) \
  X(File_write_all_begin) \
  X(File_write_all_begin_c) \
  X(File_write_all_c) \
  X(File_write_all_end) \
  X(File_write_at) \
  X(File_write_at_all) \
  X(File_write_at_all_begin) \
  X(File_write_at_all_begin_c) \
  X(File_write_at_all_c) \
  X(File_write_at_all_end) \
  X(File_write_at_c) \
  X(File_write_c) \
  X(File_write_ordered) \
  X(File_write_ordered_begin) \
  X(File_write_ordered_begin_c) \
  X(File_write_ordered_c) \
  X(File_write_ordered_end) \
  X(File_write_shared) \
  X(File_write_shared_c) \
  X(Finalize) \
  X(Finalized) \
  X(Free_mem) \
  X(Gather) \
  X(Gather_c) \
  X(Gather_init) \
  X(Gather_init_c) \
  X(Gatherv) \
  X(Gatherv_c) \
  X(Gatherv_init) \
  X(Gatherv_init_c) \
  X(Get) \
  X(Get_accumulate) \
  X(Get_accumulate_c) \
  X(Get_address) \
  X(Get_c) \
  X(Get_count) \
  X(Get_count_c) \
  X(Get_elements) \
  X(Get_elements_c) \
  X(Get_elements_x) \
  X(Get_hw_resource_info) \
  X(Get_library_version) \
  X(Get_processor_name) \
  X(Get_version) \
  X(Graph_create) \
  X(Graph_get) \
  X(Graph_map) \
  X(Graph_neighbors) \
  X(Graph_neighbors_count) \
  X(Graphdims_get) \
  X(Grequest_complete) \
  X(Grequest_start) \
  X(Group_compare) \
  X(Group_difference) \
  X(Group_excl) \
  X(Group_free) \
  X(Group_from_session_pset) \
  X(Group_incl) \
  X(Group_intersection) \
  X(Group_range_excl) \
  X(Group_range_incl) \
  X(Group_rank) \
  X(Group_size) \
  X(Group_translate_ranks) \
  X(Group_union) \
  X(Iallgather) \
  X(Iallgather_c) \
  X(Iallgatherv) \
  X(Iallgatherv_c) \
  X(Iallreduce) \
  X(Iallreduce_c) \
  X(Ialltoall) \
  X(Ialltoall_c) \
  X(Ialltoallv) \
  X(Ialltoallv_c) \
  X(Ialltoallw) \
  X(Ialltoallw_c) \
  X(Ibarrier) \
  X(Ibcast) \
  X(Ibcast_c) \
  X(Ibsend) \
  X(Ibsend_c) \
  X(Iexscan) \
  X(Iexscan_c) \
  X(Igather) \
  X(Igather_c) \
  X(Igatherv) \
  X(Igatherv_c) \
  X(Improbe) \
  X(Imrecv) \
  X(Imrecv_c) \
  X(Ineighbor_allgather) \
  X(Ineighbor_allgather_c) \
  X(Ineighbor_allgatherv) \
  X(Ineighbor_allgatherv_c) \
  X(Ineighbor_alltoall) \
  X(Ineighbor_alltoall_c) \
  X(Ineighbor_alltoallv) \
  X(Ineighbor_alltoallv_c) \
  X(Ineighbor_alltoallw) \
  X(Ineighbor_alltoallw_c) \
  X(Info_create) \
  X(Info_create_env) \
  X(Info_delete) \
  X(Info_dup) \
  X(Info_free) \
  X(Info_get) \
  X(Info_get_nkeys) \
  X(Info_get_nthkey) \
  X(Info_get_string) \
  X(Info_get_valuelen) \
  X(Info_set) \
  X(Init) \
  X(Init_thread) \
  X(Initialized) \
  X(Intercomm_create) \
  X(Intercomm_create_from_groups) \
  X(Intercomm_merge) \
  X(Iprobe) \
  X(Irecv) \
  X(Irecv_c) \
  X(Ireduce) \
  X(Ireduce_c) \
  X(Ireduce_scatter) \
  X(Ireduce_scatter_block) \
  X(Ireduce_scatter_block_c) \
  X(Ireduce_scatter_c) \
  X(Irsend) \
  X(Irsend_c) \
  X(Is_thread_main) \
  X(Iscan) \
  X(Iscan_c) \
  X(Iscatter) \
  X(Iscatter_c) \
  X(Iscatterv) \
  X(Iscatterv_c) \
  X(Isend) \
  X(Isend_c) \
  X(Isendrecv) \
  X(Isendrecv_c) \
  X(Isendrecv_replace) \
  X(Isendrecv_replace_c) \
  X(Issend) \
  X(Issend_c) \
  X(Keyval_create) \
  X(Keyval_free) \
  X(Lookup_name) \
  X(Mprobe) \
  X(Mrecv) \
  X(Mrecv_c) \
  X(Neighbor_allgather) \
  X(Neighbor_allgather_c) \
  X(Neighbor_allgather_init) \
  X(Neighbor_allgather_init_c) \
  X(Neighbor_allgatherv) \
  X(Neighbor_allgatherv_c) \
  X(Neighbor_allgatherv_init) \
  X(Neighbor_allgatherv_init_c) \
  X(Neighbor_alltoall) \
  X(Neighbor_alltoall_c) \
  X(Neighbor_alltoall_init) \
  X(Neighbor_alltoall_init_c) \
  X(Neighbor_alltoallv) \
  X(Neighbor_alltoallv_c) \
  X(Neighbor_alltoallv_init) \
  X(Neighbor_alltoallv_init_c) \
  X(Neighbor_alltoallw) \
  X(Neighbor_alltoallw_c) \
  X(Neighbor_alltoallw_init) \
  X(Neighbor_alltoallw_init_c) \
  X(Op_commutative) \
  X(Op_create) \
  X(Op_create_c) \
  X(Op_free) \
  X(Open_port) \
  X(Pack) \
  X(Pack_c) \
  X(Pack_external) \
  X(Pack_external_c) \
  X(Pack_external_size) \
  X(Pack_external_size_c) \
  X(Pack_size) \
  X(Pack_size_c) \
  X(Parrived) \
  X(Pcontrol) \
  X(Pready) \
  X(Pready_list) \
  X(Pready_range) \
  X(Precv_init) \
  X(Precv_init_c) \
  X(Probe) \
  X(Psend_init) \
  X(Psend_init_c) \
  X(Publish_name) \
  X(Put) \
  X(Put_c) \
  X(Query_thread) \
  X(Raccumulate) \
  X(Raccumulate_c) \
  X(Recv) \
  X(Recv_c) \
  X(Recv_init) \
  X(Recv_init_c) \
  X(Reduce) \
  X(Reduce_c) \
  X(Reduce_init) \
  X(Reduce_init_c) \
  X(Reduce_local) \
  X(Reduce_local_c) \
  X(Reduce_scatter) \
  X(Reduce_scatter_block) \
  X(Reduce_scatter_block_c) \
  X(Reduce_scatter_block_init) \
  X(Reduce_scatter_block_init_c) \
  X(Reduce_scatter_c) \
  X(Reduce_scatter_init) \
  X(Reduce_scatter_init_c) \
  X(Register_datarep) \
  X(Register_datarep_c) \
  X(Remove_error_class) \
  X(Remove_error_code) \
  X(Remove_error_string) \
  X(Request_free) \
  X(Request_get_status) \
  X(Request_get_status_all) \
  X(Request_get_status_any) \
  X(Request_get_status_some) \
  X(Rget) \
  X(Rget_accumulate) \
  X(Rget_accumulate_c) \
  X(Rget_c) \
  X(Rput) \
  X(Rput_c) \
  X(Rsend) \
  X(Rsend_c) \
  X(Rsend_init) \
  X(Rsend_init_c) \
  X(Scan) \
  X(Scan_c) \
  X(Scan_init) \
  X(Scan_init_c) \
  X(Scatter) \
  X(Scatter_c) \
  X(Scatter_init) \
  X(Scatter_init_c) \
  X(Scatterv) \
  X(Scatterv_c) \
  X(Scatterv_init) \
  X(Scatterv_init_c) \
  X(Send) \
  X(Send_c) \
  X(Send_init) \
  X(Send_init_c) \
  X(Sendrecv) \
  X(Sendrecv_c) \
  X(Sendrecv_replace) \
  X(Sendrecv_replace_c) \
  X(Session_attach_buffer) \
  X(Session_attach_buffer_c) \
  X(Session_call_errhandler) \
  X(Session_create_errhandler) \
  X(Session_detach_buffer) \
  X(Session_detach_buffer_c) \
  X(Session_finalize) \
  X(Session_flush_buffer) \
  X(Session_get_errhandler) \
  X(Session_get_info) \
  X(Session_get_nth_pset) \
  X(Session_get_num_psets) \
  X(Session_get_pset_info) \
  X(Session_iflush_buffer) \
  X(Session_init) \
  X(Session_set_errhandler) \
  X(Ssend) \
  X(Ssend_c) \
  X(Ssend_init) \
  X(Ssend_init_c) \
  X(Start) \
  X(Startall) \
  X(Status_get_error) \
  X(Status_get_source) \
  X(Status_get_tag) \
  X(Status_set_cancelled) \
  X(Status_set_elements) \
  X(Status_set_elements_c) \
  X(Status_set_elements_x) \
  X(Status_set_error) \
  X(Status_set_source) \
  X(Status_set_tag) \
  X(T_category_changed) \
  X(T_category_get_categories) \
  X(T_category_get_cvars) \
  X(T_category_get_events) \
  X(T_category_get_index) \
  X(T_category_get_info) \
  X(T_category_get_num) \
  X(T_category_get_num_events) \
  X(T_category_get_pvars) \
  X(T_cvar_get_index) \
  X(T_cvar_get_info) \
  X(T_cvar_get_num) \
  X(T_cvar_handle_alloc) \
  X(T_cvar_handle_free) \
  X(T_cvar_read) \
  X(T_cvar_write) \
  X(T_enum_get_info) \
  X(T_enum_get_item) \
  X(T_event_callback_get_info) \
  X(T_event_callback_set_info) \
  X(T_event_copy) \
  X(T_event_get_index) \
  X(T_event_get_info) \
  X(T_event_get_num) \
  X(T_event_get_source) \
  X(T_event_get_timestamp) \
  X(T_event_handle_alloc) \
  X(T_event_handle_free) \
  X(T_event_handle_get_info) \
  X(T_event_handle_set_info) \
  X(T_event_read) \
  X(T_event_register_callback) \
  X(T_event_set_dropped_handler) \
  X(T_finalize) \
  X(T_init_thread) \
  X(T_pvar_get_index) \
  X(T_pvar_get_info) \
  X(T_pvar_get_num) \
  X(T_pvar_handle_alloc) \
  X(T_pvar_handle_free) \
  X(T_pvar_read) \
  X(T_pvar_readreset) \
  X(T_pvar_reset) \
  X(T_pvar_session_create) \
  X(T_pvar_session_free) \
  X(T_pvar_start) \
  X(T_pvar_stop) \
  X(T_pvar_write) \
  X(T_source_get_info) \
  X(T_source_get_num) \
  X(T_source_get_timestamp) \
  X(Test) \
  X(Test_cancelled) \
  X(Testall) \
  X(Testany) \
  X(Testsome) \
  X(Topo_test) \
  X(Type_commit) \
  X(Type_contiguous) \
  X(Type_contiguous_c) \
  X(Type_create_darray) \
  X(Type_create_darray_c) \
  X(Type_create_f90_complex) \
  X(Type_create_f90_integer) \
  X(Type_create_f90_real) \
  X(Type_create_hindexed) \
  X(Type_create_hindexed_block) \
  X(Type_create_hindexed_block_c) \
  X(Type_create_hindexed_c) \
  X(Type_create_hvector) \
  X(Type_create_hvector_c) \
  X(Type_create_indexed_block) \
  X(Type_create_indexed_block_c) \
  X(Type_create_keyval) \
  X(Type_create_resized) \
  X(Type_create_resized_c) \
  X(Type_create_struct) \
  X(Type_create_struct_c) \
  X(Type_create_subarray) \
  X(Type_create_subarray_c) \
  X(Type_delete_attr) \
  X(Type_dup) \
  X(Type_free) \
  X(Type_free_keyval) \
  X(Type_get_attr) \
  X(Type_get_contents) \
  X(Type_get_contents_c) \
  X(Type_get_envelope) \
  X(Type_get_envelope_c) \
  X(Type_get_extent) \
  X(Type_get_extent_c) \
  X(Type_get_extent_x) \
  X(Type_get_name) \
  X(Type_get_true_extent) \
  X(Type_get_true_extent_c) \
  X(Type_get_true_extent_x) \
  X(Type_get_value_index) \
  X(Type_indexed) \
  X(Type_indexed_c) \
  X(Type_match_size) \
  X(Type_set_attr) \
  X(Type_set_name) \
  X(Type_size) \
  X(Type_size_c) \
  X(Type_size_x) \
  X(Type_vector) \
  X(Type_vector_c) \
  X(Unpack) \
  X(Unpack_c) \
  X(Unpack_external) \
  X(Unpack_external_c) \
  X(Unpublish_name) \
  X(Wait) \
  X(Waitall) \
  X(Waitany) \
  X(Waitsome) \
  X(Win_allocate) \
  X(Win_allocate_c) \
  X(Win_allocate_shared) \
  X(Win_allocate_shared_c) \
  X(Win_attach) \
  X(Win_call_errhandler) \
  X(Win_complete) \
  X(Win_create) \
  X(Win_create_c) \
  X(Win_create_dynamic) \
  X(Win_create_errhandler) \
  X(Win_create_keyval) \
  X(Win_delete_attr) \
  X(Win_detach) \
  X(Win_fence) \
  X(Win_flush) \
  X(Win_flush_all) \
  X(Win_flush_local) \
  X(Win_flush_local_all) \
  X(Win_free) \
  X(Win_free_keyval) \
  X(Win_get_attr) \
  X(Win_get_errhandler) \
  X(Win_get_group) \
  X(Win_get_info) \
  X(Win_get_name) \
  X(Win_lock) \
  X(Win_lock_all) \
  X(Win_post) \
  X(Win_set_attr) \
  X(Win_set_errhandler) \
  X(Win_set_info) \
  X(Win_set_name) \
  X(Win_shared_query) \
  X(Win_shared_query_c) \
  X(Win_start) \
  X(Win_sync) \
  X(Win_test) \
  X(Win_unlock) \
  X(Win_unlock_all) \
  X(Win_wait) \
  X(Wtick) \
  X(Wtime)

enum {
  ABI_VERSION = 5,
  ABI_SUBVERSION = 0,
  ABI_ABI_VERSION = 1,
  ABI_ABI_SUBVERSION = 0,
  ABI_F_STATUS_SIZE = 8,
  ABI_F_SOURCE = 0,
  ABI_F_TAG = 1,
  ABI_F_ERROR = 2,
  ABI_SUCCESS = 0,
  ABI_ERR_BUFFER = 1,
  ABI_ERR_COUNT = 2,
  ABI_ERR_TYPE = 3,
  ABI_ERR_TAG = 4,
  ABI_ERR_COMM = 5,
  ABI_ERR_RANK = 6,
  ABI_ERR_REQUEST = 7,
  ABI_ERR_ROOT = 8,
  ABI_ERR_GROUP = 9,
  ABI_ERR_OP = 10,
  ABI_ERR_TOPOLOGY = 11,
  ABI_ERR_DIMS = 12,
  ABI_ERR_ARG = 13,
  ABI_ERR_UNKNOWN = 14,
  ABI_ERR_TRUNCATE = 15,
  ABI_ERR_OTHER = 16,
  ABI_ERR_INTERN = 17,
  ABI_ERR_PENDING = 18,
  ABI_ERR_IN_STATUS = 19,
  ABI_ERR_ACCESS = 20,
  ABI_ERR_AMODE = 21,
  ABI_ERR_ASSERT = 22,
  ABI_ERR_BAD_FILE = 23,
  ABI_ERR_BASE = 24,
  ABI_ERR_CONVERSION = 25,
  ABI_ERR_DISP = 26,
  ABI_ERR_DUP_DATAREP = 27,
  ABI_ERR_FILE_EXISTS = 28,
  ABI_ERR_FILE_IN_USE = 29,
  ABI_ERR_FILE = 30,
  ABI_ERR_INFO_KEY = 31,
  ABI_ERR_INFO_NOKEY = 32,
  ABI_ERR_INFO_VALUE = 33,
  ABI_ERR_INFO = 34,
  ABI_ERR_IO = 35,
  ABI_ERR_KEYVAL = 36,
  ABI_ERR_LOCKTYPE = 37,
  ABI_ERR_NAME = 38,
  ABI_ERR_NO_MEM = 39,
  ABI_ERR_NOT_SAME = 40,
  ABI_ERR_NO_SPACE = 41,
  ABI_ERR_NO_SUCH_FILE = 42,
  ABI_ERR_PORT = 43,
  ABI_ERR_QUOTA = 44,
  ABI_ERR_READ_ONLY = 45,
  ABI_ERR_RMA_ATTACH = 46,
  ABI_ERR_RMA_CONFLICT = 47,
  ABI_ERR_RMA_RANGE = 48,
  ABI_ERR_RMA_SHARED = 49,
  ABI_ERR_RMA_SYNC = 50,
  ABI_ERR_SERVICE = 51,
  ABI_ERR_SIZE = 52,
  ABI_ERR_SPAWN = 53,
  ABI_ERR_UNSUPPORTED_DATAREP = 54,
  ABI_ERR_UNSUPPORTED_OPERATION = 55,
  ABI_ERR_WIN = 56,
  ABI_ERR_RMA_FLAVOR = 57,
  ABI_ERR_PROC_ABORTED = 58,
  ABI_ERR_VALUE_TOO_LARGE = 59,
  ABI_ERR_SESSION = 60,
  ABI_ERR_ERRHANDLER = 61,
  ABI_ERR_ABI = 62,
  ABI_T_ERR_CANNOT_INIT = 1001,
  ABI_T_ERR_NOT_ACCESSIBLE = 1002,
  ABI_T_ERR_NOT_INITIALIZED = 1003,
  ABI_T_ERR_NOT_SUPPORTED = 1004,
  ABI_T_ERR_MEMORY = 1005,
  ABI_T_ERR_INVALID = 1006,
  ABI_T_ERR_INVALID_INDEX = 1007,
  ABI_T_ERR_INVALID_ITEM = 1008,
  ABI_T_ERR_INVALID_SESSION = 1009,
  ABI_T_ERR_INVALID_HANDLE = 1010,
  ABI_T_ERR_INVALID_NAME = 1011,
  ABI_T_ERR_OUT_OF_HANDLES = 1012,
  ABI_T_ERR_OUT_OF_SESSIONS = 1013,
  ABI_T_ERR_CVAR_SET_NOT_NOW = 1014,
  ABI_T_ERR_CVAR_SET_NEVER = 1015,
  ABI_T_ERR_PVAR_NO_WRITE = 1016,
  ABI_T_ERR_PVAR_NO_STARTSTOP = 1017,
  ABI_T_ERR_PVAR_NO_ATOMIC = 1018,
  ABI_ERR_LASTCODE = 16383,
  ABI_ERRCODES_IGNORE = 0,
  ABI_UNWEIGHTED = 10,
  ABI_WEIGHTS_EMPTY = 11,
  ABI_MAX_DATAREP_STRING = 128,
  ABI_MAX_ERROR_STRING = 512,
  ABI_MAX_INFO_KEY = 256,
  ABI_MAX_INFO_VAL = 1024,
  ABI_MAX_LIBRARY_VERSION_STRING = 8192,
  ABI_MAX_OBJECT_NAME = 128,
  ABI_MAX_PORT_NAME = 1024,
  ABI_MAX_PROCESSOR_NAME = 256,
  ABI_MAX_STRINGTAG_LEN = 1024,
  ABI_MAX_PSET_NAME_LEN = 1024,
  ABI_BSEND_OVERHEAD = 512,
  ABI_MODE_APPEND = 1,
  ABI_MODE_CREATE = 2,
  ABI_MODE_DELETE_ON_CLOSE = 4,
  ABI_MODE_EXCL = 8,
  ABI_MODE_RDONLY = 16,
  ABI_MODE_RDWR = 32,
  ABI_MODE_SEQUENTIAL = 64,
  ABI_MODE_UNIQUE_OPEN = 128,
  ABI_MODE_WRONLY = 256,
  ABI_MODE_NOCHECK = 1024,
  ABI_MODE_NOPRECEDE = 2048,
  ABI_MODE_NOPUT = 4096,
  ABI_MODE_NOSTORE = 8192,
  ABI_MODE_NOSUCCEED = 16384,
  ABI_ANY_SOURCE = -1,
  ABI_ANY_TAG = -2,
  ABI_PROC_NULL = -3,
  ABI_ROOT = -4,
  ABI_UNDEFINED = -32766,
  ABI_THREAD_SINGLE = 0,
  ABI_THREAD_FUNNELED = 1024,
  ABI_THREAD_SERIALIZED = 2048,
  ABI_THREAD_MULTIPLE = 4096,
  ABI_ORDER_C = 12,
  ABI_ORDER_FORTRAN = 15,
  ABI_DISTRIBUTE_NONE = 16,
  ABI_DISTRIBUTE_BLOCK = 17,
  ABI_DISTRIBUTE_CYCLIC = 18,
  ABI_DISTRIBUTE_DFLT_DARG = 19,
  ABI_COMBINER_NAMED = 101,
  ABI_COMBINER_DUP = 102,
  ABI_COMBINER_CONTIGUOUS = 103,
  ABI_COMBINER_VECTOR = 104,
  ABI_COMBINER_HVECTOR = 105,
  ABI_COMBINER_INDEXED = 106,
  ABI_COMBINER_HINDEXED = 107,
  ABI_COMBINER_INDEXED_BLOCK = 108,
  ABI_COMBINER_HINDEXED_BLOCK = 109,
  ABI_COMBINER_STRUCT = 110,
  ABI_COMBINER_SUBARRAY = 111,
  ABI_COMBINER_DARRAY = 112,
  ABI_COMBINER_F90_REAL = 113,
  ABI_COMBINER_F90_COMPLEX = 114,
  ABI_COMBINER_F90_INTEGER = 115,
  ABI_COMBINER_RESIZED = 116,
  ABI_COMBINER_VALUE_INDEX = 117,
  ABI_TYPECLASS_INTEGER = 192,
  ABI_TYPECLASS_REAL = 193,
  ABI_TYPECLASS_COMPLEX = 194,
  ABI_IDENT = 201,
  ABI_CONGRUENT = 202,
  ABI_SIMILAR = 203,
  ABI_UNEQUAL = 204,
  ABI_CART = 211,
  ABI_GRAPH = 212,
  ABI_DIST_GRAPH = 213,
  ABI_COMM_TYPE_SHARED = 221,
  ABI_COMM_TYPE_HW_UNGUIDED = 222,
  ABI_COMM_TYPE_HW_GUIDED = 223,
  ABI_COMM_TYPE_RESOURCE_GUIDED = 224,
  ABI_LOCK_EXCLUSIVE = 301,
  ABI_LOCK_SHARED = 302,
  ABI_WIN_FLAVOR_CREATE = 311,
  ABI_WIN_FLAVOR_ALLOCATE = 312,
  ABI_WIN_FLAVOR_DYNAMIC = 313,
  ABI_WIN_FLAVOR_SHARED = 314,
  ABI_WIN_UNIFIED = 321,
  ABI_WIN_SEPARATE = 322,
  ABI_SEEK_CUR = 401,
  ABI_SEEK_END = 402,
  ABI_SEEK_SET = 403,
  ABI_KEYVAL_INVALID = 0,
  ABI_TAG_UB = 501,
  ABI_IO = 502,
  ABI_HOST = 503,
  ABI_WTIME_IS_GLOBAL = 504,
  ABI_APPNUM = 505,
  ABI_LASTUSEDCODE = 506,
  ABI_UNIVERSE_SIZE = 507,
  ABI_WIN_BASE = 601,
  ABI_WIN_DISP_UNIT = 602,
  ABI_WIN_SIZE = 603,
  ABI_WIN_CREATE_FLAVOR = 604,
  ABI_WIN_MODEL = 605,
  ABI_T_CB_REQUIRE_NONE = 0,
  ABI_T_CB_REQUIRE_MPI_RESTRICTED = 3,
  ABI_T_CB_REQUIRE_THREAD_SAFE = 15,
  ABI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 63,
  ABI_T_SOURCE_ORDERED = 1,
  ABI_T_SOURCE_UNORDERED = 2,
  ABI_T_VERBOSITY_USER_BASIC = 9,
  ABI_T_VERBOSITY_USER_DETAIL = 10,
  ABI_T_VERBOSITY_USER_ALL = 12,
  ABI_T_VERBOSITY_TUNER_BASIC = 17,
  ABI_T_VERBOSITY_TUNER_DETAIL = 18,
  ABI_T_VERBOSITY_TUNER_ALL = 20,
  ABI_T_VERBOSITY_MPIDEV_BASIC = 33,
  ABI_T_VERBOSITY_MPIDEV_DETAIL = 34,
  ABI_T_VERBOSITY_MPIDEV_ALL = 36,
  ABI_T_BIND_NO_OBJECT = 1,
  ABI_T_BIND_MPI_COMM = 2,
  ABI_T_BIND_MPI_DATATYPE = 3,
  ABI_T_BIND_MPI_ERRHANDLER = 4,
  ABI_T_BIND_MPI_FILE = 5,
  ABI_T_BIND_MPI_GROUP = 6,
  ABI_T_BIND_MPI_OP = 7,
  ABI_T_BIND_MPI_REQUEST = 8,
  ABI_T_BIND_MPI_WIN = 9,
  ABI_T_BIND_MPI_MESSAGE = 10,
  ABI_T_BIND_MPI_INFO = 11,
  ABI_T_BIND_MPI_SESSION = 12,
  ABI_T_SCOPE_CONSTANT = 1,
  ABI_T_SCOPE_READONLY = 2,
  ABI_T_SCOPE_LOCAL = 3,
  ABI_T_SCOPE_GROUP = 4,
  ABI_T_SCOPE_GROUP_EQ = 5,
  ABI_T_SCOPE_ALL = 6,
  ABI_T_SCOPE_ALL_EQ = 7,
  ABI_T_PVAR_CLASS_STATE = 1,
  ABI_T_PVAR_CLASS_LEVEL = 2,
  ABI_T_PVAR_CLASS_SIZE = 3,
  ABI_T_PVAR_CLASS_PERCENTAGE = 4,
  ABI_T_PVAR_CLASS_HIGHWATERMARK = 5,
  ABI_T_PVAR_CLASS_LOWWATERMARK = 6,
  ABI_T_PVAR_CLASS_COUNTER = 7,
  ABI_T_PVAR_CLASS_AGGREGATE = 8,
  ABI_T_PVAR_CLASS_TIMER = 9,
  ABI_T_PVAR_CLASS_GENERIC = 10,
};
