// Package sched reads what schedulers tell the processes that they start: which rank of how many a process is and where
// it meets the others (Step), or which hosts it has been given to start ranks on (Allocation).
//
// It owns the meaning of the variables and files of Slurm, PBS, LSF and Kubernetes. All of it is checked: what does not
// make sense is an error that says what, never a guess. It starts nothing, connects to nobody and knows no secrets.
package sched
