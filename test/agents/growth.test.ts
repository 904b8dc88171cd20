/** 10,000 calls need no more memory than the first fifth of them. `npm test` runs 300. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { isLong } from '../drawn.ts';
import { needs } from '../platform.ts';
import { PlainClient, SampleDeployment } from './harness.ts';

let deployment: SampleDeployment;
before(async () => {
  deployment = await SampleDeployment.start();
});
after(() => deployment.dispose());

const CALLS = isLong ? 10_000 : 300;
const GROWTH_MEGABYTES_MAX = 40;

/** Returns the memory of a process in MB. */
function residentMemory(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

it(`${CALLS} calls do not grow the process`, { skip: needs.devices }, async () => {
  // A small heap, so that garbage isn't kept for long.
  const client = await PlainClient.start(['--data', deployment.data], {
    NODE_OPTIONS: '--max-old-space-size=96',
  });
  const inputs = [
    ['run_query', { query: "['http-logs'] | take 50" }],
    ['check_query', { query: 'http-logs | where Status == 200', fix: true }],
    ['run_query', { query: 'print a = range(1, 50, 1) | mv-expand a' }],
    ['explain', { topic: 'guide' }],
    ['list_datasets', {}],
    ['get_resource', { kind: 'monitors' }],
    ['plan_change', { kind: 'monitors', change: { name: 'x', type: 'MatchEvent', aplQuery: 'x' } }],
    ['get_fields', { dataset: 'http-logs', values: false }],
    ['run_query', { query: 'broken | ' }],
    ['nothing', {}],
  ] as const;
  const batch = async (count: number) => {
    for (let done = 0; done < count; done += inputs.length) {
      await Promise.all(
        inputs.map(([name, input]) => client.request('tools/call', { name, arguments: input })),
      );
    }
  };
  await batch(CALLS / 5);
  const early = residentMemory(client.child.pid ?? 0);
  await batch((CALLS * 4) / 5);
  const late = residentMemory(client.child.pid ?? 0);
  process.stderr.write(
    `Memory: ${early.toFixed(0)} MB after a fifth, ${late.toFixed(0)} MB at the end.\n`,
  );
  assert.ok(late - early < GROWTH_MEGABYTES_MAX, `grew from ${early} to ${late} MB`);
  assert.equal(await client.end(), 0);
});
