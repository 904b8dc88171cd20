/**
 * Parsing takes linear time and never loses text, also on input that breaks other parsers. See also `fuzz.test.ts`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cursor } from '../../../language/src/syntax/cursor.ts';
import { maxHeight, maxNesting, maxProblems } from '../../../language/src/syntax/limits.ts';
import { parseQuery, parseWith } from '../../../language/src/syntax/parser.ts';
import { unparse } from '../../../language/src/syntax/trivia.ts';
import { queries } from '../queries.data.ts';
import { checkTree } from './wholeTree.ts';

const long = process.env['APLOMB_LONG'] === '1';

describe('typical queries', () => {
  it('have no syntax problem, apart from queries with user-defined functions', () => {
    const wrong = queries.filter((query) => checkTree(query).problems.length > 0);
    assert.deepEqual(
      wrong,
      queries.filter((query) => query.includes('{ code in')),
    );
  });

  it('still produce a complete tree when truncated at any character', () => {
    for (const query of queries) {
      for (let end = 0; end <= query.length; end++) checkTree(query.slice(0, end));
    }
  });
});

/** Shapes of input, of about a given length, that break or slow down parsers. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  'open parentheses': (n) => '('.repeat(n),
  'open square brackets': (n) => '['.repeat(n),
  'open curly brackets': (n) => '{'.repeat(n),
  'mixed open brackets': (n) => '([{'.repeat(n / 3),
  'closing parentheses': (n) => ')'.repeat(n),
  'mismatched brackets': (n) => '(]'.repeat(n / 2),
  'balanced parentheses': (n) => `print ${'('.repeat(n / 2)}1${')'.repeat(n / 2)}`,
  'unclosed nested calls': (n) => `print ${'f('.repeat(n / 2)}`,
  'unclosed nested arrays': (n) => `print dynamic(${'['.repeat(n)}`,
  'unclosed nested pipelines': (n) => '(|'.repeat(n / 2),
  'unclosed joins': (n) => 'logs\n'.concat('| join (x\n  | where a == 1\n'.repeat(n / 28)),
  pipes: (n) => '|'.repeat(n),
  semicolons: (n) => ';'.repeat(n),
  'let statements without semicolons': (n) => 'let x = (a) '.repeat(n / 12),
  'statements that start with a pipe': (n) => 'a'.concat(';|x'.repeat(n / 3)),
  'minus signs': (n) => `print ${'-'.repeat(n)}1`,
  'member accesses': (n) => `print a${'.a'.repeat(n / 2)}`,
  'element accesses': (n) => `print a${'[0]'.repeat(n / 3)}`,
  'a long in list': (n) => `logs | where x in (${'"abc", '.repeat(n / 7)}"z")`,
  'a comma-separated list of names': (n) => `print ${'a,'.repeat(n / 2)}a`,
  'names without commas': (n) => `logs | project ${'a\n'.repeat(n / 2)}`,
  'a chain of or': (n) => `logs | where ${'a == 1 or '.repeat(n / 10)}b`,
  'a chain of +': (n) => `print ${'a+'.repeat(n / 2)}1`,
  'one long line': (n) => `logs ${'| where status == 200 and strlen(uri) > 10 '.repeat(n / 43)}`,
  'many lines': (n) => 'logs\n'.concat('| where status == 200\n'.repeat(n / 22)),
  'comment lines': (n) => '// a comment\n'.repeat(n / 13),
  'alternating quotes': (n) => `"'`.repeat(n / 2),
  'curly quotes': (n) => '“‘'.repeat(n / 2),
  'one long word': (n) => 'a'.repeat(n),
  'one long number': (n) => `print ${'9'.repeat(n)}`,
  'non-ASCII characters': (n) => '💥é“'.repeat(n / 4),
  'a name with many dashes': (n) => `logs | project ${'a-'.repeat(n / 2)}a = 1`,
};

describe('parsing', () => {
  for (const [shape, make] of Object.entries(shapes)) {
    it(`takes fewer than 8 parser steps per character at every length: ${shape}`, () => {
      const steps = [1_000, 10_000, 100_000].map((length) => {
        const cursor = new Cursor(make(length));
        parseWith(cursor);
        return cursor.steps / cursor.text.length;
      });
      for (const perCharacter of steps) assert.ok(perCharacter < 8, `${steps} steps per character`);
    });
  }

  it('reads a megabyte of opening brackets without stack overflow and limits the number of problems', () => {
    for (const bracket of ['(', '[', '{', 'print (', '([{']) {
      const text = bracket.repeat(1_000_000 / bracket.length);
      const tree = parseQuery(text);
      assert.equal(unparse(tree).length, text.length);
      assert.ok(tree.problems.length <= maxProblems);
    }
  });

  const large = long ? 1_000_000 : 200_000;

  it(`reproduces ${large} characters of hostile text and limits the number of problems`, () => {
    for (const [shape, make] of Object.entries(shapes)) {
      const text = make(large);
      const tree = parseQuery(text);
      assert.equal(unparse(tree), text, shape);
      assert.ok(tree.problems.length <= maxProblems, shape);
    }
  });

  it('reports nesting beyond the limit once and reads the text around it', () => {
    const deep = `${'('.repeat(maxNesting + 50)}1${')'.repeat(maxNesting + 50)}`;
    const tree = checkTree(`logs | where a == ${deep} | project b`);
    assert.deepEqual(
      tree.problems.map((problem) => problem.code),
      ['too-deep'],
    );
    assert.equal(tree.text.slice(tree.problems[0]?.start, tree.problems[0]?.end), '(');
    const [statement] = tree.statements;
    assert.ok(statement?.kind === 'QueryStatement');
    assert.equal(statement.pipeline.stages[1]?.operator.kind, 'ProjectOperator');
  });

  it("doesn't report nesting and chains within the limits", () => {
    const depth = maxNesting - 10;
    checkTreeWithout(`print ${'('.repeat(depth)}1${')'.repeat(depth)}`);
    checkTreeWithout(`print ${'f('.repeat(depth)}1${')'.repeat(depth)}`);
    checkTreeWithout(`print ${'"a" + '.repeat(maxHeight - 10)}"b"`);
    checkTreeWithout(`logs | where ${'a == 1 or b and '.repeat(20_000)}c`);
  });

  it('ends a grammar rule that loops without consuming a token, and reports a problem', () => {
    const cursor = new Cursor('a b | c');
    cursor.within(2, () => {
      for (let looks = 0; !cursor.atEnd && looks < 1_000_000; looks++) cursor.at('x');
    });
    assert.equal(cursor.index, 2);
    assert.equal(cursor.problems[0]?.code, 'unexpected-text');
  });
});

function checkTreeWithout(text: string): void {
  assert.deepEqual(checkTree(text).problems, []);
}
