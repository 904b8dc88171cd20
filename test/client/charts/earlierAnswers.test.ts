/** Answers of earlier ranges: each that begins also ends, and is dropped with the answer it is compared with. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import type { ResultTab, TabState } from '../../../client/src/answers/tabs.ts';
import { EarlierAnswers } from '../../../client/src/charts/host/earlierAnswers.ts';
import type { AskInTab } from '../../../client/src/query/answerService.ts';
import type { Outcome } from '../../../client/src/service/failure.ts';

const range = { startTime: '2026-01-31T08:00:00Z', endTime: '2026-01-31T09:00:00Z' };
const result: TabState = { kind: 'result', answer: 'now' };

const answer = {
  id: 'now',
  state: 'ready',
  about: { query: 'logs | count', ...range },
  head: { tables: [{ fields: [], rowCount: 0 }] },
} as unknown as HeldAnswer;

function tabIn(state: TabState): ResultTab {
  return { id: 'tab', query: { text: '', title: '' }, title: '', pinned: false, state };
}

/** Creates comparisons that use `askInTab`, with the ids of the answers that began, ended and were dropped. */
function comparisons(askInTab: AskInTab) {
  const begun: string[] = [];
  const ended: string[] = [];
  const dropped: string[] = [];
  const earlier = new EarlierAnswers({
    answers: {
      begin: () => {
        const id = `earlier ${begun.length}`;
        begun.push(id);
        return {
          id,
          chunk: async () => {},
          finish: async () => {
            ended.push(id);
            return {} as never;
          },
          abort: () => void ended.push(id),
        };
      },
      drop: (id) => void dropped.push(id),
      valuesToOffer: async () => [],
    },
    askInTab,
    limits: () => ({ timeoutMs: 1_000 }),
    onChange: () => {},
  });
  return { earlier, begun, ended, dropped };
}

const service = {
  connection: { general: 'https://edge.test', edge: 'https://edge.test' },
  route: async () => ({ ok: true, value: { kind: 'edge', address: 'https://edge.test' } }),
  stream: async () => ({ ok: true, value: { header: () => undefined } }),
} as never;
/** The deployments that received a query. */
const asked: string[] = [];
const answering: AskInTab = (_tab, _progress, signal, deployment, work) => {
  asked.push(deployment);
  return work({ service, signal });
};

describe('the answer of an earlier range', () => {
  for (const [what, outcome] of [
    ['was cancelled', undefined],
    ['failed', { ok: false, failure: { kind: 'token', host: '', message: 'No token.' } }],
  ] as const)
    it(`is reported as failed if connecting to its deployment ${what}`, async () => {
      const found = outcome as Outcome<never> | undefined;
      const { earlier, begun, ended } = comparisons(async () => found);
      earlier.compare(tabIn(result), answer, { minutes: 60 });
      await turn();
      assert.equal(earlier.get('tab', 'now')?.state.kind, 'failed');
      assert.deepEqual(begun, ended);
    });

  it('is dropped when the query of its tab fails, and requested again with the next result', async () => {
    const { earlier, begun, dropped } = comparisons(answering);
    earlier.compare(tabIn(result), answer, { minutes: 60 });
    await turn();
    assert.deepEqual(earlier.get('tab', 'now')?.state, { kind: 'ready', answer: 'earlier 0' });
    earlier.tabChanged(tabIn({ kind: 'failed', message: 'No.', actions: [] }), () => undefined);
    assert.deepEqual(dropped, ['earlier 0']);
    const next = { ...answer, id: 'next' };
    earlier.tabChanged(tabIn({ kind: 'result', answer: 'next' }), () => next);
    await turn();
    assert.deepEqual(begun, ['earlier 0', 'earlier 1']);
    assert.equal(earlier.get('tab', 'next')?.state.kind, 'ready');
    earlier.closed(['tab']);
    assert.deepEqual(dropped, begun);
    assert.deepEqual(new Set(asked), new Set([answer.about.deployment]));
  });
});
