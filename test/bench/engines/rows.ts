/** Whether two engines gave the same rows, whatever their order and the way they write numbers, times and maps. */

export type Row = Readonly<Record<string, unknown>>;

/** Sums of floats depend on their order. */
const DIGITS = 10;
/** A time as APL and ClickHouse print it. */
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Throws unless both sides have the same rows in the columns of `theirs`, or in `columns`. */
export function assertSame(
  name: string,
  ours: readonly Row[],
  theirs: readonly Row[],
  columns?: readonly string[],
): void {
  const [left, right] = [ours.map((row) => flat(row)), theirs.map((row) => flat(row))];
  const compared = columns ?? Object.keys(right[0] ?? {});
  for (const row of [left[0], right[0]]) {
    const missing = compared.find((column) => row !== undefined && !(column in row));
    if (missing !== undefined) throw new Error(`${name}: an answer has no column ${missing}`);
  }
  const [a, b] = [left, right].map((rows) =>
    rows.map((row) => JSON.stringify(compared.map((column) => plain(row[column])))).sort(),
  ) as [string[], string[]];
  const at = a.findIndex((row, n) => row !== b[n]);
  if (a.length === b.length && at < 0) return;
  throw new Error(
    `${name}: ${a.length} rows here, ${b.length} there; ${a[at]} instead of ${b[at]}`,
  );
}

/** The rows of a tabular answer as objects by field name. */
export function answerRows(answer: Buffer): Row[] {
  const [{ fields, columns }] = JSON.parse(answer.toString()).tables as [
    { fields: { name: string }[]; columns: unknown[][] },
  ];
  const count = columns[0]?.length ?? 0;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]?.[row]])),
  );
}

/** Nested objects as dotted names. */
function flat(row: Row, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value as Row, `${prefix}${name}.`))
        : [[`${prefix}${name}`, value]],
    ),
  );
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
  if (typeof value === 'string' && time.test(value)) return value.replace(/\.?0*Z$/, 'Z');
  return value ?? '';
}
