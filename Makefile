# What one does with a checkout. `make` alone lists the targets. Only Go, git and make are needed to begin with.

GO           ?= go
MODULE       := github.com/weft-mpi/weft
STATICCHECK  := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME     ?= 30s
SOAK         ?= 20
REPEAT       ?= 1
CASES        ?=
SHIPPED      ?=
PROVOKE      ?=
BENCH        ?= suite --peer openmpi,mpich --save bench-suite
OLD          ?= HEAD
AGAINST      ?= suite --quick
GOFMT        := $(shell $(GO) env GOROOT)/bin/gofmt

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help test test-deps format vet lint lint-tests cross unit race matrix fuzz soak interop rdma slurm bench bench-against bench-deps site pictures sweep install install-c clients man

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Test programs are built from a checkout that git may not want to describe (another owner, no history). Without the paths
# of the checkout in them what one checkout has compiled serves the next.
test: export GOFLAGS += -buildvcs=false -trimpath
test: TIMES := $(or $(TMPDIR),/tmp)/weft-test-times.$(shell echo $$PPID)
test: test-deps format vet lint cross unit race ## install what the tests need and run all checks, and tell the slowest tests
	@$(GO) run ./tools/tests -slowest 20 $(TIMES) && rm $(TIMES)
	@echo "make test: everything passed"

test-deps: bench-deps ## install what the tests need: a C compiler for the race detector, the libraries to compare with, tshark, a cluster's parts, a browser, shells, groff, gfortran, the headers of libibverbs, and munge
	@tools/install.sh tshark:tshark iproute2:tc nftables:nft ethtool:ethtool openssh-server:sshd openssh-client:ssh chromium:chromium groff-base:groff zsh:zsh fish:fish libibverbs-dev:/usr/include/infiniband/verbs.h gfortran:gfortran munge:munged

format: ## find files that gofmt would change
	@unformatted="$$($(GOFMT) -l .)"; test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }

vet: ## go vet, with and without the assembly kernels
	$(GO) vet ./...
	$(GO) vet -tags purego ./internal/datatype
	$(GO) vet -tags rdma ./internal/verbs/kernel/...

lint: ## staticcheck, at a fixed version, of everything but tests
	$(GO) run $(STATICCHECK) -tests=false ./...
	$(GO) run $(STATICCHECK) -tests=false -tags rdma ./internal/verbs/kernel/...

lint-tests: ## staticcheck of tests, too, which takes four times as long
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(STATICCHECK) -tags rdma ./internal/verbs/kernel/...

cross: ## build the library and the tool for the other processor, without a C compiler
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build ./internal/... ./mpi
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) vet ./internal/clock ./internal/datatype ./internal/shm
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) vet -tags rdma ./internal/verbs/kernel/...
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/weft

# Packages without goroutines, which imports_test.go keeps from having any: pure ones, and those that know virtual time alone, where
# one runs at a time.
VIRTUAL := tuner verbs/sim
PURE := coll council datatype engine iwarp iwarp/crypt iwarp/rd iwarp/seal iwarp/ud match model plan rail/flow rail/stripe rail/tree spell topo wire
ALONE = $(PURE:%=internal/%) $(VIRTUAL:%=internal/%)
# Those that take minutes come first, so that the others fill the gaps.
LONG := lab/experiments internal/simtest mpi internal/verbs/soft docs cmd/libmpi
others = $$(printf '$(MODULE)/%s\n' $(LONG); $(GO) list ./... | grep -vxF "$$(printf '$(MODULE)/%s\n' $(ALONE) $(LONG) cmd/weft)")
# Tests of the tool that wait for hosts in a box and for what is to go wrong: they run beside its others.
# With two other packages that makes four at a time here, too: more would starve hosts that count as lost after seconds.
WAITING := ^Test(Net|Soak|Fault)

# Tests go without the part of vet that would come with them: the target vet does all of it, tests included. Packages without
# goroutines start no programs either, but in tests that build them, so go's cache of results serves them; others are always run:
# many start programs that they build, of which the cache does not know. TIMES is where each run notes how long its tests took.
TIMES ?= /dev/null
# Four packages at a time: many wait more than they compute.
TEST = $(GO) run ./tools/tests -times $(TIMES) -vet=off -timeout 15m -p 4
unit: ## all tests: units, scenarios, fuzz seeds, real processes, hosts in a box, documentation; the library also over the network and over RDMA devices
	GOGC=400 $(TEST) $(ALONE:%=./%)
	$(TEST) -count=1 -run '$(WAITING)' ./cmd/weft & one=$$!; $(TEST) -count=1 -skip '$(WAITING)' ./cmd/weft & two=$$!; \
	$(TEST) -p 2 -count=1 $(others); code=$$?; wait $$one || code=1; wait $$two || code=1; exit $$code
	WEFT_LINKS=rail WEFT_DEVICE=fake0 $(TEST) -count=1 -short -run '^Test(Windows|EveryAlgorithm|SendModes|Order|Context.*|Truncation)$$' ./mpi
	WEFT_LINKS=rail WEFT_DEVICE=fake0+fake1 $(TEST) -count=1 -short -run '^Test(Windows|SendModes)$$' ./mpi
	export WEFT_LINKS=rail; $(TEST) -count=1 -short -skip 'Virtual|ExampleSimulate' ./mpi & other=$$!; \
	WEFT_CHANNEL=hybrid WEFT_RNDV=speculative $(TEST) -count=1 -short -skip 'Virtual|ExampleSimulate' ./mpi; code=$$?; wait $$other && exit $$code
	$(TEST) -tags purego ./internal/datatype
	CGO_ENABLED=0 $(TEST) -count=1 -tags rdma ./internal/verbs/kernel/ffi
	CGO_ENABLED=0 $(TEST) -count=1 -tags rdma -run '^TestProvider$$' ./internal/verbs/kernel

# Packages whose code or tests start goroutines, or whose state several of them share. Not those of virtual time, where one runs at a
# time, nor those that start programs, which are built without the detector: there it would find nothing. Of the tool, tests of the few
# commands that have goroutines themselves. Without GORACE every process would sleep for a second at its end, and tests start hundreds.
RACY := abi arrival bench/rank boot calls clock cluster comm doctor inproc launch launch/desk launch/metrics meet munge pages pmi progress rail shm soak socket stall userfile \
	verbs verbs/kernel verbs/perf verbs/soft verbs/soft/witness verbs/team verbs/verbstest window
# Tests of the library whose ranks share no memory, or have one thread, so that they cannot race.
APART := Virtual|ExampleSimulate|Processes
RACE = GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 $(TEST) -count=1 -race -short
race: ## all tests of packages with goroutines under the race detector, without the long ones, virtual time, and whole jobs
	$(RACE) -skip '$(APART)' ./mpi & library=$$!; $(RACE) -p 3 $(RACY:%=./internal/%); code=$$?; wait $$library && exit $$code
	$(RACE) -run '^Test(BenchAs|Studies|Verbs|RegretIs|ClusterRun|Interrupt|Signals)' ./cmd/weft
	$(RACE) -tags rdma ./internal/verbs/kernel/ffi

matrix: lint-tests ## the full matrices, of which make test runs parts: every algorithm everywhere, thousands of seeds, every layout; takes hours
	WEFT_SOAK=1 $(GO) test -vet=off -count=1 -timeout 12h ./...

fuzz: ## run every fuzz target for FUZZTIME (default 30s)
	tools/fuzz.sh $(FUZZTIME)

soak: ## run the tests of the library SOAK times (default 20) under the race detector, those of the tool once, then an hour of traffic on a bad network
	CGO_ENABLED=1 $(GO) test -race -count=$(SOAK) -timeout 6h ./internal/... ./mpi ./examples/...
	WEFT_SOAK=1 CGO_ENABLED=1 $(GO) test -race -timeout 6h ./cmd/weft
	$(GO) run ./cmd/weft soak --box --time 1h

interop: ## talk to the Linux kernel's software iWARP in a virtual machine; takes minutes. CASES=Send.from.siw REPEAT=100 looks for something rare
	CASES='$(CASES)' REPEAT='$(REPEAT)' SHIPPED='$(SHIPPED)' PROVOKE='$(PROVOKE)' tools/interop/run.sh

rdma: ## run the device for RDMA hardware and jobs on the kernel's software RoCE and iWARP in a virtual machine, and compare with Open MPI; takes half an hour. PARTS="suite jobs tests breaks compare" DEVICES="rxe0 siw0" SEEDS="1 2 3" RACE=1 SOAK=2m
	PARTS='$(PARTS)' DEVICES='$(DEVICES)' SEEDS='$(SEEDS)' RACE='$(RACE)' SOAK='$(SOAK)' ROUNDS='$(ROUNDS)' tools/interop/rdma.sh

slurm: ## have a real Slurm of several hosts in a box start programs, in all its ways; takes minutes
	@tools/install.sh slurm-wlm:slurmctld munge:munged iproute2:tc nftables:nft ethtool:ethtool openssh-server:sshd openssh-client:ssh
	$(GO) test -buildvcs=false -count=1 -timeout 15m ./internal/sched/real -real

pictures: ## draw the pictures of the pages again
	$(GO) test ./docs -count=1 -run Pictures -rewrite

sweep: ## find out which assumed and fitted values the lab's bars lean on, for the report; takes ten minutes on two idle processors
	$(GO) run ./cmd/weft lab sweep --json > lab/sweep.json.new
	mv lab/sweep.json.new lab/sweep.json

bench-deps: ## install Open MPI and MPICH to compare with
	@tools/install.sh gcc:gcc libc6-dev:/usr/include/stdlib.h openmpi-bin:mpirun.openmpi libopenmpi-dev:mpicc.openmpi mpich:mpiexec.mpich libmpich-dev:mpicc.mpich

bench: ## compare with the other libraries, which takes minutes; BENCH="latency" measures one test alone
	$(GO) run ./cmd/weft bench $(BENCH)

bench-against: ## compare this checkout with the commit OLD (default HEAD), which takes minutes; AGAINST="latency --limit 1.02" measures one test alone
	@tools/against.sh "$(OLD)" $(AGAINST)

site: ## write the pages as a web site to bin/site
	@$(GO) run ./tools/site -o bin/site

install: ## install the weft command
	$(GO) install ./cmd/weft
	@echo "weft is in $$($(GO) list -f '{{.Target}}' ./cmd/weft)"

PREFIX ?= $(CURDIR)/bin/mpi
install-c: ## install the C library, mpicc, mpicxx, mpifort and mpiexec below PREFIX (default bin/mpi)
	@GO='$(GO)' cmd/libmpi/install.sh '$(PREFIX)'
	@echo "the C library is in $(PREFIX)/lib, and $(PREFIX)/bin has mpicc, mpicxx, mpifort and mpiexec"

CLIENTS ?=
clients: install-c bench-deps ## run programs of others, as Debian ships them, on Weft and on the libraries they were compiled for; CLIENTS="-only hpcc" runs some
	@tools/install.sh hpcc:hpcc netpipe-openmpi:NPopenmpi netpipe-mpich2:NPmpich2 python3-mpi4py:/usr/lib/python3/dist-packages/mpi4py python3-numpy:/usr/lib/python3/dist-packages/numpy scalapack-mpi-test:/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests
	@$(GO) run ./tools/clients -prefix '$(PREFIX)' $(CLIENTS)

man: ## write the manual pages into man
	$(GO) run ./cmd/weft man man
