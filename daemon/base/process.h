/* Processor time, memory and file descriptors that the daemon uses, from /proc/self. */
#ifndef JC_PROCESS_H
#define JC_PROCESS_H

#include <stdint.h>

struct jc_process_use {
	double cpu_seconds;      /* user and system time since the start */
	double started_boot_s;   /* start, in seconds of CLOCK_BOOTTIME */
	uint64_t resident_bytes; /* in memory */
	uint64_t virtual_bytes;  /* of address space */
	uint64_t open_files;     /* descriptors in use */
	uint64_t max_files;      /* the soft limit of descriptors; UINT64_MAX: none */
};

/* Reads all of it. Returns 0, or JC_ERROR_ABSENT without /proc. */
int jc_process_read(struct jc_process_use *out_use);

/* Unix time of the start of the process, in seconds; 0 without /proc. It follows from the clocks
 * at this moment: a caller that wants one value keeps it. */
double jc_process_started_s(void);

/* Reads the text of /proc/PID/stat (proc(5)), for a page size and ticks a second. Returns 0, or
 * JC_ERROR_INVALID; open_files and max_files stay unset. */
int jc_process_parse(const char *stat, long page_bytes, long ticks, struct jc_process_use *out_use);

#endif
