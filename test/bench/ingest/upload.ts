// Uploads a file as the extension host does, in a process of its own, and prints what it took as JSON. Arguments: the
// file, the address, the encoding, and a folder for the journal.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { ReaderWorker } from '../../../client/src/ingest/readerWorker.ts';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import { Service } from '../../../client/src/service/service.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import type { SendEncoding } from '../../../ingest/src/send/compress.ts';
import { startRun } from '../../../ingest/src/send/startRun.ts';

export interface Upload {
  readonly ms: number;
  /** Of the thread, with the time in which others had the processor. */
  readonly longestBlockMs: number;
  /** Of the thread's own time between two turns of its loop. */
  readonly longestWorkMs: number;
  readonly peakBytes: number;
  readonly stored: number;
  readonly outcome: string;
}

const [path = '', url = '', encoding = 'identity', folder = ''] = process.argv.slice(2);
const worker = new ReaderWorker(new URL('../../../dist/ingest.cjs', import.meta.url));
const connection = { general: url, edge: url, dispatcher: directDispatcher() };
const service = new Service({ ...connection, token: async () => 'xaat-bench' });
// Loads what the first call loads, as it is loaded in an extension host that is in use.
await service.call('ingest', { params: { dataset_name: 'bench' }, body: Buffer.from('{}\n') });

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let before = process.threadCpuUsage();
let longestWork = 0;
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  longestWork = Math.max(longestWork, user + system);
  before = process.threadCpuUsage();
}, 1).unref();
const started = performance.now();
const run = await startRun({
  file: await diskSource(path),
  openReader: (file, settings, limits) => worker.open(file, settings, limits),
  sink: serviceSink({ dataset: 'bench', service: async () => ({ ok: true, value: service }) }),
  dataset: 'bench',
  deployment: 'Bench',
  settings: {
    format: 'ndjson',
    compression: 'none',
    encoding: 'utf-8',
    time: { field: '_time', format: { kind: 'rfc3339' }, zone: 'UTC' },
    labels: {},
    broken: 'skip',
  },
  encoding: encoding as SendEncoding,
  runsFolder: folder,
  failedFolder: folder,
});
const { stored, outcome } = await run.run();
const ms = performance.now() - started;
delay.disable();
const upload: Upload = {
  ms,
  longestBlockMs: delay.max / 1e6,
  longestWorkMs: longestWork / 1e3,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  stored,
  outcome,
};
console.log(JSON.stringify(upload));
process.exit();
