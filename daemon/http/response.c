/* Composes responses: a head, and a body from memory or a file. */
#include "http/response.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "http/page_policy.h"
#include "http/target.h"
#include "maxima.h"

static const struct {
	const char *suffix, *type;
} types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".mjs", "text/javascript; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".json", "application/json" },
	{ ".map", "application/json" },
	{ ".svg", "image/svg+xml" },
	{ ".png", "image/png" },
	{ ".jpg", "image/jpeg" },
	{ ".ico", "image/x-icon" },
	{ ".wasm", "application/wasm" },
	{ ".glb", "model/gltf-binary" },
	{ ".vrm", "model/gltf-binary" },
	{ ".woff2", "font/woff2" },
	{ ".txt", "text/plain; charset=utf-8" },
};

static const struct {
	int status;
	const char *phrase;
} phrases[] = {
	{ 200, "OK" },
	{ 201, "Created" },
	{ 204, "No Content" },
	{ 304, "Not Modified" },
	{ 400, "Bad Request" },
	{ 401, "Unauthorized" },
	{ 403, "Forbidden" },
	{ 404, "Not Found" },
	{ 405, "Method Not Allowed" },
	{ 408, "Request Timeout" },
	{ 409, "Conflict" },
	{ 410, "Gone" },
	{ 411, "Length Required" },
	{ 413, "Content Too Large" },
	{ 415, "Unsupported Media Type" },
	{ 421, "Misdirected Request" },
	{ 422, "Unprocessable Content" },
	{ 426, "Upgrade Required" },
	{ 429, "Too Many Requests" },
	{ 431, "Request Header Fields Too Large" },
	{ 500, "Internal Server Error" },
	{ 503, "Service Unavailable" },
	{ 505, "HTTP Version Not Supported" },
	{ 507, "Insufficient Storage" },
};

static const char *phrase_of(int status)
{
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		if (phrases[i].status == status) {
			return phrases[i].phrase;
		}
	}
	return "Error";
}

static const char *type_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcasecmp(dot, types[i].suffix) == 0) {
			return types[i].type;
		}
	}
	return "application/octet-stream";
}

void jc_response_init(struct jc_response *response)
{
	*response = (struct jc_response){ .file = -1 };
}

void jc_response_finish(struct jc_response *response)
{
	free(response->bytes);
	free(response->foreign_page);
	if (response->file >= 0) {
		close(response->file);
	}
	jc_response_init(response);
}

/* Starts a response: head in memory, `extra` more header lines. */
static int begin(struct jc_response *response, int status, const char *type, uint64_t length,
	const char *extra, const char *body)
{
	const char *page = response->foreign_page;
	int size = asprintf(&response->bytes,
		"HTTP/1.1 %d %s\r\n"
		"Content-Type: %s\r\n"
		"Content-Length: %ju\r\n"
		"Cache-Control: %sno-cache\r\n"
		"X-Content-Type-Options: nosniff\r\n"
		"Referrer-Policy: no-referrer\r\n"
		"Cross-Origin-Resource-Policy: %s-origin\r\n"
		"%s%s%s%s%s"
		"Connection: close\r\n\r\n"
		"%s",
		status, phrase_of(status), type, (uintmax_t)length,
		response->is_personal ? "private, " : "", page ? "cross" : "same",
		response->is_personal ? "Vary: Origin\r\n" : "",
		page ? "Access-Control-Allow-Origin: " : "", page ? page : "", page ? "\r\n" : "",
		extra, body);

	if (size < 0) {
		response->bytes = NULL;
		return JC_ERROR_MEMORY;
	}
	response->length = (size_t)size;
	return JC_OK;
}

/* Writes "GET, HEAD, PUT": the methods of a path. */
static const char *list_methods(unsigned methods, char out_list[64])
{
	methods = methods ? methods : JC_METHOD_GET;
	snprintf(out_list, 64, "%s%s%s%s%s", methods & JC_METHOD_GET ? ", GET, HEAD" : "",
		methods & JC_METHOD_POST ? ", POST" : "", methods & JC_METHOD_PUT ? ", PUT" : "",
		methods & JC_METHOD_DELETE ? ", DELETE" : "",
		methods & JC_METHOD_OPTIONS ? ", OPTIONS" : "");
	return out_list + 2;
}

/* Header lines that some refusals need (RFC 9110). */
static const char *demand_of(int status, const struct jc_response *response, char out_text[96])
{
	char list[64];

	switch (status) {
	case 401:
		return "WWW-Authenticate: Bearer\r\n";
	case 403:
		return response->for_any_page ? "Access-Control-Allow-Origin: *\r\n" : "";
	case 405:
		snprintf(out_text, 96, "Allow: %s\r\n", list_methods(response->methods, list));
		return out_text;
	case 426:
		return "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
	default:
		return "";
	}
}

int jc_response_status(struct jc_response *response, int status, const char *text, bool body)
{
	char demand[96];
	const char *extra = demand_of(status, response, demand);
	char *line;
	int length = asprintf(&line, "%s\n", text);

	if (length < 0) {
		return JC_ERROR_MEMORY;
	}
	int made = begin(response, status, "text/plain; charset=utf-8", (uint64_t)length, extra,
		body ? line : "");

	free(line);
	return made;
}

int jc_response_options(struct jc_response *response)
{
	char list[64];
	char extra[256];

	list_methods(response->methods, list);
	snprintf(extra, sizeof(extra),
		"Allow: %s\r\n"
		"Access-Control-Allow-Methods: %s\r\n"
		"Access-Control-Allow-Headers: Authorization, Content-Type\r\n"
		"Access-Control-Max-Age: 600\r\n",
		list + 2, list + 2);
	return begin(response, 200, "text/plain; charset=utf-8", 0, extra, "");
}

int jc_response_text(
	struct jc_response *response, int status, const char *type, const char *text, bool body)
{
	return begin(response, status, type, strlen(text), "", body ? text : "");
}

/* The target's path, its escapes undone, below the root. False when it cannot
 * name a file. */
static bool target_path(struct jc_text target, const char *root, char *out_path, size_t capacity)
{
	size_t length = (size_t)snprintf(out_path, capacity, "%s", root);

	if (length >= capacity ||
		!jc_target_unescape(jc_target_path(target), out_path + length, capacity - length)) {
		return false;
	}
	length += strlen(out_path + length);
	if (out_path[length - 1] != '/') {
		return true;
	}
	if (length + sizeof("index.html") > capacity) {
		return false;
	}
	strcpy(out_path + length, "index.html");
	return true;
}

/* Opens a regular file for reading. Returns -1 if no such file exists. */
static int open_regular(const char *path, struct stat *out_status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, out_status) != 0 || !S_ISREG(out_status->st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Opens a regular file whose real path is below the root: neither ".." nor a symbolic link
 * leads out. Hidden files are not served. */
static int open_below(const char *path, const char *root, char *out_real, struct stat *out_status)
{
	char real_root[PATH_MAX];

	if (!realpath(root, real_root) || !realpath(path, out_real)) {
		return -1;
	}
	size_t length = strlen(real_root);
	if (strncmp(out_real, real_root, length) != 0 || out_real[length] != '/' ||
		strstr(out_real + length, "/.")) {
		return -1;
	}
	return open_regular(out_real, out_status);
}

static bool is_older(const struct timespec *time, const struct timespec *other)
{
	return time->tv_sec < other->tv_sec ||
	       (time->tv_sec == other->tv_sec && time->tv_nsec < other->tv_nsec);
}

/* Opens the compressed form of a file, which stands beside it. Returns -1 if there is none, or only
 * one of an earlier content: gzip gives it the time of the file. */
static int open_compressed(const char *real, const struct stat *plain, struct stat *out_status)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s.gz", real);
	int fd = (size_t)length < sizeof(path) ? open_regular(path, out_status) : -1;

	if (fd >= 0 && is_older(&out_status->st_mtim, &plain->st_mtim)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Files that the worker of the webcam may load: a worker has a policy apart from its page's. */
static const char worker_policy[] = "Content-Security-Policy: default-src 'none'; "
				    "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'\r\n";

static bool is_named(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return strcmp(slash ? slash + 1 : path, name) == 0;
}

/* An HTML page is read whole to compose its policy; of other files, only workers have one. Only the
 * publishing page may use a camera. */
static void page_header(const char *path, char *out_header, size_t capacity)
{
	struct jc_diagnostic diagnostic;
	char policy[2048];
	char *html = NULL;
	size_t length = 0;

	snprintf(out_header, capacity, "%s", is_named(path, "worker.js") ? worker_policy : "");
	if (strncmp(type_of(path), "text/html", 9) != 0) {
		return;
	}
	jc_file_read(path, JC_MAX_PAGE_BYTES, &html, &length, &diagnostic);
	if (jc_page_policy(html, length, policy, sizeof(policy)) > 0) {
		snprintf(out_header, capacity,
			"Content-Security-Policy: %s\r\nPermissions-Policy: camera=(%s)\r\n",
			policy, is_named(path, "publish.html") ? "self" : "");
	}
	free(html);
}

/* The header may list several tags, and a proxy that compresses adds W/. */
static bool names_tag(struct jc_text header, const char *tag)
{
	return header.bytes && memmem(header.bytes, header.length, tag, strlen(tag));
}

int jc_response_open_file(struct jc_response *response, const struct jc_request *request,
	const struct jc_response_file *file)
{
	bool is_known = names_tag(request->if_none_match, file->tag);
	char *extra = NULL;
	int result = JC_ERROR_MEMORY;

	if (asprintf(&extra, "ETag: %s\r\n%s", file->tag, file->headers) >= 0) {
		result = begin(response, is_known ? 304 : 200, file->type, file->length, extra, "");
		free(extra);
	}
	if (result != JC_OK || is_known || jc_request_is_head(request)) {
		close(file->fd);
		return result;
	}
	response->file = file->fd;
	response->end = (off_t)file->length;
	return JC_OK;
}

/* A file below the root. */
struct found {
	int fd; /* owned */
	struct stat status;
	char path[PATH_MAX]; /* real */
};

static int serve_file(
	struct jc_response *response, const struct jc_request *request, struct found *file)
{
	struct stat compressed;
	char tag[64];
	char policy[2200];
	char headers[2300];
	int gzip = open_compressed(file->path, &file->status, &compressed);
	bool is_gzip = gzip >= 0 && request->accepts_gzip;
	const struct stat *status = is_gzip ? &compressed : &file->status;

	snprintf(tag, sizeof(tag), "\"%jx-%jx-%jx%s\"", (uintmax_t)status->st_mtim.tv_sec,
		(uintmax_t)status->st_mtim.tv_nsec, (uintmax_t)status->st_size,
		is_gzip ? "-gzip" : "");
	page_header(file->path, policy, sizeof(policy));
	snprintf(headers, sizeof(headers), "%s%s%s", is_gzip ? "Content-Encoding: gzip\r\n" : "",
		gzip >= 0 ? "Vary: Accept-Encoding\r\n" : "", policy);
	if (gzip >= 0) {
		close(is_gzip ? file->fd : gzip);
	}
	return jc_response_open_file(response, request,
		&(struct jc_response_file){ .fd = is_gzip ? gzip : file->fd,
			.length = (uint64_t)status->st_size,
			.type = type_of(file->path),
			.tag = tag,
			.headers = headers });
}

int jc_response_file(
	struct jc_response *response, const struct jc_request *request, const char *root)
{
	char path[PATH_MAX];
	struct found file = { .fd = -1 };

	if (root && target_path(request->target, root, path, sizeof(path))) {
		file.fd = open_below(path, root, file.path, &file.status);
	}
	if (file.fd < 0) {
		return jc_response_status(
			response, 404, "no such file", !jc_request_is_head(request));
	}
	return serve_file(response, request, &file);
}

ssize_t jc_response_next(
	struct jc_response *response, uint8_t *buffer, size_t capacity, const uint8_t **out_bytes)
{
	size_t left = response->length - response->sent;
	ssize_t count = (ssize_t)(left < capacity ? left : capacity);

	if (count > 0) {
		*out_bytes = (const uint8_t *)response->bytes + response->sent;
		response->sent += (size_t)count;
		return count;
	}
	if (response->file < 0 || response->offset == response->end) {
		return 0;
	}
	left = (size_t)(response->end - response->offset);
	count = pread(response->file, buffer, left < capacity ? left : capacity, response->offset);
	if (count <= 0) {
		return -1;
	}
	*out_bytes = buffer;
	response->offset += count;
	return count;
}
