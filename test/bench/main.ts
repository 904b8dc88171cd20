// `npm run bench [-- NAME…] [--json FILE]`: runs benchmarks by name, all of them without one, prints a
// table and writes the same as JSON. A missed bar is told and never makes it fail.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Bench, Measure } from './bench.ts';
import { local } from './local.ts';

const benches: readonly Bench[] = [local];

/** A row of the JSON; `ours` and `theirs` are in `unit`. */
interface Row extends Measure {
  readonly bench: string;
  /** Whether the ratio is within the bar; null without one. */
  readonly holds: boolean | null;
}

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const known = benches.map((bench) => bench.name).join(', ');
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${known}.`);
  process.exit(2);
}

const rows: Row[] = [];
for (const bench of benches) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  console.error(`${bench.name}: ${bench.about}`);
  const measures = await bench.run((message) => console.error(`  ${message}`));
  for (const measure of measures) {
    const holds = measure.bar === null ? null : measure.ratio <= measure.bar;
    rows.push({ bench: bench.name, ...measure, holds });
  }
}
printTable(rows);
if (values.json !== undefined) {
  const json = rows.map(({ bench, measure, ours, theirs, unit, ratio, bar, holds }) => ({
    bench,
    measure,
    ours,
    theirs,
    unit,
    ratio,
    bar,
    holds,
  }));
  await writeFile(values.json, `${JSON.stringify(json, null, 2)}\n`);
}

function printTable(table: readonly Row[]): void {
  const head = ['bench', 'measure', 'ours', 'theirs', 'unit', 'ratio', 'bar', 'holds'];
  const lines = table.map((row) => [
    row.bench,
    row.measure,
    figure(row.ours),
    figure(row.theirs),
    row.unit,
    row.ratio.toFixed(2),
    row.bar === null ? '' : row.bar.toFixed(2),
    row.holds === null ? '' : row.holds ? 'yes' : 'no',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]!.length)),
  );
  for (const line of [head, widths.map((width) => '-'.repeat(width)), ...lines]) {
    const cells = line.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    console.log(cells.join('  ').trimEnd());
  }
}

function figure(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
