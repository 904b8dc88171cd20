// Patterns over names, and tables with unknown columns: quoted wildcards, unions, searches.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeQuery } from '../../../language/src/analysis.ts';
import { applyEdits } from '../../../language/src/edits.ts';
import { certainFix } from '../../../language/src/fixes/index.ts';
import { check, columnsOf, schema } from './marked.ts';

function fixed(text: string, known?: typeof schema): string {
  const [problem] = analyzeQuery(text, known).problems;
  return applyEdits(text, (problem && certainFix(problem)?.edits) ?? []);
}

describe('a quoted name with stars', () => {
  it('is reported if no name matches it exactly, and the message suggests a pattern with unquoted stars', () => {
    check(
      `
union ['github-*'] | count
      ^^^^^^^^^^^^ unknown-dataset: Use github-* instead`,
      schema,
    );
    check(
      `
logs | project-away ['geo.*'], status
                    ^^^^^^^^^ unknown-column: Use ['geo.']* instead`,
      schema,
    );
    assert.equal(fixed("union ['github-*'] | count", schema), 'union github-* | count');
    assert.equal(fixed("logs | project-keep ['geo.*']", schema), "logs | project-keep ['geo.']*");
    assert.equal(fixed("union ['my logs *']", schema), "union ['my logs ']*");
  });

  it('causes only a warning if the schema is incomplete', () => {
    check(`
anything | project-away ['geo.*']
                        ^^^^^^^^^ quoted-wildcard: Use ['geo.']* to`);
    check(`
union ['sample-*'], other
      ^^^^^^^^^^^^ quoted-wildcard: Use sample-* to`);
  });

  it('is accepted if a dataset or column has exactly that name', () => {
    const starred = {
      complete: true,
      datasets: [{ name: 'a*', complete: true, fields: [{ name: 'b*', type: 'string' }] }],
    };
    check("union ['a*'] | project-away ['b*']", starred);
    check("logs | project-away ['geo.']*", schema);
    check('union github-* | count', schema);
  });
});

describe('the `dataset` column of a union', () => {
  it('exists even without withsource if the union has a wildcard', () => {
    check('union * | summarize count() by dataset', schema);
    check("union lo* | extend x = 1 | where dataset == 'a' and x == 1 | project dataset", schema);
    check("logs | union * | where dataset == 'logs'", schema);
  });

  it("doesn't exist after count or if the union lists its datasets", () => {
    check(
      `
union * | count | where dataset == 'logs'
                        ^^^^^^^ unknown-column`,
      schema,
    );
    check(
      `
union logs, users | summarize count() by dataset
                                         ^^^^^^^ unknown-column`,
      schema,
    );
  });
});

describe('a search in all datasets', () => {
  it("includes every dataset's columns and leaves the column list open-ended", () => {
    const columns = columnsOf("search 'x'", schema);
    for (const column of ['method:string', 'geo.city:string', 'name:string', 'repo:string', '…'])
      assert.ok(columns.split(' ').includes(column), `${column} in ${columns}`);
    assert.equal(columnsOf("search 'x'"), '…');
    assert.equal(columnsOf("search 'x'", { ...schema, complete: false }), '…');
  });
});

describe('a malformed item', () => {
  it("is reported once in mv-expand or parse-kv, and the operator's columns are still known", () => {
    check(
      `
logs | mv-expand bagexpansion=array tags | where tags == 'a'
                 ^^^^^^^^^^^^ foreign-operator: APL does not support 'bagexpansion'. Use 'kind' instead.`,
      schema,
    );
    check(
      `
logs | parse-kv method (a:long, b) | where a > 1 and b == 'x'
                       ^ expected-word: Expected 'as' after 'method'`,
      schema,
    );
    check("logs | parse-kv tostring (tags) as (a) | where a == 'x'", schema);
  });

  it('is reported once if project-rename has == instead of =, and the column is still renamed', () => {
    check(
      `
logs | project-rename verb == method | where verb == 'GET'
                      ^^^^^^^^^^^^^^ rename-item`,
      schema,
    );
    assert.equal(
      fixed('logs | project-rename verb == method', schema),
      'logs | project-rename verb = method',
    );
  });
});
