/* Makes the file system that the service sees. Bind mounts come first, while their sources are
 * still visible. */
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static void do_mount(const char *from, const char *to, const char *type, unsigned long flags,
	const char *options)
{
	if (mount(from, to, type, flags, options) != 0) {
		die("cannot mount %s: %s", to, strerror(errno));
	}
}

static int hold(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0) {
		die("%s: %s", path, strerror(errno));
	}
	return fd;
}

static void bind_held(int fd, const char *to)
{
	char from[32];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	do_mount(from, to, NULL, MS_BIND, NULL);
	close(fd);
}

static void make_folder(const char *path)
{
	if (mkdir(path, 0755) != 0 && errno != EEXIST) {
		die("%s: %s", path, strerror(errno));
	}
}

static void make_file(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	if (fd < 0) {
		die("%s: %s", path, strerror(errno));
	}
	close(fd);
}

static void hide(const char *path)
{
	if (access(path, F_OK) == 0) {
		do_mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=000");
	}
}

static void change(const char *path, unsigned flags, uint64_t set, uint64_t clear)
{
	struct mount_attr attributes = { .attr_set = set, .attr_clr = clear };

	if (mount_setattr(AT_FDCWD, path, flags, &attributes, sizeof(attributes)) != 0) {
		die("cannot change the mount %s: %s", path, strerror(errno));
	}
}

static void make_devices(void)
{
	static const char *const devices[] = { "null", "zero", "full", "random", "urandom", "tty" };
	char from[64], to[64];

	make_folder("/mnt/dev");
	do_mount("tmpfs", "/mnt/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755");
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		snprintf(from, sizeof(from), "/dev/%s", devices[i]);
		snprintf(to, sizeof(to), "/mnt/dev/%s", devices[i]);
		make_file(to);
		do_mount(from, to, NULL, MS_BIND, NULL);
	}
	do_mount("/mnt/dev", "/dev", NULL, MS_MOVE, NULL);
}

/* Mounts an empty /run with the runtime directory of the service. */
static void make_runtime(const struct unit *unit, char out_path[PATH_MAX])
{
	char options[64];

	do_mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755");
	snprintf(out_path, PATH_MAX, "/run/%s", unit->runtime);
	snprintf(options, sizeof(options), "mode=750,uid=%d,gid=%d", unit->user, unit->user);
	make_folder(out_path);
	do_mount("tmpfs", out_path, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

/* Bind-mounts a path on itself, so that it has its own flags. With a '-' before it,
 * the path may be missing. */
static void bind_exec_paths(const struct unit *unit)
{
	char real[PATH_MAX];

	for (int i = 0; i < unit->exec.count; i++) {
		const char *path = unit->exec.texts[i];

		if (realpath(path + (*path == '-'), real)) {
			do_mount(real, real, NULL, MS_BIND | MS_REC, NULL);
		} else if (*path != '-') {
			die("%s: %s", path, strerror(errno));
		}
	}
}

static void close_up(const struct unit *unit, const char *state, const char *runtime)
{
	char real[PATH_MAX];

	if (unit->read_only) {
		change("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0);
		change(state, 0, 0, MOUNT_ATTR_RDONLY);
		if (*runtime) {
			change(runtime, 0, 0, MOUNT_ATTR_RDONLY);
		}
	}
	if (unit->own_tmp) {
		change("/tmp", 0, 0, MOUNT_ATTR_RDONLY);
		change("/var/tmp", 0, 0, MOUNT_ATTR_RDONLY);
	}
	if (unit->no_exec) {
		change("/", AT_RECURSIVE, MOUNT_ATTR_NOEXEC, 0);
		change(VIEW_PROGRAM, 0, 0, MOUNT_ATTR_NOEXEC);
	}
	for (int i = 0; unit->no_exec && i < unit->exec.count; i++) {
		const char *path = unit->exec.texts[i];

		if (realpath(path + (*path == '-'), real)) {
			change(real, AT_RECURSIVE, 0, MOUNT_ATTR_NOEXEC);
		}
	}
}

void view_make(const struct unit *unit, const char *program, const char *given, const char *state)
{
	char own_state[PATH_MAX];
	char own_runtime[PATH_MAX] = "";
	/* The paths may be below a mount point. */
	int program_fd = hold(program), given_fd = hold(given), state_fd = hold(state);

	do_mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	do_mount("tmpfs", "/mnt", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755");
	make_file(VIEW_PROGRAM);
	bind_held(program_fd, VIEW_PROGRAM);
	make_folder(VIEW_GIVEN);
	bind_held(given_fd, VIEW_GIVEN);
	make_folder("/mnt/state");
	bind_held(state_fd, "/mnt/state");
	do_mount("tmpfs", "/var/lib", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755");
	snprintf(own_state, sizeof(own_state), "/var/lib/%s", unit->state);
	make_folder(own_state);
	do_mount("/mnt/state", own_state, NULL, MS_MOVE, NULL);
	if (unit->runtime[0]) {
		make_runtime(unit, own_runtime);
	}
	bind_exec_paths(unit);
	if (unit->own_devices) {
		make_devices();
	}
	if (unit->own_tmp) {
		do_mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
		do_mount("tmpfs", "/var/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	}
	if (unit->no_home) {
		hide("/home");
		hide("/root");
		hide("/run/user");
	}
	if (unit->no_modules) {
		hide("/usr/lib/modules");
	}
	if (unit->no_kernel_log && !unit->own_devices) {
		die("ProtectKernelLogs is applied with PrivateDevices only");
	}
	/* The rest of /proc, where tunables are, goes with its subset. */
	if (unit->hidden_processes && unit->only_processes) {
		do_mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
			"hidepid=invisible,subset=pid");
	} else if (unit->no_tunables) {
		die("ProtectKernelTunables is applied with ProcSubset=pid only");
	}
	close_up(unit, own_state, own_runtime);
}
