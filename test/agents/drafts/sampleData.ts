// The bundled samples as newline-delimited events, moved in time so that the latest event is now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { latestTime, moveTimes } from '../../../client/src/ingest/sampleTimes.ts';

export interface SampleDataset {
  readonly name: string;
  readonly lines: string;
}

/** The time range that contains all samples. */
export const sampleRange = { from: 'now-2h', to: 'now' };

const names = ['sample-http-logs', 'sample-traces', 'sample-app-logs'];
const folder = join(import.meta.dirname, '../../../media/samples');

export function sampleDatasets(): readonly SampleDataset[] {
  const texts = names.map((name) => readFileSync(join(folder, `${name}.ndjson`), 'utf8'));
  const moved = Date.now() - Math.max(...texts.map((text) => latestTime(text) ?? 0));
  return names.map((name, index) => ({ name, lines: moveTimes(texts[index] as string, moved) }));
}
