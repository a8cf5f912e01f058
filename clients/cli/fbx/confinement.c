/* Confines a process by resource limits, which every Linux has, and by a filter of system calls. */
#include "fbx/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sanitizers reserve terabytes of addresses. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

/* The filter knows numbers of system calls, which are those of one architecture. */
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

int jc_confinement_keep(int output)
{
	static const int deadly[] = { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV };
	int nothing = open("/dev/null", O_RDWR);

	if (nothing < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
		dup2(nothing, STDERR_FILENO) < 0) {
		return -1;
	}
	if (close_range(STDERR_FILENO + 1, ~0u, 0) != 0) {
		return -1;
	}
	/* A sanitizer would catch these and exit. */
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		signal(deadly[i], SIG_DFL);
	}
	return prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Lowers a limit; one that is lower already stays. */
static int limit(__rlimit_resource_t resource, rlim_t value, rlim_t hard)
{
	struct rlimit limits;

	if (getrlimit(resource, &limits) != 0) {
		return -1;
	}
	limits.rlim_max = limits.rlim_max < hard ? limits.rlim_max : hard;
	limits.rlim_cur = limits.rlim_cur < value ? limits.rlim_cur : value;
	return setrlimit(resource, &limits);
}

#ifndef HAS_SANITIZER
/* Bytes of addresses that the process has: the first number of /proc/self/statm, in pages. */
static rlim_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (file) {
		if (fscanf(file, "%lu", &pages) != 1) {
			pages = 0;
		}
		fclose(file);
	}
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

#ifdef ARCHITECTURE
#define ALLOW(name)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1),                                    \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Allows memory, the pipe and the end; everything else fails with EPERM. The one call that waits is
 * write, for the parent: a process that hangs uses processor time, and the limit ends it. */
static int filter_calls(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(brk),
		ALLOW(mmap),
		ALLOW(munmap),
		ALLOW(mremap),
		ALLOW(mprotect),
		ALLOW(madvise),
		ALLOW(read),
		ALLOW(write),
		ALLOW(close),
		ALLOW(clock_gettime),
		ALLOW(gettimeofday),
		ALLOW(getrandom),
		ALLOW(sched_yield),
		ALLOW(rt_sigaction),
		ALLOW(rt_sigprocmask),
		ALLOW(rt_sigreturn),
		ALLOW(sigaltstack),
		ALLOW(exit),
		ALLOW(exit_group),
		/* Of futex only the operation that the C library uses without other threads. The
		 * three architectures are little-endian. */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_futex, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (unsigned)FUTEX_CMD_MASK),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAKE, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	const struct sock_fprog program = {
		.len = sizeof(rules) / sizeof(rules[0]),
		.filter = rules,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif

int jc_confinement_close(void)
{
#ifndef HAS_SANITIZER
	rlim_t bytes = address_space() + JC_CONFINED_BYTES;

	if (limit(RLIMIT_AS, bytes, bytes) != 0) {
		return -1;
	}
#endif
	/* SIGXCPU comes at the first limit of processor time, SIGKILL at the second one. */
	if (limit(RLIMIT_CPU, JC_CONFINED_SECONDS, JC_CONFINED_SECONDS + 1) != 0 ||
		limit(RLIMIT_CORE, 0, 0) != 0 || limit(RLIMIT_FSIZE, 0, 0) != 0 ||
		limit(RLIMIT_NOFILE, 0, 0) != 0 || limit(RLIMIT_NPROC, 0, 0) != 0 ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		return -1;
	}
#ifdef ARCHITECTURE
	/* A kernel without the filter still has the limits. */
	if (filter_calls() != 0 && errno != EINVAL) {
		return -1;
	}
#endif
	return 0;
}
