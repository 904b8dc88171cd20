// The worker thread that reads files, so that the extension host never waits for it: the entry of
// dist/ingest.cjs.
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from './protocol.ts';
import { ReadServer } from './server.ts';

const port = parentPort;
if (port === null) throw new Error('This program is a worker thread of the extension.');
const server = new ReadServer((message, transfer = []) => port.postMessage(message, [...transfer]));
port.on('message', (message: ToWorker) => server.receive(message));
