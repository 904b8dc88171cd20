// Joins and membership tests of limited rows. DuckDB must not filter the rows before the limit.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';

const COUNT = 1_000;
let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  const time = Date.UTC(2026, 0, 1);
  const events = Array.from({ length: COUNT }, (_, n) => ({
    _time: new Date(time + n * 1_000).toISOString(),
    n,
    key: n % 100,
  }));
  await local.stored('logs', events);
});
after(() => local.close());

const joined = 'logs | join kind=inner (logs | project n) on n';

describe('the newest five events, none of which has the key', () => {
  for (const [name, apl] of Object.entries({
    'a join': `${joined} | top 5 by n | join kind=inner (datatable(key:long)[3, 7]) on key`,
    'a membership test': `${joined} | top 5 by n | where key in ((datatable(key:long)[3, 7]))`,
    'a join of a let': `let T = ${joined} | top 5 by n; T | join kind=inner (datatable(key:long)[3, 7]) on key`,
  })) {
    it(`${name} finds no events`, async () => {
      const { status, body, text } = await local.query(apl, ALL_TIMES);
      assert.equal(status, 200, text);
      assert.equal(body.tables[0].columns[0].length, 0, text);
    });
  }
});
