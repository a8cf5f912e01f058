/* Runs the converter of FBX files in a child process, because libassimp parses a large format in
 * C++ and files come from strangers: a file that makes it crash, spin or allocate without end ends
 * the child, and the parent prints one line. */
#include "fbx/fbx_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error_report.h"
#include "fbx/confinement.h"
#include "fbx/fbx_child.h"
#include "jointcast/limits.h"
#include "jointcast_private/array.h"

/* In the first bytes of an ASCII file, after comments. */
#define HEAD_BYTES 1024

bool jc_fbx_is(const void *bytes, size_t length)
{
	static const char binary[] = "Kaydara FBX Binary";
	static const char header[] = "FBXHeaderExtension";
	static const char comment[] = "; FBX ";
	const char *text = bytes;

	if (length > HEAD_BYTES) {
		length = HEAD_BYTES;
	}
	if (length >= strlen(binary) && memcmp(text, binary, strlen(binary)) == 0) {
		return true;
	}
	while (length > 0 && (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n')) {
		text++;
		length--;
	}
	if (length == 0 || (*text != ';' && *text != 'F')) {
		return false;
	}
	return (length >= strlen(comment) && memcmp(text, comment, strlen(comment)) == 0) ||
	       memmem(text, length, header, strlen(header)) != NULL;
}

/* Reads until the other end closes. JC_ERROR_LIMIT for more than an input file may have. */
static int read_all(int pipe, char **out_bytes, size_t *out_length)
{
	size_t capacity = 0;
	size_t length = 0;
	char *bytes = NULL;
	ssize_t count;

	do {
		if (length == capacity &&
			!jc_array_grow(&bytes, &capacity, length + 65536, JC_LIMIT_FILE_BYTES, 1)) {
			free(bytes);
			return length + 65536 > JC_LIMIT_FILE_BYTES ? JC_ERROR_LIMIT
								    : JC_ERROR_MEMORY;
		}
		do {
			count = read(pipe, bytes + length, capacity - length);
		} while (count < 0 && errno == EINTR);
		length += count > 0 ? (size_t)count : 0;
	} while (count > 0);
	if (count < 0) {
		free(bytes);
		return JC_ERROR_READ;
	}
	*out_bytes = bytes;
	*out_length = length;
	return JC_OK;
}

/* Explains a child that did not end by itself. */
static int report_death(const char *path, int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (number == SIGXCPU) {
		return jc_report(JC_EXIT_INPUT, path,
			"libassimp needs more than %d seconds of processor time for this file",
			JC_CONFINED_SECONDS);
	}
	if (number) {
		return jc_report(JC_EXIT_INPUT, path,
			"libassimp stopped with signal %d: the file is damaged, or needs more than "
			"%u MiB of memory",
			number, JC_CONFINED_BYTES >> 20);
	}
	return jc_report(
		JC_EXIT_INPUT, path, "the FBX converter ended with status %d", WEXITSTATUS(status));
}

/* Takes the output of the child: a GLB file, or the text of an error. Owns bytes. */
static int take_output(const char *path, int status, char *bytes, size_t length, void **out_glb,
	size_t *out_length)
{
	int result;

	if (WIFEXITED(status) && WEXITSTATUS(status) == JC_FBX_CHILD_DONE) {
		*out_glb = bytes;
		*out_length = length;
		return JC_EXIT_DONE;
	}
	result = WIFEXITED(status) && WEXITSTATUS(status) == JC_FBX_CHILD_REFUSED && length > 0
			 ? jc_report(JC_EXIT_INPUT, path, "%.*s", length < 400 ? (int)length : 400,
				   bytes)
			 : report_death(path, status);
	free(bytes);
	return result;
}

/* Waits until the child has ended. Returns 0, or -1. */
static int wait_for(pid_t child, int *out_status)
{
	pid_t ended;

	do {
		ended = waitpid(child, out_status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended == child ? 0 : -1;
}

int jc_fbx_convert(
	const char *path, const void *bytes, size_t length, void **out_glb, size_t *out_length)
{
	char *output = NULL;
	size_t output_length = 0;
	int ends[2];
	int status = 0;
	int error;
	pid_t child;

	if (pipe(ends) != 0) {
		return jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	}
	/* A program that ignores SIGCHLD and starts this one makes it ignore the signal too; then
	 * waitpid has no status. */
	signal(SIGCHLD, SIG_DFL);
	child = fork();
	if (child == 0) {
		jc_fbx_child_run(bytes, length, ends[1]);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	}
	error = read_all(ends[0], &output, &output_length);
	close(ends[0]);
	if (error) {
		kill(child, SIGKILL);
	}
	if (wait_for(child, &status) != 0 && !error) {
		free(output);
		error = JC_ERROR_READ;
	}
	if (error == JC_ERROR_LIMIT) {
		return jc_report(JC_EXIT_INPUT, path,
			"its joints and motions are larger than %u MiB", JC_LIMIT_FILE_BYTES >> 20);
	}
	if (error) {
		return jc_report(JC_EXIT_IO, path, "cannot read from the FBX converter");
	}
	return take_output(path, status, output, output_length, out_glb, out_length);
}
