// The strict reader: it enforces every constraint of the specification, and each problem names the member.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';
import { sampleOf, samples } from './samples.ts';
import { lackingIn, placesOf, pointerOf, put } from './schemas.ts';

const long = (length: number) => 'x'.repeat(length);

// Schema, path, invalid value, and part of the problem message.
const bad: readonly (readonly [string, string, unknown, string])[] = [
  ['Monitor', '/type', 'Threshhold', 'type must be one of Threshold, MatchEvent, AnomalyDetection'],
  ['Monitor', '/type', 'threshold', 'got "threshold"'],
  ['MonitorCheck', '/state', 'opened', 'state must be one of open, closed, got "opened"'],
  ['Monitor', '/operator', 'Equal', 'operator must be one of Below, BelowOrEqual, Above'],
  ['Monitor', '/compareDays', 8, 'compareDays must be at most 7, got 8'],
  ['Monitor', '/compareDays', 1.5, 'compareDays must be a whole number, got 1.5'],
  ['Monitor', '/compareDays', 2 ** 63, 'compareDays must be at most 7'],
  ['Monitor', '/compareDays', -(2 ** 64), 'compareDays must be at least'],
  ['Monitor', '/compareDays', -1, 'compareDays must be at least 0, got -1'],
  ['Monitor', '/intervalMinutes', 0, 'intervalMinutes must be at least 1, got 0'],
  ['Monitor', '/rangeMinutes', 0, 'rangeMinutes must be at least 1, got 0'],
  ['Monitor', '/rangeMinutes', 2 ** 63, 'rangeMinutes must be at most'],
  ['Monitor', '/secondDelay', 86_401, 'secondDelay must be at most 86400, got 86401'],
  ['Monitor', '/secondDelay', -1, 'secondDelay must be at least 0, got -1'],
  ['Monitor', '/tolerance', -0.5, 'tolerance must be at least 0, got -0.5'],
  ['Monitor', '/tolerance', 120, 'tolerance must be at most 100, got 120'],
  ['Monitor', '/tolerance', 100.01, 'tolerance must be at most 100, got 100.01'],
  ['Monitor', '/threshold', Number.NaN, 'threshold must be a number'],
  ['Monitor', '/disabledUntil', 'tomorrow', 'disabledUntil must be a time such as'],
  ['Monitor', '/createdAt', '2026-02-30T00:00:00Z', 'createdAt must be a time such as'],
  ['Monitor', '/createdAt', null, 'createdAt must be a time, got null'],
  ['Monitor', '/updatedAt', '', 'updatedAt must be a time such as'],
  ['Monitor', '/notifierIds/0', 5, 'notifierIds[0] must be text, got 5'],
  ['Annotation', '/datasets', [], 'datasets must not be empty'],
  ['Annotation', '/datasets/0', '', 'datasets[0] must not be empty'],
  ['Annotation', '/type', 'Deploy', 'type must consist of lower-case letters, digits and hyphens'],
  ['Annotation', '/type', 'deploy!', 'got "deploy!"'],
  ['Annotation', '/type', '', 'type must not be empty'],
  ['Annotation', '/type', long(257), 'type must be at most 256 characters long, got 257'],
  ['Annotation', '/title', long(257), 'title must be at most 256 characters long, got 257'],
  ['Annotation', '/title', '🙂'.repeat(257), 'title must be at most 256 characters long, got 257'],
  ['Annotation', '/description', long(513), 'description must be at most 512 characters'],
  ['Annotation', '/url', long(513), 'url must be at most 512 characters long, got 513'],
  ['Annotation', '/time', '2026-01-01', 'time must be a time such as'],
  ['Annotation', '/endTime', 'later', 'endTime must be a time such as'],
  ['DashboardWrite', '/uid', 'a b', 'uid must be 1 to 128 letters, digits, hyphens'],
  ['DashboardWrite', '/uid', '', 'uid must be 1 to 128 letters'],
  ['DashboardWrite', '/uid', long(129), 'uid must be 1 to 128 letters'],
  ['DashboardWrite', '/version', 2 ** 63, 'version must be at most'],
  ['DashboardWrite', '/version', -(2 ** 64), 'version must be at least'],
  ['DashboardWrite', '/dashboard/name', '', 'dashboard.name must not be empty'],
  ['DashboardWrite', '/dashboard/name', long(101), 'must be at most 100 characters long, got 101'],
  [
    'DashboardWrite',
    '/dashboard/charts',
    Array(201).fill({ id: 'c' }),
    'at most 200 items, got 201',
  ],
  [
    'DashboardWrite',
    '/dashboard/layout',
    Array(201).fill({ i: 'c' }),
    'at most 200 items, got 201',
  ],
  [
    'DashboardWrite',
    '/dashboard/layout/0/x',
    12,
    'dashboard.layout[0].x must be at most 11, got 12',
  ],
  ['DashboardWrite', '/dashboard/layout/0/x', -1, 'must be at least 0, got -1'],
  ['DashboardWrite', '/dashboard/layout/0/y', -1, 'must be at least 0, got -1'],
  ['DashboardWrite', '/dashboard/layout/0/w', 0, 'must be at least 1, got 0'],
  ['DashboardWrite', '/dashboard/layout/0/w', 13, 'must be at most 12, got 13'],
  ['DashboardWrite', '/dashboard/layout/0/h', 0, 'must be at least 1, got 0'],
  ['DashboardWrite', '/dashboard/layout/0/h', 101, 'must be at most 100, got 101'],
  ['DashboardWrite', '/dashboard/layout/0/minW', -1, 'must be at least 0'],
  ['DashboardWrite', '/dashboard/layout/0/maxW', 13, 'must be at most 12'],
  ['DashboardWrite', '/dashboard/layout/0/minH', -0.5, 'must be at least 0'],
  ['DashboardWrite', '/dashboard/layout/0/maxH', 101, 'must be at most 100'],
  ['DashboardWrite', '/dashboard/refreshTime', -1, 'must be at least 0'],
  ['DashboardWriteResponse', '/status', 'replaced', 'status must be one of created, updated'],
  ['Dashboard', '/version', -1, 'version must be at least 0'],
  ['Dashboard', '/updatedAt', 'now', 'updatedAt must be a time such as'],
  ['ViewWrite', '/name', '', 'name must not be empty'],
  ['Monitor', '/aplQuery', long(500_001), 'aplQuery must be at most 500,000 characters'],
  [
    'VirtualFieldWrite',
    '/expression',
    long(20_001),
    'expression must be at most 20,000 characters',
  ],
  ['ViewWrite', '/aplQuery', long(500_001), 'aplQuery must be at most 500,000 characters'],
  [
    'EdgeQueryRequest',
    '/apl',
    long(500_001),
    'apl must be at most 500,000 characters long, got 500,001',
  ],
  ['EdgeQueryRequest', '/startTime', 'now-1y', 'startTime must be a time such as'],
  ['EdgeQueryRequest', '/startTime', 'yesterday', 'now or now-1h, got "yesterday"'],
  ['EdgeQueryRequest', '/endTime', 'now+1h', 'endTime must be a time such as'],
  ['EdgeQueryRequest', '/defaultLimit', -1, 'defaultLimit must be at least 0'],
  ['EdgeQueryRequest', '/defaultLimit', 1_000_001, 'defaultLimit must be at most 1000000'],
  ['EdgeQueryRequest', '/maxBinAutoGroups', -1, 'maxBinAutoGroups must be at least 0'],
  ['EdgeQueryRequest', '/maxBinAutoGroups', 10_001, 'maxBinAutoGroups must be at most 10000'],
  [
    'EdgeQueryRequest',
    '/libraries',
    Array(51).fill('l'),
    'libraries must have at most 50 items, got 51',
  ],
  [
    'EdgeQueryRequest',
    '/queryOptions/selection',
    true,
    'queryOptions.selection must be text, got true',
  ],
  ['EdgeQueryRequest', '/defaultOrder/0/desc', 'yes', 'defaultOrder[0].desc must be true or false'],
  ['GeneralQueryRequest', '/apl', 1, 'apl must be text, got 1'],
  ['EdgeQueryParameters', '/format', 'csv', 'format must be one of legacy, tabular, tabular-rows'],
  [
    'GeneralQueryParameters',
    '/format',
    'tabular-rows',
    'format must be one of legacy, tabular, got',
  ],
  ['BatchParameters', '/maxConcurrency', 0, 'maxConcurrency must be at least 1'],
  ['BatchParameters', '/maxConcurrency', 21, 'maxConcurrency must be at most 20'],
  ['QueryResult', '/format', 'csv', 'format must be one of'],
  ['TabularResult', '/format', 'legacy', 'format must be one of tabular'],
  ['QueryResult', '/status/elapsedTime', -1, 'status.elapsedTime must be at least 0'],
  ['QueryResult', '/status/minBlockTime', 0, 'status.minBlockTime must be a time, got 0'],
  ['QueryResult', '/tables/0/columns/0', 'a', 'tables[0].columns[0] must be a list, got "a"'],
  ['QueryResult', '/status/messages/0/priority', 'loud', 'must be one of trace, debug'],
  ['IngestResponse', '/ingested', -1, 'ingested must be at least 0'],
  ['IngestResponse', '/failures/0/timestamp', 'x', 'failures[0].timestamp must be a time such as'],
  ['IngestEvents', '/0', [], '[0] must be an object, got a list'],
  ['NewDataset', '/name', '', 'name must not be empty'],
  ['NewDataset', '/name', long(129), 'name must be at most 128 characters long, got 129'],
  ['NewDataset', '/name', '-a', 'name must consist of letters, digits'],
  ['NewDataset', '/name', "a'] | x", 'name must consist of letters, digits'],
  ['NewDataset', '/retentionDays', -1, 'retentionDays must be at least 0'],
  ['MapField', '/name', '', 'name must not be empty'],
  ['MapField', '/name', 'a..b', 'name must consist of names joined by dots, such as labels'],
  ['MapField', '/name', '__invalid__', 'got "__invalid__"'],
  ['MapField', '/name', '_time', 'got "_time"'],
  ['MapField', '/name', long(201), 'name must be at most 200 characters long, got 201'],
  ['MapFieldNames', '/0', ' a', '[0] must consist of names joined by dots'],
  ['MapFieldNames', '/0', long(201), '[0] must be at most 200 characters long'],
  ['MapFieldNames', '/0', '', '[0] must not be empty'],
  ['SavedQueryWrite', '/kind', 'sql', 'kind must be one of apl'],
  ['SavedQueryWrite', '/name', '', 'name must not be empty'],
  ['SavedQueryWrite', '/query/apl', long(500_001), 'query.apl must be at most 500,000'],
  ['VirtualFieldWrite', '/dataset', '', 'dataset must not be empty'],
  ['VirtualFieldWrite', '/expression', '', 'expression must not be empty'],
  [
    'Role',
    '/orgCapabilities/views/0',
    'own',
    'orgCapabilities.views[0] must be one of create, read',
  ],
  ['Token', '/orgCapabilities/auditLog/0', 'create', 'must be one of read, got "create"'],
  ['Token', '/orgCapabilities/billing/0', 'create', 'must be one of read, update, got'],
  ['Token', '/datasetCapabilities/http-logs/ingest/0', 'read', 'must be one of create, got'],
  ['Token', '/datasetCapabilities/http-logs/trim/0', 'delete', 'must be one of update, got'],
  ['Token', '/datasetCapabilities/http-logs/data/0', 'read', 'must be one of delete, got'],
  ['Token', '/datasetCapabilities/http-logs/share/0', 'update', 'one of create, read, delete, got'],
  ['NewToken', '/name', '', 'name must not be empty'],
  ['NewUser', '/email', 'jane', 'email must be an email address, got "jane"'],
  ['TokenRegeneration', '/existingTokenExpiresAt', 'soon', 'must be a time such as'],
  [
    'Role',
    '/datasetCapabilities/http-logs/query/0',
    'x',
    'datasetCapabilities.http-logs.query[0] must be',
  ],
  ['Token', '/expiresAt', 'never', 'expiresAt must be a time such as'],
  [
    'Organization',
    '/paymentStatus',
    'paid',
    'paymentStatus must be one of na, failed, success, blocked',
  ],
  ['Organization', '/plan', 'free', 'plan must be one of personal, basicDirect, teamMonthlyDirect'],
  ['Organization', '/license/maxUsers', 1.5, 'license.maxUsers must be a whole number'],
  ['Organization', '/license/validFrom', 'x', 'license.validFrom must be a time such as'],
  ['StructuredQuery', '/limit', -1, 'limit must be at least 0'],
  ['StructuredQuery', '/limit', 50_001, 'limit must be at most 50000'],
  ['StructuredQuery', '/order/0/desc', 'x', 'order[0].desc must be true or false'],
  ['TrimOptions', '/maxDuration', '1 day', 'maxDuration must be a duration such as 90s'],
  ['TrimOptions', '/maxDuration', '-1h', 'maxDuration must be a duration'],
  ['NotifierWrite', '/name', '', 'name must not be empty'],
  ['DashboardError', '/currentVersion', -1, 'currentVersion must be at least 0'],
];

// Valid values at the bounds of a constraint.
const good: readonly (readonly [string, string, unknown])[] = [
  ...api.MONITOR_TYPES.map((type) => ['Monitor', '/type', type] as const),
  ...api.MONITOR_OPERATORS.map((operator) => ['Monitor', '/operator', operator] as const),
  ...api.PLANS.map((plan) => ['Organization', '/plan', plan] as const),
  ...api.PAYMENT_STATUSES.map((status) => ['Organization', '/paymentStatus', status] as const),
  ['Monitor', '/compareDays', 0],
  ['Monitor', '/threshold', -1.5e300],
  ['Monitor', '/disabledUntil', '2026-01-01T00:00:00+05:30'],
  ['Monitor', '/disabledUntil', '0001-01-01T00:00:00Z'],
  ['Annotation', '/type', 'x'.repeat(256)],
  ['Annotation', '/title', '🙂'.repeat(256)],
  ['Annotation', '/url', ''],
  ['EdgeQueryRequest', '/startTime', 'now'],
  ['EdgeQueryRequest', '/startTime', 'now-1w'],
  ['EdgeQueryRequest', '/apl', 'x'.repeat(500_000)],
  ['DashboardWrite', '/dashboard/charts/0/type', 'SomethingNew'],
  ['MapField', '/name', 'my labels.é-1_x'],
  ['MapField', '/name', 'x'.repeat(200)],
  ['NewDataset', '/name', 'a'],
  ['NewDataset', '/name', 'k8s_logs.prod-1'],
];

// Alternative members, of which a value has exactly one.
const alternatives: readonly (readonly [start: string, members: RegExp])[] = [
  ['BatchRequest', /^\d\.(apl|mpl)Request$/],
  ['Notifier', /^properties\.\w+$/],
];

const segments = (path: string) => path.split('/').slice(1);

function spoiled(name: string, path: string, value: unknown): unknown {
  return put(sampleOf(name), segments(path), value);
}

describe('the strict reader', () => {
  for (const [name, { schema, value }] of Object.entries(samples)) {
    it(`accepts a ${name} with every declared property`, () => {
      assert.deepEqual(api.checkStrict(schema, value), []);
      const expected = alternatives.find(([start]) => name.startsWith(start))?.[1] ?? /^$/;
      const lacking = lackingIn(schema, value).filter((path) => !expected.test(path));
      // Only one column of the sample result has an aggregate.
      assert.deepEqual(
        lacking.filter((path) => path !== 'tables.0.fields.0.agg' && !/queryOptions\./.test(path)),
        [],
      );
    });
  }

  for (const [name, path, value, words] of bad) {
    it(`rejects ${String(value).slice(0, 30)} at ${name}${path} with the message: ${words}`, () => {
      const problems = api.checkStrict(samples[name]!.schema, spoiled(name, path, value));
      assert.deepEqual(
        problems.map((problem) => problem.path),
        [path],
      );
      assert.ok(problems[0]!.message.includes(words), problems[0]!.message);
    });
  }

  for (const [name, path, value] of good) {
    it(`accepts ${String(value).slice(0, 30)} for ${name}${path}`, () => {
      assert.deepEqual(api.checkStrict(samples[name]!.schema, spoiled(name, path, value)), []);
    });
  }

  it('reports every missing required property', () => {
    for (const [name, { schema, value }] of Object.entries(samples)) {
      for (const place of placesOf(schema, value)) {
        for (const member of place.node.required ?? []) {
          const at = [...place.segments, member];
          const problems = api.checkStrict(schema, put(sampleOf(name), at, undefined));
          const path = pointerOf(at);
          const own = problems.find((problem) => problem.path === path);
          assert.ok(own?.message.endsWith(' is required'), `${name}${path}: ${own?.message}`);
        }
      }
    }
  });

  it('rejects a wrong JSON type for every declared property', () => {
    const others = [5.5, 'text', true, [], {}, null];
    const typeOf = (value: unknown) =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    let places = 0;
    for (const [name, { schema, value }] of Object.entries(samples)) {
      for (const { node, segments: at } of placesOf(schema, value)) {
        if (node.type === undefined) continue;
        const types: readonly string[] = [node.type].flat();
        places += 1;
        for (const other of others.filter((candidate) => !types.includes(typeOf(candidate)))) {
          const problems = api.checkStrict(schema, put(sampleOf(name), at, other));
          const path = pointerOf(at);
          const own = problems.find((problem) => problem.path === path);
          assert.ok(own?.message.includes(' must be '), `${name}${path} took ${String(other)}`);
        }
      }
    }
    assert.ok(places > 500, `only ${places} places`);
  });

  it('has a test with an invalid value for every declared bound, enumeration and pattern', () => {
    const keywords = [
      'enum',
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'pattern',
      'minItems',
    ];
    const words: Readonly<Record<string, string>> = {
      enum: 'one of',
      minimum: 'at least',
      maximum: 'at most',
      minLength: 'empty',
      maxLength: 'characters',
      pattern: ' must (consist|be 1|be an email)',
      minItems: 'empty',
    };
    // A constraint that several resources share is covered once for all of them.
    const covered = new Set<string>();
    const nodeOf = (name: string, path: string) =>
      placesOf(samples[name]!.schema, samples[name]!.value).find(
        (place) => pointerOf(place.segments) === path,
      )?.node;
    const shape = (node: unknown, keyword: string) =>
      `${keyword}:${JSON.stringify((node as Record<string, unknown>)[keyword])}`;
    for (const [name, path, , message] of bad) {
      const node = nodeOf(name, path);
      for (const keyword of keywords) {
        if (node?.[keyword] !== undefined && new RegExp(words[keyword]!).test(message)) {
          covered.add(shape(node, keyword));
        }
      }
    }
    const missing = new Set<string>();
    for (const [name, { schema, value }] of Object.entries(samples)) {
      for (const { node, segments: at } of placesOf(schema, value)) {
        for (const keyword of keywords) {
          if (node[keyword] !== undefined && !covered.has(shape(node, keyword))) {
            missing.add(`${name}${pointerOf(at)} ${shape(node, keyword)}`);
          }
        }
      }
    }
    assert.deepEqual([...missing], []);
  });

  it('accepts unknown properties, as the service does', () => {
    for (const [name, { schema }] of Object.entries(samples)) {
      const value = sampleOf(name);
      if (Array.isArray(value)) continue;
      assert.deepEqual(api.checkStrict(schema, { ...(value as object), brandNew: { a: [1] } }), []);
    }
  });

  it('requires exactly one known notifier kind', () => {
    const problems = (properties: object) =>
      api.checkStrict(api.NotifierWrite, { name: 'n', properties }).map(({ message }) => message);
    for (const kind of api.NOTIFIER_KINDS) {
      const needed = { email: { emails: [] }, customWebhook: { url: '', body: '' } };
      const settings = (needed as Readonly<Record<string, object>>)[kind] ?? {};
      assert.deepEqual(problems({ [kind]: settings }), [], kind);
    }
    for (const properties of [{}, { pigeon: {} }, { slack: {}, webhook: {} }]) {
      assert.match(problems(properties).join(), /^properties: exactly one of email, slack/);
    }
  });

  it('requires an APL or MPL query in a monitor', () => {
    const { aplQuery: _a, mplQuery: _m, ...rest } = sampleOf('Monitor') as Record<string, unknown>;
    assert.deepEqual(api.checkStrict(api.Monitor, rest), [
      { path: '', message: 'at least one of aplQuery and mplQuery must be given' },
    ]);
    assert.deepEqual(api.checkStrict(api.Monitor, { ...rest, aplQuery: 'x' }), []);
    assert.deepEqual(api.checkStrict(api.MonitorWrite, { ...rest, mplQuery: 'x' }), []);
  });

  it('requires a version in a dashboard update unless overwrite is true', () => {
    const dashboard = { name: 'n' };
    const problem = [{ path: '', message: 'version must be given unless overwrite is true' }];
    assert.deepEqual(api.checkStrict(api.DashboardUpdate, { dashboard }), problem);
    assert.deepEqual(
      api.checkStrict(api.DashboardUpdate, { dashboard, overwrite: false }),
      problem,
    );
    assert.deepEqual(api.checkStrict(api.DashboardUpdate, { dashboard, overwrite: true }), []);
    assert.deepEqual(api.checkStrict(api.DashboardUpdate, { dashboard, version: 0 }), []);
    assert.deepEqual(api.checkStrict(api.DashboardWrite, { dashboard }), []);
  });

  it('requires exactly one query in each batch item', () => {
    const problems = api.checkStrict(api.BatchRequest, [
      { queryId: 'a' },
      {
        queryId: 'b',
        aplRequest: { apl: 'x' },
        mplRequest: { startTime: 'now', endTime: 'now', mpl: '' },
      },
      { queryId: 'c', aplRequest: { apl: 'x' } },
    ]);
    assert.deepEqual(problems, [
      { path: '/0', message: '[0]: exactly one of aplRequest and mplRequest must be given' },
      { path: '/1', message: '[1]: exactly one of aplRequest and mplRequest must be given' },
    ]);
  });

  it("uses the caller's name for the value in messages", () => {
    assert.equal(
      api.checkStrict(api.Monitor, [], 'the body')[0]!.message,
      'the body must be an object, got a list',
    );
  });

  it('reports the same problems if code generation from strings is disallowed', () => {
    const values = bad
      .slice(0, 20)
      .map(([name, path, value]) => [name, spoiled(name, path, value)]);
    const script = `
      import * as api from './api/src/index.ts';
      const values = ${JSON.stringify(values)};
      console.log(JSON.stringify(values.map(([name, value]) => api.checkStrict(api[name], value))));
    `;
    const output = execFileSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module-typescript', '-e', script],
      { cwd: new URL('../..', import.meta.url), encoding: 'utf8' },
    );
    const here = (JSON.parse(JSON.stringify(values)) as [string, unknown][]).map(([name, value]) =>
      api.checkStrict(samples[name]!.schema, value),
    );
    assert.deepEqual(JSON.parse(output), here);
  });

  it('accepts a bigint as an integer within bounds', () => {
    const monitor = (triggerFromNRuns: unknown) => ({
      ...(sampleOf('Monitor') as object),
      triggerFromNRuns,
      notifierIds: [],
    });
    for (const integer of [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 7n]) {
      assert.deepEqual(api.checkStrict(api.Monitor, monitor(integer)), [], String(integer));
    }
    for (const integer of [2n ** 63n, -(2n ** 63n) - 1n, 10n ** 400n]) {
      const [problem] = api.checkStrict(api.Monitor, monitor(integer));
      assert.match(problem!.message, new RegExp(`^triggerFromNRuns must be .*, got ${integer}$`));
    }
    assert.match(api.checkStrict(api.View, { name: 1n })[0]!.message, /got 1$|is required/);
  });
});

describe('null properties', () => {
  it('are removed if the schema declares them optional and not nullable', () => {
    const monitor = { id: null, description: null, disabledUntil: null, own: null };
    assert.deepEqual(api.withoutNulls(api.Monitor, monitor), {
      id: null,
      disabledUntil: null,
      own: null,
    });
    const document = { name: 'd', charts: [{ id: 'c', name: null }, null] };
    assert.deepEqual(api.withoutNulls(api.DashboardDocument, document), {
      name: 'd',
      charts: [{ id: 'c' }, null],
    });
    const variables = { apl: 'print x', variables: { x: null } };
    assert.equal(api.withoutNulls(api.EdgeQueryRequest, variables), variables);
    assert.equal(api.withoutNulls(api.Monitor, null), null);
  });
});
