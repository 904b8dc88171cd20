/** Decodes JSON strings with escapes to UTF-8. Lone surrogates are encoded as three bytes. */

const single: Readonly<Record<number, number>> = {
  34: 0x22,
  92: 0x5c,
  47: 0x2f,
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
};

/** The result object is reused, so read it before the next call. */
const result = { bytes: new Uint8Array(1_024), length: 0, hasLoneSurrogates: false };

/** Returns the unescaped content `[from, to)` of a string, or the offset of an invalid escape. */
export function unescaped(bytes: Uint8Array, from: number, to: number): typeof result | number {
  if (result.bytes.length < to - from || result.bytes.length > 1 << 22)
    result.bytes = new Uint8Array(Math.max(1_024, to - from));
  const out = result.bytes;
  let length = 0;
  result.hasLoneSurrogates = false;
  for (let at = from; at < to; ) {
    const byte = bytes[at] as number;
    if (byte !== 0x5c) {
      out[length++] = byte;
      at++;
      continue;
    }
    const escaped = bytes[at + 1] as number;
    if (escaped !== 0x75) {
      const resolved = single[escaped];
      if (resolved === undefined) return at;
      out[length++] = resolved;
      at += 2;
      continue;
    }
    let unit = hexUnit(bytes, at + 2, to);
    if (unit < 0) return at;
    at += 6;
    if (unit >= 0xd800 && unit <= 0xdbff && bytes[at] === 0x5c && bytes[at + 1] === 0x75) {
      const second = hexUnit(bytes, at + 2, to);
      if (second >= 0xdc00 && second <= 0xdfff) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
        at += 6;
      }
    }
    if (unit >= 0xd800 && unit <= 0xdfff) result.hasLoneSurrogates = true;
    if (unit < 0x80) out[length++] = unit;
    else {
      if (unit < 0x800) out[length++] = 0xc0 | (unit >> 6);
      else {
        if (unit < 0x10000) out[length++] = 0xe0 | (unit >> 12);
        else {
          out[length++] = 0xf0 | (unit >> 18);
          out[length++] = 0x80 | ((unit >> 12) & 0x3f);
        }
        out[length++] = 0x80 | ((unit >> 6) & 0x3f);
      }
      out[length++] = 0x80 | (unit & 0x3f);
    }
  }
  result.length = length;
  return result;
}

/** Parses four hexadecimal digits; -1 if they are invalid. */
function hexUnit(bytes: Uint8Array, at: number, to: number): number {
  if (at + 4 > to) return -1;
  let unit = 0;
  for (let index = at; index < at + 4; index++) {
    const byte = bytes[index] as number;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return -1;
  }
  return unit;
}
