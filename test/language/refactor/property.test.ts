/**
 * Applies every refactoring at every token of many queries: no problem is added, and the result columns stay
 * the same.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregates, functions, operators } from '../../../language/src/catalog/index.ts';
import { proseOf } from '../../../language/src/editing.ts';
import { analyzeQuery, applyEdits, parseQuery, type Schema } from '../../../language/src/index.ts';
import { type Refactoring, refactoringsAt } from '../../../language/src/refactor/index.ts';
import { schema } from '../binding/marked.ts';
import { queries } from '../queries.data.ts';
import { mutate, seeded } from '../random.ts';

const texts: readonly string[] = [
  ...operators.map((row) => proseOf(row).example),
  ...functions.map((row) => `logs | extend made = ${proseOf(row).example} | take 5`),
  ...aggregates.map((row) => `logs | summarize made = ${proseOf(row).example} by status`),
  ...queries,
  'let least = 400;\nlet most = least + 99;\nlogs | where status >= least and status <= most',
  'let all = (logs | where ok);\nall | join kind=inner (all | project status) on status // twice\n| take 5',
  "logs | where tolower(method) in ('get') | where ok or status > 1 | where took > 1s",
  'let t = 5m;\nlogs | summarize n = count() by bin(_time, t) | sort by n desc | take 4',
  "logs | where geo.city == 'Lisbon'",
];

/** Returns the names and types of the query's result columns, sorted. */
function columns(text: string, known: Schema): string[] {
  const last = analyzeQuery(text, known).bound.pipelines.at(-1);
  return (last?.columns.list ?? []).map(({ name, type }) => `${name}:${type}`).sort();
}

function codes(text: string, known: Schema): string[] {
  return analyzeQuery(text, known)
    .problems.filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ code }) => code)
    .sort();
}

/** This refactoring intentionally reads another column. */
const changesColumns = (one: Refactoring) => one.title.startsWith('Name the column');

describe('refactorings of random text', () => {
  it('never produce a query with syntax errors', () => {
    const random = seeded(23);
    const rounds = process.env.APLOMB_LONG === undefined ? 3_000 : 30_000;
    let made = 0;
    for (let i = 0; i < rounds; i++) {
      const text = mutate(random, random.pick(texts));
      const start = random.below(text.length + 1);
      const end = random.pick([start, start + random.below(text.length - start + 1)]);
      for (const { edits, title } of refactoringsAt(analyzeQuery(text, schema), { start, end })) {
        const after = applyEdits(text, edits);
        made++;
        assert.deepEqual(parseQuery(after).problems, [], `${title}\n${text}\n→\n${after}`);
      }
    }
    assert.ok(made > rounds / 20, String(made));
  });
});

describe('every refactoring at every token', () => {
  for (const [what, known] of [
    ['without a schema', { datasets: [] }],
    ['with the fields of logs', schema],
  ] as const) {
    it(`adds no problem and keeps the same columns, ${what}`, () => {
      const seen = new Set<string>();
      for (const text of texts) {
        const analysis = analyzeQuery(text, known);
        const before = { codes: codes(text, known), columns: columns(text, known) };
        for (const { start, end } of analysis.tree.tokens) {
          for (const one of [
            ...refactoringsAt(analysis, { start, end: start }),
            ...refactoringsAt(analysis, { start, end }),
          ]) {
            const after = applyEdits(text, one.edits);
            seen.add(`${one.kind} ${one.title.split(' ').slice(0, 2).join(' ')}`);
            const message = `${one.title}\n${text}\n→\n${after}`;
            const added = codes(after, known);
            for (const code of before.codes) {
              const at = added.indexOf(code);
              if (at >= 0) added.splice(at, 1);
            }
            assert.deepEqual(added, [], message);
            assert.notEqual(after, text, message);
            if (!changesColumns(one))
              assert.deepEqual(columns(after, known), before.columns, message);
          }
        }
      }
      assert.ok(seen.size >= 9, [...seen].join(', '));
    });
  }
});
