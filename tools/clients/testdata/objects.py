"""What Python programs do with MPI: objects, arrays, functions of their own as reductions and attributes, windows."""
from mpi4py import MPI
import numpy as np

world = MPI.COMM_WORLD
me, all = world.rank, world.size
after, before = (me + 1) % all, (me - 1) % all

got = world.allgather({"rank": me, "list": [1] * me})
assert [g["rank"] for g in got] == list(range(all))
assert world.sendrecv("from %d" % me, after, source=before) == "from %d" % before
waiting = [world.irecv(source=i, tag=9) for i in range(all)]
sending = [world.isend((me, i), i, 9) for i in range(all)]
assert MPI.Request.waitall(waiting) == [(i, me) for i in range(all)]
MPI.Request.waitall(sending)
assert world.bcast(["a", 1] if me == 0 else None) == ["a", 1]
assert world.allreduce({me}, op=lambda a, b: a | b) == set(range(all))
print("passed: objects")

a, b = np.full(1000, me, "d"), np.empty(1000, "d")
world.Allreduce(a, b)
assert (b == all * (all - 1) / 2).all()
status = MPI.Status()
world.Sendrecv([a, MPI.DOUBLE], after, 5, [b, MPI.DOUBLE], before, MPI.ANY_TAG, status)
assert (b == before).all() and status.source == before and status.tag == 5 and status.Get_count(MPI.DOUBLE) == 1000
table, column = np.arange(64, dtype="i").reshape(8, 8), MPI.INT.Create_vector(8, 1, 8).Commit()
world.Bcast([table, 1, column], 0)
column.Free()
big = np.full(1 << 20, me, "i")
every = np.empty((all, 1 << 20), "i")
world.Allgather(big, every)
assert (every == np.arange(all)[:, None]).all()
print("passed: arrays")


def adds(x, y, datatype):
    assert datatype == MPI.DOUBLE
    np.frombuffer(y, "d")[:] += np.frombuffer(x, "d")


op = MPI.Op.Create(adds, commute=True)
world.Allreduce(a, b, op)
op.Free()
assert (b == all * (all - 1) / 2).all()
key = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value + 1)
world.Set_attr(key, 7)
copy = world.Dup()
assert copy.Get_attr(key) == 8
copy.Free()
try:
    world.Send(a, all + 5)
    raise SystemExit("a message to nobody is sent")
except MPI.Exception as e:
    assert e.Get_error_class() == MPI.ERR_RANK
print("passed: callbacks")

window = MPI.Win.Allocate(80, 8, comm=world)
memory = np.frombuffer(window, "d")
window.Fence()
window.Put(np.full(1, me, "d"), after)
window.Fence()
assert memory[0] == before and window.flavor == MPI.WIN_FLAVOR_ALLOCATE
del memory
window.Free()
print("passed: windows")
