/* A state directory for a line: an invitation, and an avatar that two clients have uploaded. */
#ifndef JC_FUZZ_STATE_H
#define JC_FUZZ_STATE_H

#include "../../unit/daemon/support/line.h"

/* The invitation: for the lobby, with the role "publish", 1000 uses, by the holder of key "h". The
 * generator of the corpus has them, too. */
#define STATE_INVITATION "5f1c9a7e03b2d846"
#define STATE_SECRET     "q2oT0v9b1xkZr8mYt4WcUA"

/* The avatar, of "ada" and of clients without a token. */
extern const char state_avatar[];

/* Called between line_open and line_connect, with the keys in the keyring: without one there are no
 * invitations. The directory is in the scratch folder, the same for each line. */
void state_open(struct line *line);

/* Checks that the disk has what the tables have. */
void state_check(const struct line *line);

/* Called instead of line_close. */
void state_close(struct line *line);

#endif
