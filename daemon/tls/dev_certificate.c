/* Makes development certificates: ECDSA on P-256, valid for a year, self-signed, so that a user
 * who trusts one trusts nothing else. */
#include "tls/dev_certificate.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tls/certificate.h"

#define DAY    INT64_C(86400)
#define YEAR   (365 * DAY)
#define MARGIN (30 * DAY)

static void add_name(struct jc_dev_names *names, const char *text)
{
	size_t most = sizeof(names->texts) / sizeof(names->texts[0]);

	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->texts[i], text) == 0) {
			return;
		}
	}
	if (names->count < most && *text && strlen(text) < sizeof(names->texts[0])) {
		strcpy(names->texts[names->count++], text);
	}
}

/* The characters allowed in a host name. */
static bool is_host_name(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789-.") == strlen(text);
}

static void add_address(struct jc_dev_names *names, const struct sockaddr *address)
{
	char text[INET6_ADDRSTRLEN];
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;

	if (address->sa_family == AF_INET) {
		inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text,
			sizeof(text));
		add_name(names, text);
	} else if (address->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr)) {
		inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text));
		add_name(names, text);
	}
}

void jc_dev_names_find(struct jc_dev_names *out_names)
{
	char host[HOST_NAME_MAX + 1] = "";
	char local[HOST_NAME_MAX + 8];
	struct ifaddrs *interfaces = NULL;

	*out_names = (struct jc_dev_names){ 0 };
	add_name(out_names, "localhost");
	if (gethostname(host, sizeof(host) - 1) == 0 && is_host_name(host)) {
		add_name(out_names, host);
		if (!strchr(host, '.')) {
			snprintf(local, sizeof(local), "%s.local", host);
			add_name(out_names, local);
		}
	}
	add_name(out_names, "127.0.0.1");
	add_name(out_names, "::1");
	if (getifaddrs(&interfaces) == 0) {
		for (struct ifaddrs *i = interfaces; i; i = i->ifa_next) {
			if (i->ifa_addr && i->ifa_flags & IFF_UP) {
				add_address(out_names, i->ifa_addr);
			}
		}
		freeifaddrs(interfaces);
	}
}

static bool is_good(
	const char *certificate_path, const char *key_path, const struct jc_dev_names *names)
{
	struct jc_certificate *certificate;
	struct jc_diagnostic diagnostic;

	if (jc_certificate_read(certificate_path, key_path, &certificate, &diagnostic) != JC_OK) {
		return false;
	}
	bool good = jc_certificate_seconds_left(certificate) > MARGIN;

	for (size_t i = 0; i < names->count && good; i++) {
		good = jc_certificate_names(certificate, names->texts[i]);
	}
	jc_certificate_destroy(certificate);
	return good;
}

static bool add_extension(X509 *certificate, int kind, const char *value)
{
	X509V3_CTX context;

	X509V3_set_ctx_nodb(&context);
	X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
	bool added = extension && X509_add_ext(certificate, extension, -1) == 1;

	X509_EXTENSION_free(extension);
	return added;
}

static bool add_names(X509 *certificate, const struct jc_dev_names *names)
{
	char value[sizeof(names->texts) + 8 * sizeof(names->texts) / sizeof(names->texts[0])] = "";
	unsigned char address[sizeof(struct in6_addr)];
	size_t length = 0;

	for (size_t i = 0; i < names->count; i++) {
		const char *text = names->texts[i];
		bool numeric = inet_pton(AF_INET, text, address) == 1 ||
			       inet_pton(AF_INET6, text, address) == 1;

		length += (size_t)snprintf(value + length, sizeof(value) - length, "%s%s:%s",
			i > 0 ? "," : "", numeric ? "IP" : "DNS", text);
	}
	return add_extension(certificate, NID_subject_alt_name, value);
}

static bool set_serial(X509 *certificate)
{
	unsigned char bytes[16];
	BIGNUM *number;

	if (RAND_bytes(bytes, sizeof(bytes)) != 1) {
		return false;
	}
	bytes[0] &= 0x7f;
	number = BN_bin2bn(bytes, sizeof(bytes), NULL);
	bool set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));

	BN_free(number);
	return set;
}

/* Returns NULL on an error, which only memory and randomness can cause. */
static X509 *compose(EVP_PKEY *key, const struct jc_dev_names *names)
{
	X509 *certificate = X509_new();
	X509_NAME *subject = certificate ? X509_get_subject_name(certificate) : NULL;

	/* Valid since an hour ago: clocks of headsets are slow. */
	if (subject && X509_set_version(certificate, X509_VERSION_3) && set_serial(certificate) &&
		X509_gmtime_adj(X509_getm_notBefore(certificate), -3600) &&
		X509_gmtime_adj(X509_getm_notAfter(certificate), YEAR) &&
		X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
			(const unsigned char *)"jointcast development", -1, -1, 0) &&
		X509_set_issuer_name(certificate, subject) && X509_set_pubkey(certificate, key) &&
		add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
		add_extension(certificate, NID_key_usage, "critical,digitalSignature") &&
		add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
		add_names(certificate, names) && X509_sign(certificate, key, EVP_sha256())) {
		return certificate;
	}
	X509_free(certificate);
	return NULL;
}

/* Copies from memory to a file. */
static int write_file(
	const char *path, BIO *memory, bool composed, struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	long length = composed ? BIO_get_mem_data(memory, &bytes) : 0;

	return length > 0 ? jc_file_replace(path, bytes, (size_t)length, diagnostic)
			  : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL,
				    "cannot make a development certificate");
}

static int write_files(const char *certificate_path, const char *key_path,
	const struct jc_dev_names *names, struct jc_diagnostic *diagnostic)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = key ? compose(key, names) : NULL;
	BIO *key_text = BIO_new(BIO_s_secmem());
	BIO *certificate_text = BIO_new(BIO_s_mem());
	bool composed = certificate && key_text && certificate_text &&
			PEM_write_bio_PrivateKey(key_text, key, NULL, NULL, 0, NULL, NULL) == 1 &&
			PEM_write_bio_X509(certificate_text, certificate) == 1;
	int status = write_file(key_path, key_text, composed, diagnostic);

	if (status == JC_OK) {
		status = write_file(certificate_path, certificate_text, composed, diagnostic);
	}
	BIO_free(certificate_text);
	BIO_free(key_text);
	X509_free(certificate);
	EVP_PKEY_free(key);
	return status;
}

int jc_dev_certificate_make(
	const char *directory, const struct jc_dev_names *names, struct jc_diagnostic *diagnostic)
{
	char certificate_path[PATH_MAX];
	char key_path[PATH_MAX];
	int status = jc_file_make_folder(directory, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	snprintf(certificate_path, sizeof(certificate_path), "%s/%s", directory,
		JC_DEV_CERTIFICATE_FILE);
	snprintf(key_path, sizeof(key_path), "%s/%s", directory, JC_DEV_KEY_FILE);
	if (is_good(certificate_path, key_path, names)) {
		return JC_OK;
	}
	return write_files(certificate_path, key_path, names, diagnostic);
}
