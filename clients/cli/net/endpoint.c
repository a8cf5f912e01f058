/* Parses the address of a daemon and sends one HTTP request per connection. The answer ends when
 * the daemon closes the connection. */
#include "net/endpoint.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "jointcast_private/array.h"
#include "net/tls_client.h"

#define ANSWER_BYTES (16u << 20)
#define PATIENCE_S   5

static const struct scheme {
	const char *text, *port;
	bool is_secure;
} schemes[] = {
	{ "http://", "80", false },
	{ "ws://", "80", false },
	{ "https://", "443", true },
	{ "wss://", "443", true },
};

/* Returns NULL for a URL without a known scheme. */
static const struct scheme *scheme_of(const char *url)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (strncasecmp(url, schemes[i].text, strlen(schemes[i].text)) == 0) {
			return &schemes[i];
		}
	}
	return NULL;
}

static bool is_port(const char *text, size_t length)
{
	size_t digits = strspn(text, "0123456789");

	return length > 0 && length < 6 && digits >= length && atoi(text) <= 65535;
}

static bool parse_file(const char *path, struct jc_endpoint *out_endpoint)
{
	struct jc_endpoint endpoint = { .authority = "localhost", .is_file = true };

	if (*path != '/' || strlen(path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path)) {
		return false;
	}
	strcpy(endpoint.host, path);
	*out_endpoint = endpoint;
	return true;
}

bool jc_endpoint_parse(const char *url, struct jc_endpoint *out_endpoint)
{
	if (strncmp(url, "unix:", 5) == 0) {
		return parse_file(url + 5, out_endpoint);
	}
	const struct scheme *scheme = scheme_of(url);
	struct jc_endpoint endpoint = { .is_secure = scheme && scheme->is_secure };
	const char *host = url + (scheme ? strlen(scheme->text) : 0);
	bool bracketed = *host == '[';

	host += bracketed;
	size_t length = strcspn(host, bracketed ? "]" : ":/");
	const char *rest = host + length + (bracketed && host[length] == ']');

	if (length == 0 || length >= sizeof(endpoint.host) || (bracketed && host[length] != ']')) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)host[i]) && !strchr(".-:_", host[i])) {
			return false;
		}
	}
	memcpy(endpoint.host, host, length);
	if (*rest == ':') {
		size_t digits = strcspn(rest + 1, "/");

		if (!is_port(rest + 1, digits)) {
			return false;
		}
		snprintf(endpoint.port, sizeof(endpoint.port), "%.*s", (int)digits, rest + 1);
		rest += 1 + digits;
	} else if (scheme) {
		strcpy(endpoint.port, scheme->port);
	} else {
		return false;
	}
	snprintf(endpoint.authority, sizeof(endpoint.authority), "%s%s%s:%s", bracketed ? "[" : "",
		endpoint.host, bracketed ? "]" : "", endpoint.port);
	*out_endpoint = endpoint;
	return rest[strspn(rest, "/")] == '\0';
}

/* Returns the descriptor, or -1 with errno. */
static int connect_to(const struct sockaddr *address, socklen_t length, int protocol, int seconds)
{
	const struct timeval patience = { .tv_sec = seconds };
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, protocol);

	if (fd < 0) {
		return -1;
	}
	/* SO_SNDTIMEO also limits the time of connect(). */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, address, length) != 0) {
		int reason = errno == EINPROGRESS ? ETIMEDOUT : errno;

		close(fd);
		errno = reason;
		return -1;
	}
	return fd;
}

static int cannot_connect(struct jc_diagnostic *diagnostic, const char *reason)
{
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot connect: %s", reason);
}

static int connect_file(
	const char *path, int seconds, int *out_fd, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);

	if (length >= sizeof(address.sun_path)) {
		return cannot_connect(diagnostic, strerror(ENAMETOOLONG));
	}
	memcpy(address.sun_path, path, length);
	int fd = connect_to((const struct sockaddr *)&address, sizeof(address), 0, seconds);

	if (fd < 0) {
		return cannot_connect(diagnostic, strerror(errno));
	}
	*out_fd = fd;
	return JC_OK;
}

/* Connects a blocking socket whose reads and writes time out after `seconds`. Fills the diagnostic
 * and returns JC_ERROR_INVALID on failure. */
static int open_socket(const struct jc_endpoint *endpoint, int seconds, int *out_fd,
	struct jc_diagnostic *diagnostic)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;

	if (endpoint->is_file) {
		return connect_file(endpoint->host, seconds, out_fd, diagnostic);
	}
	/* "localhost" is always this computer (RFC 6761, 6.3). Without a host getaddrinfo returns
	 * the loopback addresses of both families. */
	const char *host = strcasecmp(endpoint->host, "localhost") == 0 ? NULL : endpoint->host;
	int status = getaddrinfo(host, endpoint->port, &hints, &found);
	int reason = 0;
	int fd = -1;

	if (status != 0) {
		return cannot_connect(diagnostic, gai_strerror(status));
	}
	for (struct addrinfo *one = found; one && fd < 0; one = one->ai_next) {
		fd = connect_to(one->ai_addr, one->ai_addrlen, one->ai_protocol, seconds);
		reason = errno;
	}
	freeaddrinfo(found);
	if (fd < 0) {
		return cannot_connect(diagnostic, strerror(reason));
	}
	*out_fd = fd;
	return JC_OK;
}

/* A connection, with or without TLS. */
struct line {
	int fd;
	SSL_CTX *context; /* owned, like the next field; NULL: without TLS */
	SSL *tls;
};

static ssize_t line_write(struct line *line, const char *bytes, size_t length)
{
	return line->tls ? SSL_write(line->tls, bytes, (int)length)
			 : send(line->fd, bytes, length, MSG_NOSIGNAL);
}

/* Returns 0 at the end of the connection, -1 with errno for an error. */
static ssize_t line_read(struct line *line, char *bytes, size_t length)
{
	if (!line->tls) {
		return recv(line->fd, bytes, length, 0);
	}
	int count = SSL_read(line->tls, bytes, (int)length);

	if (count <= 0 && SSL_get_error(line->tls, count) == SSL_ERROR_ZERO_RETURN) {
		return 0;
	}
	if (count <= 0) {
		errno = errno == EAGAIN ? EAGAIN : EPROTO;
		return -1;
	}
	return count;
}

static void line_close(struct line *line)
{
	if (line->tls) {
		SSL_shutdown(line->tls);
	}
	SSL_free(line->tls);
	SSL_CTX_free(line->context);
	if (line->fd >= 0) {
		close(line->fd);
	}
}

static int line_open(const struct jc_endpoint *endpoint, const char *ca, struct line *out_line,
	struct jc_diagnostic *diagnostic)
{
	struct line line = { .fd = -1 };
	int status = open_socket(endpoint, PATIENCE_S, &line.fd, diagnostic);

	if (status == JC_OK && endpoint->is_secure) {
		status = jc_tls_client_create(ca, &line.context, diagnostic);
	}
	if (status == JC_OK && endpoint->is_secure) {
		status = jc_tls_client_connect(
			line.context, line.fd, endpoint->host, &line.tls, diagnostic);
	}
	if (status != JC_OK) {
		line_close(&line);
		return status;
	}
	*out_line = line;
	return JC_OK;
}

/* Reads to the end of the connection and appends a NUL. */
static int read_all(
	struct line *line, char **out_bytes, size_t *out_length, struct jc_diagnostic *diagnostic)
{
	size_t capacity = 16384;
	size_t length = 0;
	char *bytes = malloc(capacity);

	while (bytes && length < ANSWER_BYTES) {
		if (!jc_array_grow(&bytes, &capacity, length + 2, SIZE_MAX, 1)) {
			break;
		}
		ssize_t count = line_read(line, bytes + length, capacity - length - 1);

		if (count == 0) {
			bytes[length] = '\0';
			*out_bytes = bytes;
			*out_length = length;
			return JC_OK;
		}
		if (count < 0 && errno != EINTR) {
			free(bytes);
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "no answer: %s",
				errno == EAGAIN ? "timeout" : strerror(errno));
		}
		length += count > 0 ? (size_t)count : 0;
	}
	free(bytes);
	return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the answer is too long");
}

/* Removes the HTTP head from the answer and reads the status. */
static int take_body(
	char *answer, size_t *length, int *out_status, struct jc_diagnostic *diagnostic)
{
	char *end = strstr(answer, "\r\n\r\n");
	char *announced = strcasestr(answer, "\r\nContent-Length:");

	if (!end || sscanf(answer, "HTTP/1.%*1[01] %3d", out_status) != 1) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "the answer is not HTTP");
	}
	size_t head = (size_t)(end + 4 - answer);
	size_t body = *length - head;

	if (announced && announced < end &&
		strtoull(announced + strlen("\r\nContent-Length:"), NULL, 10) != body) {
		return jc_diagnose(
			diagnostic, JC_ERROR_TRUNCATED, NULL, "the answer is incomplete");
	}
	memmove(answer, answer + head, body + 1);
	*length = body;
	return JC_OK;
}

/* A token with other characters would break the line of the HTTP head. */
static bool fits_a_line(const char *text)
{
	for (; *text > ' ' && *text < 0x7f; text++) {
	}
	return *text == '\0';
}

/* Writes the whole request. The caller wipes and frees *out_bytes. */
static int compose(const struct jc_endpoint *endpoint, const struct jc_endpoint_request *request,
	char **out_bytes, size_t *out_length, struct jc_diagnostic *diagnostic)
{
	char announced[64] = "";
	char *bytes;

	if (request->token && !fits_a_line(request->token)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "invalid token");
	}
	if (request->body) {
		snprintf(announced, sizeof(announced), "Content-Length: %zu\r\n", request->length);
	}
	int head =
		asprintf(&bytes, "%s %s HTTP/1.1\r\nHost: %s\r\n%s%s%s%sConnection: close\r\n\r\n",
			request->method, request->path, endpoint->authority, announced,
			request->token ? "Authorization: Bearer " : "",
			request->token ? request->token : "", request->token ? "\r\n" : "");
	char *whole = head < 0 ? NULL : realloc(bytes, (size_t)head + request->length + 1);

	if (!whole) {
		if (head >= 0) {
			free(bytes);
		}
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (request->length > 0) {
		memcpy(whole + head, request->body, request->length);
	}
	*out_bytes = whole;
	*out_length = (size_t)head + request->length;
	return JC_OK;
}

static int write_all(
	struct line *line, const char *bytes, size_t length, struct jc_diagnostic *diagnostic)
{
	while (length > 0) {
		ssize_t count = line_write(line, bytes, length);

		if (count <= 0) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"cannot send the request: %s", strerror(errno));
		}
		bytes += count;
		length -= (size_t)count;
	}
	return JC_OK;
}

int jc_endpoint_ask(const struct jc_endpoint *endpoint, const char *ca,
	const struct jc_endpoint_request *request, int *out_status, char **out_body,
	size_t *out_length, struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	char *answer = NULL;
	size_t length = 0;
	struct line line;
	int status = compose(endpoint, request, &bytes, &length, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = line_open(endpoint, ca, &line, diagnostic);
	if (status == JC_OK) {
		status = write_all(&line, bytes, length, diagnostic);
		/* A daemon may refuse, and answer, before it has read the whole request. */
		if (read_all(&line, &answer, out_length, status == JC_OK ? diagnostic : NULL) ==
			JC_OK) {
			status = take_body(answer, out_length, out_status, diagnostic);
		} else if (status == JC_OK) {
			status = JC_ERROR_INVALID;
		}
		line_close(&line);
	}
	explicit_bzero(bytes, length);
	free(bytes);
	if (status != JC_OK) {
		free(answer);
		return status;
	}
	*out_body = answer;
	return JC_OK;
}
