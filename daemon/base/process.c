/* Reads /proc/self. A service without the rest of /proc (ProcSubset=pid) still has it; the start
 * therefore follows from clocks, not from /proc/stat. */
#include "base/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jointcast/error.h"

int jc_process_parse(const char *stat, long page_bytes, long ticks, struct jc_process_use *out_use)
{
	/* The name of the program may hold blanks and brackets; no later field does. */
	const char *fields = strrchr(stat, ')');
	uint64_t user, system, start, size;
	int64_t pages;

	if (!fields || page_bytes <= 0 || ticks <= 0 ||
		sscanf(fields,
			") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
			" %*d %*d %*d %*d %*d %*d %" SCNu64 " %" SCNu64 " %" SCNd64,
			&user, &system, &start, &size, &pages) != 5 ||
		pages < 0) {
		return JC_ERROR_INVALID;
	}
	*out_use = (struct jc_process_use){ .cpu_seconds = (double)(user + system) / (double)ticks,
		.started_boot_s = (double)start / (double)ticks,
		.resident_bytes = (uint64_t)pages * (uint64_t)page_bytes,
		.virtual_bytes = size };
	return JC_OK;
}

/* Since Linux 6.2 the size of the folder is the number of its entries. */
static uint64_t count_files(void)
{
	struct stat status;
	uint64_t count = 0;

	if (stat("/proc/self/fd", &status) == 0 && status.st_size > 0) {
		return (uint64_t)status.st_size;
	}
	DIR *folder = opendir("/proc/self/fd");

	if (!folder) {
		return 0;
	}
	for (const struct dirent *entry; (entry = readdir(folder));) {
		count += entry->d_name[0] != '.';
	}
	closedir(folder);
	return count > 0 ? count - 1 : 0; /* without that of the folder */
}

int jc_process_read(struct jc_process_use *out_use)
{
	char text[1024];
	struct jc_process_use use;
	struct rlimit limit;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0) {
		close(fd);
	}
	if (length <= 0) {
		return JC_ERROR_ABSENT;
	}
	text[length] = '\0';
	if (jc_process_parse(text, sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK), &use) != JC_OK ||
		getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return JC_ERROR_ABSENT;
	}
	use.open_files = count_files();
	use.max_files = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
	*out_use = use;
	return JC_OK;
}

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double jc_process_started_s(void)
{
	struct jc_process_use use;

	if (jc_process_read(&use) != JC_OK) {
		return 0.0;
	}
	return seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_BOOTTIME) + use.started_boot_s;
}
