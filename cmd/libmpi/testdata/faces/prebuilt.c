/* What differs between libraries: handles, constants, statuses, callbacks. Compiled by the mpicc of another library, and run on Weft. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                          \
  do {                                                                       \
    if (!(what)) {                                                           \
      fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, me, #what); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                          \
    }                                                                        \
  } while (0)

static int me, all, calls;
enum { MANY = 100 };

static void messages(void) {
  int next = (me + 1) % all, before = (me + all - 1) % all, got = -1, n, flag, index, cancelled;
  MPI_Status s, every[MANY];
  MPI_Request r, some[MANY];
  MPI_Message m;
  int in[MANY], out[MANY];
  s.MPI_ERROR = 77;
  MPI_Sendrecv(&me, 1, MPI_INT, next, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
  CHECK(got == before && s.MPI_SOURCE == before && s.MPI_TAG == 5 && s.MPI_ERROR == 77);
  MPI_Get_count(&s, MPI_INT, &n);
  CHECK(n == 1);
  MPI_Get_elements(&s, MPI_SHORT, &n);
  CHECK(n == 2);
  MPI_Get_count(&s, MPI_DOUBLE, &n);
  CHECK(n == MPI_UNDEFINED);
  MPI_Test_cancelled(&s, &cancelled);
  CHECK(!cancelled);

  MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
  CHECK(s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG);
  MPI_Send(&got, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  r = MPI_REQUEST_NULL;
  MPI_Wait(&r, &s);
  CHECK(s.MPI_SOURCE == MPI_ANY_SOURCE && s.MPI_TAG == MPI_ANY_TAG && r == MPI_REQUEST_NULL);

  for (int i = 0; i < MANY / 2; i++) { /* more than fits the stack's arrays */
    out[i] = 1000 * me + i;
    MPI_Irecv(&in[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &some[2 * i]);
    MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &some[2 * i + 1]);
  }
  MPI_Waitall(MANY, some, every);
  for (int i = 0; i < MANY / 2; i++) {
    CHECK(in[i] == 1000 * before + i && every[2 * i].MPI_TAG == i && every[2 * i].MPI_SOURCE == before);
    CHECK(some[2 * i] == MPI_REQUEST_NULL && some[2 * i + 1] == MPI_REQUEST_NULL);
  }
  MPI_Testany(MANY, some, &index, &flag, &s);
  CHECK(flag && index == MPI_UNDEFINED);

  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &cancelled);
  CHECK(cancelled);

  MPI_Isend(&me, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &r);
  MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &m, &s);
  CHECK(m != MPI_MESSAGE_NULL && s.MPI_SOURCE == before);
  MPI_Mrecv(&got, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
  CHECK(m == MPI_MESSAGE_NULL && got == before);
  MPI_Wait(&r, MPI_STATUS_IGNORE);

  MPI_Send_init(&me, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &some[0]);
  MPI_Recv_init(&got, 1, MPI_INT, before, 7, MPI_COMM_WORLD, &some[1]);
  for (int i = 0; i < 3; i++) {
    got = -1;
    MPI_Startall(2, some);
    MPI_Waitall(2, some, MPI_STATUSES_IGNORE);
    CHECK(got == before && some[1] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&some[0]);
  MPI_Request_free(&some[1]);
  CHECK(some[0] == MPI_REQUEST_NULL);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  CHECK(*type == MPI_LONG);
  calls++;
  for (int i = 0; i < *n; i++) ((long *)inout)[i] += ((long *)in)[i];
}

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type) {
  CHECK(*type == MPI_DOUBLE);
  for (int i = 0; i < *n; i++) ((double *)inout)[i] *= ((double *)in)[i];
}

static void collectives(void) {
  long v[3] = {me, 2 * me, 1}, sum[3] = {0};
  int *counts = calloc(4 * (size_t)all, sizeof *counts), *displs = counts + all, *in = counts + 2 * all, *out = counts + 3 * all;
  MPI_Datatype *types = malloc((size_t)all * sizeof *types);
  struct { double value; int where; } pair = {me == all / 2 ? 1e9 : me, me}, best;
  MPI_Op adds, multiplies;
  MPI_Request r;
  double d = 2, power = 1;
  int commutes = 0;
  MPI_Op_create(add, 1, &adds);
  MPI_Op_create(multiply, 0, &multiplies);
  MPI_Allreduce(v, sum, 3, MPI_LONG, adds, MPI_COMM_WORLD);
  CHECK(sum[0] == (long)all * (all - 1) / 2 && sum[2] == all && (all == 1 || calls > 0));
  MPI_Allreduce(&d, &power, 1, MPI_DOUBLE, multiplies, MPI_COMM_WORLD);
  CHECK(power == (double)(1 << all));
  MPI_Iallreduce(v, sum, 3, MPI_LONG, adds, MPI_COMM_WORLD, &r);
  MPI_Op_commutative(adds, &commutes);
  CHECK(commutes);
  MPI_Op_free(&adds);
  MPI_Op_free(&multiplies);
  CHECK(adds == MPI_OP_NULL);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  CHECK(sum[1] == (long)all * (all - 1));
  MPI_Allreduce(MPI_IN_PLACE, v, 3, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  CHECK(v[0] == all - 1);
  MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK(best.value == (all == 1 ? pair.value : 1e9) && best.where == all / 2);
  for (int i = 0; i < all; i++) {
    counts[i] = 1, displs[i] = 4 * i, types[i] = i % 2 ? MPI_INT : MPI_FLOAT, out[i] = 100 * me + i;
  }
  for (int i = 0; i < all; i++) types[i] = MPI_INT;
  MPI_Alltoallw(out, counts, displs, types, in, counts, displs, types, MPI_COMM_WORLD);
  for (int i = 0; i < all; i++) CHECK(in[i] == 100 * i + me);
  free(types);
  free(counts);
}

static void datatypes(void) {
  MPI_Datatype t, old, types[2] = {MPI_INT, MPI_DOUBLE}, back[2];
  int lengths[2] = {1, 1}, sizes[2] = {4, 6}, part[2] = {2, 3}, starts[2] = {1, 1}, n, a, d, combiner, ints[8], size;
  MPI_Aint places[2] = {0, 8}, at[2], lb, extent;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Type_create_struct(2, lengths, places, types, &t);
  MPI_Type_commit(&t);
  MPI_Type_get_envelope(t, &n, &a, &d, &combiner);
  CHECK(n == 3 && a == 2 && d == 2 && combiner == MPI_COMBINER_STRUCT);
  MPI_Type_get_contents(t, n, a, d, ints, at, back);
  CHECK(ints[0] == 2 && at[1] == 8 && back[0] == MPI_INT && back[1] == MPI_DOUBLE);
  MPI_Type_get_envelope(MPI_INT, &n, &a, &d, &combiner);
  CHECK(combiner == MPI_COMBINER_NAMED);
  MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, t, &old);
  MPI_Type_get_envelope(old, &n, &a, &d, &combiner);
  CHECK(n == 8 && combiner == MPI_COMBINER_SUBARRAY);
  MPI_Type_get_contents(old, n, a, d, ints, at, back);
  CHECK(ints[0] == 2 && ints[7] == MPI_ORDER_FORTRAN && back[0] != MPI_DATATYPE_NULL);
  MPI_Type_size(back[0], &size);
  CHECK(size == 12);
  MPI_Type_set_name(t, "a pair");
  MPI_Type_get_name(t, name, &n);
  CHECK(!strcmp(name, "a pair") && n == 6);
  MPI_Type_get_name(MPI_DOUBLE, name, &n);
  CHECK(!strcmp(name, "MPI_DOUBLE"));
  MPI_Type_free(&old);
  MPI_Type_free(&t);
  CHECK(t == MPI_DATATYPE_NULL);
  MPI_Type_get_extent(MPI_LONG_DOUBLE_INT, &lb, &extent);
  CHECK(lb == 0 && extent == 32);
}

static int copies(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
  (void)key;
  CHECK(c == *(MPI_Comm *)extra);
  *(void **)out = (char *)in + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int deletes(MPI_Comm c, int key, void *value, void *extra) {
  (void)c, (void)key, (void)extra;
  calls += value != 0;
  return MPI_SUCCESS;
}

static MPI_Comm failed;
static int code;

static void notes(MPI_Comm *c, int *e, ...) {
  failed = *c;
  code = *e;
}

static void errors(void) {
  char text[MPI_MAX_ERROR_STRING];
  int class, n, own, v = 0;
  MPI_Errhandler h;
  MPI_Comm c;
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Comm_create_errhandler(notes, &h);
  MPI_Comm_set_errhandler(c, h);
  MPI_Errhandler_free(&h);
  CHECK(h == MPI_ERRHANDLER_NULL);
  n = MPI_Send(&v, 1, MPI_INT, all + 3, 0, c);
  MPI_Error_class(n, &class);
  CHECK(class == MPI_ERR_RANK && failed == c);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RANK);
  MPI_Error_string(code, text, &n);
  CHECK(n > 0 && n == (int)strlen(text));
  MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(c, &h);
  CHECK(h == MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Send(&v, -1, MPI_INT, 0, 0, c), &class);
  CHECK(class == MPI_ERR_COUNT);
  MPI_Error_class(MPI_Send(&v, 1, MPI_DATATYPE_NULL, 0, 0, c), &class);
  CHECK(class == MPI_ERR_TYPE);
  MPI_Error_class(MPI_Bcast(&v, 1, MPI_INT, -9, c), &class);
  CHECK(class == MPI_ERR_ROOT);
  MPI_Error_class(MPI_Reduce(&v, &n, 1, MPI_INT, MPI_OP_NULL, 0, c), &class);
  CHECK(class == MPI_ERR_OP);
  MPI_Add_error_class(&own);
  CHECK(own > MPI_ERR_LASTCODE);
  MPI_Add_error_string(own, "of mine");
  MPI_Error_string(own, text, &n);
  CHECK(!strcmp(text, "of mine"));
  MPI_Comm_free(&c);
}

static void attributes(void) {
  MPI_Comm from, to;
  int key, dup, flag, *limit, class;
  void *v;
  MPI_Comm_dup(MPI_COMM_WORLD, &from);
  MPI_Comm_create_keyval(copies, deletes, &key, &from);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup, 0);
  MPI_Comm_set_attr(from, key, (void *)40);
  MPI_Comm_set_attr(from, dup, (void *)7);
  MPI_Comm_dup(from, &to);
  MPI_Comm_get_attr(to, key, &v, &flag);
  CHECK(flag && v == (void *)41);
  MPI_Comm_get_attr(to, dup, &v, &flag);
  CHECK(flag && v == (void *)7);
  calls = 0;
  MPI_Comm_delete_attr(to, key);
  CHECK(calls == 1);
  MPI_Comm_free(&to);
  MPI_Comm_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm_free(&from);
  CHECK(calls == 2 && from == MPI_COMM_NULL);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &flag);
  CHECK(flag && *limit >= 32767);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &limit, &flag);
  CHECK(flag && *limit == MPI_ANY_SOURCE);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &limit, &flag);
  CHECK(flag && *limit >= MPI_ERR_LASTCODE);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Comm_set_attr(MPI_COMM_SELF, MPI_TAG_UB, 0), &class);
  CHECK(class != MPI_SUCCESS);
}

static void communicators(void) {
  MPI_Comm half, grid, graph, near;
  MPI_Group world, group;
  int result, kind, flag, dims[1] = {0}, periodic[1] = {0}, back, forth, ranks[2] = {0, MPI_PROC_NULL}, there[2], weighted, in, out;
  int neighbour = (me + 1) % all, before = (me + all - 1) % all, w[2];
  MPI_Comm_split(MPI_COMM_WORLD, me % 2 ? MPI_UNDEFINED : 1, -me, &half);
  CHECK((half == MPI_COMM_NULL) == (me % 2));
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result);
  CHECK(result == (all == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_excl(world, 1, ranks, &group);
  CHECK((group == MPI_GROUP_EMPTY) == (all == 1));
  MPI_Group_translate_ranks(world, 2, ranks, group, there);
  CHECK(there[0] == MPI_UNDEFINED && there[1] == MPI_PROC_NULL);
  if (group != MPI_GROUP_EMPTY) MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Dims_create(all, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periodic, 0, &grid);
  MPI_Topo_test(grid, &kind);
  CHECK(kind == MPI_CART);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  CHECK(kind == MPI_UNDEFINED);
  MPI_Cart_shift(grid, 0, 1, &back, &forth);
  CHECK(back == (me ? me - 1 : MPI_PROC_NULL) && forth == (me < all - 1 ? me + 1 : MPI_PROC_NULL));
  MPI_Comm_free(&grid);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &neighbour, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(in == 1 && out == 1 && !weighted);
  MPI_Dist_graph_neighbors(graph, 1, there, MPI_UNWEIGHTED, 1, w, MPI_UNWEIGHTED);
  CHECK(there[0] == before && w[0] == neighbour);
  MPI_Topo_test(graph, &kind);
  CHECK(kind == MPI_DIST_GRAPH);
  MPI_Comm_free(&graph);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  CHECK(near != MPI_COMM_NULL);
  MPI_Comm_free(&near);
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  CHECK(!flag);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Comm_get_parent(&half);
  CHECK(half == MPI_COMM_NULL);
}

static void windows(void) {
  int *base, *value, flag, got = -1, next = (me + 1) % all;
  MPI_Win w;
  MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &w);
  MPI_Win_get_attr(w, MPI_WIN_CREATE_FLAVOR, &value, &flag);
  CHECK(flag && *value == MPI_WIN_FLAVOR_ALLOCATE);
  MPI_Win_get_attr(w, MPI_WIN_MODEL, &value, &flag);
  CHECK(flag && (*value == MPI_WIN_UNIFIED || *value == MPI_WIN_SEPARATE));
  *base = 0;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, w);
  MPI_Put(&me, 1, MPI_INT, next, 0, 1, MPI_INT, w);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
  CHECK(*base == (me + all - 1) % all);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w);
  MPI_Get(&got, 1, MPI_INT, next, 0, 1, MPI_INT, w);
  MPI_Win_unlock(next, w);
  CHECK(got == me);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
  MPI_Accumulate(&me, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, w);
  MPI_Win_unlock(0, w);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(me || *base == all - 1 + all * (all - 1) / 2);
  MPI_Win_free(&w);
  CHECK(w == MPI_WIN_NULL);
}

static int asks(void *extra, MPI_Status *s) {
  MPI_Status_set_elements(s, MPI_INT, *(int *)extra);
  MPI_Status_set_cancelled(s, 0);
  s->MPI_SOURCE = MPI_PROC_NULL;
  s->MPI_TAG = 4;
  return MPI_SUCCESS;
}
static int frees(void *extra) { return *(int *)extra == 12 ? MPI_SUCCESS : MPI_ERR_OTHER; }
static int cancels(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void rest(void) {
  MPI_Request r;
  MPI_Status s;
  MPI_Info info;
  int twelve = 12, n, flag, level, version, sub;
  char key[MPI_MAX_INFO_KEY], text[MPI_MAX_LIBRARY_VERSION_STRING], host[MPI_MAX_PROCESSOR_NAME];
  MPI_Grequest_start(asks, frees, cancels, &twelve, &r);
  MPI_Grequest_complete(r);
  MPI_Wait(&r, &s);
  MPI_Get_count(&s, MPI_INT, &n);
  CHECK(n == 12 && s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == 4);
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "green");
  MPI_Info_get_nthkey(info, 0, key);
  CHECK(!strcmp(key, "colour"));
  MPI_Info_get(info, "colour", 3, text, &flag);
  CHECK(flag && !strcmp(text, "gre"));
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
  MPI_Query_thread(&level);
  CHECK(level == MPI_THREAD_MULTIPLE);
  MPI_Get_version(&version, &sub);
  CHECK(version == MPI_VERSION && sub == MPI_SUBVERSION);
  MPI_Get_library_version(text, &n);
  CHECK(strstr(text, "Weft") && n == (int)strlen(text));
  MPI_Get_processor_name(host, &n);
  CHECK(n > 0);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD && MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
  CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM && MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  CHECK(MPI_Wtime() > 0);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  CHECK(level == MPI_THREAD_MULTIPLE);
  if (argc > 1) { /* an error that ends the job */
    MPI_Send(&me, 1, MPI_INT, all, 0, MPI_COMM_WORLD);
  }
  messages();
  collectives();
  datatypes();
  errors();
  attributes();
  communicators();
  windows();
  rest();
  MPI_Finalize();
  return 0;
}
