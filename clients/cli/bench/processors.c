/* Selects processors with sched_setaffinity, for each thread of a process. */
#include "bench/processors.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

void jc_processors_find(struct jc_processors *out_processors)
{
	struct jc_processors found = { .first = -1, .last = -1 };
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
		for (int i = 0; i < CPU_SETSIZE; i++) {
			if (CPU_ISSET((size_t)i, &allowed)) {
				found.first = found.first < 0 ? i : found.first;
				found.last = i;
			}
		}
	}
	*out_processors = found;
}

void jc_processors_keep(pid_t process, int processor)
{
	char path[64];
	cpu_set_t one;

	if (processor < 0) {
		return;
	}
	CPU_ZERO(&one);
	CPU_SET((size_t)processor, &one);
	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	DIR *tasks = opendir(path);

	for (struct dirent *task; tasks && (task = readdir(tasks));) {
		int thread = atoi(task->d_name);

		if (thread > 0) {
			sched_setaffinity(thread, sizeof(one), &one);
		}
	}
	if (tasks) {
		closedir(tasks);
	}
}
