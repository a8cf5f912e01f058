/* Integers in messages of the cluster: little-endian, at any alignment. */
#ifndef JC_LITTLE_ENDIAN_H
#define JC_LITTLE_ENDIAN_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void jc_put_u16(uint8_t *out_bytes, uint16_t value)
{
	value = htole16(value);
	memcpy(out_bytes, &value, sizeof(value));
}

static inline void jc_put_u32(uint8_t *out_bytes, uint32_t value)
{
	value = htole32(value);
	memcpy(out_bytes, &value, sizeof(value));
}

static inline void jc_put_u64(uint8_t *out_bytes, uint64_t value)
{
	value = htole64(value);
	memcpy(out_bytes, &value, sizeof(value));
}

static inline uint16_t jc_get_u16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return le16toh(value);
}

static inline uint32_t jc_get_u32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return le32toh(value);
}

static inline uint64_t jc_get_u64(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

#endif
