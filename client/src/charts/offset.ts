/** Reads by how much earlier a span is that a person types. */

const spans: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };

/** The minutes of a span such as `90m`, `2h`, `3d` or `4w`; undefined for other text. */
export function offsetMinutes(text: string): number | undefined {
  const [, count, unit] = /^\s*(\d{1,6})\s*([mhdw])\s*$/i.exec(text) ?? [];
  const minutes = Number(count) * (spans[(unit ?? '').toLowerCase()] ?? Number.NaN);
  return Number.isFinite(minutes) && minutes > 0 && minutes <= 5_256_000 ? minutes : undefined;
}
