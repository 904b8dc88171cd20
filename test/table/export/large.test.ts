// Large exports: memory stays bounded however large the table is. Times compared with a plain loop are printed, not
// asserted. APLOMB_LONG=1 doubles the rows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LargeRun } from './largeRun.ts';

const folder = await mkdtemp(join(tmpdir(), 'aplomb-export-'));
after(() => rm(folder, { recursive: true }));

const rowCount = process.env['APLOMB_LONG'] === '1' ? 200_000 : 100_000;

/** Less than the text of the table, so a writer that keeps all of it in memory exceeds this. */
const maxGrowth = 40 * 1024 * 1024;

/** A small heap makes the process collect garbage, so that its size shows what is retained. */
const smallHeap = ['--max-semi-space-size=4', '--max-old-space-size=96'];

async function large(format: string, flags: readonly string[] = []): Promise<LargeRun> {
  const script = fileURLToPath(new URL('largeRun.ts', import.meta.url));
  const path = join(folder, format);
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    script,
    format,
    String(rowCount),
    path,
  ]);
  await rm(path);
  return JSON.parse(stdout);
}

/** The runs of plain loops by format. */
const plainTimes = new Map<string, Promise<LargeRun>>();

function plainTime(format: string): Promise<LargeRun> {
  const run = plainTimes.get(format) ?? large(format);
  plainTimes.set(format, run);
  return run;
}

describe(`an export of ${rowCount.toLocaleString('en-US')} rows by 12 columns`, () => {
  for (const [format, plain] of [
    ['csv', 'plain-csv'],
    ['ndjson', 'plain-ndjson'],
    ['markdown', 'plain-csv'],
    ['xlsx', 'plain-csv'],
    ['parquet', 'plain-ndjson'],
  ] as const)
    it(`as ${format} increases memory by less than 40 MB`, async () => {
      const run = await large(format, smallHeap);
      const { milliseconds } = await plainTime(plain);
      const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
      console.log(
        `${format}: ${Math.round(run.milliseconds)} ms, ${(run.milliseconds / milliseconds).toFixed(2)} of ${plain}; ` +
          `${megabytes(run.bytes)} written, memory grew by ${megabytes(run.growth)}, event loop blocked for ${Math.round(run.longestStep)} ms at most`,
      );
      assert.ok(run.growth < maxGrowth, megabytes(run.growth));
    });
});
