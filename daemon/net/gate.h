/* Who may come in, as the daemon was told: which names it goes by, which pages may
 * connect, whose tokens are believed. */
#ifndef JC_GATE_H
#define JC_GATE_H

#include <stdbool.h>

#include "auth/keyring.h"
#include "auth/token.h"
#include "base/log.h"
#include "config/config.h"
#include "jointcast/error.h"

struct jc_gate {
	const struct jc_config *config; /* borrowed: hosts, origins, audience */
	struct jc_keyring keyring;
};

/* Reads the keys that the configuration names. Returns 0, or a negative enum
 * jc_error with the diagnostic filled; there is then nothing to finish. */
int jc_gate_init(
	struct jc_gate *gate, const struct jc_config *config, struct jc_diagnostic *diagnostic);
void jc_gate_finish(struct jc_gate *gate);

/* Without keys whoever reaches the daemon may do everything: it only listens on
 * loopback then. */
bool jc_gate_is_open(const struct jc_gate *gate);

/* Warns when others are served, through a proxy, and all of them may do everything. */
void jc_gate_warn(const struct jc_gate *gate, const struct jc_log *log);

/* Judges a token now. */
enum jc_refusal jc_gate_admit(const struct jc_gate *gate, const char *token, size_t length,
	int64_t now_s, struct jc_grant *out_grant);

#endif
