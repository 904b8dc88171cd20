// The bundled samples in a local deployment, moved in time so that their latest event is now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { latestTime, moveTimes } from '../../../client/src/ingest/sampleTimes.ts';
import { Deployment } from '../../local/deployment.ts';

const datasets = ['sample-http-logs', 'sample-traces', 'sample-app-logs'];
const folder = join(import.meta.dirname, '../../../media/samples');

/** Opens a deployment that contains the samples. */
export async function openSampleDeployment(): Promise<Deployment> {
  const deployment = await Deployment.open();
  const texts = datasets.map((name) => readFileSync(join(folder, `${name}.ndjson`), 'utf8'));
  const moved = Date.now() - Math.max(...texts.map((text) => latestTime(text) ?? 0));
  for (const [index, name] of datasets.entries()) {
    await deployment.dataset(name);
    await deployment.stored(name, moveTimes(texts[index]!, moved));
  }
  return deployment;
}
