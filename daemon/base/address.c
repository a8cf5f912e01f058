/* Parses and formats socket addresses. */
#include "base/address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

static bool parse_port(const char *text, in_port_t *out_port)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || end - text > 5 || port > 65535) {
		return false;
	}
	*out_port = htons((in_port_t)port);
	return true;
}

bool jc_address_parse(const char *text, struct sockaddr_storage *out_address)
{
	struct sockaddr_storage address = { 0 };
	struct sockaddr_in *in = (struct sockaddr_in *)&address;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&address;
	const char *colon = strrchr(text, ':');
	char host[JC_ADDRESS_TEXT];
	bool good;

	if (!colon || (size_t)(colon - text) >= sizeof(host)) {
		return false;
	}
	size_t length = (size_t)(colon - text);

	memcpy(host, text, length);
	host[length] = '\0';
	if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		in6->sin6_family = AF_INET6;
		good = inet_pton(AF_INET6, host + 1, &in6->sin6_addr) == 1 &&
		       parse_port(colon + 1, &in6->sin6_port);
	} else {
		in->sin_family = AF_INET;
		good = inet_pton(AF_INET, host, &in->sin_addr) == 1 &&
		       parse_port(colon + 1, &in->sin_port);
	}
	if (good) {
		*out_address = address;
	}
	return good;
}

bool jc_address_parse_host(const char *text, struct sockaddr_storage *out_address)
{
	const char *colon = strchr(text, ':');
	bool is_bare6 = colon && text[0] != '[' && strchr(colon + 1, ':');
	bool has_port = text[0] == '[' ? text[strlen(text) - 1] != ']' : colon != NULL;
	char whole[JC_ADDRESS_TEXT];
	int length = snprintf(whole, sizeof(whole),
		is_bare6   ? "[%s]:0"
		: has_port ? "%s"
			   : "%s:0",
		text);

	return length < (int)sizeof(whole) && jc_address_parse(whole, out_address);
}

bool jc_address_is_loopback(const struct sockaddr *address)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;

	return address->sa_family == AF_INET
		       ? ntohl(in->sin_addr.s_addr) >> 24 == 127
		       : address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

socklen_t jc_address_length(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET ? sizeof(struct sockaddr_in)
					     : sizeof(struct sockaddr_in6);
}

void jc_address_format(const struct sockaddr_storage *address, char out_text[JC_ADDRESS_TEXT])
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
	char host[INET6_ADDRSTRLEN] = "?";

	if (address->ss_family == AF_UNIX) {
		snprintf(out_text, JC_ADDRESS_TEXT, "unix:%.*s", JC_ADDRESS_TEXT - 6,
			((const struct sockaddr_un *)address)->sun_path);
	} else if (address->ss_family == AF_INET) {
		inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
		snprintf(out_text, JC_ADDRESS_TEXT, "%s:%u", host, ntohs(in->sin_port));
	} else {
		inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
		snprintf(out_text, JC_ADDRESS_TEXT, "[%s]:%u", host, ntohs(in6->sin6_port));
	}
}

static void format_network6(const struct in6_addr *address, char out_text[JC_ADDRESS_TEXT])
{
	char host[INET6_ADDRSTRLEN];
	struct in6_addr network = *address;

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		inet_ntop(AF_INET, &address->s6_addr[12], out_text, JC_ADDRESS_TEXT);
		return;
	}
	memset(&network.s6_addr[8], 0, 8);
	inet_ntop(AF_INET6, &network, host, sizeof(host));
	snprintf(out_text, JC_ADDRESS_TEXT, "%s/64", host);
}

void jc_address_network(const struct sockaddr *address, char out_text[JC_ADDRESS_TEXT])
{
	strcpy(out_text, "local");
	if (address->sa_family == AF_INET) {
		inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, out_text,
			JC_ADDRESS_TEXT);
	} else if (address->sa_family == AF_INET6) {
		format_network6(&((const struct sockaddr_in6 *)address)->sin6_addr, out_text);
	}
}

bool jc_address_parse_network(const char *text, char out_text[JC_ADDRESS_TEXT])
{
	size_t length = strlen(text);
	char host[INET6_ADDRSTRLEN + 3];
	struct in6_addr in6;
	struct in_addr in;

	if (length >= sizeof(host)) {
		return false;
	}
	strcpy(host, text);
	if (inet_pton(AF_INET, host, &in) == 1) {
		inet_ntop(AF_INET, &in, out_text, JC_ADDRESS_TEXT);
		return true;
	}
	if (length > 3 && strcmp(&host[length - 3], "/64") == 0) {
		host[length - 3] = '\0';
	}
	if (inet_pton(AF_INET6, host, &in6) != 1) {
		return false;
	}
	format_network6(&in6, out_text);
	return true;
}
