/* Tokens of VRML97 and X3D Classic. */
#ifndef JC_FORMAT_VRML_LEXER_H
#define JC_FORMAT_VRML_LEXER_H

#include <stdbool.h>

#include "scanner.h"

enum jc_vrml_kind {
	JC_VRML_END,
	JC_VRML_NAME,
	JC_VRML_NUMBER,
	JC_VRML_STRING,
	JC_VRML_OPEN_BRACE,
	JC_VRML_CLOSE_BRACE,
	JC_VRML_OPEN_BRACKET,
	JC_VRML_CLOSE_BRACKET,
	JC_VRML_DOT,
	JC_VRML_BROKEN, /* no token at all; text is what is wrong with it */
};

struct jc_vrml_token {
	enum jc_vrml_kind kind;
	struct jc_span text; /* of a string, what stands between its quotes */
	double number;
	unsigned line;
};

struct jc_vrml_lexer {
	const char *at, *end;
	unsigned line;
};

void jc_vrml_lexer_init(struct jc_vrml_lexer *lexer, const char *text, size_t length);
void jc_vrml_next(struct jc_vrml_lexer *lexer, struct jc_vrml_token *out_token);

/* The next token where only a name can stand: exporters write names that begin
 * like numbers. */
void jc_vrml_next_name(struct jc_vrml_lexer *lexer, struct jc_vrml_token *out_token);

bool jc_vrml_is(const struct jc_vrml_token *token, const char *name);

#endif
