/* Parses permits when the configuration is read, and compares grants with them. */
#include "auth/permit.h"

#include <string.h>

static int add_subject(
	struct jc_permit *permit, const char *subject, struct jc_diagnostic *diagnostic)
{
	if (!*subject || strlen(subject) >= JC_MAX_SUBJECT) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a subject has 1 to %u bytes, not '%s'", JC_MAX_SUBJECT - 1, subject);
	}
	if (permit->count == JC_PERMIT_SUBJECTS) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"more than %u subjects: use a role instead", JC_PERMIT_SUBJECTS);
	}
	strcpy(permit->subjects[permit->count++], subject);
	return JC_OK;
}

int jc_permit_add(struct jc_permit *permit, const char *text, struct jc_diagnostic *diagnostic)
{
	unsigned role;

	if (strcmp(text, "anyone") == 0) {
		permit->anyone = true;
	} else if (strncmp(text, "subject:", 8) == 0) {
		return add_subject(permit, text + 8, diagnostic);
	} else if (strncmp(text, "role:", 5) == 0 && (role = jc_role_find(text + 5)) != 0) {
		permit->roles |= role;
	} else if (strcmp(text, "nobody") != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not a permit: anyone, nobody, role:ROLE or subject:NAME", text);
	}
	return JC_OK;
}

bool jc_permit_allows(
	const struct jc_permit *permit, const struct jc_grant *grant, const char *space)
{
	if (permit->anyone) {
		return true;
	}
	if (!grant || !jc_token_names_allow(&grant->spaces, space)) {
		return false;
	}
	for (size_t i = 0; i < permit->count; i++) {
		if (strcmp(permit->subjects[i], grant->subject) == 0) {
			return true;
		}
	}
	return (permit->roles & grant->roles) != 0;
}
