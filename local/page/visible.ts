/** Formats values for display. Makes invisible and bidirectional control characters visible. */

const invisible = /(?![\uFE00-\uFE0F\u200C\u200D])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\uFFF9-\uFFFB]/gu;

const symbols: Readonly<Record<string, string>> = { '\n': '⏎', '\r': '␍', '\t': '⇥' };

/** Replaces invisible characters with symbols or codes such as `[U+202E]`. */
export function visible(text: string): string {
  return text.replace(
    invisible,
    (character) =>
      symbols[character] ??
      `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Formats a duration given in microseconds. */
export function duration(micros: number): string {
  if (micros < 1_000) return `${micros} µs`;
  if (micros < 1_000_000) return `${(micros / 1_000).toPrecision(3).replace(/\.0+$/, '')} ms`;
  return `${(micros / 1_000_000).toFixed(2)} s`;
}

export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(2)} ${units[unit]}`;
}

/** Formats an RFC 3339 time in UTC, to the second. */
export function second(time: string): string {
  return time.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
}
