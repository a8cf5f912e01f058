/* libwebsockets sizes its tables by the limit of open files: a higher one is lowered too. */
#include "app/descriptors.h"

#include <sys/resource.h>

void jc_descriptors_limit(const struct jc_log *log, unsigned connections)
{
	rlim_t wanted = (rlim_t)connections + 256;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return;
	}
	if (limit.rlim_max < wanted) {
		jc_log_write(log, JC_LOG_WARNING,
			"%u connections are allowed, but only %llu open files: raise LimitNOFILE "
			"or "
			"ulimit -n to %llu",
			connections, (unsigned long long)limit.rlim_max,
			(unsigned long long)wanted);
	}
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}
