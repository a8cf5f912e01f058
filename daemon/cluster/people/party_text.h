/* A party (space/people/people.h) as text: 16 lower-case hex digits. */
#ifndef JC_PARTY_TEXT_H
#define JC_PARTY_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#define JC_PARTY_TEXT 17 /* bytes, with the NUL */

void jc_party_write(uint64_t party, char out_text[JC_PARTY_TEXT]);

/* Reads the first 16 bytes, none of which may be a NUL before the end. False: no such text. */
bool jc_party_read(const char *text, uint64_t *out_party);

#endif
