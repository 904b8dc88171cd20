/** The worker of the results store, which ends without a word when it is asked for its memory. */
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../../client/src/results/store/protocol.ts';

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'call' && message.method === 'memory') process.exit(3);
});
await import('../../../client/src/results/store/worker/main.ts');
