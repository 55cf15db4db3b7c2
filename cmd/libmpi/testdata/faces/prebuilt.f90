! What differs between libraries in Fortran: constants that are addresses, integers for handles, callbacks, keys.
module own
  use mpi
  implicit none
  integer :: seen = -1
contains
  subroutine adds(in, inout, n, type)
    integer :: n, type, i
    integer :: in(n), inout(n)
    if (type /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 4, i)
    do i = 1, n
      inout(i) = inout(i) + in(i)
    end do
  end subroutine
  subroutine notes(comm, code)
    integer :: comm, code, ierror
    call MPI_Error_class(code, seen, ierror)
    if (comm == MPI_COMM_NULL) call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
  end subroutine
end module

program prebuilt
  use own
  implicit none
  integer :: me, all, ierror, before, next, got, status(MPI_STATUS_SIZE), op, handler, comm, requests(3), index, n, pair, near
  integer :: lengths(2) = (/ 1, 1 /), types(2), sum(2), old
  integer(kind=MPI_ADDRESS_KIND) :: places(2), value, where
  volatile :: me, got ! MPI_BOTTOM stands for them once
  logical :: flag
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, all, ierror)
  next = mod(me + 1, all)
  before = mod(me + all - 1, all)
  call MPI_Sendrecv(me, 1, MPI_INTEGER, next, 3, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
  call check(got == before .and. status(MPI_SOURCE) == before .and. status(MPI_TAG) == 3, 1)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  call check(n == 1, 2)
  call MPI_Sendrecv(me, 1, MPI_INTEGER, next, 3, got, 1, MPI_INTEGER, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(got == before, 3)

  requests = MPI_REQUEST_NULL
  call MPI_Irecv(got, 1, MPI_INTEGER, before, 4, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Send(me, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, ierror)
  call MPI_Waitany(3, requests, index, status, ierror)
  call check(index == 2 .and. requests(2) == MPI_REQUEST_NULL, 4)
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierror)

  call MPI_Op_create(adds, .true., op, ierror)
  sum = (/ me, 1 /)
  call MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
  call check(sum(1) == all * (all - 1) / 2 .and. sum(2) == all, 5)
  call MPI_Op_free(op, ierror)
  call check(op == MPI_OP_NULL, 6)

  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Comm_create_errhandler(notes, handler, ierror)
  call MPI_Comm_set_errhandler(comm, handler, ierror)
  call MPI_Send(me, 1, MPI_INTEGER, all, 0, comm, ierror)
  call check(seen == MPI_ERR_RANK, 7)
  call MPI_Comm_free(comm, ierror)
  call check(comm == MPI_COMM_NULL, 8)

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
  call check(flag .and. value >= 32767, 9)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, n, value, ierror)
  value = 77
  call MPI_Comm_set_attr(MPI_COMM_WORLD, n, value, ierror)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, n, where, flag, ierror)
  call check(flag .and. where == 77, 10)

  call MPI_Get_address(me, places(1), ierror)
  call MPI_Get_address(got, places(2), ierror)
  types = MPI_INTEGER
  call MPI_Type_create_struct(2, lengths, places, types, pair, ierror)
  call MPI_Type_commit(pair, ierror)
  if (me == 0) got = 12345
  old = me
  call MPI_Bcast(MPI_BOTTOM, 1, pair, 0, MPI_COMM_WORLD, ierror)
  call check(got == 12345 .and. me == 0, 11)
  me = old
  call MPI_Type_free(pair, ierror)
  call MPI_Type_contiguous(3, MPI_DOUBLE_PRECISION, pair, ierror)
  call MPI_Type_size(pair, n, ierror)
  call check(n == 24, 12)

  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, near, ierror)
  call MPI_Comm_compare(near, MPI_COMM_SELF, n, ierror)
  call check(n == MPI_CONGRUENT .or. all > 1, 13)
  call MPI_Get_processor_name(name, n, ierror)
  call check(n > 0 .and. name(n + 1:) == ' ', 14)
  call MPI_Finalize(ierror)
contains
  subroutine check(good, which)
    logical, intent(in) :: good
    integer, intent(in) :: which
    integer :: ignored
    if (good) return
    print *, 'rank', me, 'fails in check', which
    call MPI_Abort(MPI_COMM_WORLD, 3, ignored)
  end subroutine
end program
