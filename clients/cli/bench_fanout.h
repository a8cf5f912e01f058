/* What it costs a daemon to send to many. */
#ifndef JC_CLI_BENCH_FANOUT_H
#define JC_CLI_BENCH_FANOUT_H

/* argv[0] is the benchmark's name. Returns enum jc_exit. */
int jc_bench_fanout(int argc, char **argv);

#endif
