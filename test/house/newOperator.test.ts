/**
 * Adds a pretended tabular operator to a copy of the sources. The compiler reports only its missing entries in the tables
 * of operators, and the operator works once they are added.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isLong } from '../drawn.ts';
import { filesBelow, importsOf, read, root } from './sources.ts';

const names = 'language/src/operators/names.ts';
const tables = 'language/src/operators/index.ts';
const planners = 'local/src/planner/pipeline.ts';

/** The files of the pretended operator. */
const ownFiles = {
  'language/src/operators/pretend.ts': `/** The operator \`pretend\`, which keeps the rows that match a condition. */
import type { Scope } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import { bindExpression } from '../binding/expressions.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface PretendOperator extends OperatorNode {
  readonly kind: 'PretendOperator';
  readonly condition: Expression;
}

export interface BoundPretend extends BoundOperatorNode {
  readonly kind: 'pretend';
  readonly condition: BoundExpression;
}

export const core: OperatorCore<PretendOperator, BoundPretend> = {
  facts: { rows: 'filtered', order: 'kept', columns: 'kept', namesWhatItReads: true },
  children: ['condition'],
  operands: ['condition'],
  parse: (c) => ({ kind: 'PretendOperator', condition: expression(c) }),
  bind(node, row, binder) {
    const scope: Scope = { binder, row, aggregates: 'refused' };
    return { kind: 'pretend', condition: bindExpression(node.condition, scope) };
  },
};

export const editing: OperatorEditing = {
  slots: { first: 'condition' },
  prose: {
    syntax: 'pretend condition',
    summary: 'Keeps the rows that match a condition.',
    example: 'logs | pretend status >= 500',
    snippet: 'pretend \${1:condition}',
  },
};
`,
  'local/src/planner/operators/pretend.ts': `/** Plans the operator \`pretend\` as \`where\`. */
import type { BoundOperator } from '../../../../language/src/index.ts';
import type { Planning } from '../scope.ts';
import type { Table } from '../table.ts';
import { planWhere } from './rows.ts';

type Pretend = Extract<BoundOperator, { kind: 'pretend' }>;

export function planPretend(operator: Pretend, table: Table, planning: Planning): Table {
  return planWhere({ ...operator, kind: 'where', predicate: operator.condition }, table, planning);
}
`,
};

/** Declares the operator's name and types. */
const types: readonly Replacement[] = [
  [names, "  'count',\n", "  'count',\n  'pretend',\n"],
  [
    tables,
    "import * as count from './count.ts';\n",
    "import * as count from './count.ts';\nimport * as pretend from './pretend.ts';\n",
  ],
  [tables, '  | count.CountOperator\n', '  | count.CountOperator\n  | pretend.PretendOperator\n'],
  [tables, '  | count.BoundCount\n', '  | count.BoundCount\n  | pretend.BoundPretend\n'],
];

/** Adds the operator to the tables. */
const entries: readonly Replacement[] = [
  [tables, '  count: count.core,\n', '  count: count.core,\n  pretend: pretend.core,\n'],
  [
    tables,
    '  CountOperator: count.core,\n',
    '  CountOperator: count.core,\n  PretendOperator: pretend.core,\n',
  ],
  [tables, '  count: count.editing,\n', '  count: count.editing,\n  pretend: pretend.editing,\n'],
  [
    planners,
    "from './operators/parseKv.ts';\n",
    "from './operators/parseKv.ts';\nimport { planPretend } from './operators/pretend.ts';\n",
  ],
  [planners, '  count: planCount,\n', '  count: planCount,\n  pretend: planPretend,\n'],
];

/** A replacement of all occurrences of a string in a file. */
type Replacement = readonly [path: string, from: string, to: string];

/** Copies the sources, without test data, to a temporary folder that the compiler accepts. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'aplomb-operator-'));
  const projects: { references: { path: string }[] } = JSON.parse(read('tsconfig.json'));
  const folders = new Set(projects.references.map(({ path }) => path.split('/')[0] as string));
  const files = [
    ...[...folders].flatMap((name) => filesBelow(name, ['.ts', '.mts', '.json'])),
    ...['package.json', 'tsconfig.json'].map((path) => ({ path, text: read(path) })),
  ];
  for (const { path, text } of files) write(copy, path, text);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

function write(copy: string, path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

function replaceAll(copy: string, replacements: readonly Replacement[]): void {
  for (const [path, from, to] of replacements) {
    const text = readFileSync(join(copy, path), 'utf8');
    assert.ok(text.includes(from), `${path}: ${from}`);
    write(copy, path, text.replaceAll(from, to));
  }
}

/** Returns the files with type errors. */
function wrongFiles(copy: string): readonly string[] {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '--build', '--pretty', 'false'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  const errors = [...stdout.matchAll(/^(.+?)\(\d+,\d+\): error /gm)];
  assert.equal(errors.length > 0, status !== 0, stdout + stderr);
  return [...new Set(errors.map(([, path]) => (path as string).replaceAll('\\', '/')))].sort();
}

describe("an operator's file", () => {
  it('is imported only by the tables, because the parser and the binder import these', () => {
    const own = /^language\/src\/operators\/(?!(?:facts|index|names|operator)\.ts$)/;
    const wrong = filesBelow('language/src', ['.ts'])
      .filter(({ path }) => path !== tables)
      .map(({ path, text }) => ({
        path,
        text: text.replace(/^(?:import|export) type [^;]*;$/gm, ''),
      }))
      .flatMap((file) => importsOf(file).map((target) => `${file.path} imports ${target}`))
      .filter((line) => own.test(line.split(' imports ')[1] as string));
    assert.deepEqual(wrong, []);
  });
});

// Compiles all sources twice.
describe('a new operator', { skip: !isLong }, () => {
  let copy: string;
  before(() => {
    copy = copySources();
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('has type errors only in the tables of operators and planners until it is added there', () => {
    for (const [path, text] of Object.entries(ownFiles)) write(copy, path, text);
    replaceAll(copy, types);
    const others = wrongFiles(copy).filter((path) => !(path in ownFiles));
    assert.deepEqual(others, [tables, planners]);
  });

  it('compiles once it is added to the tables', () => {
    replaceAll(copy, entries);
    assert.deepEqual(wrongFiles(copy), []);
  });

  it('is parsed, bound, documented, offered and formatted', async () => {
    const load = (path: string) => import(pathToFileURL(join(copy, path)).href);
    const language: typeof import('../../language/src/index.ts') =
      await load('language/src/index.ts');
    const editing: typeof import('../../language/src/editing.ts') =
      await load('language/src/editing.ts');
    const query = 'logs | pretend   status>=500 | count';
    const { problems, queries } = language.analyze(query);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      queries[0]?.bound.stages.map(({ operator }) => operator.kind),
      ['pretend', 'count'],
    );
    const row = language.operatorNamed('pretend');
    assert.ok(row);
    assert.equal(editing.proseOf(row).syntax, 'pretend condition');
    const [first] = queries;
    assert.equal(first && editing.contextAt(first.bound, 15).kind, 'expression');
    assert.equal(
      language.applyEdits(query, editing.format(query)),
      'logs\n| pretend status >= 500\n| count\n',
    );
  });
});
