/* Stands in for libassimp: does what a hostile FBX file could make the real one do. The word after
 * "; DEED " in the file is the deed; what the process could do is the text of the error. */
#include <assimp/cimport.h>
#include <assimp/version.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1024];

unsigned aiGetVersionMajor(void)
{
	return JC_ASSIMP_MAJOR;
}

unsigned aiGetVersionMinor(void)
{
	return getenv("OTHER_MINOR") ? 99 : JC_ASSIMP_MINOR;
}

const char *aiGetErrorString(void)
{
	return text;
}

struct aiPropertyStore *aiCreatePropertyStore(void)
{
	static struct aiPropertyStore store;

	return &store;
}

void aiSetImportPropertyInteger(struct aiPropertyStore *store, const char *name, int value)
{
	(void)store;
	(void)name;
	(void)value;
}

static void note(const char *what, int succeeded)
{
	if (succeeded) {
		strcat(strcat(text, " "), what);
	}
}

/* Tries what the process must not do. */
static void reach_out(void)
{
	char *const arguments[] = { "true", NULL };
	pid_t child;

	strcpy(text, "could:");
	note("read", open("/etc/passwd", O_RDONLY) >= 0);
	note("write", open("/tmp/other_assimp", O_WRONLY | O_CREAT, 0600) >= 0);
	note("connect", socket(AF_INET, SOCK_STREAM, 0) >= 0);
	note("rename", rename("/nowhere", "/nowhere-else") == 0 || errno == ENOENT);
	note("signal", kill(getppid(), 0) == 0);
	child = fork();
	if (child == 0) {
		_exit(0);
	}
	note("fork", child > 0);
	execve("/bin/true", arguments, NULL);
}

/* Waits for a lock that nothing releases. */
static void wait_forever(void)
{
	static unsigned lock = 1;

	for (;;) {
		syscall(SYS_futex, &lock, FUTEX_WAIT, 1, NULL, NULL, 0);
	}
}

static void allocate(void)
{
	size_t count = 0;

	for (size_t piece = 64u << 20; count < 64 && malloc(piece); count++) {
	}
	snprintf(text, sizeof(text), "allocated %s",
		count < 34 ? "2 GiB at most" : "more than 2 GiB");
}

static void put(const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t count = write(STDOUT_FILENO, bytes, length);

		if (count <= 0) {
			return;
		}
		bytes += count;
		length -= (size_t)count;
	}
}

static void flood(void)
{
	static char piece[1 << 20];

	for (int i = 0; i < 300; i++) {
		put(piece, sizeof(piece));
	}
}

const struct aiScene *aiImportFileFromMemoryWithProperties(const char *bytes, unsigned length,
	unsigned flags, const char *hint, const struct aiPropertyStore *properties)
{
	static const char garbage[] = "glTF\2\0\0\0 and nothing that follows from it";
	static const char lines[] = "first line\nsecond \x1b[31mline";
	const char *deed = memmem(bytes, length, "; DEED ", 7);

	(void)flags;
	(void)hint;
	(void)properties;
	deed = deed ? deed + 7 : "";
	if (strncmp(deed, "abort", 5) == 0) {
		abort();
	} else if (strncmp(deed, "spin", 4) == 0) {
		for (volatile unsigned i = 0;; i++) {
		}
	} else if (strncmp(deed, "wait", 4) == 0) {
		wait_forever();
	} else if (strncmp(deed, "allocate", 8) == 0) {
		allocate();
	} else if (strncmp(deed, "reach", 5) == 0) {
		reach_out();
	} else if (strncmp(deed, "exhaust", 7) == 0) {
		strcpy(text, "std::bad_alloc");
	} else if (strncmp(deed, "flood", 5) == 0) {
		flood();
	} else if (strncmp(deed, "garbage", 7) == 0) {
		put(garbage, sizeof(garbage));
		_exit(0);
	} else if (strncmp(deed, "silence", 7) == 0) {
		_exit(0);
	} else if (strncmp(deed, "lines", 5) == 0) {
		put(lines, sizeof(lines));
		_exit(1);
	}
	return NULL;
}
