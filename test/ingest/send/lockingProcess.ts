// Takes the locks of several journals, each at a given time, and prints the ones it got. The lock
// test starts several such processes at once.
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
// Keeps this process alive until the other processes have tried, so they see its locks as valid.
await sleep(1_000);
