// Views and virtual fields as sources of a query.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [
    { _time: '2026-01-01T00:00:00Z', status: 500, ms: 1500, host: 'a' },
    { _time: '2026-01-01T00:00:01Z', status: 200, ms: 20, host: 'b' },
    { _time: '2026-01-01T00:00:02Z', status: 404, ms: 40, host: 'a' },
  ]);
});
after(() => local.close());

async function view(name: string, aplQuery: string): Promise<void> {
  assert.equal((await local.call('POST', '/v2/views', { name, aplQuery })).status, 200, name);
}

async function field(name: string, expression: string, dataset = 'logs'): Promise<void> {
  const body = { dataset, name, expression };
  assert.equal((await local.call('POST', '/v2/vfields', body)).status, 200, name);
}

async function rows(apl: string): Promise<unknown[][]> {
  const { status, body } = await ask(apl);
  assert.equal(status, 200, JSON.stringify(body));
  return rowsOf(body.tables[0]).map((row) => Object.values(row));
}

function ask(apl: string, more: object = {}) {
  return local.call('POST', '/v1/query/_apl?format=tabular', { apl, ...ALL_TIMES, ...more });
}

describe('table()', () => {
  it("reads the dataset named by a request variable or by the variable's default", async () => {
    await local.dataset('other');
    await local.stored('other', [{ _time: '2026-01-01T00:00:00Z', status: 1 }]);
    const apl = 'declare query_parameters (source:string = "logs"); table(source) | count';
    const counts = [];
    for (const variables of [{}, { source: 'other' }]) {
      counts.push(rowsOf((await ask(apl, { variables })).body.tables[0]));
    }
    assert.deepEqual(counts, [[{ count: 3 }], [{ count: 1 }]]);
  });

  it('reports an unknown dataset named by a parameter default, a request variable or a let', async () => {
    const declared = 'declare query_parameters (source:string = "none"); table(source) | count';
    const asked = [
      await ask(declared),
      await ask(declared.replace('none', 'logs'), { variables: { source: 'none' } }),
      await ask('let source = "none"; union logs, table(source)'),
    ];
    for (const { status, body } of asked) {
      assert.equal(status, 400);
      assert.equal(body.errors[0].code, 'unknown-dataset');
      assert.match(body.message, /The dataset none does not exist\./);
    }
    assert.deepEqual([asked[0]!.body.detail.line, asked[0]!.body.detail.column], [1, 52]);
  });

  it('is rejected if the request variable is not a string, even with a valid default', async () => {
    const apl = 'declare query_parameters (source:string = "logs"); table(source) | count';
    const { status, text } = await ask(apl, { variables: { source: 5 } });
    assert.equal(status, 400, text);
  });

  it('is rejected in a view that reads itself through a name in a let statement', async () => {
    await view('round', "['logs'] | project host");
    await local.call('PUT', '/v2/views/round', {
      name: 'round',
      aplQuery: 'let name = "round"; table(name) | project host',
    });
    const { status, body } = await ask('round | count');
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, /itself/);
  });
});

describe('a view', () => {
  it('can be used like a dataset and has its own let statements', async () => {
    await view('slow', "let floor = 30; ['logs'] | where ms > floor | project host, ms");
    assert.deepEqual(await rows('let floor = 100; slow | where ms > floor | project host'), [
      ['a'],
    ]);
    assert.deepEqual(await rows('slow | summarize n = count() by host'), [['a', 2]]);
    assert.deepEqual(await rows("union (slow), (['logs'] | project host, ms) | count"), [[5]]);
  });

  it('can read another view and reflects changes to that view', async () => {
    await view('slowest', 'slow | top 1 by ms');
    assert.deepEqual(await rows('slowest'), [['a', 1500]]);
    await local.call('PUT', '/v2/views/slow', {
      name: 'slow',
      aplQuery: "['logs'] | where ms < 30 | project host, ms",
    });
    assert.deepEqual(await rows('slowest'), [['b', 20]]);
  });

  it("resolves table names to its own let statements, not to the query's", async () => {
    await view('errors', "let t = (['logs'] | where status == 500); t | project status");
    assert.deepEqual(
      await rows(
        "let t = (['logs'] | where status == 200 | project status); union t, errors | sort by status asc",
      ),
      [[200], [500]],
    );
  });

  it('resolves table names to its own let statements even inside another view, and the result lists the dataset read', async () => {
    await view('few', "let t = (['logs'] | where status == 500); t | project status, host");
    await view(
      'fewer',
      "let t = (['logs'] | where status == 200); few | where host !in ((t | project host))",
    );
    assert.deepEqual(await rows('fewer | project status'), [[500]]);
    const { body } = await ask('fewer | count');
    assert.deepEqual(body.datasetNames, ['logs']);
  });

  it('is reported if it is invalid, with the reason at its name', async () => {
    await view('broken', "['logs'] | where nothing == 1");
    const { status, body } = await ask('broken | count');
    assert.equal(status, 400);
    assert.equal(body.errors[0].code, 'broken-view');
    assert.match(body.message, /The view broken is not valid\. Unknown column 'nothing'/);
    assert.deepEqual([body.detail.line, body.detail.column], [1, 1]);
  });

  it('is rejected if it starts from itself through other views', async () => {
    await view('snake', 'tail | count');
    const tail = { name: 'tail', aplQuery: 'snake | count' };
    const { status, body } = await local.call('POST', '/v2/views', tail);
    assert.equal(status, 400);
    assert.match(body.message, /refers to itself/);
  });
});

describe("a pattern in a view's query", () => {
  before(async () => {
    await local.dataset('logs-old');
    await local.stored('logs-old', [{ _time: '2026-01-01T00:00:00Z', status: 200, host: 'c' }]);
    await view('logs-all', 'union *');
    await view('logs-like', 'union logs* | summarize n = count() by host');
    await view('logs-found', 'search in (*) "c"');
    await view('logs-more', "union *, ['logs-all'] | where status == 200");
    await view('logs-here', "['logs'] | where host !in ((union logs-* | project host))");
  });

  it('matches datasets but no views', async () => {
    const events = await rows('search * | count');
    assert.deepEqual(await rows("['logs-all'] | count"), events);
    assert.deepEqual(await rows("['logs-all'] | where host == 'c' | count"), [[1]]);
    assert.deepEqual(await rows("['logs-like'] | sort by host asc"), [
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ]);
    assert.deepEqual(await rows("['logs-found'] | project host"), [['c']]);
    assert.deepEqual(await rows("['logs-here'] | count"), [[3]]);
  });

  it('does not match a view that the query also names', async () => {
    const [[once]] = (await rows("['logs-all'] | where status == 200 | count")) as [[number]];
    assert.deepEqual(await rows("['logs-more'] | count"), [[2 * once]]);
    const { body } = await ask("['logs-more'] | count");
    assert.equal(body.status.rowsMatched, 2 * once);
  });

  it('does not prevent patterns in the outer query from matching views', async () => {
    const { status, body } = await ask('union logs-a*, logs-l* | count');
    assert.equal(status, 200, JSON.stringify(body));
    const [[all]] = (await rows("['logs-all'] | count")) as [[number]];
    assert.deepEqual(body.tables[0].columns[0], [all + 3]);
  });

  it("is reported at the view's name if it matches no dataset", async () => {
    await view('alone', 'union alone*');
    const { status, body } = await ask('alone | count');
    assert.equal(status, 400);
    assert.equal(body.errors[0].code, 'broken-view');
    assert.match(body.message, /The view alone is not valid\. .*No dataset matches the pattern/);
  });
});

describe('a virtual field', () => {
  it('is a column after the stored columns and may use earlier virtual fields', async () => {
    await field('failed', 'status >= 400');
    await field('kind', "iff(failed, 'bad', 'good')");
    assert.deepEqual(await rows("['logs'] | sort by _time asc | project status, kind"), [
      [500, 'bad'],
      [200, 'good'],
      [404, 'bad'],
    ]);
    const { body } = await ask("['logs'] | limit 1");
    const names = body.tables[0].fields.map((one: { name: string }) => one.name);
    assert.deepEqual(names, ['_sysTime', '_time', 'host', 'ms', 'status', 'failed', 'kind']);
    assert.equal(body.tables[0].fields[5].type, 'boolean');
  });

  it('may be computed by a membership test on a table', async () => {
    await field('rank', '2 * tolong(status in ((print 200)))');
    assert.deepEqual(await rows("['logs'] | sort by status asc | project rank"), [[2], [0], [0]]);
  });

  it('is not a column if it reads an unknown field, and the error is reported where it is used', async () => {
    await field('wrong', 'nowhere + 1');
    const { status, body } = await ask("['logs'] | project wrong");
    assert.equal(status, 400);
    assert.equal(body.errors[0].code, 'broken-virtual-field');
    assert.match(body.message, /The virtual field wrong cannot be used\. Unknown column .nowhere./);
    assert.deepEqual([body.detail.line, body.detail.column], [1, 20]);
    assert.deepEqual(await rows("['logs'] | count"), [[3]]);
  });
});
