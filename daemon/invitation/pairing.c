/* Slots separate codes: a failure counts for the one code that it could have been, so that a guess
 * at one code leaves the others alone. */
#include "invitation/pairing.h"

#include <string.h>

#include "jointcast/error.h"

#define DIGITS      10u /* of a code without hyphens */
#define SLOT_DIGITS 2u
#define SLOTS       1024u
#define SECOND      INT64_C(1000000000)

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* The value of a character; -1 if the alphabet does not contain it. */
static int value_of(char c)
{
	const char *found;

	if (c >= 'a' && c <= 'z') {
		c = (char)(c - 'a' + 'A');
	}
	c = c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
	found = c ? strchr(alphabet, c) : NULL;
	return found ? (int)(found - alphabet) : -1;
}

/* The ten characters of a code in one spelling. */
static bool normalise(const char *code, char out_digits[DIGITS])
{
	size_t count = 0;

	for (; *code; code++) {
		int value = value_of(*code);

		if (*code == '-' || *code == ' ') {
			continue;
		}
		if (value < 0 || count == DIGITS) {
			return false;
		}
		out_digits[count++] = alphabet[value];
	}
	return count == DIGITS;
}

static unsigned slot_of(const char digits[DIGITS])
{
	return (unsigned)(value_of(digits[0]) << 5 | value_of(digits[1]));
}

static bool is_alive(const struct jc_pairing *pairing, int64_t now_ns)
{
	return pairing->id[0] && now_ns < pairing->until_ns &&
	       pairing->failures < JC_PAIRING_FAILURES;
}

static bool has_slot(const struct jc_pairings *pairings, unsigned slot, int64_t now_ns)
{
	for (size_t i = 0; i < JC_MAX_PAIRINGS; i++) {
		if (is_alive(&pairings->list[i], now_ns) && pairings->list[i].slot == slot) {
			return true;
		}
	}
	return false;
}

/* A free place for another code of a subject; NULL if all are taken. */
static struct jc_pairing *find_free(struct jc_pairings *pairings, const char *by, int64_t now_ns)
{
	struct jc_pairing *found = NULL;
	unsigned own = 0;

	for (size_t i = 0; i < JC_MAX_PAIRINGS; i++) {
		struct jc_pairing *at = &pairings->list[i];

		if (!is_alive(at, now_ns)) {
			found = at;
		} else {
			own += strcmp(at->by, by) == 0;
		}
	}
	return own < JC_MAX_PAIRINGS_OF_ONE ? found : NULL;
}

int jc_pairings_add(struct jc_pairings *pairings, const char *id, const char *by, int64_t now_ns,
	char out_code[JC_PAIRING_TEXT])
{
	struct jc_pairing *free_one = find_free(pairings, by, now_ns);
	char digits[DIGITS];

	if (!free_one) {
		return JC_ERROR_LIMIT;
	}
	/* There are more slots than codes at a time. */
	do {
		uint8_t bytes[DIGITS];

		if (!jc_secret_draw(bytes, sizeof(bytes))) {
			return JC_ERROR_UNSUPPORTED;
		}
		for (size_t i = 0; i < DIGITS; i++) {
			digits[i] = alphabet[bytes[i] & 31];
		}
	} while (has_slot(pairings, slot_of(digits), now_ns));
	*free_one = (struct jc_pairing){ .slot = slot_of(digits),
		.hash = jc_digest_of(digits, DIGITS),
		.until_ns = now_ns + JC_PAIRING_SECONDS * SECOND };
	strcpy(free_one->id, id);
	strcpy(free_one->by, by);
	memcpy(out_code, digits, 2);
	memcpy(out_code + 3, digits + 2, 4);
	memcpy(out_code + 8, digits + 6, 4);
	out_code[2] = out_code[7] = '-';
	out_code[JC_PAIRING_TEXT - 1] = '\0';
	jc_secret_wipe(digits, sizeof(digits));
	return JC_OK;
}

bool jc_pairings_take(struct jc_pairings *pairings, const char *code, int64_t now_ns,
	char out_id[JC_INVITATION_ID])
{
	char digits[DIGITS] = "          ";
	bool is_code = normalise(code, digits);
	unsigned slot = is_code ? slot_of(digits) : SLOTS;
	struct jc_digest hash = jc_digest_of(digits, DIGITS);
	struct jc_pairing *found = NULL;

	jc_secret_wipe(digits, sizeof(digits));
	for (size_t i = 0; i < JC_MAX_PAIRINGS; i++) {
		struct jc_pairing *at = &pairings->list[i];
		bool is_equal = jc_digest_equals(&at->hash, &hash);
		bool is_named = is_alive(at, now_ns) && at->slot == slot;

		found = is_named && is_equal ? at : found;
		at->failures += is_named && !is_equal;
	}
	if (found) {
		strcpy(out_id, found->id);
		*found = (struct jc_pairing){ .slot = 0 };
	}
	return found != NULL;
}

bool jc_pairings_names(const struct jc_pairings *pairings, const char *code, int64_t now_ns)
{
	char digits[DIGITS] = "          ";
	bool is_named = normalise(code, digits) && has_slot(pairings, slot_of(digits), now_ns);

	jc_secret_wipe(digits, sizeof(digits));
	return is_named;
}

void jc_pairings_remove(struct jc_pairings *pairings, const char *id)
{
	for (size_t i = 0; i < JC_MAX_PAIRINGS; i++) {
		if (strcmp(pairings->list[i].id, id) == 0) {
			pairings->list[i] = (struct jc_pairing){ .slot = 0 };
		}
	}
}
