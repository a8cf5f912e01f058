/* A character shows two modules, one above the other. Colours are explicit: on a dark terminal the
 * modules would be inverted, which many readers refuse. */
#include "qr_code.h"

#include <errno.h>
#include <qrencode.h>
#include <stdbool.h>

#include "jointcast/error.h"

#define BORDER  4
#define COLOURS "\x1b[38;5;16;48;5;231m" /* black on white, which themes do not replace */
#define RESET   "\x1b[0m"

static bool is_dark(const QRcode *code, int x, int y)
{
	return x >= 0 && y >= 0 && x < code->width && y < code->width &&
	       (code->data[y * code->width + x] & 1) != 0;
}

int jc_qr_code_print(FILE *stream, const char *text)
{
	static const char *const blocks[] = { " ", "▀", "▄", "█" };
	QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);

	if (!code) {
		return errno == ERANGE ? JC_ERROR_LIMIT : JC_ERROR_MEMORY;
	}
	for (int y = -BORDER; y < code->width + BORDER; y += 2) {
		fputs(COLOURS, stream);
		for (int x = -BORDER; x < code->width + BORDER; x++) {
			fputs(blocks[is_dark(code, x, y) + 2 * is_dark(code, x, y + 1)], stream);
		}
		fputs(RESET "\n", stream);
	}
	QRcode_free(code);
	return JC_OK;
}
