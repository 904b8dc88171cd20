/** The host's end of the channel to a page: rejected messages, cancellation, limits and error reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyFormats, resultsContract } from '../../client/src/results/resultsContract.ts';
import {
  boolean,
  either,
  integer,
  list,
  literal,
  nothing,
  object,
  oneOf,
  record,
  text,
} from '../../client/src/webview/checks.ts';
import { HostChannel, RequestFailed } from '../../client/src/webview/hostChannel.ts';
import { contract, request, type ToPageMessage } from '../../client/src/webview/pageContract.ts';

const example = contract<{ hello: string }>()({
  requests: {
    double: request<number>()(object({ n: integer(0, 100) })),
    wait: request<null>()(object({})),
  },
  fromPage: { ready: nothing, named: object({ name: text(5) }) },
});

function opened() {
  const posted: ToPageMessage[] = [];
  const problems: string[] = [];
  const seen: unknown[] = [];
  let listener: (message: unknown) => void = () => {};
  const channel = new HostChannel<typeof example>({
    contract: example,
    pipe: {
      post: (message) => posted.push(message),
      onMessage: (given) => {
        listener = given;
        return { dispose: () => undefined };
      },
    },
    requests: {
      double: ({ n }) => {
        if (n === 13) throw new RequestFailed('invalid', 'Not this one.');
        if (n === 14) throw new Error('secret path /home/x');
        return n * 2;
      },
      wait: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
    events: {
      ready: () => seen.push('ready'),
      named: ({ name }) => seen.push(name),
    },
    onFailure: ({ message }) => problems.push(message),
    onProblem: (problem) => problems.push(problem),
  });
  const send = async (message: unknown) => {
    listener(message);
    await new Promise((done) => setImmediate(done));
  };
  return { channel, posted, problems, seen, send };
}

describe('the channel between a page and its host', () => {
  it('replies with the call number of the request, and delivers events in both directions', async () => {
    const { channel, posted, seen, send } = opened();
    await send({ kind: 'request', call: 7, name: 'double', content: { n: 21 } });
    await send({ kind: 'event', name: 'ready', content: null });
    channel.send('hello', 'you');
    assert.deepEqual(posted, [
      { kind: 'reply', call: 7, content: 42 },
      { kind: 'event', name: 'hello', content: 'you' },
    ]);
    assert.deepEqual(seen, ['ready']);
  });

  it('rejects messages that its contract does not allow', async () => {
    const { posted, problems, seen, send } = opened();
    for (const message of [
      null,
      'text',
      [],
      {},
      { kind: 'event' },
      { kind: 'event', name: 'toString', content: null },
      { kind: 'event', name: '__proto__', content: null },
      { kind: 'event', name: 'named', content: { name: 'too long' } },
      { kind: 'event', name: 'named', content: { name: 'x', more: 1 } },
      { kind: 'request', call: 'x', name: 'double', content: { n: 1 } },
    ])
      await send(message);
    assert.deepEqual([posted, seen, problems.length], [[], [], 10]);
    await send({ kind: 'request', call: 1, name: 'double', content: { n: 101 } });
    await send({ kind: 'request', call: 2, name: 'constructor', content: {} });
    assert.deepEqual(
      posted.map((message) => (message.kind === 'failure' ? message.failure.code : message.kind)),
      ['refused', 'refused'],
    );
  });

  it('sends the page the message of an expected failure, but not of an internal error', async () => {
    const { posted, problems, send } = opened();
    await send({ kind: 'request', call: 1, name: 'double', content: { n: 13 } });
    await send({ kind: 'request', call: 2, name: 'double', content: { n: 14 } });
    assert.deepEqual(posted[0], {
      kind: 'failure',
      call: 1,
      failure: { code: 'invalid', message: 'Not this one.' },
    });
    assert.doesNotMatch(JSON.stringify(posted[1]), /secret/);
    assert.match(problems[0] ?? '', /secret/);
  });

  it('cancels a single request, limits concurrent requests, and cancels them all when it closes', async () => {
    const { channel, posted, send } = opened();
    await send({ kind: 'request', call: 1, name: 'wait', content: {} });
    await send({ kind: 'request', call: 1, name: 'wait', content: {} });
    await send({ kind: 'cancel', call: 1 });
    assert.deepEqual(
      posted.map((message) => (message.kind === 'failure' ? message.failure.code : message.kind)),
      ['refused', 'cancelled'],
    );
    for (let call = 10; call < 300; call++)
      await send({ kind: 'request', call, name: 'wait', content: {} });
    assert.equal(posted.length, 2 + 90);
    channel.dispose();
    await new Promise((done) => setImmediate(done));
    assert.equal(posted.length, 2 + 90, 'nothing is posted afterwards');
  });
});

describe('checks of messages', () => {
  it('accept only values of the declared types', () => {
    const check = object(
      { kind: oneOf('a', 'b'), list: list(integer(0, 3), 2) },
      { flag: boolean, rest: record(text(2), 2) },
    );
    assert.ok(check({ kind: 'a', list: [0, 3] }));
    assert.ok(check({ kind: 'b', list: [], flag: true, rest: { x: 'yy' } }));
    for (const wrong of [
      null,
      [],
      { kind: 'c', list: [] },
      { kind: 'a' },
      { kind: 'a', list: [0, 1, 2] },
      { kind: 'a', list: [0.5] },
      { kind: 'a', list: [-1] },
      { kind: 'a', list: [], flag: 1 },
      { kind: 'a', list: [], flag: undefined },
      { kind: 'a', list: [], rest: { x: 'yyy' } },
      { kind: 'a', list: [], rest: { x: 'y', y: 'y', z: 'y' } },
      JSON.parse('{"kind":"a","list":[],"__proto__":1}'),
    ])
      assert.equal(check(wrong), false, JSON.stringify(wrong));
    assert.ok(either(literal(null), integer(1, 1))(null));
    assert.equal(either(literal(null), integer(1, 1))(Number.NaN), false);
  });

  it('for the results page reject values outside their limits', () => {
    const place = { answer: 'a', table: 0 };
    const { window, copy, arrange } = resultsContract.requests;
    const columns = [0, 1];
    assert.ok(window.params({ ...place, from: 0, to: 200, columns, search: false }));
    assert.equal(window.params({ ...place, from: -1, to: 200, columns, search: false }), false);
    assert.equal(window.params({ ...place, from: 0, to: 1e12, columns, search: false }), false);
    for (const format of copyFormats)
      assert.ok(copy.params({ ...place, blocks: [], format, headers: true }));
    assert.equal(copy.params({ ...place, blocks: [], format: 'exe', headers: true }), false);
    const filter = { column: 0, kind: 'values', values: [null, { kind: 'text', text: 'x' }] };
    assert.ok(arrange.params({ ...place, order: [], filters: [filter] }));
    const worse = { ...filter, values: [{ kind: 'code', text: 'x' }] };
    assert.equal(arrange.params({ ...place, order: [], filters: [worse] }), false);
  });
});
