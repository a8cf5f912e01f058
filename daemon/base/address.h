/* Socket addresses in text form: 127.0.0.1:9871 or [::1]:9871, numbers only, so that parsing
 * never needs a lookup. */
#ifndef JC_ADDRESS_H
#define JC_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#define JC_ADDRESS_TEXT 128 /* bytes for any address, with its NUL */

/* False: the text is not such an address, and *out_address is unchanged. */
bool jc_address_parse(const char *text, struct sockaddr_storage *out_address);
/* The same, with an optional port: also 192.0.2.1, 2001:db8::1 or the latter in brackets. */
bool jc_address_parse_host(const char *text, struct sockaddr_storage *out_address);
bool jc_address_is_loopback(const struct sockaddr *address);
socklen_t jc_address_length(const struct sockaddr_storage *address);
/* The network that identifies one client: an IPv4 address, "2001:db8::/64" for IPv6, else
 * "local". */
void jc_address_network(const struct sockaddr *address, char out_text[JC_ADDRESS_TEXT]);

/* The network of an address or network in text form; false for anything else. */
bool jc_address_parse_network(const char *text, char out_text[JC_ADDRESS_TEXT]);

/* For a Unix socket, the text is "unix:" and the beginning of its path. */
void jc_address_format(const struct sockaddr_storage *address, char out_text[JC_ADDRESS_TEXT]);

#endif
