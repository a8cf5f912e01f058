/* The processors of a benchmark: its servers run on the first one, its clients on the last. */
#ifndef JC_CLI_PROCESSORS_H
#define JC_CLI_PROCESSORS_H

#include <sys/types.h>

struct jc_processors {
	int first, last; /* that this process may use; -1: any */
};

/* Finds both; call it before this process is kept on one. */
void jc_processors_find(struct jc_processors *out_processors);

/* Keeps all threads of a process on a processor; -1: changes nothing. Processes that it starts
 * later stay there too. */
void jc_processors_keep(pid_t process, int processor);

#endif
