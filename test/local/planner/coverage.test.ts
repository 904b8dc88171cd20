/**
 * Every function, aggregate, operator and scalar operator of the catalog stands in three goldens at least, each of
 * another query. They are counted here; that they show an ordinary value, a missing one and an edge, as the recipes
 * ask, is for the reader of the goldens. What is refused is listed with its reason, at most ten.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregatePlans } from '../../../local/src/planner/aggregates.ts';
import { functionPlans } from '../../../local/src/planner/functions.ts';
import { coverage } from './coverage.ts';
import { type Golden, readGoldens } from './goldens.ts';

const least = 3;
const mostRefused = 10;

const noSqlParser = 'it needs a SQL parser that the deployment does not have';

/** The functions that the local deployment rejects, with its reasons. */
const refused: Readonly<Record<string, string>> = {
  format_sql: noSqlParser,
  geo_info_from_ip_address:
    'it needs a file of places by address that is not part of the extension',
  parse_sql: noSqlParser,
};

const goldens = readGoldens().flatMap((file) => file.goldens);
const plans = Object.entries({ ...functionPlans, ...aggregatePlans });

describe('the goldens of the catalog', () => {
  it(`cover each supported entry at least ${least} times`, () => {
    const few = coverage(goldens)
      .filter((row) => row.goldens.length < least && !Object.hasOwn(refused, row.name))
      .map((row) => `${row.table} ${row.name}: ${row.goldens.length}`);
    assert.deepEqual(few, []);
  });

  it('include each unsupported function, with the reason', () => {
    const unsupported = plans.flatMap(([name, plan]) =>
      'unsupported' in plan ? [[name, plan.unsupported]] : [],
    );
    assert.deepEqual(Object.fromEntries(unsupported), refused);
    assert.ok(unsupported.length <= mostRefused);
    for (const [name, reason] of Object.entries(refused)) {
      const shown = goldens.some(({ expected }) =>
        expected.includes(
          `The function ${name} is not supported on this deployment, because ${reason}.`,
        ),
      );
      assert.ok(shown, name);
    }
  });

  it('contain each query only once', () => {
    const queries = goldens.map(({ query }) => query);
    assert.deepEqual(
      queries.filter((query, i) => queries.indexOf(query) !== i),
      [],
    );
  });
});

describe('the coverage of a golden', () => {
  it("lists each function and operator of the golden's syntax tree once", () => {
    assert.deepEqual(uses('print a = abs(-1) - abs(2) | where not(a != 1) and a in (1)'), [
      'function abs',
      'function not',
      'operator where',
      'operator print',
      'scalar operator -',
      'scalar operator !=',
      'scalar operator and',
      'scalar operator not',
      'scalar operator in',
    ]);
    assert.deepEqual(uses('["count"] | order by a.b[0] | summarize count() by x | take 1'), [
      'aggregate count',
      'operator order',
      'operator summarize',
      'operator take',
      'scalar operator .',
      'scalar operator []',
    ]);
    assert.deepEqual(uses('table("t") | where * has "x" | extend-valid a = b !has_cs "y"'), [
      'operator extend-valid',
      'operator where',
      'operator table',
      'scalar operator !has_cs',
      'scalar operator * has',
    ]);
  });

  it('excludes words in strings, comments and names', () => {
    assert.deepEqual(uses('print s = "abs(1) | where a == 2" // ceiling(3) | limit 1'), [
      'operator print',
    ]);
    assert.deepEqual(uses("['where abs(x)'] | project ['a == b']"), ['operator project']);
  });

  it('is empty if the golden contains no rows', () => {
    const query = 'print abs(1)';
    const expected = '--- refused\ninvalid-query at 0 to 1\nNo.';
    assert.deepEqual(covered({ name: 'refused', query, expected }), []);
  });
});

function uses(query: string): readonly string[] {
  return covered({ name: 'one', query, expected: '--- sql\nSELECT 1\n--- rows\na:integer' });
}

function covered(golden: Golden): readonly string[] {
  return coverage([golden])
    .filter((row) => row.goldens.length > 0)
    .map((row) => `${row.table} ${row.name}`);
}
