// Takes the locks of several journals, each at a moment that is given, and prints which it got. Started by the
// test of locks, several at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { RunLock } from '../../../ingest/src/send/runLock.ts';

const [start = '', every = '', ...journals] = process.argv.slice(2);
const taken: number[] = [];
for (const [index, journal] of journals.entries()) {
  const at = Number(start) + index * Number(every);
  await sleep(Math.max(0, at - Date.now() - 2));
  while (Date.now() < at);
  if ((await RunLock.take(journal)) !== undefined) taken.push(index);
}
process.stdout.write(JSON.stringify(taken));
// The others see locks of a process that is alive until all have tried.
await sleep(1_000);
