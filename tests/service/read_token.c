/* Judges tokens that come in lines, for tokens.mjs, which makes them with an
 * implementation that is not ours:
 *
 *   key ID ALGORITHM FILE     adds a key
 *   revoke ID
 *   now SECONDS
 *   token TEXT                answers with a line: the refusal, or the grant
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/token.h"

#define AUDIENCE "jointcast"

static void add_key(struct jc_keyring *keyring, char *line)
{
	struct jc_diagnostic diagnostic = { 0 };
	const char *id = strtok(line, " ");
	const char *algorithm = strtok(NULL, " ");
	const char *path = strtok(NULL, "");
	uint8_t bytes[2 * JC_KEY_BYTES];
	FILE *file = path ? fopen(path, "rb") : NULL;

	if (!file) {
		printf("no file\n");
		return;
	}
	size_t length = fread(bytes, 1, sizeof(bytes), file);

	fclose(file);
	if (jc_keyring_add(keyring, id, (enum jc_key_algorithm)jc_key_algorithm_find(algorithm),
		    bytes, length, &diagnostic) == JC_OK) {
		printf("added\n");
	} else {
		printf("%s\n", diagnostic.what);
	}
}

static void print_names(const char *label, const struct jc_token_names *names)
{
	printf(" %s=%s", label, names->all ? "*" : "");
	for (size_t i = 0; i < names->count; i++) {
		printf("%s%s", i ? "," : "", names->names[i]);
	}
}

static void judge(const struct jc_keyring *keyring, const char *token, long long now)
{
	struct jc_grant grant;
	enum jc_refusal refusal =
		jc_token_read(keyring, AUDIENCE, token, strlen(token), now, &grant);

	if (refusal != JC_REFUSAL_NONE) {
		printf("%s\n", jc_refusal_name(refusal));
		return;
	}
	printf("ok sub=%s kid=%s roles=%u exp=%lld", grant.subject, grant.key_id, grant.roles,
		(long long)grant.expires_s);
	print_names("spaces", &grant.spaces);
	print_names("bodies", &grant.bodies);
	printf("\n");
}

int main(void)
{
	static char line[65536];
	struct jc_keyring keyring = { 0 };
	long long now = 0;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "key ", 4) == 0) {
			add_key(&keyring, line + 4);
		} else if (strncmp(line, "revoke ", 7) == 0) {
			printf("%s\n", jc_keyring_revoke(&keyring, line + 7) == JC_OK ? "revoked"
										      : "no key");
		} else if (strncmp(line, "now ", 4) == 0) {
			now = strtoll(line + 4, NULL, 10);
			printf("now\n");
		} else if (strncmp(line, "token ", 6) == 0) {
			judge(&keyring, line + 6, now);
		}
		fflush(stdout);
	}
	jc_keyring_finish(&keyring);
	return 0;
}
