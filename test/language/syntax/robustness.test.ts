/** Whatever the text: no exception, nothing lost, a well-formed tree, and work in proportion to the text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProblemCode, problemRows } from '../../../language/src/problems.ts';
import { Cursor } from '../../../language/src/syntax/cursor.ts';
import { maxHeight, maxNesting, maxProblems } from '../../../language/src/syntax/limits.ts';
import { parseQuery, parseWith } from '../../../language/src/syntax/parser.ts';
import type { QueryTree } from '../../../language/src/syntax/tree.ts';
import { triviaIn, unparse } from '../../../language/src/syntax/trivia.ts';
import { type AnyNode, children } from '../../../language/src/syntax/visit.ts';
import { queries } from '../queries.data.ts';
import { mutate, randomText, seeded } from '../random.ts';

/** Asserts everything that holds of every tree. */
function checkTree(text: string): QueryTree {
  const tree = parseQuery(text);
  assert.equal(unparse(tree), text);
  checkGaps(tree);
  checkNesting(tree.statements, 0, text.length, 0);
  checkReports(tree);
  return tree;
}

/** Tokens follow one another, and between them stands nothing but white space and comments. */
function checkGaps(tree: QueryTree): void {
  let end = 0;
  for (const token of tree.tokens) {
    assert.ok(token.start >= end && (token.end > token.start || token.kind === 'end'));
    for (const piece of triviaIn(tree.text, { start: end, end: token.start })) {
      const written = tree.text.slice(piece.start, piece.end);
      assert.match(written, piece.kind === 'comment' ? /^\/\/.*$/ : /^[\s\u0085\u200B\u2060]+$/);
    }
    end = token.end;
  }
  assert.equal(end, tree.text.length);
}

/** Each node stands in its parent's span, behind its earlier siblings. */
function checkNesting(nodes: readonly AnyNode[], start: number, end: number, height: number): void {
  assert.ok(height < 2 * maxHeight);
  let last = start;
  for (const node of nodes) {
    assert.ok(node.start >= last, `${node.kind} at ${node.start} starts before ${last}`);
    assert.ok(node.end >= node.start && node.end <= end, `${node.kind} ends at ${node.end}`);
    last = node.end;
    checkNesting(children(node), node.start, node.end, height + 1);
  }
}

/** No two problems start at one place, and each is a row of the table and fills its message. */
function checkReports(tree: QueryTree): void {
  const seen = new Set<number>();
  for (const problem of tree.problems) {
    assert.ok(
      0 <= problem.start && problem.start <= problem.end && problem.end <= tree.text.length,
    );
    assert.ok(!seen.has(problem.start), `two problems at ${problem.start}`);
    seen.add(problem.start);
    const row = problemRows[problem.code as ProblemCode];
    assert.ok(row !== undefined, `no row for ${problem.code}`);
    for (const [, name = ''] of row.message.matchAll(/\{(\w+)\}/g)) {
      assert.ok(problem.values?.[name] !== undefined, `${problem.code} lacks ${name}`);
    }
  }
  assert.ok(tree.problems.length <= maxProblems);
}

const long = process.env['APLOMB_LONG'] === '1';
const runs = long ? 600_000 : 60_000;

describe('any text', () => {
  it('mutations of real queries make a whole tree', () => {
    const random = seeded(20_251);
    for (let i = 0; i < runs; i++) {
      const text = mutate(random, random.pick(queries));
      try {
        checkTree(text);
      } catch (error) {
        throw new Error(`fails on ${JSON.stringify(text)}`, { cause: error });
      }
    }
  });

  it('random texts make a whole tree', () => {
    const random = seeded(77);
    for (let i = 0; i < (runs * 2) / 3; i++) {
      const text = randomText(random, random.below(60));
      try {
        checkTree(text);
      } catch (error) {
        throw new Error(`fails on ${JSON.stringify(text)}`, { cause: error });
      }
    }
  });

  it('the queries themselves have no problem but the one that is meant', () => {
    const wrong = queries.filter((query) => checkTree(query).problems.length > 0);
    assert.deepEqual(
      wrong,
      queries.filter((query) => query.includes('{ code in')),
    );
  });

  it('every prefix of a query makes a whole tree', () => {
    for (const query of queries) {
      for (let end = 0; end <= query.length; end++) checkTree(query.slice(0, end));
    }
  });
});

/** Texts of about a given length that have hurt parsers. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  'open round brackets': (n) => '('.repeat(n),
  'open square brackets': (n) => '['.repeat(n),
  'open curly brackets': (n) => '{'.repeat(n),
  'mixed open brackets': (n) => '([{'.repeat(n / 3),
  'closing brackets': (n) => ')'.repeat(n),
  'crossed brackets': (n) => '(]'.repeat(n / 2),
  'balanced nesting': (n) => `print ${'('.repeat(n / 2)}1${')'.repeat(n / 2)}`,
  'nested calls': (n) => `print ${'f('.repeat(n / 2)}`,
  'nested arrays': (n) => `print dynamic(${'['.repeat(n)}`,
  'nested pipelines': (n) => '(|'.repeat(n / 2),
  'unclosed joins': (n) => 'logs\n'.concat('| join (x\n  | where a == 1\n'.repeat(n / 28)),
  pipes: (n) => '|'.repeat(n),
  semicolons: (n) => ';'.repeat(n),
  'statements without an end': (n) => 'let x = (a) '.repeat(n / 12),
  'strays before pipes': (n) => 'a'.concat(';|x'.repeat(n / 3)),
  signs: (n) => `print ${'-'.repeat(n)}1`,
  members: (n) => `print a${'.a'.repeat(n / 2)}`,
  elements: (n) => `print a${'[0]'.repeat(n / 3)}`,
  'a long list': (n) => `logs | where x in (${'"abc", '.repeat(n / 7)}"z")`,
  'a list of words': (n) => `print ${'a,'.repeat(n / 2)}a`,
  'words without commas': (n) => `logs | project ${'a\n'.repeat(n / 2)}`,
  'a chain of or': (n) => `logs | where ${'a == 1 or '.repeat(n / 10)}b`,
  'a chain of plus': (n) => `print ${'a+'.repeat(n / 2)}1`,
  'one long line': (n) => `logs ${'| where status == 200 and strlen(uri) > 10 '.repeat(n / 43)}`,
  'many lines': (n) => 'logs\n'.concat('| where status == 200\n'.repeat(n / 22)),
  comments: (n) => '// a comment\n'.repeat(n / 13),
  quotes: (n) => `"'`.repeat(n / 2),
  'curly quotes': (n) => '“‘'.repeat(n / 2),
  'one word': (n) => 'a'.repeat(n),
  'one number': (n) => `print ${'9'.repeat(n)}`,
  'other characters': (n) => '💥é“'.repeat(n / 4),
  'names with dashes': (n) => `logs | project ${'a-'.repeat(n / 2)}a = 1`,
};

describe('work', () => {
  for (const [shape, make] of Object.entries(shapes)) {
    it(`grows no faster than the text: ${shape}`, () => {
      const steps = [1_000, 10_000, 100_000].map((length) => {
        const cursor = new Cursor(make(length));
        parseWith(cursor);
        return cursor.steps / cursor.text.length;
      });
      for (const perCharacter of steps) assert.ok(perCharacter < 8, `${steps} steps per character`);
    });
  }

  it('a megabyte of brackets is parsed to its end, without overflow and with few problems', () => {
    for (const bracket of ['(', '[', '{', 'print (', '([{']) {
      const text = bracket.repeat(1_000_000 / bracket.length);
      const tree = parseQuery(text);
      assert.equal(unparse(tree).length, text.length);
      assert.ok(tree.problems.length <= maxProblems);
    }
  });

  const large = long ? 1_000_000 : 200_000;

  it(`a text of ${large} characters is parsed to its end`, () => {
    for (const [shape, make] of Object.entries(shapes)) {
      const text = make(large);
      const tree = parseQuery(text);
      assert.equal(unparse(tree), text, shape);
      assert.ok(tree.problems.length <= maxProblems, shape);
    }
  });

  it('nesting beyond the limit is one problem, and what stands around it is read', () => {
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

  it('nesting and chains within the limits have no problem', () => {
    const depth = maxNesting - 10;
    checkTreeWithout(`print ${'('.repeat(depth)}1${')'.repeat(depth)}`);
    checkTreeWithout(`print ${'f('.repeat(depth)}1${')'.repeat(depth)}`);
    checkTreeWithout(`print ${'"a" + '.repeat(maxHeight - 10)}"b"`);
    checkTreeWithout(`logs | where ${'a == 1 or b and '.repeat(20_000)}c`);
  });

  it('a production that does not move is moved on', () => {
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
