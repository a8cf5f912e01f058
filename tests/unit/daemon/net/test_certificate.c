/* Tests certificates: made ones, which are kept while they are valid, and those of files, which
 * are checked before use. */
#include <limits.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tls/certificate.h"
#include "tls/dev_certificate.h"
#include "unit_test.h"

struct files {
	char folder[32];
	char certificate[PATH_MAX], key[PATH_MAX];
};

static int make_folder(void **state)
{
	struct files *files = calloc(1, sizeof(*files));

	if (!files) {
		return -1;
	}
	strcpy(files->folder, "/tmp/jointcast-tls-XXXXXX");
	if (!mkdtemp(files->folder)) {
		return -1;
	}
	snprintf(files->certificate, sizeof(files->certificate), "%s/%s", files->folder,
		JC_DEV_CERTIFICATE_FILE);
	snprintf(files->key, sizeof(files->key), "%s/%s", files->folder, JC_DEV_KEY_FILE);
	*state = files;
	return 0;
}

static int remove_folder(void **state)
{
	struct files *files = *state;

	unlink(files->certificate);
	unlink(files->key);
	rmdir(files->folder);
	free(files);
	return 0;
}

static void make(const struct files *files, size_t count)
{
	static const struct jc_dev_names names = { 4,
		{ "localhost", "headset.local", "192.0.2.7", "2001:db8::7" } };
	struct jc_dev_names some = names;
	struct jc_diagnostic diagnostic;

	some.count = count;
	assert_int_equal(jc_dev_certificate_make(files->folder, &some, &diagnostic), JC_OK);
}

static struct jc_certificate *read_back(const struct files *files)
{
	struct jc_certificate *certificate = NULL;
	struct jc_diagnostic diagnostic;

	assert_int_equal(
		jc_certificate_read(files->certificate, files->key, &certificate, &diagnostic),
		JC_OK);
	return certificate;
}

static void fingerprint(const struct files *files, char out_text[JC_FINGERPRINT_TEXT])
{
	struct jc_certificate *certificate = read_back(files);

	jc_certificate_fingerprint(certificate, out_text);
	jc_certificate_destroy(certificate);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void expect_refusal(const struct files *files, const char *what)
{
	struct jc_certificate *certificate = NULL;
	struct jc_diagnostic diagnostic = { 0 };

	assert_true(
		jc_certificate_read(files->certificate, files->key, &certificate, &diagnostic) < 0);
	assert_null(certificate);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' does not contain '%s'", diagnostic.what, what);
	}
}

static void made_certificate_is_valid_for_its_names_only(void **state)
{
	const struct files *files = *state;
	static const char *const others[] = { "localhos", "a.headset.local", "192.0.2.8",
		"2001:db8::8", "", "*" };
	static const char *const own[] = { "localhost", "LOCALHOST", "headset.local", "192.0.2.7",
		"2001:db8:0::7" };
	struct stat status;

	make(files, 4);
	struct jc_certificate *certificate = read_back(files);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		assert_true(jc_certificate_names(certificate, own[i]));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(jc_certificate_names(certificate, others[i]));
	}
	/* Browsers accept at most 398 days. */
	assert_in_range(jc_certificate_seconds_left(certificate), 364 * 86400, 366 * 86400);
	jc_certificate_destroy(certificate);
	assert_int_equal(stat(files->key, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
}

static void keeps_a_valid_certificate_and_replaces_it_for_another_name(void **state)
{
	const struct files *files = *state;
	char first[JC_FINGERPRINT_TEXT];
	char second[JC_FINGERPRINT_TEXT];

	make(files, 2);
	fingerprint(files, first);
	assert_int_equal(strlen(first), 32 * 3 - 1);
	make(files, 2);
	fingerprint(files, second);
	assert_string_equal(first, second);
	make(files, 1); /* fewer names are fine */
	fingerprint(files, second);
	assert_string_equal(first, second);
	make(files, 3);
	fingerprint(files, second);
	assert_string_not_equal(first, second);
}

static void replaces_a_damaged_certificate_or_one_without_key(void **state)
{
	const struct files *files = *state;

	make(files, 1);
	write_file(files->certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n");
	make(files, 1);
	jc_certificate_destroy(read_back(files));
	assert_int_equal(unlink(files->key), 0);
	make(files, 1);
	jc_certificate_destroy(read_back(files));
}

static void rejects_a_foreign_key_and_one_with_a_passphrase(void **state)
{
	const struct files *files = *state;
	EVP_PKEY *key = EVP_EC_gen("P-256");
	FILE *file;

	make(files, 1);
	file = fopen(files->key, "w");
	assert_true(file && key && PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL));
	fclose(file);
	expect_refusal(files, "the key does not belong to the certificate");

	file = fopen(files->key, "w");
	assert_true(file && PEM_write_PrivateKey(file, key, EVP_aes_128_cbc(),
				    (const unsigned char *)"secret", 6, NULL, NULL));
	fclose(file);
	expect_refusal(files, "without a passphrase");
	EVP_PKEY_free(key);
}

static void rejects_missing_and_invalid_files(void **state)
{
	const struct files *files = *state;

	make(files, 1);
	write_file(files->certificate, "");
	expect_refusal(files, "not a certificate in PEM");
	make(files, 1);
	write_file(files->key, "secret");
	expect_refusal(files, "not a private key in PEM");
	assert_int_equal(unlink(files->certificate), 0);
	expect_refusal(files, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(made_certificate_is_valid_for_its_names_only),
		TEST(keeps_a_valid_certificate_and_replaces_it_for_another_name),
		TEST(replaces_a_damaged_certificate_or_one_without_key),
		TEST(rejects_a_foreign_key_and_one_with_a_passphrase),
		TEST(rejects_missing_and_invalid_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
