// Parses and writes JSON with numbers as written, and names types as the service does.

/** A number with its digits as written. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON with numbers as written. Throws a SyntaxError. */
export function parseExact(json: string): unknown {
  type Reviver = (
    this: unknown,
    key: string,
    value: unknown,
    context?: { source?: string },
  ) => unknown;
  const exact: Reviver = (_key, value, context) =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value;
  return JSON.parse(json, exact as (this: unknown, key: string, value: unknown) => unknown);
}

/** Returns a parsed value as JSON text. */
export function jsonOf(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonOf(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Returns the service's name for a value's type. */
export function typeOf(value: unknown): string {
  if (value instanceof NumberText) {
    if (!/^-?\d+$/.test(value.text)) return 'float';
    const integer = BigInt(value.text);
    return integer >= INT64_MIN && integer <= INT64_MAX ? 'integer' : 'float';
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (typeof value === 'bigint')
    return value >= INT64_MIN && value <= INT64_MAX ? 'integer' : 'float';
  if (value === null || value === undefined) return 'unknown';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'map' : typeof value;
}
