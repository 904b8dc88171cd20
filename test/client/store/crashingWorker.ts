/** The worker of the results store, which exits without an answer when a test asks for values to offer. */
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../../client/src/results/store/protocol.ts';

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'call' && message.method === 'valuesToOffer') process.exit(3);
});
await import('../../../client/src/results/store/worker/main.ts');
