/* A new key for tokens, in files that this makes and never overwrites. */
#ifndef JC_CLI_NEW_KEY_H
#define JC_CLI_NEW_KEY_H

/* HS256: 32 random bytes in the file `path`. RS256, ES256: a private key in it, and the
 * public one, for the daemon, beside it in PATH.pub. The first is for its owner alone.
 * Prints what makes a daemon believe the key: `kid` is its name there, NULL that of the
 * file. Reports what goes wrong; returns enum jc_exit. */
int jc_new_key(const char *path, const char *algorithm, const char *kid);

#endif
