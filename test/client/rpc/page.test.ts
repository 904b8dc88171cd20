/** Both ends of a page's channel together: cancellation, and a page that reloads with calls pending. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nothing, text } from '../../../client/src/webview/checks.ts';
import { HostChannel } from '../../../client/src/webview/hostChannel.ts';
import { isCancelled, PageChannel } from '../../../client/src/webview/page/channel.ts';
import { contract, request } from '../../../client/src/webview/pageContract.ts';

const example = contract<{ hello: string }>()({
  requests: { wait: request<string>()(text(10)), echo: request<string>()(text(10)) },
  fromPage: { ready: nothing },
});

/** Opens a host and a function that loads a page in its webview, in place of the previous page. */
function open() {
  const toHost = new Set<(message: unknown) => void>();
  let toPage: (message: unknown) => void = () => {};
  const aborted: string[] = [];
  const problems: string[] = [];
  const waiting = new Map<string, (reply: string) => void>();
  const host = new HostChannel({
    contract: example,
    pipe: {
      post: (message) => void setImmediate(() => toPage(structuredClone(message))),
      onMessage: (listener) => {
        toHost.add(listener);
        return { dispose: () => toHost.delete(listener) };
      },
    },
    requests: {
      wait: (name, signal) =>
        new Promise((resolve) => {
          waiting.set(name, resolve);
          signal.addEventListener('abort', () => aborted.push(name));
        }),
      echo: (name) => name,
    },
    events: { ready: () => undefined },
    onFailure: ({ message }) => problems.push(message),
    onProblem: (problem) => problems.push(problem),
  });
  const load = () => {
    const page = new PageChannel<typeof example>();
    page.connect({
      post: (message) => {
        for (const listener of toHost) listener(structuredClone(message));
      },
      onMessage: (listener) => {
        toPage = listener;
      },
    });
    page.listen({});
    return page;
  };
  return { host, load, aborted, problems, waiting };
}

it('a reload cancels the pending requests of the previous page, and the new page gets none of their replies', async () => {
  const { load, aborted, problems, waiting } = open();
  const first = load();
  const lost = ['a', 'b', 'c'].map((name) => first.request('wait', name));
  for (const call of lost) call.catch(() => assert.fail('nobody answers a page that is gone'));
  const second = load();
  assert.deepEqual(aborted, ['a', 'b', 'c']);
  const pending = second.request('wait', 'd');
  for (const name of ['a', 'b', 'c']) waiting.get(name)?.(`late ${name}`);
  assert.equal(await second.request('echo', 'e'), 'e');
  waiting.get('d')?.('in time');
  assert.equal(await pending, 'in time');
  assert.ok(second.isIdle);
  assert.deepEqual(problems, []);
});

it('a cancelled request of a page is rejected without waiting for the host', async () => {
  const { load, aborted, problems } = open();
  const page = load();
  const controller = new AbortController();
  const call = page.request('wait', 'a', controller.signal);
  controller.abort();
  await assert.rejects(call, isCancelled);
  assert.deepEqual(aborted, ['a']);
  await assert.rejects(page.request('echo', 'x'.repeat(11)), { code: 'refused' });
  assert.deepEqual(problems.length, 1);
});
