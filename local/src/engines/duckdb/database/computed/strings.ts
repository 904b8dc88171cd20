/** Reverses strings and finds the occurrences of one string in another, in linear time. */

/** Returns the offsets of `needle`, including overlapping occurrences. An empty `needle` occurs at every offset. */
export function offsetsOf(needle: string, text: string): number[] {
  if (needle === '') return Array.from({ length: [...text].length + 1 }, (_, i) => i);
  const borders = bordersOf(needle);
  const offsets: number[] = [];
  // A surrogate pair counts as one character.
  let characters = 0;
  let counted = 0;
  for (let i = 0, matched = 0; i < text.length; i++) {
    while (matched > 0 && text.charCodeAt(i) !== needle.charCodeAt(matched)) {
      matched = borders[matched - 1] as number;
    }
    if (text.charCodeAt(i) === needle.charCodeAt(matched)) matched++;
    if (matched < needle.length) continue;
    const start = i + 1 - needle.length;
    for (; counted < start; counted++) if (!isLowSurrogate(text.charCodeAt(counted))) characters++;
    if (!isLowSurrogate(text.charCodeAt(start))) offsets.push(characters);
    matched = borders[matched - 1] as number;
  }
  return offsets;
}

/** Returns the length of each prefix's longest proper prefix that is also its suffix, as in Knuth-Morris-Pratt. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  for (let i = 1, length = 0; i < text.length; i++) {
    while (length > 0 && text.charCodeAt(i) !== text.charCodeAt(length)) {
      length = borders[length - 1] as number;
    }
    if (text.charCodeAt(i) === text.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export function reversed(text: string): string {
  const units = new Uint16Array(text.length);
  for (let i = 0, to = text.length - 1; i < text.length; i++, to--) {
    // Keep the halves of a surrogate pair in order.
    const isPair = isLowSurrogate(text.charCodeAt(i + 1));
    units[isPair ? to - 1 : to] = text.charCodeAt(i);
    if (!isPair) continue;
    units[to] = text.charCodeAt(++i);
    to--;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
