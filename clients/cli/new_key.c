/* Makes key files for tokens: creates all files of a key, or none. */
#include "new_key.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_report.h"

#define SECRET_BYTES 32   /* RFC 7518, 3.2: as long as the hash */
#define RSA_BITS     3072 /* as strong as P-256 (NIST SP 800-57, table 2) */
#define KID_BYTES    63
#define PUBLIC       ".pub"

/* Creates a file; fails if it exists. */
static int write_new(const char *path, mode_t mode, const void *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);

	if (fd < 0) {
		return jc_report(JC_EXIT_IO, path, "cannot be created: %s", strerror(errno));
	}
	errno = ENOSPC; /* for a write that was only partly done */
	/* Independent of the umask: a daemon that runs as another user must read the public key. */
	bool is_written = fchmod(fd, mode) == 0 && write(fd, bytes, length) == (ssize_t)length &&
			  fsync(fd) == 0;
	int reason = errno;

	if (close(fd) != 0 || !is_written) {
		unlink(path);
		return jc_report(JC_EXIT_IO, path, "cannot be written: %s", strerror(reason));
	}
	return JC_EXIT_DONE;
}

static int write_memory(const char *path, mode_t mode, BIO *memory)
{
	char *bytes = NULL;
	long length = BIO_get_mem_data(memory, &bytes);

	return write_new(path, mode, bytes, (size_t)length);
}

static int make_secret(const char *path)
{
	unsigned char secret[SECRET_BYTES];

	if (RAND_bytes(secret, sizeof(secret)) != 1) {
		return jc_report(JC_EXIT_IO, path, "cannot generate random numbers");
	}
	int status = write_new(path, 0600, secret, sizeof(secret));

	explicit_bzero(secret, sizeof(secret));
	return status;
}

/* Writes both keys as PEM. */
static int write_pair(const char *path, const char *public_path, EVP_PKEY *key)
{
	BIO *secret = BIO_new(BIO_s_secmem());
	BIO *open = BIO_new(BIO_s_mem());
	int status = JC_EXIT_IO;

	if (!key || !secret || !open ||
		PEM_write_bio_PKCS8PrivateKey(secret, key, NULL, NULL, 0, NULL, NULL) != 1 ||
		PEM_write_bio_PUBKEY(open, key) != 1) {
		jc_report(status, path, "cannot generate a key");
	} else {
		status = write_memory(path, 0600, secret);
		if (status == JC_EXIT_DONE) {
			status = write_memory(public_path, 0644, open);
			if (status != JC_EXIT_DONE) {
				unlink(path);
			}
		}
	}
	BIO_free(secret);
	BIO_free(open);
	return status;
}

static int make_pair(const char *path, const char *public_path, const char *algorithm)
{
	EVP_PKEY *key = strcmp(algorithm, "RS256") == 0
				? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)RSA_BITS)
				: EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
	int status = write_pair(path, public_path, key);

	EVP_PKEY_free(key);
	return status;
}

/* Prints a quoted string of jointcastd.conf, where '$' starts a variable. */
static void print_quoted(const char *text, size_t length)
{
	putchar('"');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f) {
			printf("\\x%02x", c);
		} else {
			printf(strchr("\"\\$", c) ? "\\%c" : "%c", c);
		}
	}
	putchar('"');
}

static void print_section(const char *path, const char *algorithm, const char *kid)
{
	char whole[PATH_MAX];
	const char *slash = strrchr(path, '/');
	const char *name = kid ? kid : slash ? slash + 1 : path;
	const char *dot = kid ? NULL : strchr(name, '.');
	size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	const char *file = realpath(path, whole) ? whole : path;

	fputs("auth {\n\tkey ", stdout);
	print_quoted(name, length < KID_BYTES ? length : KID_BYTES);
	printf(" { algorithm = \"%s\" file = ", algorithm);
	print_quoted(file, strlen(file));
	puts(" }\n}");
}

int jc_new_key(const char *path, const char *algorithm, const char *kid)
{
	char public_path[PATH_MAX];
	bool is_secret = strcmp(algorithm, "HS256") == 0;

	if (snprintf(public_path, sizeof(public_path), "%s" PUBLIC, path) >=
		(int)sizeof(public_path)) {
		return jc_report(JC_EXIT_IO, path, "cannot be created: %s", strerror(ENAMETOOLONG));
	}
	int status = is_secret ? make_secret(path) : make_pair(path, public_path, algorithm);

	if (status == JC_EXIT_DONE) {
		print_section(is_secret ? path : public_path, algorithm, kid);
	}
	return status;
}
