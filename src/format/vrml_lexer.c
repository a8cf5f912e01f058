/* Splits VRML into tokens (ISO/IEC 14772-1, annex A): commas are white space, comments extend to
 * the end of the line, and every other word is a name. */
#include "vrml_lexer.h"

#include <string.h>

#include "scene_number.h"

void jc_vrml_lexer_init(struct jc_vrml_lexer *lexer, const char *text, size_t length)
{
	*lexer = (struct jc_vrml_lexer){ text, text + length, 1 };
}

static bool is_name_character(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr("\"#',.[]\\{}", c);
}

static void skip_space(struct jc_vrml_lexer *lexer)
{
	bool comment = false;

	for (; lexer->at < lexer->end; lexer->at++) {
		char c = *lexer->at;

		if (c == '\n' || c == '\r') {
			comment = false;
			/* CR LF is one line. */
			lexer->line +=
				!(c == '\r' && lexer->at + 1 < lexer->end && lexer->at[1] == '\n');
		} else if (c == '#') {
			comment = true;
		} else if (!comment && c != ' ' && c != '\t' && c != ',' && c != '\f' &&
			   c != '\v') {
			return;
		}
	}
}

static void set(
	struct jc_vrml_token *token, enum jc_vrml_kind kind, const char *text, size_t length)
{
	token->kind = kind;
	token->text = (struct jc_span){ text, length };
}

static void set_broken(struct jc_vrml_token *token, const char *what)
{
	set(token, JC_VRML_BROKEN, what, strlen(what));
}

static void read_string(struct jc_vrml_lexer *lexer, struct jc_vrml_token *token)
{
	const char *start = ++lexer->at;

	for (; lexer->at < lexer->end; lexer->at++) {
		if (*lexer->at == '"') {
			set(token, JC_VRML_STRING, start, (size_t)(lexer->at - start));
			lexer->at++;
			return;
		}
		lexer->line += *lexer->at == '\n';
		if (*lexer->at == '\\' && lexer->at + 1 < lexer->end) {
			lexer->at++;
			lexer->line += *lexer->at == '\n';
		}
	}
	set_broken(token, "a string is not closed");
}

static void read_name(struct jc_vrml_lexer *lexer, struct jc_vrml_token *token)
{
	const char *start = lexer->at;

	while (lexer->at < lexer->end && is_name_character(*lexer->at)) {
		lexer->at++;
	}
	set(token, JC_VRML_NAME, start, (size_t)(lexer->at - start));
	if (lexer->at == start) {
		set_broken(token, "unexpected character");
		lexer->at++;
	}
}

/* Some exporters print what C prints for no number: 1.#IND, -1.#QNAN. */
static bool is_no_number(const struct jc_vrml_lexer *lexer)
{
	return lexer->end - lexer->at >= 3 && lexer->at[-1] == '.' && lexer->at[0] == '#' &&
	       strchr("IQS", lexer->at[1]) && strchr("NA", lexer->at[2]);
}

static void read_number(struct jc_vrml_lexer *lexer, struct jc_vrml_token *token)
{
	struct jc_span rest = { lexer->at, (size_t)(lexer->end - lexer->at) };
	size_t length = jc_scene_number(rest, &token->number);

	lexer->at += length;
	if (length == 0 || is_no_number(lexer) ||
		(lexer->at < lexer->end && is_name_character(*lexer->at))) {
		set_broken(token, "a malformed number");
		return;
	}
	set(token, JC_VRML_NUMBER, rest.start, length);
}

static bool begins_number(const struct jc_vrml_lexer *lexer)
{
	char c = *lexer->at;

	if (c == '.') {
		return lexer->at + 1 < lexer->end && lexer->at[1] >= '0' && lexer->at[1] <= '9';
	}
	return (c >= '0' && c <= '9') || c == '+' || c == '-';
}

static bool read_mark(struct jc_vrml_lexer *lexer, struct jc_vrml_token *token)
{
	static const char marks[] = "{}[].";
	static const enum jc_vrml_kind kinds[] = { JC_VRML_OPEN_BRACE, JC_VRML_CLOSE_BRACE,
		JC_VRML_OPEN_BRACKET, JC_VRML_CLOSE_BRACKET, JC_VRML_DOT };
	const char *mark = memchr(marks, *lexer->at, sizeof(marks) - 1);

	if (!mark) {
		return false;
	}
	set(token, kinds[mark - marks], lexer->at++, 1);
	return true;
}

void jc_vrml_next(struct jc_vrml_lexer *lexer, struct jc_vrml_token *out_token)
{
	skip_space(lexer);
	out_token->line = lexer->line;
	if (lexer->at == lexer->end) {
		set(out_token, JC_VRML_END, lexer->at, 0);
	} else if (*lexer->at == '"') {
		read_string(lexer, out_token);
	} else if (begins_number(lexer)) {
		read_number(lexer, out_token);
	} else if (!read_mark(lexer, out_token)) {
		read_name(lexer, out_token);
	}
}

void jc_vrml_next_name(struct jc_vrml_lexer *lexer, struct jc_vrml_token *out_token)
{
	skip_space(lexer);
	if (lexer->at < lexer->end && is_name_character(*lexer->at)) {
		out_token->line = lexer->line;
		read_name(lexer, out_token);
	} else {
		jc_vrml_next(lexer, out_token);
	}
}

bool jc_vrml_is(const struct jc_vrml_token *token, const char *name)
{
	return token->kind == JC_VRML_NAME && token->text.length == strlen(name) &&
	       memcmp(token->text.start, name, token->text.length) == 0;
}
