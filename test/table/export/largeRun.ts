// Runs one large export in its own process to measure its memory: node largeRun.ts FORMAT ROWS FILE. Prints the
// measurements as JSON. Formats that start with `plain-` are plain loops, for comparison.
import { createWriteStream, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { exportToFile } from '../../../table/src/export/exportToFile.ts';
import type { RowSource } from '../../../table/src/rowSource.ts';
import { random, Task } from './sources.ts';

export interface LargeRun {
  readonly milliseconds: number;
  readonly bytes: number;
  /** The maximum growth of the process's memory, in bytes. */
  readonly growth: number;
  /** The longest time that the event loop was blocked, in milliseconds. */
  readonly longestStep: number;
}

/** Returns a table of twelve columns as a store holds it: typed arrays and dictionaries, about 600 bytes a row. */
export function largeTable(rowCount: number): RowSource {
  const next = random(12);
  const words = Array.from({ length: 997 }, (_, index) => `word${index * 7919} "quoted", ${index}`);
  const numbers = Float64Array.from({ length: rowCount }, () => next(1_000_000) / 64);
  const picks = Uint32Array.from({ length: rowCount }, () => next(2 ** 31));
  const start = 1_704_067_200_000;
  const pick = (row: number, offset: number) =>
    words[((picks[row] as number) + offset) % words.length] as string;
  const readers: readonly (readonly [
    string,
    string,
    (row: number) => string | number | boolean | null,
  ])[] = [
    ['_time', 'datetime', (row) => new Date(start + row * 37).toISOString()],
    ['n', 'integer', (row) => row],
    ['big', 'integer', (row) => (picks[row] as number) * 1024],
    ['ms', 'float', (row) => numbers[row] as number],
    ['ratio', 'float', (row) => (row % 7 === 0 ? null : (numbers[row] as number) / 3)],
    ['ok', 'boolean', (row) => row % 3 === 0],
    ['service', 'string', (row) => `service-${(picks[row] as number) % 12}`],
    ['path', 'string', (row) => `/api/v1/items/${picks[row]}`],
    ['status', 'integer', (row) => 200 + ((picks[row] as number) % 5) * 100],
    ['empty', 'string', () => null],
    ['word', 'string', (row) => pick(row, 0)],
    [
      'message',
      'string',
      (row) => Array.from({ length: 16 }, (_, index) => pick(row, index * 31)).join(' '),
    ],
  ];
  const cell = (row: number, column: number) => readers[column]?.[2](row) ?? null;
  return {
    name: 'Large',
    columns: readers.map(([name, type]) => ({ name, type })),
    rowCount,
    cell,
    text: (row, column) => {
      const value = cell(row, column);
      return value === null ? null : String(value);
    },
  };
}

/** Writes rows with a plain loop, without pauses, options or checks. */
function plainRows(source: RowSource, format: 'csv' | 'ndjson', path: string): void {
  const stream = createWriteStream(path);
  const { columns } = source;
  for (let row = 0; row < source.rowCount; row++) {
    if (format === 'csv') {
      const cells = columns.map((_, column) => {
        const text = String(source.cell(row, column) ?? '');
        return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      });
      stream.write(`${cells.join(',')}\n`);
    } else {
      const cells = columns.map(({ name }, column) => [name, source.cell(row, column)]);
      stream.write(`${JSON.stringify(Object.fromEntries(cells))}\n`);
    }
  }
  stream.end();
}

async function run(format: string, rowCount: number, path: string): Promise<LargeRun> {
  const source = largeTable(rowCount);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  // Compiles the code and fills the caches, so that the growth is that of the export.
  await exportToFile(largeTable(1_000), format, {}, path, new Task());
  const before = process.memoryUsage.rss();
  let peak = before;
  const task = new Task(8, () => {
    peak = Math.max(peak, process.memoryUsage.rss());
    return undefined;
  });
  delays.enable();
  const started = performance.now();
  const { bytes } = await exportToFile(source, format, {}, path, task);
  const milliseconds = performance.now() - started;
  return { milliseconds, bytes, growth: peak - before, longestStep: delays.max / 1e6 };
}

const [format = 'csv', rowCount = '1000', path = ''] = process.argv.slice(2);
if (path !== '') {
  if (format.startsWith('plain-')) {
    const source = largeTable(Number(rowCount));
    const started = performance.now();
    process.on('exit', () => {
      const milliseconds = performance.now() - started;
      writeFileSync(1, JSON.stringify({ milliseconds, bytes: 0, growth: 0, longestStep: 0 }));
    });
    plainRows(source, format === 'plain-csv' ? 'csv' : 'ndjson', path);
  } else {
    writeFileSync(1, JSON.stringify(await run(format, Number(rowCount), path)));
  }
}
