// A call runs only on the deployment for which it was shown.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DescribedCalls } from '../../../client/src/agents/describedCalls.ts';

it('a call that was shown for another deployment is refused once', () => {
  const calls = new DescribedCalls();
  calls.describe('run_query', { query: 'logs' }, 'local');
  const error = calls.take('run_query', { query: 'logs' }, 'Staging');
  assert.match(error ?? '', /^The window changed from the deployment local to Staging/);
  assert.equal(calls.take('run_query', { query: 'logs' }, 'Staging'), undefined);
});

it('a call that was shown for the same deployment, or not shown, runs', () => {
  const calls = new DescribedCalls();
  calls.describe('run_query', { query: 'logs' }, 'local');
  assert.equal(calls.take('run_query', { query: 'logs' }, 'local'), undefined);
  assert.equal(calls.take('run_query', { query: 'other' }, 'local'), undefined);
});

it('a call that is shown again counts for the later deployment', () => {
  const calls = new DescribedCalls();
  calls.describe('run_query', {}, 'local');
  calls.describe('run_query', {}, 'Staging');
  assert.equal(calls.take('run_query', {}, 'Staging'), undefined);
});
