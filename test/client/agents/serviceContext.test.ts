// Which failed calls of a deployment open another connection, which ends the calls on the old one.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serviceContext } from '../../../client/src/agents/serviceContext.ts';
import type { Failure } from '../../../client/src/service/failure.ts';
import type { Service } from '../../../client/src/service/service.ts';

const signal = new AbortController().signal;

/** Lists monitors with a service that fails, and returns the message and the services that were replaced. */
async function listed(failure: Omit<Failure, 'host'>, tokenAdvice?: string) {
  const service = {
    call: async () => ({ ok: false, failure: { host: 'localhost', ...failure } }),
  } as unknown as Service;
  const replaced: Service[] = [];
  const { resources } = serviceContext({
    service: async () => ({ ok: true, value: service }),
    reconnect: async (unreachable) => void replaced.push(unreachable),
    ...(tokenAdvice !== undefined && { tokenAdvice }),
  });
  const answer = await resources('monitors', undefined, signal);
  assert.ok(!answer.ok);
  assert.ok(replaced.every((one) => one === service));
  return { message: answer.message, count: replaced.length };
}

it('only a request that did not arrive opens another connection', async () => {
  const gone = { kind: 'unreachable', message: 'gone', sent: false } as const;
  assert.deepEqual(await listed(gone), { message: 'gone', count: 1 });
  const others = [
    { kind: 'cancelled', message: 'cancelled' },
    { kind: 'timeout', message: 'late' },
    { kind: 'unreachable', message: 'broken', sent: true },
    { kind: 'refused', message: 'busy', status: 503 },
  ] as const;
  for (const failure of others) {
    assert.deepEqual(await listed(failure as never), { message: failure.message, count: 0 });
  }
});

it('a forbidden list names the access that the token lacks', async () => {
  const failure = { kind: 'refused', message: 'Forbidden.', status: 403 } as never;
  assert.match((await listed(failure)).message, /^Forbidden\. Use a token with \w/);
});

it('a missing or rejected token comes with what to do', async () => {
  const missing = { kind: 'token', message: 'No token is stored.' } as never;
  const rejected = { kind: 'refused', message: 'Rejected.', status: 401 } as never;
  const busy = { kind: 'refused', message: 'Busy.', status: 503 } as never;
  const messageOf = async (failure: never) => (await listed(failure, 'Set it.')).message;
  assert.equal(await messageOf(missing), 'No token is stored. Set it.');
  assert.equal(await messageOf(rejected), 'Rejected. Set it.');
  assert.equal(await messageOf(busy), 'Busy.');
  assert.equal((await listed(missing)).message, 'No token is stored.');
});
