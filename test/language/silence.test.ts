/** Directives that suppress problems, and problems of the directives themselves. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  analyze,
  analyzeQuery,
  applyEdits,
  disabledInFile,
  problemCodes,
  type Schema,
} from '../../language/src/index.ts';
import { mutate, seeded } from './random.ts';

const schema: Schema = {
  complete: true,
  datasets: [{ name: 'logs', fields: [{ name: 'status', type: 'integer' }], complete: true }],
};

/** The problems of a document, each as `code "text"`. */
function told(
  source: string,
  disabled: readonly string[] = [],
  known: Schema | undefined = schema,
) {
  return analyze(source, known, { disabled }).problems.map(
    ({ code, start, end }) => `${code} "${source.slice(start, end)}"`,
  );
}

/** The text after every fix that its problems carry. */
function mended(source: string): string {
  const edits = analyze(source, schema).problems.flatMap(({ fix }) => fix?.edits ?? []);
  return applyEdits(source, edits);
}

describe('a comment about the next line', () => {
  it('silences the codes it names, on that line alone', () => {
    const source = `['logs']
// aplomb-disable-next-line unknown-column
| where stats == 1 and coutn()
| where stats == 2`;
    assert.deepEqual(told(source), ['unknown-function "coutn"', 'unknown-column "stats"']);
  });

  it('takes several codes, with commas or without', () => {
    for (const codes of ['unknown-column, unknown-function', 'unknown-column unknown-function']) {
      const source = `['logs']\n//aplomb-disable-next-line ${codes}\n| where stats == coutn()`;
      assert.deepEqual(told(source), [], codes);
    }
  });

  it('silences everything when it names nothing, mistakes of syntax too', () => {
    assert.deepEqual(told("['logs']\n// aplomb-disable-next-line\n| where statu = | | coutn("), []);
  });

  it('stands above the first line of a query, and at the end of a line', () => {
    assert.deepEqual(told("// aplomb-disable-next-line unknown-dataset\n['log'] | count"), []);
    assert.deepEqual(
      told("['logs'] // aplomb-disable-next-line unknown-column\n| where stats == 1"),
      [],
    );
  });

  it('reaches over other comments, so that several may stand together', () => {
    const source = `['logs']
// aplomb-disable-next-line unknown-column
// what this does
// aplomb-disable-next-line unknown-function
| where stats == coutn()`;
    assert.deepEqual(told(source), []);
  });

  it('leaves what follows -- to people', () => {
    const source =
      "['logs']\n// aplomb-disable-next-line unknown-column -- unknown-function is meant\n| where stats == coutn()";
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('works in texts with carriage returns', () => {
    const source =
      "['logs']\r\n// aplomb-disable-next-line unknown-column\r\n| where stats == 1\r\n| where stats == 2\r\n";
    assert.deepEqual(told(source), ['unknown-column "stats"']);
  });

  it('is no comment inside a text', () => {
    const source = `['logs'] | extend a = "// aplomb-disable-next-line"\n| where stats == a`;
    assert.deepEqual(told(source), ['unknown-column "stats"']);
  });
});

describe('a comment about the file', () => {
  it('silences its codes in every query below', () => {
    const source =
      "// aplomb-disable-file unknown-column\n\n['logs'] | where a\n\n['logs'] | where b == coutn()";
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('may stand right above the first query', () => {
    assert.deepEqual(told("// aplomb-disable-file\n['logs'] | where a\n\n['logs'] | | wher"), []);
  });

  it('counts only above the first query', () => {
    const comment = '// aplomb-disable-file unknown-column';
    const found = told(`['logs'] | count\n\n${comment}\n['logs'] | where a == 1`);
    assert.deepEqual(found, [`misplaced-directive "${comment}"`, 'unknown-column "a"']);
  });

  it('is read without reading the queries', () => {
    assert.deepEqual(disabledInFile('// aplomb-disable-file unknown-column, nonsense\n'), [
      'unknown-column',
    ]);
    assert.deepEqual(disabledInFile('\n// aplomb-disable-file -- old\nlogs'), problemCodes);
    assert.deepEqual(disabledInFile('logs\n// aplomb-disable-file'), []);
    assert.deepEqual(disabledInFile(''), []);
  });
});

describe('a list of codes', () => {
  it('silences them everywhere; codes that do not exist are of no account', () => {
    const source = "['logs'] | where stats == coutn()";
    assert.deepEqual(told(source, ['unknown-column', 'x']), ['unknown-function "coutn"']);
  });

  it('does not make a comment about the same code useless', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column\n| where stats == 1";
    assert.deepEqual(told(source, ['unknown-column']), []);
  });

  it('silences what is said of comments', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column, nonsense\n| count";
    assert.deepEqual(told(source, ['unused-directive', 'unknown-code']), []);
  });
});

describe('what is said of comments', () => {
  it('names a code that does not exist, and the one that is meant', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-colum\n| where stats == 1";
    const [first] = analyze(source, schema).problems;
    assert.deepEqual([first?.code, first?.severity], ['unknown-code', 'hint']);
    assert.equal(first?.suggestion, 'unknown-column');
  });

  it('names a comment that does not exist, and the one that is meant', () => {
    const [first] = analyze('// aplomb-disable-nextline x\nlogs | count', schema).problems;
    assert.equal(first?.code, 'unknown-directive');
    assert.equal(first?.suggestion, 'aplomb-disable-next-line');
  });

  it('takes out a comment that silences nothing, with its line', () => {
    const source = "['logs']\n  // aplomb-disable-next-line unknown-column -- once\n| count";
    assert.deepEqual(told(source), [
      'unused-directive "// aplomb-disable-next-line unknown-column"',
    ]);
    assert.equal(mended(source), "['logs']\n| count");
    assert.equal(mended("['logs'] // aplomb-disable-next-line\n| count"), "['logs']\n| count");
  });

  it('takes out the codes that silence nothing, and keeps the reason', () => {
    const source =
      "['logs']\n// aplomb-disable-next-line unknown-function, unknown-column -- why\n| where a == 1";
    assert.equal(
      mended(source),
      "['logs']\n// aplomb-disable-next-line unknown-column -- why\n| where a == 1",
    );
  });

  it('finds one that silences nothing since a blank line follows', () => {
    const comment = '// aplomb-disable-next-line unknown-column';
    assert.deepEqual(told(`${comment}\n\n['logs'] | where stats == 1`), [
      `unused-directive "${comment}"`,
      'unknown-column "stats"',
    ]);
  });

  it('finds a useless one about the file', () => {
    const source = "// aplomb-disable-file unknown-column\n\n['logs'] | count\n";
    assert.equal(mended(source), "\n['logs'] | count\n");
  });

  it('calls none useless while fields are not known', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column\n| where stats == 1";
    assert.deepEqual(told(source, [], undefined), []);
    assert.deepEqual(told(`// aplomb-disable-file unknown-column\n\n${source}`, [], undefined), []);
  });
});

describe('very many comments', () => {
  const line = '// aplomb-disable-next-line unknown-column\n';

  it('in a row mean the one line below them all', () => {
    const source = `${line.repeat(100_000)}['logs'] | where stats == 1 | where coutn()`;
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('that are useless are told of as many times as other problems', () => {
    assert.equal(told(`['logs']\n${`${line}| where status == 1\n`.repeat(1_000)}`).length, 200);
    assert.equal(told(`${line}\n`.repeat(100_000)).length, 200);
  });
});

describe('silenced problems', () => {
  it('are kept apart for what runs the query', () => {
    const { problems, silenced } = analyzeQuery(
      "['logs']\n// aplomb-disable-next-line\n| where stats == 1",
      schema,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      silenced.map(({ code }) => code),
      ['unknown-column'],
    );
  });

  it('and told ones are together what there is without comments, whatever the text', () => {
    const random = seeded(20_251_121);
    const about = new Set(['unused-directive', 'unknown-code', 'unknown-directive']);
    const start =
      "['logs'] | where a\n// aplomb-disable-next-line unknown-column, b\n| extend c = coutn(d) // aplomb-disable-next-line\n| where f";
    for (let i = 0; i < 2_000; i++) {
      const text = mutate(random, start);
      const { problems, silenced, tree } = analyzeQuery(text, schema);
      const plain = analyzeQuery(text.replaceAll('aplomb-', 'xplomb-'), schema);
      const told = problems.filter(({ code }) => !about.has(code));
      assert.equal(told.length + silenced.length, plain.problems.length, text);
      assert.equal(tree.text, text);
    }
  });
});
