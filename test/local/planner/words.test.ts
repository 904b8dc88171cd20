// What a query's own words say has no part in how it is planned: literals and names may be words of SQL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindQuery, lex, parseQuery, type Schema } from '../../../language/src/index.ts';
import { PlanError, planQuery } from '../../../local/src/planner/index.ts';
import type { PlanContext } from '../../../local/src/planner/plan.ts';
import { context, logs, plan, schema } from './engine.ts';
import { readGoldens } from './goldens.ts';

/** Words that the planner could take for its own SQL, each with one that says nothing. They differ in letters alone, but not in
 * rare ones, for which a search looks first. */
const words = [
  ['SELECT', 'SILENT'],
  ['lambda', 'lumber'],
  ['TRY(', 'TOY('],
  ['random()', 'ribbon()'],
  ['apl.sorted_json(', 'arm.silent_jolt('],
  ['apl.plus_long(', 'arm.pink_lamp('],
  ['->', '=>'],
] as const;

/** SQL in which the quoted texts say `plain` for `word`, whatever comes between its letters. */
function withPlain(sql: string, word: string, plain: string): string {
  const [from, to] = [word, plain].map((of) => of.match(/\w+/g) ?? [of]) as [string[], string[]];
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (quoted) =>
    from.reduce((text, name, i) => text.replaceAll(name, to[i] as string), quoted),
  );
}

function planned(query: string, of: PlanContext = context, fields: Schema = schema): string {
  try {
    const { main, totals, macros } = planQuery(bindQuery(parseQuery(query), fields), of);
    // A term of `search` spells the letter s as a class.
    return [main.sql, totals?.sql, ...macros].join('\n').replace(/\(\?-i:\[(.).\]\)/g, '$1');
  } catch (error) {
    if (error instanceof PlanError) return error.code;
    throw error;
  }
}

function sameFor(query: (word: string) => string): void {
  for (const [word, plain] of words) {
    const wanted = planned(query(plain));
    assert.notEqual(wanted, 'invalid-query', query(plain));
    assert.equal(withPlain(planned(query(word)), word, plain), wanted, query(word));
  }
}

/** A query with another text for each of its strings; undefined where it has none. */
function withStrings(query: string, text: string): string | undefined {
  const strings = lex(query).filter(({ kind, start }) => kind === 'string' && query[start] === '"');
  if (strings.length === 0) return undefined;
  return strings.reduceRight(
    (of, { start, end }) => `${of.slice(0, start)}"${text}"${of.slice(end)}`,
    query,
  );
}

describe('SQL keywords in string literals', () => {
  it("don't change the plan if numbers are computed from the literals", () => {
    sameFor((word) => `print a = indexof(tostring(rand()), '${word}') + 1`);
    sameFor((word) => `logs | extend a = pow(9, strlen(strcat(method, '${word}')))`);
    sameFor((word) => `logs | extend a = bin(strlen(strcat(method, '${word}')), 7) * -status`);
    sameFor((word) => `logs | where abs(indexof(method, '${word}')) < 3 and method != '${word}'`);
    sameFor((word) => `logs | extend a = todatetime(strcat(method, '${word}')) + 1h`);
    sameFor((word) => `logs | extend a = status + iff(method == '${word}', 1, 2) + status`);
  });

  it("don't change the plan if the query tests membership in a table", () => {
    sameFor((word) => `logs | extend a = tostring(method in ((print x = '${word}')))`);
    sameFor(
      (word) => `logs | where method in ((logs | where method == '${word}' | project method))`,
    );
    sameFor((word) => `let a = toint(strcat('${word}', '1')); logs | extend b = a + 1`);
  });

  it("don't change the plan of any golden", () => {
    let compared = 0;
    for (const { query, name } of readGoldens().flatMap(({ goldens }) => goldens)) {
      for (const [word, plain] of words) {
        const wanted = withStrings(query, plain);
        if (wanted === undefined) break;
        const found = planned(withStrings(query, word) as string);
        assert.equal(withPlain(found, word, plain), planned(wanted), name);
        compared++;
      }
    }
    assert.ok(compared > 1000, String(compared));
  });
});

describe('SQL keywords in column names', () => {
  const renamed = (query: string, from: string, to: string): string => {
    const names = lex(query).filter(({ start, end }) => query.slice(start, end) === from);
    const fields = (name: string) => (name === from ? to : name);
    const layout = {
      ...logs,
      fields: logs.fields.map(({ name, variants }) => ({
        name: fields(name),
        variants: variants.map(({ type, column }) => ({ type, column: column.replace(from, to) })),
      })),
    };
    const [{ fields: known }] = schema.datasets as [Schema['datasets'][number]];
    return planned(
      names.reduceRight(
        (of, { start, end }) => `${of.slice(0, start)}['${to}']${of.slice(end)}`,
        query,
      ),
      { ...context, layoutOf: (name) => (name === 'logs' ? layout : undefined) },
      {
        complete: true,
        datasets: [{ name: 'logs', fields: known.map((of) => ({ ...of, name: fields(of.name) })) }],
      },
    );
  };

  it("don't change the plan of any golden", () => {
    let compared = 0;
    for (const { query, name } of readGoldens().flatMap(({ goldens }) => goldens)) {
      for (const column of ['method', 'status', 'value']) {
        if (!lex(query).some(({ start, end }) => query.slice(start, end) === column)) continue;
        for (const [word, plain] of words) {
          const wanted = renamed(query, column, plain);
          assert.equal(withPlain(renamed(query, column, word), word, plain), wanted, name);
          compared++;
        }
      }
    }
    assert.ok(compared > 500, String(compared));
  });
});

it('a long literal produces the same plan as a short literal', () => {
  const long = 'x'.repeat(2000);
  for (const query of [
    (word: string) => `logs | where strlen(method) + indexof(method, '${word}') > 1`,
    (word: string) => `logs | where ms * indexof(method, '${word}') > ms * 2`,
    (word: string) => `logs | where ms / strlen('${word}') == 2.5`,
  ]) {
    assert.equal(plan(query(long)).main.sql.replaceAll(long, 'x'), plan(query('x')).main.sql);
  }
});
