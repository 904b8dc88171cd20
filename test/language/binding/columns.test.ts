/**
 * The columns after every operator: names, types, order, and whether unknown columns may follow.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeQuery } from '../../../language/src/analysis.ts';
import { bindQuery } from '../../../language/src/binding/bind.ts';
import { maxCopiedColumns } from '../../../language/src/binding/binder.ts';
import type { BoundExpression, BoundStage } from '../../../language/src/binding/bound.ts';
import type { Schema } from '../../../language/src/schema.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import { columnsOf, schema, show } from './marked.ts';

const table = 'datatable (a:long, b:string, c:real, t:datetime) []';

function after(stages: string): string {
  return columnsOf(`${table} ${stages}`);
}

test('a dataset lists its fields in schema order with APL types', () => {
  assert.equal(
    columnsOf('logs', schema),
    '_sysTime:datetime _time:datetime status:long method:string duration:real geo.city:string ' +
      'geo.country:string ok:bool took:timespan tags:dynamic attributes:dynamic code:unknown',
  );
});

test('table() resolves a dataset name from a let, a parameter default or a request variable', () => {
  const users = columnsOf('users', schema);
  assert.equal(columnsOf('let name = "users"; table(name)', schema), users);
  const declared = 'declare query_parameters (name:string = "users"); table(name)';
  assert.equal(columnsOf(declared, schema), users);
  const sent = { variables: { name: 'string' }, texts: { name: 'logs' } } as const;
  const bound = bindQuery(parseQuery(declared), schema, sent);
  const source = bound.pipelines[0]?.source;
  assert.deepEqual([source?.kind, source?.kind === 'dataset' && source.name], ['dataset', 'logs']);
});

test('a table with an unknown name has an open-ended column list', () => {
  const declared = 'declare query_parameters (name:string = ""); table(name) | where any == 1';
  assert.match(columnsOf(declared, schema), /…$/);
});

test('the column list is open-ended for a dataset with a partial field list, but not for a view', () => {
  assert.equal(columnsOf('users', schema), 'id:long name:string status:string');
  assert.equal(
    columnsOf("['github-push-event']", schema),
    '_sysTime:datetime _time:datetime repo:string …',
  );
  assert.equal(columnsOf('anything'), '_sysTime:datetime _time:datetime …');
});

test('a field with several wire types is bound as unknown and lists the possible types', () => {
  const { bound } = analyzeQuery('logs', schema);
  const column = bound.pipelines[0]?.columns.list.find(({ name }) => name === 'code');
  assert.deepEqual(column, {
    name: 'code',
    type: 'unknown',
    variants: ['long', 'string'],
    wireType: 'integer|string',
    dataset: 'logs',
  });
});

test('operators that filter or sort rows leave the columns unchanged', () => {
  const all = 'a:long b:string c:real t:datetime';
  for (const stage of [
    'where a > 1',
    'sort by a',
    'order by a asc',
    'top 3 by c',
    'limit 3',
    'take 3',
    'sample 0.1',
    'search "x"',
  ]) {
    assert.equal(after(`| ${stage}`), all, stage);
  }
});

test('extend appends new columns and moves a redefined column to the end', () => {
  assert.equal(
    after('| extend d = a + 1, b = strlen(b)'),
    'a:long c:real t:datetime d:long b:long',
  );
  assert.equal(after('| extend a'), 'b:string c:real t:datetime a:long');
});

test('an unnamed expression is named after its column or gets a numbered name such as Column1', () => {
  assert.equal(
    after('| project bin(t, 1h), a * 2, strcat(b, b)'),
    't:datetime Column1:long Column2:string …',
  );
  assert.equal(after('| extend bin(a, 5)'), 'a:long b:string c:real t:datetime a1:long');
  assert.equal(
    after('| project Column2 = a | extend Column2 + 1, Column2 * 2 | extend strlen("x")'),
    'Column2:long Column1:long Column3:long Column4:long',
  );
  assert.equal(columnsOf('print 1, x = 2.5, "three"'), 'print_0:long x:real print_2:string');
});

test('project keeps only the columns it names', () => {
  assert.equal(after('| project b, twice = a * 2'), 'b:string twice:long');
});

test('project-away, project-keep and project-reorder accept names and wildcards', () => {
  assert.equal(after('| project-away b, t*'), 'a:long c:real');
  assert.equal(after('| project-keep t, a'), 'a:long t:datetime');
  assert.equal(after('| project-reorder t, *, a'), 't:datetime b:string c:real a:long');
  assert.equal(after('| project-reorder * desc'), 't:datetime c:real b:string a:long');
  const logs = columnsOf("logs | project-keep ['geo.']*, status", schema);
  assert.equal(logs, 'status:long geo.city:string geo.country:string');
});

test('project-reorder with granny-asc sorts digits in column names by numeric value', () => {
  const query =
    'datatable (b50:long, b9:long, a100:long, a20:long) [] | project-reorder * granny-asc';
  assert.equal(columnsOf(query), 'a20:long a100:long b9:long b50:long');
});

test('project-rename keeps a renamed column at its position', () => {
  assert.equal(after('| project-rename z = b'), 'a:long z:string c:real t:datetime');
  assert.equal(after('| project-rename b = a, a = b'), 'b:long a:string c:real t:datetime');
});

test('summarize lists group columns first and names aggregates such as avg_c', () => {
  assert.equal(
    after('| summarize count(), avg(c), max(t), total = sum(a) by b, bin(t, 1h)'),
    'b:string t:datetime count_:long avg_c:real max_t:datetime total:long',
  );
  assert.equal(after('| summarize by b'), 'b:string');
  assert.equal(after('| summarize count(), count() by b'), 'b:string count_:long count_1:long');
});

test('an aggregate whose output name is unpredictable makes the column list open-ended', () => {
  assert.equal(after('| summarize dcount(a)'), 'dcount_a:long …');
  assert.equal(after('| summarize d = dcount(a)'), 'd:long');
  assert.equal(after('| summarize arg_max(t, tostring(a)) by b'), 'b:string t:datetime a:string …');
  assert.equal(after('| summarize arg_max(t, a, s = tostring(a))'), 't:datetime a:long s:string');
});

test('arg_max() and arg_min() output the extreme value and every further argument as columns', () => {
  assert.equal(
    after('| summarize arg_max(c, b, who = a) by t'),
    't:datetime c:real b:string who:long',
  );
  assert.equal(after('| summarize arg_max(c, *) by t'), 't:datetime c:real a:long b:string');
  assert.equal(
    after('| summarize arg_max(c, a), arg_min(a, *) by t'),
    't:datetime c:real a:long a1:long b:string c1:real',
  );
  assert.equal(
    after('| summarize x = arg_max(c, *), arg_min(b = c, *) by t'),
    't:datetime x:real a:long b:string b1:real a1:long b2:string c:real',
  );
});

test('names in parentheses before arg_max() rename its output columns in order', () => {
  assert.equal(after('| summarize (x, y) = arg_max(c, b) by t'), 't:datetime x:real y:string');
  assert.equal(after('| summarize (x, y) = arg_max(c, *) by t | project y'), 'y:long');
  assert.equal(after('| summarize (x, y, z) = arg_max(c, b)'), 'x:real y:string');
});

test("project-rename can swap two names but can't reuse the name of a remaining column", () => {
  const codes = (stage: string) =>
    analyzeQuery(`${table} | ${stage}`).bound.problems.map(({ code }) => code);
  assert.deepEqual(codes('project-rename b = a, a = b'), []);
  assert.deepEqual(codes('project-rename b = a'), ['duplicate-column']);
});

test('count and getschema output fixed columns, and distinct outputs only the listed columns', () => {
  assert.equal(after('| count'), 'count:long');
  assert.equal(
    after('| getschema'),
    'ColumnName:string ColumnOrdinal:long DataType:string ColumnType:string',
  );
  assert.equal(after('| distinct b, a'), 'b:string a:long');
  assert.equal(after('| distinct *'), 'a:long b:string c:real t:datetime');
});

test('a join outputs the columns of both tables and adds numbers to duplicate names of the right table', () => {
  assert.equal(
    columnsOf('users | join kind=inner (users | project id, x = 1.5) on id', schema),
    'id:long name:string status:string id1:long x:real',
  );
  assert.equal(
    columnsOf('users | join users on id | join users on id', schema),
    'id:long name:string status:string id1:long name1:string status1:string ' +
      'id2:long name2:string status2:string',
  );
  assert.equal(
    columnsOf('users | join kind=leftanti users on id', schema),
    'id:long name:string status:string',
  );
});

test('a lookup omits the key columns of the right table', () => {
  assert.equal(
    columnsOf('logs | project status | lookup users on $left.status == $right.id', schema),
    'status:long name:string status1:string',
  );
});

test('search turns wildcard terms into prefix, suffix, contains and regex matches', () => {
  const { bound, problems } = analyzeQuery(
    `search in (users) "a" or "b*" and not("*c") or "*d*" or "e?f*g" or * or name:"h*" or id:5 or 42 or id > 1`,
    schema,
  );
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  const [pipeline] = bound.pipelines;
  assert.ok(pipeline?.source.kind === 'search' && pipeline.source.inputs.length === 1);
  const terms: string[] = [];
  const read = (node: BoundExpression): void => {
    if (node.kind === 'term') {
      const field = node.field?.kind === 'column' ? `${node.field.name}:` : '';
      terms.push(`${field}${node.match} ${node.text}`);
    } else if (node.kind === 'unary') read(node.operand);
    else if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
      read(node.left);
      read(node.right);
    } else terms.push(node.kind === 'binary' ? node.operator : node.kind);
  };
  read(pipeline.source.predicate);
  assert.deepEqual(terms, [
    ...['has a', 'hasprefix b', 'hassuffix c', 'contains d', 'regex \\be.f.*g\\b', 'any '],
    ...['name:hasprefix h', '==', 'has 42', '>'],
  ]);
});

test('bound parse, parse-kv, mv-expand, make-series and redact operators contain their options and patterns', () => {
  const operatorOf = (stage: string) => {
    const { bound } = analyzeQuery(`${table} | ${stage}`);
    const { operator } = bound.stages[0] as BoundStage;
    return operator;
  };
  const parse = operatorOf(`parse kind=regex flags=Ui b with * 'x' n:long ' ' rest`);
  assert.ok(parse.kind === 'parse' && parse.mode === 'regex' && parse.flags === 'Ui');
  assert.deepEqual(
    parse.pattern.map((part) => {
      if (part.kind === 'column') return `${part.name}:${part.type}`;
      return part.kind === 'text' ? `'${part.text}'` : '*';
    }),
    ['*', "'x'", 'n:long', "' '", 'rest:string'],
  );
  const kv = operatorOf(
    `parse-kv b as (k, v:long) with (pair_delimiter=';', quote='"', greedy=true)`,
  );
  assert.ok(kv.kind === 'parse-kv' && kv.greedy && kv.pairDelimiter === ';' && kv.quote === '"');
  assert.equal(kv.kvDelimiter, undefined);
  assert.deepEqual(kv.keys, [
    { name: 'k', type: 'string' },
    { name: 'v', type: 'long' },
  ]);
  const expand = operatorOf('mv-expand kind=bag with_itemindex=i x = b to typeof(long), c limit 5');
  assert.ok(expand.kind === 'mv-expand' && expand.bags === 'bag' && expand.itemIndex === 'i');
  assert.deepEqual(
    expand.items.map(({ item, toType }) => `${item.name}:${toType}`),
    ['x:long', 'c:undefined'],
  );
  const series = operatorOf(
    'make-series count() default=0, m = max(a) on t from 1 to 9 step 2 by b',
  );
  assert.ok(series.kind === 'make-series' && series.onName === 't' && series.step !== undefined);
  assert.deepEqual(
    series.aggregates.map(({ item, defaultValue }) => `${item.name} ${defaultValue?.kind}`),
    ['count_ literal', 'm undefined'],
  );
  const redact = operatorOf(`redact replaceToken='#', redactGroups=true 'a', dynamic(['b']) on b`);
  assert.ok(redact.kind === 'redact' && redact.token === '#' && redact.groups && !redact.hash);
  assert.equal(redact.patterns.length + redact.on.length, 3);
});

test('union kind=inner keeps only the columns shared by all tables', () => {
  assert.equal(
    columnsOf('union kind=inner withsource=s users, (logs | project status, ok)', schema),
    's:string status:unknown',
  );
  assert.equal(columnsOf('users | union kind=inner (print id = 1, x = 2)', schema), 'id:long');
});

test('parse kind=regex adds a column for each named group', () => {
  assert.equal(
    columnsOf(`users | project id | parse kind=regex id with @'(?P<a>\\d+)(?<b>x)' c:long`, schema),
    'id:long a:string b:string c:long',
  );
});

test('a union merges columns by name, and conflicting types become unknown', () => {
  assert.equal(
    columnsOf('logs | project status, method | union users', schema),
    'status:unknown method:string id:long name:string',
  );
  assert.equal(
    columnsOf('union withsource=from_table users, (logs | project ok)', schema),
    'from_table:string id:long name:string status:string ok:bool',
  );
});

test('parse, parse-kv, mv-expand and make-series add their columns', () => {
  assert.equal(
    after("| parse b with * 'id=' id:long ' ' rest"),
    'a:long b:string c:real t:datetime id:long rest:string',
  );
  assert.equal(
    after('| parse-kv b as (k, n:long) with (pair_delimiter=",", kv_delimiter="=")'),
    'a:long b:string c:real t:datetime k:string n:long',
  );
  assert.equal(
    after('| mv-expand with_itemindex=i b to typeof(long)'),
    'a:long b:long c:real t:datetime i:long',
  );
  assert.equal(
    after('| make-series avg(c), n = count() on t step 1h by b'),
    'b:string avg_c:dynamic n:dynamic t:dynamic …',
  );
});

test('the columns after a broken stage are still known', () => {
  const { bound } = analyzeQuery(`${table} | where a == | extend d = a | foo x y | project b, d`);
  assert.equal(bound.stages.length, 4);
  assert.deepEqual(
    bound.stages.map(({ output }) => show(output)),
    [
      'a:long b:string c:real t:datetime',
      'a:long b:string c:real t:datetime d:long',
      'a:long b:string c:real t:datetime d:long …',
      'b:string d:long',
    ],
  );
});

test("a renamed column keeps its unit and description and records its definition's position", () => {
  const { bound } = analyzeQuery(
    'logs | project took_ms = duration | summarize max(took_ms)',
    schema,
  );
  const [column] = bound.pipelines[0]?.columns.list ?? [];
  assert.equal(column?.unit, 'ms');
  assert.equal(column?.dataset, undefined);
  const [project] = bound.stages;
  const { definition, ...known } = project?.output.list[0] ?? {};
  assert.deepEqual([definition?.start, definition?.end], [15, 22]);
  assert.deepEqual(known, {
    name: 'took_ms',
    type: 'real',
    wireType: 'float',
    unit: 'ms',
    description: 'How long it took.',
  });
});

test("aggregates, bins and arithmetic with constants preserve a column's unit", () => {
  const units = (stage: string) => {
    const { bound } = analyzeQuery(`logs | ${stage}`, schema);
    return bound.pipelines[0]?.columns.list.at(-1)?.unit;
  };
  for (const stage of [
    'summarize avg(duration)',
    'summarize percentile(duration, 95)',
    'summarize stdev(duration)',
    'summarize max(duration * 2)',
    'summarize count() by bin(duration, 10) | project duration',
    'extend x = duration - 5',
    'extend x = round(-duration, 1)',
    'extend x = 0.5 * duration',
    'extend x = duration + duration',
  ])
    assert.equal(units(stage), 'ms', stage);
  // An expression that may have another unit has none.
  for (const stage of [
    'summarize count()',
    'summarize dcount(duration)',
    'summarize variance(duration)',
    'extend x = duration / 1000',
    'extend x = 1000 * duration',
    'extend x = duration * duration',
    'extend x = 5 / duration',
    'extend x = duration > 5',
  ])
    assert.equal(units(stage), undefined, stage);
});

test('numbers appended to duplicate column names make them unique', () => {
  const values = 'datatable (a:long, a1:long) []';
  assert.equal(
    columnsOf(`${values} | project a, a, a1, a1, a1, a, a12 = a`),
    'a:long a1:long a11:long a12:long a13:long a2:long a121:long',
  );
});

test('bound project-rename and project-away map each output column to its input column', () => {
  const { bound } = analyzeQuery(`${table} | project-rename z = b | project-away c`);
  const [rename, away] = bound.stages.map(({ operator }) => operator);
  assert.ok(rename?.kind === 'select' && away?.kind === 'select');
  assert.deepEqual(rename.columns.slice(0, 2), [
    { name: 'a', from: 'a' },
    { name: 'z', from: 'b' },
  ]);
  assert.deepEqual(
    away.columns.map(({ name }) => name),
    ['a', 'z', 't'],
  );
});

test('a bound summarize records the index of the time bin in its by clause', () => {
  const find = (query: string) => {
    const operator = analyzeQuery(query, schema).bound.stages[0]?.operator;
    return operator?.kind === 'summarize' ? operator.timeGroup : undefined;
  };
  assert.equal(find('logs | summarize count() by status, bin(_time, 1h)'), 1);
  assert.equal(find('anything | summarize count() by bin_auto(_time)'), 0);
  assert.equal(find('logs | summarize count() by bin(status, 100)'), undefined);
});

test('columns are tracked through tens of thousands of stages', () => {
  const stages = Array.from(
    { length: 20_000 },
    (_, i) => `| extend x${i} = ${i} | project-away x${i - 1}`,
  );
  const { bound } = analyzeQuery(`users ${stages.join('\n')}`);
  const columns = bound.pipelines[0]?.columns;
  assert.equal(columns?.list.at(-1)?.name, 'x19999');
  assert.equal(columns?.list.length, 3);
});

test("repeated self-joins have a capped, open-ended column list, so its size doesn't grow exponentially", () => {
  const fields = Array.from({ length: 500 }, (_, i) => ({ name: `f${i}`, type: 'integer' }));
  const wide: Schema = { complete: true, datasets: [{ name: 'wide', fields }] };
  const doublings = Array.from({ length: 40 }, (_, i) => {
    return `let t${i + 1} = t${i} | join (t${i}) on f1;`;
  });
  const hostile = [
    `${'wide | join ('.repeat(200)}wide${') on f1'.repeat(200)}`,
    `wide${' | join (wide) on f1'.repeat(300)}`,
    `let t0 = wide; ${doublings.join(' ')} t40`,
    `wide | summarize ${'arg_max(f1, *), '.repeat(300)} count()`,
  ];
  for (const query of hostile) {
    const { bound, problems } = analyzeQuery(query, wide);
    assert.deepEqual(problems, [], query.slice(0, 60));
    const columns = bound.pipelines[0]?.columns;
    assert.equal(columns?.open, true);
    const count = columns?.list.length ?? 0;
    assert.ok(count > 500 && count < 2 * maxCopiedColumns, `${count} columns`);
  }
  const { bound } = analyzeQuery('wide | join (wide) on f1 | join (wide) on f1', wide);
  assert.equal(bound.pipelines[0]?.columns.open, false);
});
