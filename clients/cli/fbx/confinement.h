/* Limits of a child process that parses a file from strangers. */
#ifndef JC_CLI_CONFINEMENT_H
#define JC_CLI_CONFINEMENT_H

/* Memory beside what the process has already, and processor time. */
#define JC_CONFINED_BYTES   (2048u << 20)
#define JC_CONFINED_SECONDS 60

/* Keeps one descriptor as standard output; standard input and error become /dev/null, all others
 * are closed. The process ends with its parent. Returns 0, or -1. */
int jc_confinement_keep(int output);

/* Limits memory and processor time. From now on the process opens no file and no socket, starts no
 * process and signals none. Returns 0, or -1. */
int jc_confinement_close(void);

#endif
