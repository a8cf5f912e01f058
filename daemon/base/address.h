/* Socket addresses as people write them: 127.0.0.1:9871 or [::1]:9871, numbers
 * only, so that nothing is ever looked up. */
#ifndef JC_ADDRESS_H
#define JC_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#define JC_ADDRESS_TEXT 128 /* bytes that any address fits, with its NUL */

/* False when the text is no such address; then *out_address is left alone. */
bool jc_address_parse(const char *text, struct sockaddr_storage *out_address);
/* Likewise one whose port may be missing: 192.0.2.1 or 2001:db8::1, the brackets, too. */
bool jc_address_parse_host(const char *text, struct sockaddr_storage *out_address);
bool jc_address_is_loopback(const struct sockaddr *address);
socklen_t jc_address_length(const struct sockaddr_storage *address);
/* The network that one visitor has: an address of IPv4, "2001:db8::/64" of IPv6, else "local". */
void jc_address_network(const struct sockaddr *address, char out_text[JC_ADDRESS_TEXT]);

/* That of an address as people write it, or of such a network; false for anything else. */
bool jc_address_parse_network(const char *text, char out_text[JC_ADDRESS_TEXT]);

/* Of a Unix socket it is "unix:" and the beginning of its path. */
void jc_address_format(const struct sockaddr_storage *address, char out_text[JC_ADDRESS_TEXT]);

#endif
