/**
 * Writes numbers as short text for messages to pages, and reads equal numbers back. Most series have few decimals and
 * change little from point to point, so their text is less than half as long as JSON.
 */

/** Marks text that contains doubles. Other text starts with the number of decimals. */
const doubles = 'd';
const decimalsMax = 6;
/** The limit for scaled numbers, so that doubles represent them and their steps exactly. */
const scaledMax = 2 ** 50;
const bytesPerNumber = 8;
/** Seven bits of a code per byte. The eighth bit is set if more bytes follow. */
const bytePart = 128;

export function packNumbers(numbers: readonly (number | null)[]): string {
  const decimals = decimalsOf(numbers);
  const bytes = decimals === undefined ? doublesOf(numbers) : stepsOf(numbers, 10 ** decimals);
  return `${decimals ?? doubles}${Buffer.from(bytes.buffer, 0, bytes.length).toString('base64')}`;
}

export function unpackNumbers(text: string): (number | null)[] {
  const bytes = atob(text.slice(1));
  return text.startsWith(doubles) ? fromDoubles(bytes) : fromSteps(bytes, 10 ** Number(text[0]));
}

/** Returns the number of decimals with which all numbers are exact; undefined if a number has too many digits. */
function decimalsOf(numbers: readonly (number | null)[]): number | undefined {
  let decimals = 0;
  let scale = 1;
  let greatest = 0;
  for (const number of numbers) {
    if (number === null) continue;
    greatest = Math.max(greatest, Math.abs(number));
    while (Math.round(number * scale) / scale !== number) {
      if (decimals === decimalsMax) return undefined;
      decimals++;
      scale *= 10;
    }
  }
  return greatest * scale <= scaledMax ? decimals : undefined;
}

/** Writes each number's difference from the last number: 0 for null, odd codes for increases, even for decreases. */
function stepsOf(numbers: readonly (number | null)[], scale: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.length * bytesPerNumber);
  let length = 0;
  let before = 0;
  for (const number of numbers) {
    let code = 0;
    if (number !== null) {
      const scaled = Math.round(number * scale);
      code = scaled < before ? 2 * (before - scaled) : 2 * (scaled - before) + 1;
      before = scaled;
    }
    for (; code >= bytePart; code = Math.floor(code / bytePart))
      bytes[length++] = bytePart + (code % bytePart);
    bytes[length++] = code;
  }
  return bytes.subarray(0, length);
}

function fromSteps(bytes: string, scale: number): (number | null)[] {
  const numbers: (number | null)[] = [];
  let before = 0;
  for (let at = 0; at < bytes.length; ) {
    let code = 0;
    let weight = 1;
    let byte = bytes.charCodeAt(at++);
    for (; byte >= bytePart; byte = bytes.charCodeAt(at++)) {
      code += (byte - bytePart) * weight;
      weight *= bytePart;
    }
    code += byte * weight;
    if (code === 0) {
      numbers.push(null);
      continue;
    }
    before += code % 2 === 0 ? -code / 2 : (code - 1) / 2;
    numbers.push(before / scale);
  }
  return numbers;
}

/** Writes doubles in the byte order of the machine. VS Code runs only on little-endian machines. */
function doublesOf(numbers: readonly (number | null)[]): Uint8Array<ArrayBuffer> {
  const values = new Float64Array(numbers.length);
  // Adding zero turns negative zero into zero, as in JSON.
  for (let at = 0; at < values.length; at++) values[at] = (numbers[at] ?? Number.NaN) + 0;
  return new Uint8Array(values.buffer);
}

function fromDoubles(bytes: string): (number | null)[] {
  const buffer = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) buffer[at] = bytes.charCodeAt(at);
  const values = new Float64Array(buffer.buffer);
  const numbers: (number | null)[] = Array.from(values);
  for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) numbers[at] = null;
  return numbers;
}
