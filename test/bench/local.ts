/**
 * The local deployment over HTTP against DuckDB by hand, in one run: the same file into the same columns
 * with the same durability, and the same questions as SQL in-process.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import { largeMeasures, questionMeasures, tableOf } from './local/answers.ts';
import { Deployment } from './local/deployment.ts';
import { rangeOf, writeEvents } from './local/events.ts';
import { Peer } from './local/peer.ts';
import { processMeasures } from './local/processes.ts';
import { type Bench, type Measure, measure, timed } from './measure.ts';

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
      for (const name of ['ours', 'theirs', 'answer.json'])
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
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  const theirs = await Peer.open(join(folder, 'theirs'));
  const found: Measure[] = [];
  try {
    const ours = await Deployment.start(data);
    try {
      await ours.makeDataset();
      progress('DuckDB reads the file');
      const theirIngest = await timed(() => theirs.ingest(file));
      await theirs.checkpoint();
      progress('the local deployment ingests the file');
      const ourIngest = await timed(() => ours.ingest(file));
      const { first: stored } = tableOf(await ours.query("['events'] | count", rangeOf(0, events)));
      if (stored !== events) throw new Error(`${stored} events are stored, not ${events}`);
      const name = `ingest of ${events.toLocaleString('en-US')} events`;
      found.push(measure('local', name, 'ms', ourIngest, theirIngest, 1.25));
      await ours.settled();
      progress('questions');
      found.push(...(await questionMeasures({ ours, theirs, range })));
      progress('a large answer');
      const few = { ours, theirs, range: rangeOf(0, 100_000) };
      found.push(...(await largeMeasures(few, join(folder, 'answer.json'))));
    } finally {
      await ours.end();
    }
  } finally {
    theirs.close();
  }
  progress('processes of their own');
  found.push(...(await processMeasures(data, theirs.file, range)));
  return found;
}
