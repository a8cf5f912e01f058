/* Checks and shows URLs of NATS servers. */
#include "config/nats_url.h"

#include <stdlib.h>
#include <string.h>

#define MOST_URL 512 /* bytes of one */

void jc_nats_url_hide_passwords(const char *text, char *out_text, size_t size)
{
	size_t at = 0;

	while (*text && at + 1 < size) {
		out_text[at++] = *text++;
		if (at >= 3 && memcmp(out_text + at - 3, "://", 3) == 0) {
			size_t word = strcspn(text, " ,'\"\t\n");

			for (size_t i = word; i > 0; i--) {
				if (text[i - 1] == '@') {
					text += i;
					break;
				}
			}
		}
	}
	out_text[at] = '\0';
}

/* Whether no part of a wrong URL can be one of a password, which may contain ',', '@' or spaces, or
 * miss its '@'. */
static bool may_show(const char *url)
{
	const char *host = strstr(url, "://");
	const char *port = host ? strchr(host + 3, ':') : NULL;

	return host && !strpbrk(url, "@ ,") && (!port || !port[1 + strspn(port + 1, "0123456789")]);
}

static int refuse(struct jc_diagnostic *diagnostic, const char *url)
{
	bool is_shown = may_show(url);

	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"not the URL of a NATS server, such as nats://127.0.0.1:4222 or "
		"tls://user:password@host:4222%s%s%s",
		is_shown ? ": '" : "", is_shown ? url : "", is_shown ? "'" : "");
}

/* HOST[:PORT], where HOST may be an IPv6 address in brackets. */
static bool is_host(const char *text)
{
	size_t length = *text == '[' ? strcspn(text, "]") : strcspn(text, ":/");
	const char *port;

	if (*text == '[') {
		if (text[length] != ']' ||
			strspn(text + 1, "0123456789abcdefABCDEF:.") != length - 1) {
			return false;
		}
		length++;
	} else {
		size_t plain = strspn(
			text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_");

		if (plain != length) {
			return false;
		}
	}
	if (length == 0 || length > 255) {
		return false;
	}
	port = text + length;
	if (*port == ':') {
		size_t digits = strspn(port + 1, "0123456789");
		long number = strtol(port + 1, NULL, 10);

		if (digits == 0 || digits > 5 || number < 1 || number > 65535) {
			return false;
		}
		port += 1 + digits;
	}
	return strcmp(port, "") == 0 || strcmp(port, "/") == 0;
}

static bool is_url(const char *url, bool *out_tls)
{
	const char *rest = url, *at;

	*out_tls = strncmp(url, "tls://", 6) == 0;
	if (!*out_tls && strncmp(url, "nats://", 7) != 0) {
		return false;
	}
	rest += *out_tls ? 6 : 7;
	at = strrchr(rest, '@');
	if (at == rest) {
		return false;
	}
	for (const char *c = rest; *c; c++) {
		if (*c <= ' ' || *c == 127) {
			return false;
		}
	}
	return is_host(at ? at + 1 : rest);
}

int jc_nats_urls_parse(
	const char *list, struct jc_nats_urls *out_urls, struct jc_diagnostic *diagnostic)
{
	struct jc_nats_urls urls = { 0 };
	int status = JC_OK;

	for (const char *url = list; url && status == JC_OK;) {
		size_t length = strcspn(url, ",");
		char *copy = length < MOST_URL ? strndup(url, length) : NULL;
		bool is_tls = false;

		if (urls.count == JC_MAX_NATS_URLS || length >= MOST_URL) {
			status = jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"more than %u NATS servers, or a URL of %d bytes or more",
				JC_MAX_NATS_URLS, MOST_URL);
		} else if (!copy) {
			status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		} else if (!is_url(copy, &is_tls)) {
			status = refuse(diagnostic, copy);
		} else {
			urls.urls[urls.count++] = copy;
			urls.is_tls = urls.is_tls || is_tls;
			copy = NULL;
		}
		free(copy);
		url = url[length] ? url + length + 1 : NULL;
	}
	if (status != JC_OK) {
		jc_nats_urls_finish(&urls);
		return status;
	}
	*out_urls = urls;
	return JC_OK;
}

void jc_nats_urls_finish(struct jc_nats_urls *urls)
{
	while (urls->count > 0) {
		free(urls->urls[--urls->count]);
	}
}

bool jc_host_id_is_valid(const char *text)
{
	size_t length =
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return length > 0 && length < JC_MAX_HOST_ID && !text[length];
}
