/* Runs a program in the sandbox that the [Service] section of a unit describes, without systemd.
 * Passes signals that end or reload the program on to it.
 *
 * usage: sandbox network COMMAND…
 *               runs COMMAND in a new network namespace that has only loopback
 *        sandbox UNIT GIVEN STATE PROGRAM ARGUMENT…
 *               runs PROGRAM in place of the unit's program; PROGRAM sees the folder GIVEN as
 *               /mnt/given, and the folder STATE as the unit's state directory
 * Exit status: that of the program; 125: the sandbox cannot be made; 77: namespaces are not
 * permitted (no root, a chroot). */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"
#include "unit.h"
#include "view.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif
#define KEYCTL_JOIN_SESSION_KEYRING 1

static pid_t child;

static void pass_on(int number)
{
	kill(child, number);
}

/* False where they are not permitted: in containers, and if the root is not a mount point
 * (chroot). */
static bool has_namespaces(void)
{
	int status;
	pid_t trial = fork();

	if (trial == 0) {
		_exit(unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 ||
			mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
			unshare(CLONE_NEWUSER) != 0);
	}
	return trial > 0 && waitpid(trial, &status, 0) == trial && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

static int run_in_network(char **command)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd;

	if (!has_namespaces() || unshare(CLONE_NEWNET) != 0) {
		fprintf(stderr, "sandbox: namespaces are not permitted\n");
		return 77;
	}
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) != 0) {
		die("cannot start loopback: %s", strerror(errno));
	}
	close(fd);
	execvp(command[0], command);
	die("%s: %s", command[0], strerror(errno));
}

/* The caller makes the network namespace with `sandbox network`: a test must be in the same one
 * to connect to the program. */
static void check_network(const struct unit *unit)
{
	struct if_nameindex *names = if_nameindex();

	for (struct if_nameindex *i = names; unit->only_loopback && i && i->if_index; i++) {
		if (strcmp(i->if_name, "lo") != 0) {
			die("the unit has IPAddressDeny=any, but the interface '%s' exists",
				i->if_name);
		}
	}
	if_freenameindex(names);
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		die("%s: %s", path, strerror(errno));
	}
	close(fd);
}

static void limit(__rlimit_resource_t resource, rlim_t most)
{
	const struct rlimit value = { most, most };

	if (setrlimit(resource, &value) != 0) {
		die("cannot set a limit: %s", strerror(errno));
	}
}

static void drop_privileges(const struct unit *unit)
{
	for (unsigned long i = 0; unit->no_capabilities && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0;
		i++) {
		if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0) {
			die("cannot drop capability %lu: %s", i, strerror(errno));
		}
	}
	if (unit->no_root &&
		prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0) != 0) {
		die("cannot set secure bits: %s", strerror(errno));
	}
	if (unit->user &&
		(setgroups(0, NULL) != 0 ||
			setresgid((gid_t)unit->user, (gid_t)unit->user, (gid_t)unit->user) != 0 ||
			setresuid((uid_t)unit->user, (uid_t)unit->user, (uid_t)unit->user) != 0)) {
		die("cannot become user %d: %s", unit->user, strerror(errno));
	}
	if (unit->no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		die("cannot refuse new privileges: %s", strerror(errno));
	}
	/* Kernels before 6.3 lack PR_SET_MDWE; the filter refuses the same calls. */
	if (unit->no_write_exec) {
		prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0);
	}
}

/* Runs in the child. The parent maps users after the child's user namespace exists. */
static void enter(const struct unit *unit, char **argv, int asked, int granted)
{
	const struct filter *filter = filter_make(unit);
	char state[128];
	char answer = 0;

	check_network(unit);
	if (unshare(unit->unshared) != 0) {
		die("cannot unshare: %s", strerror(errno));
	}
	view_make(unit, argv[4], argv[2], argv[3]);
	if (chdir("/") != 0) {
		die("/: %s", strerror(errno));
	}
	if (unit->own_keyring) {
		syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	}
	umask(unit->mask);
	if (unit->descriptors) {
		limit(RLIMIT_NOFILE, unit->descriptors);
	}
	if (unit->tasks) {
		limit(RLIMIT_NPROC, unit->tasks);
	}
	limit(RLIMIT_CORE, unit->core);
	if (unit->own_users && unshare(CLONE_NEWUSER) != 0) {
		die("cannot have users of its own: %s", strerror(errno));
	}
	if (write(asked, "?", 1) != 1 || read(granted, &answer, 1) != 1) {
		die("the parent went away");
	}
	snprintf(state, sizeof(state), "/var/lib/%s", unit->state);
	setenv("STATE_DIRECTORY", state, 1);
	setenv("HOME", "/", 1);
	drop_privileges(unit);
	filter_load(filter);
	argv[4] = (char *)VIEW_PROGRAM;
	execv(argv[4], argv + 4);
	die("%s: %s", argv[4], strerror(errno));
}

static void map_users(const struct unit *unit)
{
	char path[64], map[64];

	if (unit->own_users) {
		snprintf(map, sizeof(map), "0 0 1\n%d %d 1\n", unit->user, unit->user);
		snprintf(path, sizeof(path), "/proc/%d/uid_map", child);
		write_text(path, map);
		snprintf(path, sizeof(path), "/proc/%d/gid_map", child);
		write_text(path, map);
	}
}

static int run_unit(char **argv)
{
	struct unit unit;
	int asked[2], granted[2], status;
	char question;

	unit_read(&unit, argv[1], "/jointcastd");
	if (chown(argv[3], (uid_t)unit.user, (gid_t)unit.user) != 0 || chmod(argv[3], 0700) != 0 ||
		pipe2(asked, O_CLOEXEC) != 0 || pipe2(granted, O_CLOEXEC) != 0) {
		die("%s: %s", argv[3], strerror(errno));
	}
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		enter(&unit, argv, asked[1], granted[0]);
	}
	close(asked[1]);
	for (size_t i = 0; i < 3; i++) {
		signal((int[]){ SIGTERM, SIGINT, SIGHUP }[i], pass_on);
	}
	if (read(asked[0], &question, 1) == 1) {
		map_users(&unit);
		if (write(granted[1], "!", 1) != 1) {
			die("the child went away");
		}
	}
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR) {
			die("cannot wait: %s", strerror(errno));
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "network") == 0) {
		return run_in_network(argv + 2);
	}
	if (argc < 5) {
		die("UNIT GIVEN STATE PROGRAM ARGUMENT…");
	}
	return run_unit(argv);
}
