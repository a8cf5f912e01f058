/* Writes lines as far as their reader takes them. The file stays in blocking mode, which it shares
 * with other processes: each write is so small that a file that polls as writable accepts it. */
#include "files/line_output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a reader may take nothing: at any time, since a reader that is awake empties a part of a
 * full pipe sooner; and at the end, of a line that was begun. */
enum { WAIT_MS = 1, LAST_LINE_MS = 1000 };

void jc_line_output_init(struct jc_line_output *output, int file)
{
	*output = (struct jc_line_output){ .file = file };
}

bool jc_line_output_is_idle(const struct jc_line_output *output)
{
	return output->written == output->length;
}

FILE *jc_line_output_begin(struct jc_line_output *output)
{
	free(output->bytes);
	output->bytes = NULL;
	output->length = output->written = 0;
	output->stream = open_memstream(&output->bytes, &output->length);
	return output->stream;
}

bool jc_line_output_end(struct jc_line_output *output)
{
	bool is_whole = !ferror(output->stream);

	is_whole = fclose(output->stream) == 0 && is_whole;
	output->stream = NULL;
	if (!is_whole) {
		output->length = 0;
	}
	return is_whole;
}

/* Writes until the file accepts nothing for `wait_ms`. Returns 0 or an errno. */
static int write_batch(struct jc_line_output *output, int wait_ms)
{
	for (;;) {
		struct pollfd file = { .fd = output->file, .events = POLLOUT };
		size_t left = output->length - output->written;
		int ready = poll(&file, 1, left > 0 ? wait_ms : 0);

		if (ready < 0 && errno != EINTR && errno != EAGAIN) {
			return errno;
		}
		if (ready > 0 && file.revents & (POLLERR | POLLHUP | POLLNVAL)) {
			return EPIPE;
		}
		if (ready <= 0 || left == 0) {
			return 0;
		}
		ssize_t count = write(output->file, output->bytes + output->written,
			left < PIPE_BUF ? left : PIPE_BUF);

		if (count < 0 && errno == EAGAIN) {
			return 0;
		}
		if (count < 0 && errno != EINTR) {
			return errno;
		}
		output->written += count > 0 ? (size_t)count : 0;
	}
}

int jc_line_output_flush(struct jc_line_output *output)
{
	return write_batch(output, WAIT_MS);
}

void jc_line_output_finish(struct jc_line_output *output)
{
	if (output->stream) {
		fclose(output->stream);
	} else if (output->written > 0 && output->bytes[output->written - 1] != '\n') {
		const char *rest = output->bytes + output->written;
		const char *end = memchr(rest, '\n', output->length - output->written);

		output->length = output->written + (end ? (size_t)(end - rest) + 1 : 0);
		write_batch(output, LAST_LINE_MS);
	}
	free(output->bytes);
}
