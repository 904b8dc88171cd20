/**
 * The documentation of the catalog: well-formed sentences, examples without problems, valid snippets.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindQuery } from '../../language/src/binding/bind.ts';
import {
  aggregates,
  functionNamed,
  functions,
  operators,
  scalarOperators,
  types,
} from '../../language/src/catalog/index.ts';
import type {
  FunctionRow,
  OperatorRow,
  ScalarOperatorRow,
} from '../../language/src/catalog/types.ts';
import { operatorSlots, statementSlots } from '../../language/src/context/slots.ts';
import { type Prose, proseOf } from '../../language/src/prose/index.ts';
import { parseQuery } from '../../language/src/syntax/parser.ts';

const allFunctions = [...functions, ...aggregates];

/** Returns the documentation of a row, with its name. */
function said(
  row: FunctionRow | OperatorRow | ScalarOperatorRow,
): Prose & { readonly name: string } {
  return { name: row.name, ...proseOf(row) };
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** Returns the parser's and binder's problems of a query, without a schema. */
function problemsOf(query: string): string[] {
  const tree = parseQuery(query);
  return [
    ...tree.problems.map((problem) => problem.code),
    ...bindQuery(tree).problems.map((problem) => problem.message),
  ];
}

describe('documentation sentences', () => {
  const described = [...allFunctions, ...operators, ...scalarOperators];

  it('are one line that starts with a capital and ends with a period', () => {
    for (const { name, summary } of [...described.map(said), ...types]) {
      assert.match(summary, /^[A-Z][^\n]*\.$/, name);
      assert.ok(summary.length <= 130, `${name}: ${summary.length} characters`);
    }
  });

  it('end with a period in notes', () => {
    for (const { name, note } of [...allFunctions.map(said), ...operators.map(said)]) {
      if (note !== undefined) assert.match(note, /^[\w$][^\n]*\.$/, name);
    }
  });

  it('differ between functions, except aliases and the two month functions', () => {
    const summaries = allFunctions
      .filter(({ aliasOf }) => !aliasOf)
      .map((row) => proseOf(row).summary);
    // The two functions for the month aren't marked as aliases, so they share a summary.
    assert.deepEqual(repeated(summaries), [said(functionNamed('getmonth') as FunctionRow).summary]);
  });

  it('describe every option, option value and modifier', () => {
    for (const row of operators) {
      const { name, options = [] } = row;
      const { modifiers = [] } = proseOf(row);
      for (const word of [
        ...options,
        ...options.flatMap(({ values = [] }) => values),
        ...modifiers,
      ]) {
        assert.match(word.summary, /\.$/, `${name}: ${word.name}`);
      }
    }
  });

  it('describe exactly the clauses of each operator', () => {
    for (const row of operators) {
      const slots = operatorSlots.get(row.name) ?? statementSlots.get(row.name);
      const { clauses = {} } = proseOf(row);
      assert.deepEqual(
        Object.keys(clauses).sort(),
        Object.keys(slots?.clauses ?? {}).sort(),
        row.name,
      );
      for (const [word, says] of Object.entries(clauses))
        assert.match(says, /^[A-Z].*\.$/, `${row.name} ${word}`);
    }
  });
});

describe('documentation examples', () => {
  it('contain the function or operator that they document', () => {
    for (const { name, example } of allFunctions.map(said)) {
      assert.ok(example.includes(`${name}(`), `${name}: ${example}`);
    }
    for (const { name, example } of operators.map(said)) {
      assert.match(example, new RegExp(`(^|\\| )${name}\\b`), name);
    }
    for (const { name, example } of scalarOperators.map(said)) {
      const shown = name === '[]' ? '[0]' : name;
      assert.ok(example.includes(shown), `${name}: ${example}`);
    }
  });

  it('have no problems', () => {
    const queries = [
      ...functions.map(said).map(({ example }) => `logs | extend x = ${example}`),
      ...aggregates
        .map(said)
        .map(({ example }) => `logs | summarize ${example} by bin_auto(_time)`),
      ...operators.map((row) => proseOf(row).example),
      ...scalarOperators
        .map((row) => ({ ...row, ...proseOf(row) }))
        .map(({ example, category }) =>
          category === 'arithmetic' || category === 'access'
            ? `logs | extend x = ${example}`
            : `logs | where ${example}`,
        ),
      ...types.map(({ literal }) => `print ${literal}`),
    ];
    for (const query of queries) assert.deepEqual(problemsOf(query), [], query);
  });
});

describe('operator snippets', () => {
  /** One placeholder, a choice, or plain text without characters that need escaping. */
  const snippet = /^(?:[^$\\}]|\$\{\d+:[^$}|]*\}|\$\{\d+\|[^|}]+\|\})+$/;

  it('use LSP snippet syntax and number their placeholders from 1', () => {
    for (const operator of operators) {
      const text = proseOf(operator).snippet;
      assert.match(text, snippet, operator.name);
      const places = [...text.matchAll(/\$\{(\d+)/g)].map((match) => Number(match[1]));
      assert.deepEqual(
        places,
        places.map((_, index) => index + 1),
        operator.name,
      );
    }
  });

  it('parse after their placeholders are filled', () => {
    for (const row of operators) {
      const { name, role } = row;
      const text = proseOf(row).snippet;
      assert.ok(text.startsWith(name), name);
      const filled = text.replace(/\$\{\d+[:|](.*?)\|?\}/g, (_, inside: string) => {
        return inside.split(',')[0] as string;
      });
      const query = role === 'transform' ? `logs | ${filled}` : filled;
      assert.deepEqual(parseQuery(query).problems, [], query);
    }
  });
});
