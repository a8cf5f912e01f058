/* Reads heads of PNG (W3C, "Portable Network Graphics", third edition, 5 and 11.2.1), JPEG
 * (ITU-T T.81, B.1 and B.2.2) and WebP (RFC 9649, 2.3 to 2.7). */
#include "image_head.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char truncated[] = "image ends within its head";
static const char animated[] = "image is animated";
static const char damaged[] = "head of the image is damaged";

static size_t read_be(const uint8_t *bytes, int count)
{
	size_t value = 0;

	for (int i = 0; i < count; i++) {
		value = value << 8 | bytes[i];
	}
	return value;
}

static size_t read_le(const uint8_t *bytes, int count)
{
	size_t value = 0;

	while (count-- > 0) {
		value = value << 8 | bytes[count];
	}
	return value;
}

static const char *read_png(const uint8_t *bytes, size_t length, struct jc_image_head *head)
{
	size_t at = 8;

	if (length < 33) {
		return truncated;
	}
	if (memcmp(bytes + 8, "\0\0\0\rIHDR", 8) != 0) {
		return damaged;
	}
	head->type = "image/png";
	head->width = read_be(bytes + 16, 4);
	head->height = read_be(bytes + 20, 4);
	/* A chunk before the first IDAT announces an animation (11.3.4.1, acTL). */
	while (length - at >= 12) {
		size_t size = read_be(bytes + at, 4);

		if (memcmp(bytes + at + 4, "acTL", 4) == 0) {
			return animated;
		}
		if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
			return NULL;
		}
		if (size > length - at - 12) {
			break;
		}
		at += 12 + size;
	}
	return truncated;
}

/* Start of frame of the processes that browsers read: baseline, extended and progressive. */
static bool is_read_frame(uint8_t marker)
{
	return marker >= 0xc0 && marker <= 0xc2;
}

/* Other frames (C3 to CF without DHT, JPG, DAC), and markers after which no head comes. */
static bool ends_head(uint8_t marker)
{
	return (marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
		       marker != 0xcc) ||
	       (marker >= 0xd8 && marker <= 0xda);
}

static const char *read_jpeg(const uint8_t *bytes, size_t length, struct jc_image_head *head)
{
	size_t at = 2;

	head->type = "image/jpeg";
	while (length - at >= 4) {
		uint8_t marker = bytes[at + 1];
		size_t size;

		if (bytes[at] != 0xff) {
			return damaged;
		}
		if (marker == 0xff) { /* a fill byte */
			at++;
			continue;
		}
		if (ends_head(marker)) {
			return "a kind of JPEG that browsers do not read";
		}
		size = read_be(bytes + at + 2, 2);
		if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd7) || size < 2) {
			return damaged;
		}
		if (size > length - at - 2) {
			return truncated;
		}
		if (is_read_frame(marker)) {
			if (size < 8) {
				return damaged;
			}
			head->height = read_be(bytes + at + 5, 2);
			head->width = read_be(bytes + at + 7, 2);
			return NULL;
		}
		at += 2 + size;
	}
	return truncated;
}

/* One chunk with pixels; size is that of its data. */
static const char *read_webp_frame(const uint8_t *chunk, size_t size, struct jc_image_head *head)
{
	const uint8_t *data = chunk + 8;

	if (memcmp(chunk, "VP8 ", 4) == 0) {
		if (size < 10 || (data[0] & 1) != 0 || memcmp(data + 3, "\x9d\x01\x2a", 3) != 0) {
			return damaged;
		}
		head->width = read_le(data + 6, 2) & 0x3fff;
		head->height = read_le(data + 8, 2) & 0x3fff;
	} else {
		if (size < 5 || data[0] != 0x2f) {
			return damaged;
		}
		head->width = (read_le(data + 1, 4) & 0x3fff) + 1;
		head->height = (read_le(data + 1, 4) >> 14 & 0x3fff) + 1;
	}
	return NULL;
}

/* The canvas of VP8X, if there is one, has the size of the one frame. */
static const char *read_webp(const uint8_t *bytes, size_t length, struct jc_image_head *head)
{
	struct jc_image_head canvas = { .width = 0 };
	size_t at = 12;

	head->type = "image/webp";
	if (read_le(bytes + 4, 4) + 8 > length) {
		return truncated;
	}
	while (length - at >= 8) {
		const uint8_t *chunk = bytes + at;
		size_t size = read_le(chunk + 4, 4);

		if (size > length - at - 8) {
			return truncated;
		}
		if (memcmp(chunk, "VP8 ", 4) == 0 || memcmp(chunk, "VP8L", 4) == 0) {
			const char *fault = read_webp_frame(chunk, size, head);
			bool differs = canvas.width != 0 && (canvas.width != head->width ||
								    canvas.height != head->height);

			return fault ? fault : differs ? damaged : NULL;
		}
		if (memcmp(chunk, "VP8X", 4) == 0) {
			if (size < 10 || at != 12) {
				return damaged;
			}
			if (chunk[8] & 2) {
				return animated;
			}
			canvas.width = read_le(chunk + 12, 3) + 1;
			canvas.height = read_le(chunk + 15, 3) + 1;
		}
		if (memcmp(chunk, "ANIM", 4) == 0 || memcmp(chunk, "ANMF", 4) == 0) {
			return animated;
		}
		at += 8 + size + (size & 1);
		if (at > length) {
			break;
		}
	}
	return truncated;
}

const char *jc_image_head_read(const void *bytes, size_t length, struct jc_image_head *out_head)
{
	const uint8_t *start = bytes;
	struct jc_image_head head = { .width = 0 };
	const char *fault;

	if (length >= 8 && memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0) {
		fault = read_png(start, length, &head);
	} else if (length >= 3 && memcmp(start, "\xff\xd8\xff", 3) == 0) {
		fault = read_jpeg(start, length, &head);
	} else if (length >= 12 && memcmp(start, "RIFF", 4) == 0 &&
		   memcmp(start + 8, "WEBP", 4) == 0) {
		fault = read_webp(start, length, &head);
	} else {
		return "neither PNG, JPEG nor WebP";
	}
	if (!fault && (head.width == 0 || head.height == 0)) {
		fault = damaged;
	}
	if (!fault) {
		*out_head = head;
	}
	return fault;
}
