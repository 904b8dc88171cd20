// The way back from a result: former ranges and added filters, as long as the query is that of the step.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  backState,
  type StepBack,
  stepsFrom,
  withStep,
} from '../../../client/src/charts/host/stepsBack.ts';

const range = (former: string): StepBack<string> => ({ kind: 'range', former });

function filter(condition: string, text: string): StepBack<string> {
  const former = { text: 'logs', title: 'logs', statesColumnOrder: false };
  const written = { condition, text, start: 4, added: ` | where ${condition}`, removed: '' };
  return { kind: 'filter', filter: { ...written, former }, text };
}

describe('the steps back', () => {
  it('end with the last one, of which the condition is told', () => {
    const one = withStep([], range('last 1 hour'));
    assert.deepEqual(backState(one), { canGoBack: true });
    const two = withStep(one, filter('a == 1', 'logs | where a == 1'));
    assert.deepEqual(backState(two), { canGoBack: true, filter: 'a == 1' });
    assert.deepEqual(backState([]), { canGoBack: false });
  });

  it('are those of the query: a filter of another text cannot be taken out of it', () => {
    const steps = [range('1h'), filter('a == 1', 'one'), filter('b == 2', 'two')];
    assert.deepEqual(stepsFrom(steps, 'two'), steps);
    assert.deepEqual(stepsFrom(steps, 'one'), steps.slice(0, 2));
    assert.deepEqual(stepsFrom(steps, 'another'), steps.slice(0, 1));
    assert.deepEqual(stepsFrom([filter('a == 1', 'one')], 'another'), []);
    assert.deepEqual(stepsFrom(undefined, 'one'), []);
  });

  it('are bounded', () => {
    let steps: readonly StepBack<string>[] = [];
    for (let at = 0; at < 60; at++) steps = withStep(steps, range(`${at}m`));
    assert.deepEqual([steps.length, steps.at(-1)], [50, range('59m')]);
  });
});
