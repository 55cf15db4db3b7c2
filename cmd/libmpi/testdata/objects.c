/* Communicators, groups, attributes, error handlers, info, types with holes, packing, topologies, sessions. */
#include <stddef.h>
#include <string.h>

#include "check.h"

static int copies, deletes, errors;

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
  (void)c, (void)key, (void)extra;
  copies++;
  *(void **)out = (char *)in + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm c, int key, void *value, void *extra) {
  (void)c, (void)key, (void)value, (void)extra;
  deletes++;
  return MPI_SUCCESS;
}

static void handle(MPI_Comm *c, int *code, ...) {
  int class;
  CHECK(*c == MPI_COMM_SELF);
  MPI_Error_class(*code, &class);
  CHECK(class == MPI_ERR_RANK);
  errors++;
}

struct mixed {
  char c;
  double d;
  short s[3];
};

static void attributes(void) {
  int key, flag, *tag_ub;
  char base[4], *value;
  MPI_Comm dup;
  OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag));
  CHECK(flag && *tag_ub >= 32767);
  OK(MPI_Comm_create_keyval(copy, drop, &key, NULL));
  OK(MPI_Comm_set_attr(MPI_COMM_WORLD, key, base));
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  OK(MPI_Comm_get_attr(dup, key, &value, &flag));
  CHECK(flag && value == base + 1 && copies == 1);
  OK(MPI_Comm_free(&dup));
  CHECK(dup == MPI_COMM_NULL && deletes == 1);
  OK(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
  CHECK(deletes == 2);
  OK(MPI_Comm_free_keyval(&key));
  CHECK(key == MPI_KEYVAL_INVALID);
}

static void error_handlers(void) {
  MPI_Errhandler h;
  int x = 0, length;
  char text[MPI_MAX_ERROR_STRING];
  OK(MPI_Comm_create_errhandler(handle, &h));
  OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, h));
  CHECK(MPI_Send(&x, 1, MPI_INT, 5, 0, MPI_COMM_SELF) == MPI_ERR_RANK && errors == 1);
  OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  CHECK(MPI_Send(&x, 1, MPI_INT, 0, -5, MPI_COMM_SELF) == MPI_ERR_TAG);
  CHECK(MPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_SELF) == MPI_ERR_COUNT);
  CHECK(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF) == MPI_ERR_TYPE);
  CHECK(MPI_File_open(MPI_COMM_SELF, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, (MPI_File *)&h) == MPI_ERR_UNSUPPORTED_OPERATION);
  OK(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length));
  CHECK((int)strlen(text) == length && length > 0);
  OK(MPI_Errhandler_free(&h));
}

static void types(int rank, int size) {
  struct mixed out[3], in[3];
  MPI_Datatype t, s;
  MPI_Aint lb, extent, displs[3] = {offsetof(struct mixed, c), offsetof(struct mixed, d), offsetof(struct mixed, s)};
  MPI_Datatype kinds[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
  int lengths[3] = {1, 1, 3}, bytes, i, at = 0, n;
  char packed[200];
  MPI_Status st;
  OK(MPI_Type_create_struct(3, lengths, displs, kinds, &s));
  OK(MPI_Type_create_resized(s, 0, sizeof(struct mixed), &t));
  OK(MPI_Type_commit(&t));
  OK(MPI_Type_size(t, &bytes));
  OK(MPI_Type_get_extent(t, &lb, &extent));
  CHECK(bytes == 15 && lb == 0 && extent == sizeof(struct mixed));
  memset(in, 7, sizeof in);
  for (i = 0; i < 3; i++) {
    out[i].c = (char)(rank + i);
    out[i].d = rank + 0.5 * i;
    out[i].s[0] = out[i].s[1] = out[i].s[2] = (short)(10 * rank + i);
  }
  OK(MPI_Sendrecv(out, 3, t, (rank + 1) % size, 1, in, 3, t, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &st));
  OK(MPI_Get_count(&st, t, &n));
  CHECK(n == 3);
  OK(MPI_Get_elements(&st, t, &n));
  CHECK(n == 15);
  rank = (rank + size - 1) % size;
  for (i = 0; i < 3; i++) CHECK(in[i].c == (char)(rank + i) && in[i].d == rank + 0.5 * i && in[i].s[2] == 10 * rank + i);
  OK(MPI_Pack(in, 3, t, packed, sizeof packed, &at, MPI_COMM_WORLD));
  CHECK(at == 45);
  memset(out, 0, sizeof out);
  at = 0;
  OK(MPI_Unpack(packed, 45, &at, out, 3, t, MPI_COMM_WORLD));
  CHECK(at == 45 && out[2].d == in[2].d && out[1].s[1] == in[1].s[1]);
  OK(MPI_Type_free(&s));
  OK(MPI_Type_free(&t));
}

static void grids(int size) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, from, to, me, coords[2], at;
  MPI_Comm cart, row;
  OK(MPI_Dims_create(size, 2, dims));
  CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
  OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
  OK(MPI_Comm_rank(cart, &me));
  OK(MPI_Cart_coords(cart, me, 2, coords));
  OK(MPI_Cart_rank(cart, coords, &at));
  CHECK(at == me);
  OK(MPI_Cart_shift(cart, 1, 1, &from, &to));
  CHECK((to == MPI_PROC_NULL) == (coords[1] == dims[1] - 1));
  int keep[2] = {0, 1};
  OK(MPI_Cart_sub(cart, keep, &row));
  OK(MPI_Comm_size(row, &at));
  CHECK(at == dims[1]);
  OK(MPI_Topo_test(cart, &at));
  CHECK(at == MPI_CART);
  OK(MPI_Comm_free(&row));
  OK(MPI_Comm_free(&cart));
}

static void infos(void) {
  MPI_Info info;
  char value[64], key[MPI_MAX_INFO_KEY];
  int flag, n = sizeof value;
  OK(MPI_Info_create(&info));
  OK(MPI_Info_set(info, "colour", "blue"));
  OK(MPI_Info_get_string(info, "colour", &n, value, &flag));
  CHECK(flag && n == 5 && !strcmp(value, "blue"));
  OK(MPI_Info_get_nthkey(info, 0, key));
  CHECK(!strcmp(key, "colour"));
  OK(MPI_Info_delete(info, "colour"));
  OK(MPI_Info_get_nkeys(info, &n));
  CHECK(n == 0);
  OK(MPI_Info_free(&info));
}

static void splits(int rank, int size) {
  MPI_Comm half, none;
  MPI_Group world, part;
  int x, sum, ranges[1][3] = {{0, size - 1, 2}};
  OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half));
  OK(MPI_Comm_size(half, &x));
  CHECK(x == (size + 1 - rank % 2) / 2);
  x = rank;
  OK(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, half));
  OK(MPI_Comm_free(&half));
  OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  OK(MPI_Group_range_incl(world, 1, ranges, &part));
  OK(MPI_Group_size(part, &x));
  CHECK(x == (size + 1) / 2);
  OK(MPI_Comm_create(MPI_COMM_WORLD, part, &none));
  CHECK((none == MPI_COMM_NULL) == (rank % 2 == 1));
  if (none != MPI_COMM_NULL) OK(MPI_Comm_free(&none));
  OK(MPI_Group_free(&part));
  OK(MPI_Group_free(&world));
  OK(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none));
  CHECK(none == MPI_COMM_NULL);
}

int main(int argc, char **argv) {
  int rank, size, level, flag;
  MPI_Session session;
  OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  CHECK(level == MPI_THREAD_MULTIPLE);
  OK(MPI_Is_thread_main(&flag));
  CHECK(flag);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  attributes();
  error_handlers();
  types(rank, size);
  grids(size);
  infos();
  splits(rank, size);
  OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &flag));
  CHECK(flag == 2);
  OK(MPI_Session_finalize(&session));
  CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) == 0x101 && MPI_Comm_f2c(0x101) == MPI_COMM_WORLD);
  OK(MPI_Finalize());
  return 0;
}
