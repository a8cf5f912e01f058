// Numbers for those who make golden vectors: fixed point with 200 bits after the
// point, in whole numbers of any size, so that what is expected owes nothing to the
// floating point of the decoders that it checks.

export const POINT = 200n;
export const ONE = 1n << POINT;

export const abs = (x) => (x < 0n ? -x : x);
export const times = (a, b) => (a * b) >> POINT;
export const over = (a, b) => (a << POINT) / b;

export function fromDouble(x) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const mantissa = (word & 0xfffffffffffffn) | (exponent ? 1n << 52n : 0n);
  const shift = POINT + BigInt(Math.max(exponent, 1) - 1075);
  const value = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return word >> 63n ? -value : value;
}

export function root(x) {
  const n = x << POINT;
  let guess = 1n << BigInt((n.toString(2).length >> 1) + 1);
  for (;;) {
    const next = (guess + n / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Nearest whole number, halves away from zero. */
export function nearest(x) {
  const n = (2n * abs(x) + ONE) / (2n * ONE);
  return x < 0n ? -n : n;
}

/** The single-precision number nearest to x, as its exact decimal after a '='. */
export function single(x) {
  const magnitude = abs(x);
  if (magnitude === 0n) return '=0';
  const exponent = BigInt(magnitude.toString(2).length - 1) - POINT; // 2^exponent <= |x|
  const unit = POINT + (exponent < -126n ? -149n : exponent - 23n); // place of the last bit
  let mantissa = magnitude >> unit;
  const rest = magnitude - (mantissa << unit);
  const half = 1n << (unit - 1n);
  if (rest > half || (rest === half && mantissa & 1n)) mantissa += 1n;
  return decimal(x < 0n, mantissa << unit);
}

function decimal(negative, fixed) {
  const whole = fixed >> POINT;
  let rest = fixed - (whole << POINT);
  let digits = '';
  while (rest) {
    rest *= 10n;
    digits += rest >> POINT;
    rest &= ONE - 1n;
  }
  return `=${negative ? '-' : ''}${whole}${digits && `.${digits}`}`;
}

/** One vector a line; what single() made stands as bare numbers, every digit kept. */
export const toJson = (vectors) =>
  `[\n${vectors.map((v) => `  ${JSON.stringify(v).replace(/"=([-.\d]+)"/g, '$1')}`).join(',\n')}\n]\n`;
