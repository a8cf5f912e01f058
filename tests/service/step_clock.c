/* Shifts the wall clock of a program. Preloaded; the file named by JC_TEST_CLOCK holds the
 * offset in seconds, which a test can change while the program runs. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long offset(void)
{
	const char *path = getenv("JC_TEST_CLOCK");
	char text[32];
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0) {
		close(fd);
	}
	text[length > 0 ? length : 0] = '\0';
	return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t id, struct timespec *out_time)
{
	static int (*real)(clockid_t id, struct timespec * out_time);

	if (!real) {
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	}
	int result = real(id, out_time);

	if (result == 0 && id == CLOCK_REALTIME) {
		out_time->tv_sec += offset();
	}
	return result;
}

time_t time(time_t *out_time)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out_time) {
		*out_time = now.tv_sec;
	}
	return now.tv_sec;
}
