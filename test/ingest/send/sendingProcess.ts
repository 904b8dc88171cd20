// Sends the file in a folder, or resumes sending it, until the process is killed. Arguments: the
// folder, the dataset, the deployment's URL and token, and the number of events in a batch.
import { join } from 'node:path';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import { Service } from '../../../client/src/service/service.ts';
import type { Sink } from '../../../ingest/src/contract.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { savedRuns } from '../../../ingest/src/send/savedRuns.ts';
import { type RunParts, resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import { ndjson } from './running.ts';

const [folder = '', dataset = '', url = '', token = '', batchEvents = ''] = process.argv.slice(2);
const connection = { general: url, edge: url, dispatcher: directDispatcher() };
const service = new Service({ ...connection, token: async () => token });
const runsFolder = join(folder, 'runs');
const toService = serviceSink({ dataset, service: async () => ({ ok: true, value: service }) });
const sink: Sink = {
  ...toService,
  async send(batch, signal) {
    const result = await toService.send(batch, signal);
    // The test waits for this message before killing the process, because loading the client takes
    // longer than sending.
    process.send?.('answered');
    return result;
  },
};
const parts: RunParts = {
  file: await diskSource(join(folder, 'events.ndjson')),
  openReader: (file, settings, limits) => batchReader(file, settings, limits),
  sink,
};
const [saved] = await savedRuns(runsFolder);
const run = saved
  ? await resumeRun(saved.path, parts)
  : await startRun({
      ...parts,
      dataset,
      deployment: 'Local',
      settings: ndjson,
      limits: { events: Number(batchEvents), bytes: 1_000_000, eventBytes: 1_000_000 },
      encoding: 'identity',
      runsFolder,
      failedFolder: folder,
    });
await run.run();
process.exit();
