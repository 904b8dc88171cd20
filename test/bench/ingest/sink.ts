// A service on loopback that takes events and forgets them, as a process of its own: it prints its port and ends
// with its input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// More than any request has; a run counts no more than it sent.
const all = { ingested: 1_000_000_000, failed: 0, failures: [] };
const answer = JSON.stringify({ ...all, processedBytes: 0, blocksCreated: 0, walLength: 0 });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
