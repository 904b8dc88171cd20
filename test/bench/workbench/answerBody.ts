/**
 * The body of an answer with rows like those of HTTP logs, column by column, so that one of a million rows
 * need not fit into a string.
 */
import { type Random, random } from '../../api/random.ts';

interface BodyColumn {
  readonly name: string;
  readonly type: string;
  /** The value as JSON. */
  readonly value: (row: number, next: Random) => string;
}

const quoted = (text: string) => JSON.stringify(text);
const hex = (next: Random, digits: number) => {
  let text = '';
  while (text.length < digits)
    text += next
      .below(2 ** 31)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, digits);
};
const oneOf = (items: readonly string[]) => (_: number, next: Random) => quoted(next.pick(items));
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index));

const first = Date.UTC(2026, 10, 21, 9, 14, 2);
const agents = list(200, (n) => `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/${500 + n}.36`);
const paths = list(5_000, (n) => `/api/v1/projects/${n * 37}/items`);
const cities = ['Lisbon', 'Osaka', 'São Paulo', 'Nairobi', 'Zürich', 'Perth'];
const words = 'request completed connection upstream retry timeout cache user order shard'.split(
  ' ',
);

/** Twenty columns; an answer of fewer takes the first ones. */
const columns: readonly BodyColumn[] = [
  {
    name: '_time',
    type: 'datetime',
    value: (row, next) => {
      const seconds = new Date(first - row * 13).toISOString().slice(0, 19);
      return `"${seconds}.${String(next.below(1e9)).padStart(9, '0').replace(/0$/, '1')}Z"`;
    },
  },
  { name: 'status', type: 'integer', value: (_, next) => next.pick(['200', '200', '404', '500']) },
  { name: 'method', type: 'string', value: oneOf(['GET', 'GET', 'POST', 'PUT', 'DELETE']) },
  { name: 'path', type: 'string', value: oneOf(paths) },
  { name: 'duration', type: 'float', value: (_, next) => String(next.below(1e7) / 1e4) },
  { name: 'trace_id', type: 'string', value: (_, next) => `"${hex(next, 32)}"` },
  {
    name: 'geo.city',
    type: 'string',
    value: (row, next) => (next.below(10) === 0 ? 'null' : quoted(cities[row % 6] as string)),
  },
  { name: 'bytes', type: 'integer', value: (_, next) => String(next.below(2_000_000)) },
  { name: 'user_agent', type: 'string', value: oneOf(agents) },
  {
    name: 'message',
    type: 'string',
    value: (row, next) =>
      quoted(
        `${next.pick(words)} ${next.pick(words)} ${next.pick(words)} ${row} in ${next.below(9_999)} ms`,
      ),
  },
  {
    name: 'is_error',
    type: 'boolean',
    value: (_, next) => (next.below(9) === 0 ? 'true' : 'false'),
  },
  {
    name: 'id',
    type: 'integer',
    value: (row) => (9_007_199_254_740_993n + BigInt(row) * 7n).toString(),
  },
  {
    name: 'tags',
    type: 'array',
    value: (_, next) => `["a","${next.pick(words)}",${next.below(5)}]`,
  },
  { name: 'ratio', type: 'float', value: (_, next) => String(next.below(2 ** 31) / 2 ** 31) },
  { name: 'host', type: 'string', value: (_, next) => `"web-${next.below(64)}.internal"` },
  { name: 'attempt', type: 'integer', value: (_, next) => String(next.below(4)) },
  { name: 'span_id', type: 'string', value: (_, next) => `"${hex(next, 16)}"` },
  { name: 'region', type: 'string', value: oneOf(['eu-west-1', 'us-east-1', 'ap-south-1']) },
  {
    name: '_sysTime',
    type: 'datetime',
    value: (row) => `"${new Date(first - row * 13 + 4_000).toISOString()}"`,
  },
  {
    name: 'code',
    type: 'integer|string',
    value: (_, next) => (next.below(3) === 0 ? `"E${next.below(40)}"` : String(next.below(600))),
  },
];

/** The body in pieces of some 64 KB; the same arguments give the same bytes. */
export function* answerBody(rowCount: number, columnCount: number): Generator<Uint8Array> {
  const used = columns.slice(0, columnCount);
  const fields = used.map(({ name, type }) => ({ name, type }));
  const encoder = new TextEncoder();
  yield encoder.encode(
    `{"format":"tabular","status":{"elapsedTime":12300,"rowsExamined":${rowCount},"rowsMatched":${rowCount}},` +
      `"datasetNames":["http-logs"],"tables":[{"name":"0","sources":[{"name":"http-logs"}],"fields":${JSON.stringify(fields)},` +
      '"order":[{"field":"_time","desc":true}],"groups":[],"columns":[',
  );
  for (const [index, column] of used.entries()) {
    const next = random(index + 1);
    let text = index === 0 ? '[' : ',[';
    for (let row = 0; row < rowCount; row++) {
      text += row === 0 ? column.value(row, next) : `,${column.value(row, next)}`;
      if (text.length > 65_000) {
        yield encoder.encode(text);
        text = '';
      }
    }
    yield encoder.encode(`${text}]`);
  }
  yield encoder.encode(']}]}');
}
