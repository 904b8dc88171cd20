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
import type { Bench, BenchOptions, Measure } from './measure.ts';
import { schema } from './schema.ts';
import { workbench } from './workbench.ts';

const benches: readonly Bench[] = [
  local,
  language,
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
  ...count('events', 'events'),
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
print(measures);
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

/** Three digits or more, so that small figures do not all read as nothing. */
function figure(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

function print(rows: readonly Measure[]): void {
  const table = [
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
  ];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
