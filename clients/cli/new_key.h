/* Makes key files for tokens. Existing files are never overwritten. */
#ifndef JC_CLI_NEW_KEY_H
#define JC_CLI_NEW_KEY_H

/* Makes a key. HS256: the file `path` contains 32 random bytes. RS256 and ES256: the file contains
 * the private key in PEM, and PATH.pub the public key for the daemon. Only the owner may read the
 * file `path`. Prints the section of jointcastd.conf that makes a daemon accept the key; `kid` is
 * its name there, NULL: the name of the file. Reports errors; returns enum jc_exit. */
int jc_new_key(const char *path, const char *algorithm, const char *kid);

#endif
