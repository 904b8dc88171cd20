// Going back from a result: earlier ranges and added filters, as long as the query still allows undoing them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { backState, type StepBack, StepsBack } from '../../../client/src/charts/host/stepsBack.ts';

const range = (former: string): StepBack<string> => ({ kind: 'range', former });

function filter(condition: string, text: string): StepBack<string> {
  const former = { text: 'logs', title: 'logs', statesColumnOrder: false };
  const written = { condition, text, start: 4, added: ` | where ${condition}`, removed: '' };
  return { kind: 'filter', filter: { ...written, former }, text };
}

function stepsOf(...steps: StepBack<string>[]): StepsBack<string, string> {
  const back = new StepsBack<string, string>();
  back.set('tab', steps);
  return back;
}

describe('the ranges and filters that can be undone', () => {
  it('include the condition of the latest one if it is a filter', () => {
    const one = [range('last 1 hour')];
    assert.deepEqual(backState(one), { canGoBack: true });
    const two = [...one, filter('a == 1', 'logs | where a == 1')];
    assert.deepEqual(backState(two), { canGoBack: true, filter: 'a == 1' });
    assert.deepEqual(backState([]), { canGoBack: false });
  });

  it('exclude a filter that the query no longer contains, and later steps', () => {
    const steps = [range('1h'), filter('a == 1', 'one'), filter('b == 2', 'two')];
    const back = stepsOf(...steps);
    assert.deepEqual(back.of('tab', { text: 'two' }), steps);
    assert.deepEqual(back.of('tab', { text: 'one' }), steps.slice(0, 2));
    assert.deepEqual(back.of('tab', { text: 'another' }), steps.slice(0, 1));
    const only = stepsOf(filter('a == 1', 'one'));
    assert.deepEqual(only.of('tab', { text: 'another' }), []);
    assert.deepEqual(only.of('other', { text: 'one' }), []);
  });

  it('exclude the latest ranges if they can no longer be set', () => {
    const steps = [range('1h'), filter('a == 1', 'one'), range('line'), range('line 2')];
    const back = stepsOf(...steps);
    const canSet = (former: string) => !former.startsWith('line');
    assert.deepEqual(back.of('tab', { text: 'one' }), steps);
    assert.deepEqual(back.of('tab', { text: 'one', canSet }), steps.slice(0, 2));
    assert.deepEqual(back.of('tab', { text: 'another', canSet }), steps.slice(0, 1));
    assert.deepEqual(stepsOf(range('line')).of('tab', { text: 'one', canSet }), []);
  });

  it('are limited to the latest 50', () => {
    const all = Array.from({ length: 60 }, (_, at) => range(`${at}m`));
    const steps = stepsOf(...all).of('tab', { text: 'one' });
    assert.deepEqual(steps, all.slice(10));
  });

  it('are deleted with their tab', () => {
    const back = stepsOf(range('1h'));
    back.set('other', [range('2h')]);
    back.forget(['tab']);
    assert.deepEqual(back.of('tab', { text: 'one' }), []);
    assert.deepEqual(back.of('other', { text: 'one' }), [range('2h')]);
  });
});
