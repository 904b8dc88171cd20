// Messages that break a server: nested too deeply for recursive functions.
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { serveTools } from '../../cli/src/mcp/server.ts';
import { LineTransport } from '../../cli/src/mcp/transport.ts';
import { fakeContext } from './fakeContext.ts';
import type { Reply } from './harness.ts';

const DEPTH = 100_000;
const nested = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;

it('deeply nested requests, responses and notifications do not end the server', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const ended = serveTools(fakeContext(), '1', new LineTransport(input, output));
  const lines = [
    `{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x","data":${nested}}}`,
    `{"jsonrpc":"2.0","id":9,"result":${nested}}`,
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99,"_meta":${nested}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan_change","arguments":{"kind":"monitors","change":${nested}}}}`,
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain","arguments":${nested}}}`,
    '{"jsonrpc":"2.0","id":3,"method":"ping"}',
  ];
  for (const line of lines) input.write(`${line}\n`);
  const replies = new Map<unknown, Reply>();
  for await (const line of createInterface({ input: output })) {
    const reply = JSON.parse(line) as Reply;
    replies.set(reply.id, reply);
    if (replies.size === 3) break;
  }
  input.end();
  await ended;
  assert.deepEqual([...replies.keys()].sort(), [1, 2, 3]);
  assert.ok(replies.get(1)?.result.isError);
  assert.ok(replies.get(2)?.result.isError);
  assert.deepEqual(replies.get(3)?.result, {});
});
