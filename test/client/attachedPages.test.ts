/** Waiting for a page that a command has opened. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsContract } from '../../client/src/results/resultsContract.ts';
import { AttachedPages } from '../../client/src/webview/attachedPages.ts';
import type { ToPageMessage } from '../../client/src/webview/pageContract.ts';

const soonMs = 20;
const neverMs = 60_000;

function open() {
  const pages = new AttachedPages({
    contract: resultsContract,
    onFailure: ({ message }) => assert.fail(message),
    onProblem: assert.fail,
  });
  const received: ToPageMessage[] = [];
  const attach = () =>
    pages.attach(
      {
        post: (message) => void received.push(message),
        onMessage: () => ({ dispose: () => undefined }),
      },
      { requests: {} as never, events: {} as never },
    );
  return { pages, attach, received };
}

describe('waiting for an attached page', () => {
  it('ends when the first page attaches, which then receives messages', async () => {
    const { pages, attach, received } = open();
    const opened = pages.opened(neverMs).then(() => pages.send('changed', { tab: 'tab-1' }));
    assert.equal(pages.isEmpty, true);
    attach();
    await opened;
    assert.deepEqual(received, [{ kind: 'event', name: 'changed', content: { tab: 'tab-1' } }]);
    await pages.opened(neverMs);
  });

  it('starts again after the last page was detached', async () => {
    const { pages, attach } = open();
    attach().dispose();
    const startedAt = performance.now();
    await pages.opened(soonMs);
    assert.ok(performance.now() - startedAt >= soonMs - 2);
    assert.equal(pages.isEmpty, true);
  });

  it('ends when the attached pages are disposed of', async () => {
    const { pages } = open();
    const opened = pages.opened(neverMs);
    pages.dispose();
    await opened;
  });
});
