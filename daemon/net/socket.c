/* Wraps libwebsockets. Its shutdown (once from a libuv callback, then repeatedly around uv_run)
 * has the only order that leaves neither handles nor memory with 4.1.6 and 4.3.5. */
#include "net/socket.h"

#include <libwebsockets.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "maxima.h"
#include "net/frame.h"
#include "tls/certificate.h"

static int on_socket(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct jc_sockets *sockets = lws_context_user(lws_get_context(wsi));
	struct jc_connection *connection;

	switch (reason) {
	case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
		sockets->tls = user;
		jc_certificate_prepare(sockets->tls);
		return jc_certificate_use(sockets->certificate, sockets->tls) ? 0 : 1;
	case LWS_CALLBACK_WSI_CREATE:
		sockets->count++;
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		sockets->count--;
		return 0;
	case LWS_CALLBACK_RAW_RX:
		connection = lws_get_opaque_user_data(wsi);
		return sockets->ops->bytes(connection, in, length) ? -1 : 0;
	case LWS_CALLBACK_RAW_WRITEABLE:
		connection = lws_get_opaque_user_data(wsi);
		return sockets->ops->writable(connection) ? -1 : 0;
	case LWS_CALLBACK_RAW_CLOSE:
		connection = lws_get_opaque_user_data(wsi);
		lws_set_opaque_user_data(wsi, NULL);
		if (connection) {
			sockets->ops->closed(connection);
		}
		return 0;
	default:
		return 0;
	}
}

static const struct lws_protocols protocols[] = {
	{ .name = JC_SUBPROTOCOL,
		.callback = on_socket,
		/* Else writes are cut at rx_buffer_size and throughput collapses. */
		.tx_packet_size = 65536 },
	{ .name = NULL },
};

/* libwebsockets' keepalive is off: in raw mode it never sees pongs. */
static const lws_retry_bo_t no_keepalive = { .secs_since_valid_hangup = 0 };

/* libwebsockets reads the files itself; on_socket then replaces them with the certificate
 * that was checked. */
static struct lws_vhost *create_encrypted(struct jc_sockets *sockets,
	struct lws_context_creation_info *info, const struct jc_sockets_options *options)
{
	info->vhost_name = "tls";
	info->ssl_cert_filepath = options->certificate_path;
	info->ssl_private_key_filepath = options->key_path;
	/* A request in the clear is answered with a hint (http/http.c). */
	info->options |= LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
			 LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;
	return lws_create_vhost(sockets->context, info);
}

int jc_sockets_init(struct jc_sockets *sockets, const struct jc_sockets_options *options)
{
	void *loops[] = { options->loop };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = protocols,
		.foreign_loops = loops,
		.pcontext = &sockets->context,
		.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   (options->has_tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
		.user = sockets,
		.timeout_secs = JC_MAX_REQUEST_SECONDS,
		.pt_serv_buf_size = 16384,
		.alpn = "http/1.1",
		.retry_and_idle_policy = &no_keepalive,
		.vhost_name = "plain",
	};

	*sockets = (struct jc_sockets){ .ops = options->ops, .certificate = options->certificate };
	/* Its log cannot be led to ours; failures show in return values. */
	lws_set_log_level(0, NULL);
	sockets->context = lws_create_context(&info);
	if (!sockets->context) {
		return JC_ERROR_UNSUPPORTED;
	}
	sockets->plain = lws_create_vhost(sockets->context, &info);
	if (options->has_tls) {
		sockets->encrypted = create_encrypted(sockets, &info, options);
	}
	return sockets->plain && (!options->has_tls || sockets->encrypted) ? JC_OK
									   : JC_ERROR_UNSUPPORTED;
}

void jc_sockets_stop(struct jc_sockets *sockets)
{
	if (sockets->context) {
		lws_context_destroy(sockets->context);
	}
}

void jc_sockets_finish(struct jc_sockets *sockets, uv_loop_t *loop)
{
	while (sockets->context) {
		lws_context_destroy(sockets->context);
		uv_run(loop, UV_RUN_DEFAULT);
	}
	jc_certificate_destroy(sockets->certificate);
}

void jc_sockets_use_certificate(struct jc_sockets *sockets, struct jc_certificate *certificate)
{
	if (certificate && sockets->tls && jc_certificate_use(certificate, sockets->tls)) {
		jc_certificate_destroy(sockets->certificate);
		sockets->certificate = certificate;
	} else {
		jc_certificate_destroy(certificate);
	}
}

void jc_sockets_wake(struct jc_sockets *sockets)
{
	if (sockets->count > 0) {
		lws_cancel_service(sockets->context);
	}
}

struct lws *jc_sockets_adopt(
	struct jc_sockets *sockets, struct jc_connection *connection, int fd, bool is_encrypted)
{
	const lws_adopt_desc_t adopted = { .vh = is_encrypted ? sockets->encrypted : sockets->plain,
		.type = LWS_ADOPT_SOCKET | (is_encrypted ? LWS_ADOPT_ALLOW_SSL : 0),
		.fd = { .sockfd = fd },
		.opaque = connection };

	return lws_adopt_descriptor_vhost_via_info(&adopted);
}

bool jc_socket_is_choked(struct lws *wsi)
{
	return lws_partial_buffered(wsi);
}

size_t jc_socket_send(int fd, const uint8_t *bytes, size_t length)
{
	ssize_t sent = send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);

	return sent > 0 ? (size_t)sent : 0;
}

enum jc_socket_state jc_socket_write(struct lws *wsi, uint8_t *bytes, size_t length)
{
	if (lws_write(wsi, bytes, length, LWS_WRITE_RAW) < 0) {
		return JC_SOCKET_LOST;
	}
	return jc_socket_is_choked(wsi) ? JC_SOCKET_CHOKED : JC_SOCKET_READY;
}

void jc_socket_ask_writable(struct lws *wsi)
{
	lws_callback_on_writable(wsi);
}

void jc_socket_set_reading(struct lws *wsi, bool is_reading)
{
	lws_rx_flow_control(wsi, is_reading);
}

bool jc_socket_is_encrypted(struct lws *wsi)
{
	return lws_get_ssl(wsi) != NULL;
}

void jc_socket_cancel_timeout(struct lws *wsi)
{
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
}

void jc_socket_shut_down(struct lws *wsi)
{
	SSL *tls = lws_get_ssl(wsi);

	if (tls) {
		SSL_shutdown(tls);
	}
	shutdown(lws_get_socket_fd(wsi), SHUT_WR);
}

void jc_socket_end(struct lws *wsi)
{
	lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}
