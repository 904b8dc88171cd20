/**
 * `npm run bench [-- NAME…] [--events N] [--json FILE]`: runs benchmarks by name, without one all that `npm ci` has
 * installed, prints a table and writes it as JSON. Absolute times are noise; the ratios are what to read. A missed bar is no
 * failure.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { charts } from './charts.ts';
import { engines } from './engines.ts';
import { growth } from './growth.ts';
import { ingest } from './ingest.ts';
import { language } from './language.ts';
import { local } from './local.ts';
import type { Bench, BenchOptions, Measure, Sizes } from './measure.ts';
import { schema } from './schema.ts';
import { figure, printTable } from './table.ts';
import { textGrowth } from './textGrowth.ts';
import { workbench } from './workbench.ts';

const benches: readonly Bench[] = [
  local,
  language,
  textGrowth,
  growth,
  workbench,
  charts,
  ingest,
  schema,
  engines,
];

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'string' },
    events: { type: 'string' },
    fields: { type: 'string' },
    datasets: { type: 'string' },
    'json-events': { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const known = benches.map((bench) => `  ${bench.name}  ${bench.summary}`).join('\n');
  console.error(`There is no benchmark ${unknown.join(', ')}. There are:\n${known}`);
  process.exit(2);
}

const options: BenchOptions = {
  ...(positionals.includes(growth.name)
    ? { sizes: { ...sizes('events', 1_000_000), ...sizes('fields', 1), ...sizes('datasets', 1) } }
    : count('events', 'events')),
  ...count('json-events', 'jsonEvents'),
  ...(values.only === undefined ? {} : { only: values.only }),
  ...(values.keep === undefined ? {} : { keep: values.keep }),
};

const measures: Measure[] = [];
for (const bench of benches) {
  const isChosen =
    positionals.length > 0 ? positionals.includes(bench.name) : bench.onlyByName !== true;
  if (!isChosen) continue;
  const progress = (text: string) => console.error(`${bench.name}: ${text}`);
  measures.push(...(await bench.run(progress, options)));
}
print(
  measures.filter(({ bench }) => !benches.some((each) => each.name === bench && each.printsTables)),
);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measures, null, 2)}\n`);

/** An option that is a number of events, under the name that benchmarks know; nothing if it is absent. */
function count(option: 'events' | 'json-events', name: 'events' | 'jsonEvents'): BenchOptions {
  const text = values[option];
  if (text === undefined) return {};
  const events = Number(text);
  if (!(Number.isInteger(events) && events >= 100_000)) {
    console.error(`--${option} takes a whole number of 100,000 or more.`);
    process.exit(2);
  }
  return { [name]: events };
}

/** An option that lists sizes, in units of `unit`; nothing if it is absent. */
function sizes(option: keyof Sizes, unit: number): Sizes {
  const text = values[option];
  if (text === undefined) return {};
  const found = text.split(',').map((part) => Math.round(Number(part) * unit));
  if (!found.every((size, n) => size > (found[n - 1] ?? 0))) {
    console.error(`--${option} of growth takes rising numbers, such as 1,3,10.`);
    process.exit(2);
  }
  return { [option]: found };
}

function print(rows: readonly Measure[]): void {
  if (rows.length === 0) return;
  printTable([
    ['bench', 'measure', 'ours', 'theirs', 'unit', 'ratio', 'bar', 'times', 'holds'],
    ...rows.map((row) => [
      row.bench,
      row.measure,
      figure(row.ours),
      figure(row.theirs),
      row.unit,
      row.ratio.toFixed(3),
      row.bar?.toFixed(3) ?? '',
      figure(1 / row.ratio),
      row.holds === undefined ? '' : row.holds ? 'yes' : 'no',
    ]),
  ]);
}
