/* A code that is not here must not be sent: clients could not know what it means. */
#include "control/error_codes.h"

#include <stddef.h>
#include <string.h>

static const char *const codes[] = {
	"bad-message",
	"unknown-type",
	"no-hello",
	"bad-field",
	"unsupported",
	"too-many",
	"failed",
	"refused",
	"not-allowed",
	"banned",
	"unknown-space",
	"not-joined",
	"unknown-body",
	"unknown-publication",
	"bad-capture",
	"cannot-record",
	"cannot-replay",
	"unknown-replay",
	"bad-skeleton",
	"unknown-skeleton",
};

bool jc_error_code_is_known(const char *code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i], code) == 0) {
			return true;
		}
	}
	return false;
}
