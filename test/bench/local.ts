/**
 * The local deployment over HTTP against DuckDB by hand, in one run: the same file into the same columns
 * with the same durability, and the same questions as SQL in-process.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import { largeMeasures, questionMeasures } from './local/answers.ts';
import { rangeOf, writeEvents } from './local/events.ts';
import { gateMeasures } from './local/gate.ts';
import { ingestMeasure } from './local/ingest.ts';
import { processMeasures } from './local/processes.ts';
import type { Bench, Measure } from './measure.ts';

export const local: Bench = {
  name: 'local',
  summary: 'the local deployment, against DuckDB by hand; --events of them, 10,000,000 unless said',
  async run(progress, { events = 10_000_000 }) {
    await ensureBuilt();
    const folder = join(root, '.bench');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `events-${events}.ndjson`);
    progress(`writing ${events.toLocaleString('en-US')} events`);
    const bytes = await writeEvents(file, events);
    progress(`${Math.round(bytes / events)} bytes an event`);
    try {
      return await measures(folder, file, events, progress);
    } finally {
      for (const name of ['ours', 'theirs', 'copy.duckdb', 'answer.json'])
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  },
};

async function measures(
  folder: string,
  file: string,
  events: number,
  progress: (text: string) => void,
): Promise<Measure[]> {
  // A hundredth at each end stays outside, so that the range is a filter and no formality.
  const outside = Math.floor(events / 100);
  const range = rangeOf(outside, events - outside);
  const data = join(folder, 'ours');
  const found: Measure[] = [];
  const { ours, theirs, ingest } = await ingestMeasure({ data, folder, file, events, progress });
  found.push(ingest);
  try {
    progress('questions');
    // The file belongs to the deployment as long as it is open, but nothing is written any more.
    const copy = join(folder, 'copy.duckdb');
    copyFileSync(join(data, 'data.duckdb'), copy);
    found.push(...(await questionMeasures({ ours, theirs, range }, copy)));
    progress('a large answer');
    const few = { ours, theirs, range: rangeOf(0, 100_000) };
    found.push(...(await largeMeasures(few, join(folder, 'answer.json'))));
  } finally {
    theirs.close();
    await ours.end();
  }
  progress('processes of their own');
  found.push(...(await processMeasures(data, theirs.file, range)));
  progress('the gate');
  found.push(...(await gateMeasures()));
  return found;
}
