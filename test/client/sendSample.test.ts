/** Sends a sample to a local deployment: completely, until it is cancelled, and until the deployment is killed. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { directDispatcher } from '../../client/src/deployments/network.ts';
import {
  type SampleJob,
  type SampleOutcome,
  sendSample,
} from '../../client/src/ingest/samples/sendSample.ts';
import { Service } from '../../client/src/service/service.ts';
import { count, Processes, type Running } from '../local/processes.ts';

const dispatcher = directDispatcher();
let processes: Processes;
before(async () => {
  processes = await Processes.create();
});
after(async () => {
  await dispatcher.destroy();
  await processes.dispose();
});

const sample = { kind: 'traces', spanMs: 3_600_000, endMs: Date.now(), seed: 1 } as const;

async function send(
  { url, token }: Running,
  dataset: string,
  events: number,
  more: Partial<SampleJob> = {},
): Promise<SampleOutcome> {
  const service = new Service({
    general: url,
    edge: url,
    dispatcher,
    token: async () => token,
  });
  const made = await service.call('createDataset', { body: { name: dataset } });
  assert.ok(made.ok);
  return sendSample({
    service,
    dataset,
    sample: { ...sample, events },
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  });
}

it('sending a sample stores every event and reports progress up to the last one', async () => {
  const running = await processes.start('all');
  const seen: number[] = [];
  const outcome = await send(running, 'all', 20_500, {
    onProgress: ({ events, eventsPerSecond }) => {
      assert.ok(eventsPerSecond > 0);
      seen.push(events);
    },
  });
  assert.deepEqual(outcome, { stored: 20_500, failed: 0, cancelled: false });
  assert.equal(seen.at(-1), 20_500);
  assert.equal(await count(running, 'all'), 20_500);
});

it('sending a sample reports the number of stored events when it is cancelled', async () => {
  const running = await processes.start('cancelled');
  const controller = new AbortController();
  const outcome = await send(running, 'cancelled', 10_000_000, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  assert.equal(outcome.cancelled, true);
  assert.ok(outcome.stored > 0 && outcome.stored < 100_000, `${outcome.stored} stored`);
  assert.equal(await count(running, 'cancelled'), outcome.stored);
});

it('sending a sample ends with the reason if the deployment is killed', async () => {
  const running = await processes.start('gone');
  const outcome = await send(running, 'gone', 10_000_000, {
    onProgress: () => running.child.kill('SIGKILL'),
  });
  assert.equal(outcome.failure?.kind, 'unreachable');
  assert.equal(outcome.cancelled, false);
  assert.ok(outcome.stored > 0);
});
