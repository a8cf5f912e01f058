/* Strict: each party has one text. */
#include "cluster/people/party_text.h"

#include <inttypes.h>
#include <stdio.h>

void jc_party_write(uint64_t party, char out_text[JC_PARTY_TEXT])
{
	snprintf(out_text, JC_PARTY_TEXT, "%016" PRIx64, party);
}

bool jc_party_read(const char *text, uint64_t *out_party)
{
	uint64_t party = 0;

	for (int i = 0; i < JC_PARTY_TEXT - 1; i++) {
		char c = text[i];
		bool is_letter = c >= 'a' && c <= 'f';

		if (!is_letter && (c < '0' || c > '9')) {
			return false;
		}
		party = party << 4 | (uint64_t)(is_letter ? c - 'a' + 10 : c - '0');
	}
	*out_party = party;
	return true;
}
