! What Fortran has otherwise than C: constants by address, indices from 1, texts with blanks, logicals, callbacks, attributes.
module callbacks
  use mpi
  implicit none
  integer :: handled = 0, copied = 0, deleted = 0
contains
  subroutine times10(in, inout, n, datatype)
    integer :: n, datatype
    integer :: in(n), inout(n)
    if (datatype /= MPI_INTEGER) call stop_at(1)
    inout(1:n) = in(1:n) * 10 + inout(1:n)
  end subroutine

  subroutine handle(comm, code)
    integer :: comm, code, class, ierror
    if (comm /= MPI_COMM_SELF) call stop_at(2)
    call MPI_Error_class(code, class, ierror)
    if (class /= MPI_ERR_RANK) call stop_at(3)
    handled = handled + 1
  end subroutine

  subroutine copy(comm, key, extra, old, new, flag, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, old, new
    logical :: flag
    if (comm /= MPI_COMM_WORLD) call stop_at(4)
    new = old + extra
    flag = .true.
    copied = copied + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, key, value, extra, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine stop_at(place)
    integer :: place, ierror
    print *, 'check', place, 'fails'
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine

  subroutine check(ok, place)
    logical :: ok
    integer :: place
    if (.not. ok) call stop_at(place)
  end subroutine
end module

program fortran
  use callbacks
  implicit none
  integer :: rank, size, ierror, level, left, right, i, n, key, op, handler, comm, half, typ, win
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 4), requests(4), indices(4), types(2), lengths(2)
  integer :: counts(64), displs(64), kinds(64)
  integer :: x, y(10), z(10), coords(2), dims(2), lots(64), more(64)
  real(kind=8) :: d, e, began
  integer(kind=MPI_ADDRESS_KIND) :: places(2), value, extent, lb
  logical :: flag, periods(2)
  character(len=MPI_MAX_ERROR_STRING) :: text
  character(len=20) :: short
  integer :: info

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierror)
  call check(ierror == MPI_SUCCESS .and. level >= MPI_THREAD_FUNNELED, 10)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  began = MPI_Wtime()
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)

  ! Scalars and arrays of several types in the same place; statuses, wanted and not.
  x = -1
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 1, x, 1, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
  call check(x == left .and. status(MPI_SOURCE) == left .and. status(MPI_TAG) == 1, 11)
  d = rank + 0.5d0
  call MPI_Sendrecv(d, 1, MPI_DOUBLE_PRECISION, right, 1, e, 1, MPI_DOUBLE_PRECISION, left, 1, &
    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(e == left + 0.5d0, 12)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  call check(n == 1, 13)

  ! Lists of requests, and numbers of requests, which begin with 1.
  z(1:2) = (/ 100 + rank, 200 + rank /)
  requests = MPI_REQUEST_NULL
  call MPI_Irecv(y(2), 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Isend(z(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(4), ierror)
  call MPI_Waitany(3, requests, n, status, ierror)
  call check(n == 2 .and. y(2) == 200 + left .and. requests(2) == MPI_REQUEST_NULL, 14)
  call MPI_Irecv(y(1), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Isend(z(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(3), ierror)
  call MPI_Waitsome(2, requests, n, indices, statuses, ierror)
  call check(n == 1 .and. indices(1) == 2 .and. y(1) == 100 + left, 15)
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
  call check(all(requests == MPI_REQUEST_NULL), 16)
  call MPI_Waitany(2, requests, n, status, ierror)
  call check(n == MPI_UNDEFINED, 17)

  ! In place; a reduction of the program's.
  x = rank
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(x == size * (size - 1) / 2, 18)
  call MPI_Op_create(times10, .false., op, ierror)
  x = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
  n = 0
  do i = 1, size
    n = n * 10 + i
  end do
  call check(x == n, 19)
  call MPI_Op_free(op, ierror)
  call check(op == MPI_OP_NULL, 20)

  ! Data by address: MPI_BOTTOM, and a list of types.
  call MPI_Get_address(d, places(1), ierror)
  call MPI_Get_address(rank, places(2), ierror)
  lengths = 1
  types = (/ MPI_DOUBLE_PRECISION, MPI_INTEGER /)
  call MPI_Type_create_struct(2, lengths, places, types, typ, ierror)
  call MPI_Type_commit(typ, ierror)
  n = 0
  call MPI_Pack(MPI_BOTTOM, 1, typ, lots, 256, n, MPI_COMM_SELF, ierror)
  call check(ierror == MPI_SUCCESS .and. n == 12 .and. lots(3) == rank, 21)
  call MPI_Type_free(typ, ierror)
  call MPI_Type_get_extent(MPI_REAL8, lb, extent, ierror)
  call check(lb == 0 .and. extent == 8, 22)

  ! Every rank sends its number to all, with a type for each.
  counts = 1
  kinds = MPI_INTEGER
  lots(1:size) = 100 * rank + (/ (i, i = 1, size) /)
  displs(1:size) = (/ (4 * (i - 1), i = 1, size) /)
  call MPI_Alltoallw(lots, counts, displs, kinds, more, counts, displs, kinds, MPI_COMM_WORLD, ierror)
  call check(all(more(1:size) == (/ (100 * (i - 1) + rank + 1, i = 1, size) /)), 23)

  ! Texts.
  call MPI_Error_string(MPI_ERR_TRUNCATE, text, n, ierror)
  call check(n > 0 .and. len_trim(text) == n, 24)
  call MPI_Comm_set_name(MPI_COMM_SELF, '  myself ', ierror)
  short = repeat('#', 20)
  call MPI_Comm_get_name(MPI_COMM_SELF, short, n, ierror)
  call check(short == 'myself' .and. n == 6, 25)
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'colour ', 'blue', ierror)
  call MPI_Info_get(info, 'colour', len(short), short, flag, ierror)
  call check(flag .and. short == 'blue', 26)
  n = len(short)
  call MPI_Info_get_string(info, 'colour', n, short, flag, ierror)
  call check(flag .and. short == 'blue' .and. n == 4, 27)
  call MPI_Info_get(info, 'size', len(short), short, flag, ierror)
  call check(.not. flag .and. short == 'blue', 28)
  call MPI_Info_free(info, ierror)

  ! Errors, attributes.
  call MPI_Comm_create_errhandler(handle, handler, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierror)
  call MPI_Send(x, 1, MPI_INTEGER, 5, 0, MPI_COMM_SELF, ierror)
  call check(ierror == MPI_ERR_RANK .and. handled == 1, 29)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
  call check(flag .and. value >= 32767, 30)
  call MPI_Comm_create_keyval(copy, delete, key, int(7, MPI_ADDRESS_KIND), ierror)
  value = -2
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Comm_get_attr(comm, key, value, flag, ierror)
  call check(flag .and. value == 5 .and. copied == 1, 31)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierror)
  call MPI_Comm_free(comm, ierror)
  call check(comm == MPI_COMM_NULL .and. deleted == 2, 32)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, value, ierror)
  value = 11
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  value = 0
  call MPI_Comm_get_attr(comm, key, value, flag, ierror)
  call check(flag .and. value == 11, 33)
  call MPI_Comm_free(comm, ierror)

  ! Grids, parts, windows.
  dims = 0
  periods = (/ .true., .false. /)
  call MPI_Dims_create(size, 2, dims, ierror)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., comm, ierror)
  periods = .false.
  call MPI_Cart_get(comm, 2, dims, periods, coords, ierror)
  call check(periods(1) .and. .not. periods(2) .and. dims(1) * dims(2) == size, 34)
  call MPI_Comm_free(comm, ierror)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_size(half, n, ierror)
  call check(n == (size + 1 - mod(rank, 2)) / 2, 35)
  call MPI_Comm_free(half, ierror)
  x = -1
  call MPI_Win_create(x, int(4, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
  call check(flag .and. value == 4, 36)
  call MPI_Win_fence(0, win, ierror)
  call MPI_Put(rank, 1, MPI_INTEGER, right, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  call check(x == left, 37)
  call MPI_Win_free(win, ierror)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierror)
  call check(.not. flag, 38)
  call check(MPI_Wtime() >= began .and. MPI_Aint_add(places(1), 8_MPI_ADDRESS_KIND) - places(1) == 8, 39)
  if (rank == 0) print *, size, 'ranks'
  call MPI_Finalize(ierror)
end program
