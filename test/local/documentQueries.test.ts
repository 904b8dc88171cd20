// Queries in resources: errors that are rejected, problems that are only reported, and the cost of
// checking them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fitsMainThread } from '../../local/src/routes/documentQueries.ts';
import { threadMs } from '../processorTime.ts';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [{ n: 1 }]);
});
after(() => local.close());

interface Notice {
  readonly code: string;
  readonly msg: string;
}

/** Parses the notices in a response header. */
function notices(headers: { get(name: string): string | null }): Notice[] {
  const text = headers.get('x-aplomb-messages');
  return text === null ? [] : JSON.parse(text);
}

const monitor = (aplQuery: string) =>
  local.call('POST', '/v2/monitors', { name: 'm', type: 'Threshold', aplQuery });

const savedQuery = (apl: string) => ({ name: 'q', kind: 'apl', query: { apl } });

describe('a stored query', () => {
  it('causes no notice if it has no problems', async () => {
    assert.deepEqual(notices((await monitor('logs | where n > 1 | count')).headers), []);
  });

  it('is stored with a notice if a dataset, column or function is unknown', async () => {
    for (const [apl, code, place] of [
      ["['köln'] | count", 'unknown-dataset', 'line: 1, col: 1: '],
      ['logs\n| where tomorrow > 1', 'unknown-column', 'line: 2, col: 9: '],
      ['logs | extend x = nofunction(n)', 'unknown-function', 'line: 1, col: 19: '],
    ] as const) {
      const { status, headers, text } = await monitor(apl);
      assert.equal(status, 200, text);
      const [notice, ...others] = notices(headers);
      assert.deepEqual([notice?.code, others], [code, []]);
      assert.ok(notice?.msg.startsWith(place), notice?.msg);
    }
  });

  it('causes an ASCII notice, as headers require, if a dataset name is not ASCII', async () => {
    const { headers } = await monitor("['köln'] | count");
    assert.match(headers.get('x-aplomb-messages')!, /^[\x20-\x7e]+$/);
    assert.match(notices(headers)[0]!.msg, /köln/);
  });

  it('causes at most ten notices, with truncated messages', async () => {
    const columns = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(1_000)}${i} == 1`);
    const { status, headers } = await monitor(`logs | where ${columns.join(' or ')}`);
    assert.equal(status, 200);
    assert.equal(notices(headers).length, 10);
    assert.ok(headers.get('x-aplomb-messages')!.length < 6_000);
  });

  it('is rejected in every kind of resource if it has an unknown operator', async () => {
    const apl = 'logs | wher n > 1';
    for (const [path, body] of [
      ['/v2/monitors', { name: 'm', type: 'Threshold', aplQuery: apl }],
      ['/v2/views', { name: 'unknown', aplQuery: apl }],
      ['/v2/apl-starred-queries', savedQuery(apl)],
      ['/v2/monitors', { name: 'm', type: 'Threshold', aplQuery: `${apl} | where (` }],
    ] as const) {
      const { status, body: answer, text } = await local.call('POST', path, body);
      assert.equal(status, 400, text);
      assert.match(answer.message, /^Unknown operator 'wher'/);
      assert.deepEqual([answer.detail.line, answer.detail.column], [1, 8]);
    }
  });

  it('may not read the view that it defines, directly or through other views', async () => {
    const view = (name: string, aplQuery: string) => ({ name, aplQuery });
    const refused = async (method: string, path: string, body: object) => {
      const { status, body: answer, text } = await local.call(method, path, body);
      assert.deepEqual([status, answer.reason], [400, 'view-refers-to-itself'], text);
    };
    await refused('POST', '/v2/views', view('own', 'own | count'));
    await refused('POST', '/v2/views', view('own', 'union logs, own'));
    for (const [name, apl] of [
      ['first', 'logs | limit 1'],
      ['second', 'first | limit 1'],
      ['third', 'second | limit 1'],
    ] as const) {
      assert.equal((await local.call('POST', '/v2/views', view(name, apl))).status, 200);
    }
    await refused('PUT', '/v2/views/first', view('first', 'third | limit 1'));
    await refused('PUT', '/v2/views/first', view('first', `third ${'| limit 1 '.repeat(1_000)}`));
    // The renaming would close the cycle through a name that doesn't exist yet.
    assert.equal(
      (await local.call('POST', '/v2/views', view('open', 'later | count'))).status,
      200,
    );
    await refused('PUT', '/v2/views/third', view('later', 'open | count'));
    assert.equal((await local.call('GET', '/v2/views/first')).body.aplQuery, 'logs | limit 1');
    assert.equal((await local.call('PUT', '/v2/views/first', view('first', 'logs'))).status, 200);
  });

  it('is rejected if it has a syntax error, and the previous query is kept', async () => {
    const view = { name: 'v', aplQuery: 'logs | count' };
    assert.equal((await local.call('POST', '/v2/views', view)).status, 200);
    const broken = { ...view, aplQuery: 'logs\n| where (n >' };
    const { status, body } = await local.call('PUT', '/v2/views/v', broken);
    assert.equal(status, 400);
    assert.equal(body.detail.line, 2);
    assert.equal((await local.call('GET', '/v2/views/v')).body.aplQuery, view.aplQuery);
  });

  it("is reported with its chart's name or id if it is invalid", async () => {
    const dashboard = {
      name: 'd',
      charts: [
        { id: 'a', name: 'Fine', query: { apl: 'logs | count' } },
        { id: 'b', name: 'Broken', query: { apl: 'logs | where (' } },
      ],
    };
    const { status, body } = await local.call('POST', '/v2/dashboards', { dashboard });
    assert.equal(status, 400);
    assert.match(body.message, /^The chart "Broken": /);
    dashboard.charts.splice(1, 1, { id: 'c', name: '', query: { apl: 'none | count' } });
    const kept = await local.call('POST', '/v2/dashboards', { dashboard });
    assert.equal(kept.status, 201);
    assert.match(notices(kept.headers)[0]!.msg, /^line: 1, col: 1: The chart "c": /);
  });

  it('is checked in a worker thread if it is very long, with the same notices and errors', async () => {
    const long = `logs ${'| extend y = n + 1 '.repeat(1_000)}`;
    assert.deepEqual(notices((await monitor(long)).headers), []);
    assert.equal(
      notices((await monitor(`${long}| where z > 1`)).headers)[0]!.code,
      'unknown-column',
    );
    assert.equal((await monitor(`${long}| where (`)).status, 400);
  });

  it('is checked in a worker thread if it reads many datasets with many fields', async () => {
    const schema = (fields: number) => ({
      datasets: [
        {
          name: 'd',
          fields: Array.from({ length: fields }, () => ({ name: 'f', type: 'string' })),
        },
      ],
    });
    for (const [apl, fields, quick] of [
      ['union d* | count', 2_001, false],
      ['search "x"', 2_001, false],
      ['union d* | count', 2_000, true],
      ['d | count', 200_000, true],
      [`d | where ${'x'.repeat(5_000)}`, 1, false],
    ] as const) {
      assert.equal(fitsMainThread([apl], schema(fields)), quick, apl.slice(0, 20));
    }
    for (const name of ['wide1', 'wide2', 'wide3']) {
      await local.dataset(name);
      const event = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i]));
      await local.stored(name, [event]);
    }
    const { status, headers } = await monitor('union wide* | where f999 > 1 and nothing > 1');
    assert.equal(status, 200);
    assert.deepEqual(
      notices(headers).map(({ code }) => code),
      ['unknown-column'],
    );
    assert.equal((await monitor('union wide* | where (')).status, 400);
  });

  it("doesn't block the event loop if it has the maximum length", async () => {
    const long = `logs | where ${'n == 1 or '.repeat(49_000)}n == 2`;
    const started = threadMs();
    let longest = 0;
    let last = started;
    const timer = setInterval(() => {
      longest = Math.max(longest, threadMs() - last);
      last = threadMs();
    }, 1);
    const { status, text } = await monitor(long);
    clearInterval(timer);
    assert.equal(status, 200, text.slice(0, 200));
    const all = threadMs() - started;
    assert.ok(longest < Math.max(100, all / 2), `${longest} of ${all} ms`);
  });
});
