/** Splitting a document into queries, and finding the query at a cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryAt, splitQueries } from '../../language/src/queries.ts';
import { parseQuery } from '../../language/src/syntax/parser.ts';
import { queries } from './queries.data.ts';
import { mutate, seeded } from './random.ts';

function split(text: string): string[] {
  return splitQueries(text).map((query) => text.slice(query.start, query.end));
}

/** Returns the text of the query at `$0`. */
function at(marked: string): string | undefined {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const query = queryAt(splitQueries(text), offset);
  return query && text.slice(query.start, query.end);
}

describe('splitting a document into queries', () => {
  it('ends a query at a blank line', () => {
    assert.deepEqual(split("\n['a']\n| take 5\n\n  \n['b'] | count\n"), [
      "['a']\n| take 5",
      "['b'] | count",
    ]);
  });

  it('continues a query if a pipe follows a blank line', () => {
    assert.deepEqual(split('a\n\n| take 5\n\n\n| count\n\nb'), ['a\n\n| take 5\n\n\n| count', 'b']);
  });

  it('continues a query across a blank line after let, set or declare with a semicolon', () => {
    assert.deepEqual(split('let x = 1;\n\nset y;\n\ndeclare query_parameters (z);\n\na\n\nb'), [
      'let x = 1;\n\nset y;\n\ndeclare query_parameters (z);\n\na',
      'b',
    ]);
  });

  it('ends a let without a semicolon at a blank line', () => {
    assert.deepEqual(split('let x = 1\n\na'), ['let x = 1', 'a']);
  });

  it('treats let, set and declare as dataset or column names if no declaration follows', () => {
    assert.deepEqual(split('let | where set;\n\nb'), ['let | where set;', 'b']);
  });

  it('attaches comments directly above or below a query and skips standalone comments', () => {
    assert.deepEqual(split('// one\n\n// two\na // three\n// four\n\n// five\n'), [
      '// two\na // three\n// four',
    ]);
  });

  it('continues a query before a pipe or after a let, even across a comment between blank lines', () => {
    assert.deepEqual(split('a\n\n// why\n\n| count'), ['a\n\n// why\n\n| count']);
    assert.deepEqual(split('let x = 1;\n\n// why\n\na'), ['let x = 1;\n\n// why\n\na']);
  });

  it('ends a query at a semicolon after a pipeline, even within a line', () => {
    assert.deepEqual(split('a | count; b | count;\n// c\nc'), [
      'a | count;',
      'b | count;',
      '// c\nc',
    ]);
  });

  it('continues a query if a pipe follows a semicolon', () => {
    assert.deepEqual(split("['a'];\n| where x\n;\n\nb"), ["['a'];\n| where x\n;", 'b']);
  });

  it('ignores separators within a string or a comment', () => {
    assert.deepEqual(split(`a | where b == "; (" // ; [\n| where c == @'\\' ; d`), [
      `a | where b == "; (" // ; [\n| where c == @'\\' ;`,
      'd',
    ]);
  });

  it('ends a query at a blank line inside a bracket only if the next line starts a new query', () => {
    const deeper = "a\n| join (\n\n    ['b']\n    | count\n\n  ) on id";
    assert.deepEqual(split(`${deeper}\n\nc`), [deeper, 'c']);
    const values = 'datatable (t:datetime) [\ndatetime(2025-01-01),\n\ndatetime(2025-01-02),\n\n]';
    assert.deepEqual(split(`${values}\n| count`), [`${values}\n| count`]);
    assert.deepEqual(split("a | where x in (\n\n['b']\n| count\n\nlet c = 1;"), [
      'a | where x in (',
      "['b']\n| count",
      'let c = 1;',
    ]);
  });

  it('accepts CR, LF and CRLF line endings', () => {
    assert.deepEqual(split('a\r\n| count\r\n\r\nb\r\rc'), ['a\r\n| count', 'b', 'c']);
  });

  it('finds no queries in an empty document', () => {
    assert.deepEqual(split(''), []);
    assert.deepEqual(split(' \n\t\n// only\n'), []);
  });

  it('returns each query exactly as written', () => {
    const wanted = queries.flatMap((query) => (query.includes('\n\n') ? [] : [query.trimEnd()]));
    const found = split(wanted.join('\n\n'));
    assert.deepEqual(found, wanted);
    for (const query of found) assert.equal(parseQuery(query).text, query);
  });

  it('returns ordered, disjoint queries that cover all random text except comments and whitespace', () => {
    const random = seeded(4711);
    for (let i = 0; i < 5_000; i++) {
      const text = mutate(random, `${random.pick(queries)}\n\n${random.pick(queries)}\n`);
      const spans = splitQueries(text);
      let end = 0;
      for (const span of spans) {
        assert.ok(span.start >= end && span.end > span.start);
        assert.ok(span.reach.start <= 0 && span.start + span.reach.end >= span.end);
        assert.match(text.slice(end, span.start), /^(?:\s|\u200b|\/\/.*)*$/);
        end = span.end;
      }
      assert.match(text.slice(end), /^(?:\s|\u200b|\/\/.*)*$/);
    }
  });

  it('splits later queries the same way, whatever the edits to an earlier query', () => {
    const random = seeded(815);
    const far = queries.slice(0, 6).join('\n\n');
    const edges = (text: string) => splitQueries(text).map((query) => text.length - query.start);
    const wanted = edges(far);
    for (let i = 0; i < 3_000; i++) {
      const edited = mutate(random, random.pick(queries)).trimEnd();
      const text = `${edited}\n\n['between']\n| count\n\n${far}`;
      assert.deepEqual(edges(text).slice(-wanted.length), wanted, text);
    }
  });
});

describe('the query at a cursor', () => {
  const text = '// top\n\n// above\na\n| take 5\n\n\n  b | count; c\n';

  it('is found from its comments and from whitespace on its lines', () => {
    assert.equal(at('// ab$0ove\na\n| take 5'), '// above\na\n| take 5');
    assert.equal(at('a\n| take 5  $0'), 'a\n| take 5');
    assert.equal(at('x\n\n $0  b'), 'b');
  });

  it('is still found on the line below it, but not on the second line below it', () => {
    assert.equal(at('a\n| take 5\n$0\n\nb'), 'a\n| take 5');
    assert.equal(at('a\n| take 5\n\n$0\nb'), undefined);
    assert.equal(at('a\n$0'), 'a');
  });

  it('is the query that ends at a semicolon after the cursor, or starts after a semicolon before the cursor', () => {
    assert.equal(at('b | count; $0c'), 'c');
    assert.equal(at('b | count$0; c'), 'b | count;');
  });

  it('is undefined in a standalone comment or an empty document', () => {
    assert.equal(at('// to$0p\n\na'), undefined);
    assert.equal(at('$0'), undefined);
  });

  it('matches the expected query at every offset of a document', () => {
    const spans = splitQueries(text);
    const names = Array.from({ length: text.length + 1 }, (_, offset) => {
      const found = queryAt(spans, offset);
      return found === undefined ? '.' : String(spans.indexOf(found));
    });
    assert.equal(names.join(''), `${'.'.repeat(8)}${'0'.repeat(21)}.${'1'.repeat(13)}222`);
  });
});

describe('a large document', () => {
  const shapes: Readonly<Record<string, [make: (length: number) => string, queries: number]>> = {
    'many queries': [(n) => "['a']\n| where x == 1\n| take 5\n\n".repeat(n / 32), 31_250],
    'one long line': [(n) => 'a | where x == 1 '.repeat(n / 17), 1],
    'many queries on a line': [(n) => 'a;'.repeat(n / 2), 500_000],
    'open brackets': [(n) => '(\n\n'.repeat(n / 3), 1],
    'blank lines': [(n) => '\n'.repeat(n), 0],
    comments: [(n) => '// a\n'.repeat(n / 5), 0],
    quotes: [(n) => `"'\n`.repeat(n / 3), 1],
    spaces: [(n) => ' '.repeat(n), 0],
    'open quoted names': [(n) => "(\n\n['".repeat(n / 5), 1],
  };
  for (const [shape, [make, count]] of Object.entries(shapes)) {
    it(`is split into the expected number of queries: ${shape}`, () => {
      const text = make(1_000_000);
      const spans = splitQueries(text);
      assert.equal(spans.length, count);
      const last = spans.at(-1);
      if (last !== undefined) assert.equal(text.slice(last.end).trim(), '');
    });
  }
});
