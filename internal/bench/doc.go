// Package bench says what `weft bench` measures and what its numbers mean.
//
// It owns the table of tests, the message sizes and loop counts, the statistics, the text, JSON, CSV and
// Markdown forms of a result, the comparison of several MPI implementations in interleaved rounds, the studies that
// put several settings of Weft side by side, and the bars that all of them are held against.
//
// It promises that every implementation of one comparison gets the same steps (size, iterations, warm-up,
// batches), that a ratio is only ever formed between two runs of the same round, and that the text of a plain
// run is column for column what the OSU micro-benchmarks 7.0 print.
//
// It must not know how a message is sent: the loops on Weft live in bench/rank, the loops on other MPI libraries
// in bench/peers, and both reach this package only as rows of numbers.
package bench
