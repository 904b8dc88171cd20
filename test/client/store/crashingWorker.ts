/** The worker of the results store, which exits without a reply when it is asked for values to offer. */
import { parentPort } from 'node:worker_threads';
import type { ToServer } from '../../../client/src/rpc/calls.ts';

parentPort?.on('message', (message: ToServer) => {
  if (message.kind === 'request' && message.name === 'valuesToOffer') process.exit(3);
});
await import('../../../client/src/answers/worker/main.ts');
