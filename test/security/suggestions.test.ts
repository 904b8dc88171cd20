// Names that the caller may not read are not given away: by suggestions for a misspelt name in the problem of a broken
// view or in notices about queries that are kept, by what completions are made of, or by the answer of a view.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, type Answer, Deployment } from '../local/deployment.ts';

let local: Deployment;

/** Sends a request with a token that may query the dataset `open`, and views. */
let call: (method: string, path: string, body?: object) => Promise<Answer>;

/** Views over misspelt names, close to those of a dataset and of a field that the token may not read. */
const views = {
  'broken-dataset': "['secret-plan'] | count",
  'broken-field': "['secret-plans'] | project ['budget-of-pluta']",
  'broken-inside': "['broken-dataset']",
  'broken-twice': "union ['broken-field'], ['open']",
  'broken-virtual': "['secret-plans'] | project broken_vfield",
  shared: "['secret-plans'] | project _time",
  'shared-twice': "['shared']",
  'shared-with-open': "union (['shared']), (['open'] | project _time)",
};

before(async () => {
  local = await Deployment.open();
  for (const name of ['open', 'secret-plans']) await local.dataset(name);
  await local.stored('open', [{ n: 1 }]);
  await local.stored('secret-plans', [{ 'budget-of-pluto': 1 }]);
  const described = await local.call('PUT', '/v2/datasets/secret-plans/fields/budget-of-pluto', {
    description: 'the budget of secret-plans',
  });
  assert.equal(described.status, 200, described.text);
  const field = {
    dataset: 'secret-plans',
    name: 'broken_vfield',
    expression: "['budget-of-plut'] + 1",
  };
  assert.equal((await local.call('POST', '/v2/vfields', field)).status, 200);
  for (const [name, aplQuery] of Object.entries(views)) {
    const made = await local.call('POST', '/v2/views', { name, aplQuery });
    assert.equal(made.status, 200, made.text);
  }
  const orgCapabilities = {
    monitors: ['create', 'read', 'update'],
    views: ['create', 'read', 'update'],
    dashboards: ['create', 'update'],
  };
  const made = await local.call('POST', '/v2/tokens', {
    name: 'guest',
    orgCapabilities,
    datasetCapabilities: {
      open: {
        query: ['read'],
        starredQueries: ['create', 'read'],
        virtualFields: ['create', 'read'],
      },
      // May be named, and does not exist.
      'secret-plan': { query: ['read'], starredQueries: ['create'] },
    },
    viewCapabilities: Object.fromEntries(
      Object.keys(views).map((name) => [name, { query: ['read'] }]),
    ),
  });
  assert.equal(made.status, 200, made.text);
  const headers = { authorization: `Bearer ${made.body.token}` };
  call = (method, path, body) => local.call(method, path, body, { headers });
});
after(() => local.close());

const SECRET = /secret-plans|budget-of-pluto/;

/** What an answer says, its notices included. */
const wordsOf = ({ text, headers }: Answer) => `${text} ${headers.get('x-aplomb-messages') ?? ''}`;

describe('the problem of a broken view', () => {
  for (const name of Object.keys(views).filter((each) => each.startsWith('broken-'))) {
    for (const apl of [
      `['${name}']`,
      `['open'] | union ['${name}']`,
      `['${name}'] ${' '.repeat(6_000)}`,
    ]) {
      it(`names nothing hidden: ${apl.trim()}, ${apl.length} characters`, async () => {
        for (const path of ['/v1/query/_apl', '/v1/datasets/_apl']) {
          const answer = await call('POST', `${path}?format=tabular`, { apl, ...ALL_TIMES });
          assert.equal(answer.status, 400, answer.text);
          assert.match(answer.text, /The view [\w-]+ is not valid\. Its query has an error\./);
          assert.doesNotMatch(wordsOf(answer), SECRET);
        }
      });
    }
  }

  it('is complete, with a suggestion, for a token that may query everything', async () => {
    const dataset = await local.query("['broken-dataset']");
    assert.match(dataset.text, /Did you mean \['secret-plans'\]\?/);
    const field = await local.query("['broken-field']");
    assert.match(field.text, /Did you mean \['budget-of-pluto'\]\?/);
  });

  it('is hidden from a token that may query a pattern of views', async () => {
    const answer = await call('POST', '/v1/query/_apl?format=tabular', {
      apl: 'union *',
      ...ALL_TIMES,
    });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, /left out|not valid/);
    assert.doesNotMatch(wordsOf(answer), SECRET);
  });
});

describe('the answer of a view over datasets that the caller may not read', () => {
  const shared = ['shared', 'shared-twice', 'shared-with-open'];
  const names = ({ text }: Answer) => {
    const { datasetNames, tables = [] } = JSON.parse(text);
    return [
      datasetNames,
      ...tables.map(({ sources }: { sources: { name: string }[] }) =>
        sources.map(({ name }) => name),
      ),
    ];
  };

  for (const view of shared) {
    for (const path of ['/v1/query/_apl', '/v1/datasets/_apl']) {
      for (const format of ['tabular', 'legacy']) {
        it(`names and describes none of them: ${view}, ${path}, ${format}`, async () => {
          const apl = `['${view}'] | count`;
          const answer = await call('POST', `${path}?format=${format}`, { apl, ...ALL_TIMES });
          assert.equal(answer.status, 200, answer.text);
          assert.doesNotMatch(wordsOf(answer), SECRET);
          for (const named of names(answer))
            assert.deepEqual(named, view === 'shared-with-open' ? ['open'] : []);
        });
      }
    }
  }

  it('names them for a token that may query everything', async () => {
    const answer = await local.query("['shared-with-open'] | count");
    for (const named of names(answer)) assert.deepEqual(named.toSorted(), ['open', 'secret-plans']);
    assert.match(answer.text, /the budget of secret-plans/);
  });
});

describe('notices about a stored query', () => {
  const aplQuery = "['secret-plan'] | where n == 1";
  const query = { apl: aplQuery };

  for (const [kind, path, body] of [
    ['monitor', '/v2/monitors', { name: 'm', type: 'Threshold', aplQuery, threshold: 1 }],
    ['view', '/v2/views', { name: 'v', aplQuery }],
    ['saved query', '/v2/apl-starred-queries', { name: 'q', kind: 'apl', dataset: 'open', query }],
    [
      'dashboard',
      '/v2/dashboards',
      { dashboard: { name: 'd', charts: [{ id: 'a', type: 'TimeSeries', query }] } },
    ],
  ] as const) {
    it(`report an unknown dataset and suggest nothing hidden: ${kind}`, async () => {
      const answer = await call('POST', path, body);
      assert.ok(answer.status === 200 || answer.status === 201, answer.text);
      assert.match(wordsOf(answer), /Unknown dataset \W+secret-plan\W/);
      assert.doesNotMatch(wordsOf(answer), SECRET);
    });
  }
});

describe('the source of completions', () => {
  it('contains no hidden names', async () => {
    for (const path of [
      '/v2/datasets',
      '/v1/datasets',
      '/v1/datasets/_fields',
      '/v2/datasets/_fields',
      '/v2/vfields?dataset=secret-plans',
      '/v2/vfields?dataset=open',
      '/v1/datasets/secret-plans/info',
      '/v2/datasets/secret-plans/fields',
      '/v2/monitors',
      '/v2/apl-starred-queries',
    ]) {
      const answer = await call('GET', path);
      // The path itself may be repeated.
      assert.doesNotMatch(
        wordsOf(answer).replaceAll(/(?<=dataset \\?")secret-plans/g, ''),
        SECRET,
        path,
      );
    }
  });

  it('excludes getschema of a broken view', async () => {
    const answer = await call('POST', '/v1/query/_apl?format=tabular', {
      apl: "['broken-field'] | getschema",
      ...ALL_TIMES,
    });
    assert.equal(answer.status, 400, answer.text);
    assert.doesNotMatch(wordsOf(answer), SECRET);
  });
});
