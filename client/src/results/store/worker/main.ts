/** The worker thread that holds the rows of answers: the entry of dist/results.cjs. */
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../protocol.ts';
import { Dispatcher } from './dispatcher.ts';

const port = parentPort;
if (port === null) throw new Error('This program is a worker thread of the extension.');
const dispatcher = new Dispatcher((message) => port.postMessage(message));
port.on('message', (message: ToWorker) => dispatcher.receive(message));
