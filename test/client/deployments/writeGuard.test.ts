// Writes to production are confirmed once for each kind of operation. Without a yes, the next write asks again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostedProfile, readProfile } from '../../../client/src/deployments/profiles.ts';
import { WriteGuard } from '../../../client/src/deployments/writeGuard.ts';

const production = readProfile(
  { name: 'Prod', url: 'https://api.example', production: true },
  'user',
) as HostedProfile;

/** Creates a guard whose questions get these answers in order, and counts the questions. */
function guardWith(...answers: readonly (boolean | Error)[]) {
  let asked = 0;
  const guard = new WriteGuard(async () => {
    const answer = answers[asked];
    asked += 1;
    if (answer instanceof Error) throw answer;
    assert.notEqual(answer, undefined, 'It asked once too often.');
    return answer === true;
  });
  return { guard, count: () => asked };
}

describe('a write to production', () => {
  it('is confirmed once for each kind of operation', async () => {
    const { guard, count } = guardWith(true, true);
    assert.equal(await guard.confirm(production, 'createMonitor'), true);
    assert.equal(await guard.confirm(production, 'createMonitor'), true);
    assert.equal(await guard.confirm(production, 'deleteMonitor'), true);
    assert.equal(count(), 2);
  });

  it('asks again if the last question was declined or could not be shown', async () => {
    const { guard, count } = guardWith(false, new Error('no window'), true);
    assert.equal(await guard.confirm(production, 'createMonitor'), false);
    await assert.rejects(guard.confirm(production, 'createMonitor'), /no window/);
    assert.equal(await guard.confirm(production, 'createMonitor'), true);
    assert.equal(count(), 3);
  });

  it('asks again for every covered operation if the question could not be shown', async () => {
    const { guard, count } = guardWith(new Error('no window'), true);
    const covers = ['createDataset'];
    await assert.rejects(guard.confirm(production, 'createMonitor', { covers }));
    assert.equal(await guard.confirm(production, 'createMonitor', { covers }), true);
    assert.equal(await guard.confirm(production, 'createDataset'), true);
    assert.equal(count(), 2);
  });
});
