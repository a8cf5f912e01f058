/* Tries forbidden and required operations of a service, each in a child process, and prints
 * each result: "NAME ok" or "NAME ERROR". */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *self, *state;

static int create(const char *folder, const char *name, char *out_path, size_t size)
{
	snprintf(out_path, size, "%s/%s", folder, name);
	return open(out_path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}

static int write_in(const char *folder)
{
	char path[256];
	int fd = create(folder, "jointcast-probe", path, sizeof(path));

	if (fd >= 0) {
		unlink(path);
	}
	return fd < 0 ? -1 : 0;
}

static int write_state(void)
{
	return write_in(state);
}

static int write_tmp(void)
{
	return write_in("/tmp");
}

static int write_etc(void)
{
	return write_in("/etc");
}

static int write_usr(void)
{
	return write_in("/usr/bin");
}

static int write_mnt(void)
{
	return write_in("/mnt/given");
}

static int list_root(void)
{
	return open("/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_packet(void)
{
	return socket(AF_PACKET, SOCK_RAW, 0);
}

static int open_netlink(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0);
}

static int open_inet(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static int open_unix(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int reach_outside(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0xc0000201)
	}; /* 192.0.2.1, reserved for documentation */

	return connect(
		socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&address, sizeof(address));
}

static int trace(void)
{
	return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static int run(const char *path)
{
	char *const arguments[] = { (char *)path, (char *)"-c", (char *)"exit 0", NULL };

	return execv(path, arguments);
}

static int run_shell(void)
{
	return run("/bin/sh");
}

/* Executes a copy of this program in the state directory, which is writable. */
static int run_state(void)
{
	char path[256], bytes[65536];
	int from = open(self, O_RDONLY | O_CLOEXEC);
	int to = create(state, "jointcast-program", path, sizeof(path));
	ssize_t count;

	while ((count = read(from, bytes, sizeof(bytes))) > 0) {
		if (write(to, bytes, (size_t)count) != count) {
			return -1;
		}
	}
	if (count < 0 || fchmod(to, 0700) != 0) {
		return -1;
	}
	close(to);
	run(path);

	int error = errno;

	unlink(path);
	errno = error;
	return -1;
}

static int map_write_exec(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0) == MAP_FAILED
		       ? -1
		       : 0;
}

static int make_executable(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int have_users(void)
{
	return unshare(CLONE_NEWUSER);
}

static int become_root(void)
{
	return setresuid(0, 0, 0);
}

static int make_suid(void)
{
	char path[256];
	int fd = create(state, "jointcast-suid", path, sizeof(path));
	int result = chmod(path, 04700);
	int error = errno;

	close(fd);
	unlink(path);
	errno = error;
	return result;
}

static int run_realtime(void)
{
	return sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
}

static int change_personality(void)
{
	return personality(ADDR_NO_RANDOMIZE);
}

static int set_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return clock_settime(CLOCK_REALTIME, &now);
}

static int set_hostname(void)
{
	return sethostname("probe", 5);
}

static int read_kernel_log(void)
{
	char line[16];

	return klogctl(3, line, sizeof(line));
}

static int load_module(void)
{
	return (int)syscall(SYS_init_module, NULL, 0, "");
}

static int see_manager(void)
{
	return access("/proc/1/status", F_OK);
}

static int see_tunables(void)
{
	return access("/proc/sys/kernel/osrelease", F_OK);
}

static int see_kernel_log(void)
{
	return access("/dev/kmsg", F_OK);
}

static const struct {
	const char *name;
	int (*attempt)(void);
} attempts[] = {
	{ "write_state", write_state },
	{ "write_tmp", write_tmp },
	{ "open_inet", open_inet },
	{ "open_unix", open_unix },
	{ "write_etc", write_etc },
	{ "write_usr", write_usr },
	{ "write_mnt", write_mnt },
	{ "list_root", list_root },
	{ "open_packet", open_packet },
	{ "open_netlink", open_netlink },
	{ "reach_outside", reach_outside },
	{ "trace", trace },
	{ "run_shell", run_shell },
	{ "run_state", run_state },
	{ "map_write_exec", map_write_exec },
	{ "make_executable", make_executable },
	{ "have_users", have_users },
	{ "become_root", become_root },
	{ "make_suid", make_suid },
	{ "run_realtime", run_realtime },
	{ "change_personality", change_personality },
	{ "set_clock", set_clock },
	{ "set_hostname", set_hostname },
	{ "read_kernel_log", read_kernel_log },
	{ "load_module", load_module },
	{ "see_manager", see_manager },
	{ "see_tunables", see_tunables },
	{ "see_kernel_log", see_kernel_log },
};

/* Returns 0 or an errno. */
static int try(int (*attempt)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		errno = 0;
		_exit(attempt() < 0 ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		return errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* usage: probe [NAME]…; all of them without one */
int main(int argc, char **argv)
{
	self = argv[0];
	state = getenv("STATE_DIRECTORY");
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		bool is_wanted = argc == 1;

		for (int k = 1; k < argc; k++) {
			is_wanted = is_wanted || strcmp(argv[k], attempts[i].name) == 0;
		}
		if (is_wanted) {
			int result = try(attempts[i].attempt);

			printf("%s %s\n", attempts[i].name,
				result ? strerrorname_np(result) : "ok");
		}
	}
	return 0;
}
