/* Splits joint names into words at separators, capitals and numbers. One of the words may
 * be a side. */
#include "joint_name.h"

#include <stddef.h>
#include <string.h>

/* Ends a name: OpenNI's recorders append it to joints that they insert. */
#define MARK '#'

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* Letters of other scripts count as letters. */
static bool is_separator(char c)
{
	return !is_digit(c) && !is_upper(c) && !is_lower(c) && (unsigned char)c < 0x80;
}

static char fold(char c)
{
	return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

/* Whether a word ends between `before` and `at`: armL, LArm, Finger1. */
static bool is_boundary(const char *at)
{
	char before = at[-1];

	if (is_digit(before) != is_digit(*at)) {
		return true;
	}
	return is_upper(*at) && (is_lower(before) || (is_upper(before) && is_lower(at[1])));
}

/* Finds the next word from *at, which moves to its end; returns its length, 0 at the end. */
static size_t next_word(const char **at, const char **out_word)
{
	const char *end;

	while (**at && **at != MARK && is_separator(**at)) {
		(*at)++;
	}
	*out_word = *at;
	if (!**at || **at == MARK) {
		return 0;
	}
	end = *at + 1;
	while (*end && !is_separator(*end) && !is_boundary(end)) {
		end++;
	}
	*at = end;
	return (size_t)(end - *out_word);
}

static bool is_word(const char *word, size_t length, const char *other)
{
	for (size_t i = 0; i < length; i++) {
		if (fold(word[i]) != other[i]) {
			return false;
		}
	}
	return other[length] == '\0';
}

static enum jc_name_side side_of(const char *word, size_t length, bool in_full)
{
	if (is_word(word, length, in_full ? "left" : "l")) {
		return JC_NAME_LEFT;
	}
	return is_word(word, length, in_full ? "right" : "r") ? JC_NAME_RIGHT : JC_NAME_MIDDLE;
}

/* Finds the word for the side, a full word before a single letter, or NULL. */
static const char *find_side(const char *name, enum jc_name_side *out_side)
{
	for (int in_full = 1; in_full >= 0; in_full--) {
		const char *at = name;
		const char *word;
		size_t length;

		while ((length = next_word(&at, &word)) > 0) {
			*out_side = side_of(word, length, in_full);
			if (*out_side != JC_NAME_MIDDLE) {
				return word;
			}
		}
	}
	return NULL;
}

/* Finds a side that is part of a word: leftarm, upperarmright. */
static enum jc_name_side strip_side(char *core)
{
	static const char *const words[] = { "left", "right" };
	size_t length = strlen(core);

	for (int i = 0; i < 2; i++) {
		size_t size = strlen(words[i]);

		if (length > size && memcmp(core, words[i], size) == 0) {
			memmove(core, core + size, length - size + 1);
			return i ? JC_NAME_RIGHT : JC_NAME_LEFT;
		}
		if (length > size && memcmp(core + length - size, words[i], size) == 0) {
			core[length - size] = '\0';
			return i ? JC_NAME_RIGHT : JC_NAME_LEFT;
		}
	}
	return JC_NAME_MIDDLE;
}

bool jc_joint_name_has_word(const char *name, const char *word)
{
	const char *at = name;
	const char *part;
	size_t length;

	while ((length = next_word(&at, &part)) > 0) {
		if (is_word(part, length, word)) {
			return true;
		}
	}
	return false;
}

void jc_joint_name_parse(const char *name, struct jc_joint_name *out_name)
{
	const char *at = name + strlen(name);
	const char *side_word;
	const char *word;
	size_t used = 0;
	size_t length;

	while (at > name && at[-1] != ':' && at[-1] != '|') {
		at--;
	}
	*out_name = (struct jc_joint_name){
		.side = JC_NAME_MIDDLE,
		.is_helper = at[0] == '_' && at[1] == '_',
	};
	side_word = find_side(at, &out_name->side);
	while ((length = next_word(&at, &word)) > 0) {
		if (word == side_word || is_word(word, length, "c")) {
			continue; /* c: neither side */
		}
		if (used + length >= JC_NAME_CORE) {
			out_name->core[0] = '\0';
			return;
		}
		for (size_t i = 0; i < length; i++) {
			out_name->core[used++] = fold(word[i]);
		}
		out_name->core[used] = '\0';
	}
	if (!side_word) {
		out_name->side = strip_side(out_name->core);
	}
}

/* Skips the zeros in front of a number. */
static const char *skip_zeros(const char *core, bool is_number_begun)
{
	while (!is_number_begun && *core == '0' && is_digit(core[1])) {
		core++;
	}
	return core;
}

int jc_joint_name_fit(const char *core, const char *pattern)
{
	bool is_number = false;

	if (strcmp(core, pattern) == 0) {
		return 2;
	}
	for (; *pattern; core++, pattern++) {
		core = skip_zeros(core, is_number);
		pattern = skip_zeros(pattern, is_number);
		if (*core != *pattern) {
			return 0;
		}
		is_number = is_digit(*core);
	}
	return *core == '\0' ? 1 : 0;
}
