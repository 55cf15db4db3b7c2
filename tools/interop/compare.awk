# Makes a page of rows "way bytes microseconds" that were measured in turn: medians and quartiles, and medians of the ratios to
# Open MPI of the same round.
function sorted(list, n, out,   i, j, t) {
	for (i = 1; i <= n; i++) out[i] = list[i]
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && out[j - 1] > out[j]; j--) { t = out[j]; out[j] = out[j - 1]; out[j - 1] = t }
}
function at(list, n, q) { return list[1 + int((n - 1) * q + 0.5)] }
NF == 3 && $3 > 0 {
	key = $1 " " $2
	if (!(key in count)) { order[++ways] = key }
	value[key, ++count[key]] = $3
}
END {
	print "# RDMA devices of the kernel's software\n"
	print "Half the time of a round trip between two ranks, in a guest of an emulated machine: what matters is the ratio. `openmpi` is Open MPI with UCX on rxe,"
	print "`perftest` is `ib_send_lat` there, which has no matching. `weft-rxe`, `weft-siw` and `weft-soft` are ranks of Weft on these devices, of which only"
	print "rxe is the same network as theirs; with `weft-rxe-library` its queues are left to libibverbs.\n"
	print "| fact | value |\n|---|---|"
	print "| command | `make rdma PARTS=compare` |"
	printf "| date | %s |\n", date
	printf "| machine | QEMU without KVM on a virtual machine with 2 CPUs, Linux %s in the guest |\n", version
	printf "| rounds | %d, all ways in turn |\n\n", rounds
	print "| way | bytes | median, µs | quartiles | to Open MPI, median of ratios | quartiles |\n|---|---|---|---|---|---|"
	for (w = 1; w <= ways; w++) {
		key = order[w]; split(key, part, " ")
		n = count[key]; base = "openmpi " part[2]; m = n < count[base] ? n : count[base]
		for (i = 1; i <= n; i++) v[i] = value[key, i]
		for (i = 1; i <= m; i++) r[i] = value[key, i] / value[base, i]
		sorted(v, n, a); sorted(r, m, b)
		printf "| `%s` | %d | %.1f | %.1f to %.1f | %.2f | %.2f to %.2f |\n", part[1], part[2], at(a, n, .5), at(a, n, .25), at(a, n, .75), at(b, m, .5), at(b, m, .25), at(b, m, .75)
	}
}
