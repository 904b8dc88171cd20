// A query is planned with its datasets' current fields. If they change before it runs, it is
// planned again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

/** Runs `work` once, after the next query is planned and before it runs. */
function betweenPlanAndRun(work: () => Promise<unknown>): void {
  const { engine } = local.store;
  const makeMacros = engine.createMacros.bind(engine);
  engine.createMacros = async (names) => {
    engine.createMacros = makeMacros;
    await work();
    return makeMacros(names);
  };
}

describe('a query whose dataset changes before it runs', () => {
  it('returns fields of events stored in the meantime', async () => {
    const name = await local.dataset('first-events');
    betweenPlanAndRun(() => local.stored(name, [{ n: 1 }]));
    const { body } = await local.query(`['${name}']`, { ...ALL_TIMES });
    const [row] = rowsOf(body.tables[0]);
    assert.equal(row?.['n'], 1);
  });

  it('succeeds if one of its fields was vacuumed', async () => {
    const name = await local.dataset('vacuumed');
    await local.stored(name, [{ _time: '2020-01-01T00:00:00Z', gone: 1 }, { n: 1 }]);
    await local.call('POST', `/v2/datasets/${name}/trim`, { maxDuration: '1h' });
    betweenPlanAndRun(() => local.call('POST', `/v2/datasets/${name}/vacuum`));
    const { status, body } = await local.query(`['${name}']`, { ...ALL_TIMES });
    assert.equal(status, 200);
    assert.deepEqual(
      rowsOf(body.tables[0]).map(({ n }) => n),
      [1],
    );
  });

  it('is rejected if the dataset was deleted', async () => {
    const name = await local.dataset('deleted');
    await local.stored(name, [{ n: 1 }]);
    betweenPlanAndRun(() => local.call('DELETE', `/v2/datasets/${name}`));
    const { status, text } = await local.query(`['${name}']`, { ...ALL_TIMES });
    assert.equal(status, 400, text);
  });
});
