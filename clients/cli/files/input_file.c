/* Reads input files up to a maximum size, and the files that a glTF refers to. Only files in the
 * folder of the glTF or below it are read. */
#include "files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_report.h"
#include "fbx/fbx_file.h"
#include "jointcast/limits.h"
#include "jointcast_private/array.h"

struct jc_input_file_neighbour {
	struct jc_input_file_neighbour *next;
	void *bytes;
};

/* Reads to the end of the descriptor. Returns JC_OK, JC_ERROR_LIMIT past the maximum,
 * JC_ERROR_MEMORY, or JC_ERROR_INVALID with errno. */
static int read_all(
	int descriptor, size_t expected, size_t maximum, void **out_bytes, size_t *out_length)
{
	size_t capacity = expected + 1;
	size_t length = 0;
	char *bytes = malloc(capacity);
	int result = JC_ERROR_MEMORY;

	while (bytes) {
		ssize_t count = read(descriptor, bytes + length, capacity - length);

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			result = JC_ERROR_INVALID;
			break;
		}
		if (count == 0) {
			*out_bytes = bytes;
			*out_length = length;
			return JC_OK;
		}
		length += (size_t)count;
		if (length > maximum) {
			result = JC_ERROR_LIMIT;
			break;
		}
		if (!jc_array_grow(&bytes, &capacity, length + 1, maximum + 1, 1)) {
			break;
		}
	}
	free(bytes);
	return result;
}

static int report_too_large(const char *path)
{
	return jc_report(JC_EXIT_INPUT, path, "is larger than %u MiB", JC_LIMIT_FILE_BYTES >> 20);
}

/* Replaces the bytes of an FBX file by those of the glTF file with the same content. */
static int convert(struct jc_input_file *input)
{
	void *glb = NULL;
	int status;

	if (!jc_fbx_is(input->bytes, input->length)) {
		return JC_EXIT_DONE;
	}
	status = jc_fbx_convert(input->path, input->bytes, input->length, &glb, &input->length);
	if (status == JC_EXIT_DONE) {
		free(input->bytes);
		input->bytes = glb;
		input->format = "fbx";
	}
	return status;
}

int jc_input_file_read(const char *path, struct jc_input_file *out_input)
{
	struct jc_input_file input = { .path = path };
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	int result;
	int error = JC_ERROR_INVALID;

	if (descriptor < 0) {
		return jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	}
	if (fstat(descriptor, &status) != 0) {
		result = jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
		goto out;
	}
	if (S_ISREG(status.st_mode) && status.st_size > (off_t)JC_LIMIT_FILE_BYTES) {
		result = report_too_large(path);
		goto out;
	}
	error = read_all(descriptor, S_ISREG(status.st_mode) ? (size_t)status.st_size : 65536,
		JC_LIMIT_FILE_BYTES, &input.bytes, &input.length);
	if (error == JC_ERROR_LIMIT) {
		result = report_too_large(path);
	} else if (error == JC_ERROR_MEMORY) {
		result = jc_report(JC_EXIT_IO, path, "out of memory");
	} else if (error != JC_OK) {
		result = jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	} else {
		result = convert(&input);
	}
	if (result == JC_EXIT_DONE) {
		input.total = input.length;
		*out_input = input;
	} else {
		free(input.bytes);
	}
out:
	close(descriptor);
	return result;
}

void jc_input_file_finish(struct jc_input_file *input)
{
	while (input->neighbours) {
		struct jc_input_file_neighbour *neighbour = input->neighbours;

		input->neighbours = neighbour->next;
		free(neighbour->bytes);
		free(neighbour);
	}
	free(input->bytes);
	input->bytes = NULL;
}

/* Accepts relative paths without a scheme, a drive or `..`. */
static bool uri_is_harmless(const char *uri)
{
	if (!uri[0] || uri[0] == '/' || strpbrk(uri, ":\\")) {
		return false;
	}
	for (const char *part = uri; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) {
			return false;
		}
	}
	return true;
}

/* Finds the real path of `uri` beside `path`. It must be inside the real folder of `path`. */
static bool neighbour_path(const char *path, const char *uri, char out_path[PATH_MAX])
{
	char joined[PATH_MAX];
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int folder_length = slash ? (int)(slash - path) + 1 : 0;
	size_t length;

	if (snprintf(joined, sizeof(joined), "%.*s", folder_length ? folder_length : 1,
		    slash ? path : ".") >= (int)sizeof(joined) ||
		!realpath(joined, folder)) {
		return false;
	}
	if (snprintf(joined, sizeof(joined), "%s/%s", folder, uri) >= (int)sizeof(joined) ||
		!realpath(joined, out_path)) {
		return false;
	}
	length = strlen(folder);
	/* Only the root folder ends with a slash. */
	return strncmp(out_path, folder, length) == 0 &&
	       (folder[length - 1] == '/' || out_path[length] == '/');
}

static int resolve(void *context, const char *uri, const void **out_bytes, size_t *out_length)
{
	struct jc_input_file *input = context;
	struct jc_input_file_neighbour *neighbour = NULL;
	char path[PATH_MAX];
	struct stat status;
	size_t left = JC_LIMIT_FILE_BYTES - input->total;
	int descriptor = -1;
	int result = JC_ERROR_INVALID;

	if (!uri_is_harmless(uri) || !neighbour_path(input->path, uri, path)) {
		return JC_ERROR_INVALID;
	}
	/* Without O_NONBLOCK, opening a pipe would wait for a writer. */
	descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
		goto out;
	}
	if (status.st_size > (off_t)left) {
		result = JC_ERROR_LIMIT;
		goto out;
	}
	neighbour = calloc(1, sizeof(*neighbour));
	if (!neighbour) {
		result = JC_ERROR_MEMORY;
		goto out;
	}
	result = read_all(descriptor, (size_t)status.st_size, left, &neighbour->bytes, out_length);
	if (result != JC_OK) {
		goto out;
	}
	input->total += *out_length;
	neighbour->next = input->neighbours;
	input->neighbours = neighbour;
	*out_bytes = neighbour->bytes;
	neighbour = NULL;
out:
	free(neighbour);
	if (descriptor >= 0) {
		close(descriptor);
	}
	return result;
}

struct jc_gltf_resolver jc_input_file_resolver(struct jc_input_file *input)
{
	return (struct jc_gltf_resolver){ .read = resolve, .context = input };
}
