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

/** Returns the problems of a document, each as `code "text"`. */
function told(
  source: string,
  disabled: readonly string[] = [],
  known: Schema | undefined = schema,
) {
  return analyze(source, known, { disabled }).problems.map(
    ({ code, start, end }) => `${code} "${source.slice(start, end)}"`,
  );
}

/** Returns the text after every fix of its problems is applied. */
function mended(source: string): string {
  const edits = analyze(source, schema).problems.flatMap(({ fix }) => fix?.edits ?? []);
  return applyEdits(source, edits);
}

describe('a disable-next-line comment', () => {
  it('suppresses the listed codes on the next line only', () => {
    const source = `['logs']
// aplomb-disable-next-line unknown-column
| where stats == 1 and coutn()
| where stats == 2`;
    assert.deepEqual(told(source), ['unknown-function "coutn"', 'unknown-column "stats"']);
  });

  it('accepts several codes, with or without commas', () => {
    for (const codes of ['unknown-column, unknown-function', 'unknown-column unknown-function']) {
      const source = `['logs']\n//aplomb-disable-next-line ${codes}\n| where stats == coutn()`;
      assert.deepEqual(told(source), [], codes);
    }
  });

  it('suppresses everything, including syntax errors, if it lists no codes', () => {
    assert.deepEqual(told("['logs']\n// aplomb-disable-next-line\n| where statu = | | coutn("), []);
  });

  it('applies to the next line, both above a query and at the end of a line', () => {
    assert.deepEqual(told("// aplomb-disable-next-line unknown-dataset\n['log'] | count"), []);
    assert.deepEqual(
      told("['logs'] // aplomb-disable-next-line unknown-column\n| where stats == 1"),
      [],
    );
  });

  it('can be followed by comments, including a second directive for the same line', () => {
    const source = `['logs']
// aplomb-disable-next-line unknown-column
// what this does
// aplomb-disable-next-line unknown-function
| where stats == coutn()`;
    assert.deepEqual(told(source), []);
  });

  it('ignores text after --', () => {
    const source =
      "['logs']\n// aplomb-disable-next-line unknown-column -- unknown-function is meant\n| where stats == coutn()";
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('works with CRLF line endings', () => {
    const source =
      "['logs']\r\n// aplomb-disable-next-line unknown-column\r\n| where stats == 1\r\n| where stats == 2\r\n";
    assert.deepEqual(told(source), ['unknown-column "stats"']);
  });

  it('has no effect within a string', () => {
    const source = `['logs'] | extend a = "// aplomb-disable-next-line"\n| where stats == a`;
    assert.deepEqual(told(source), ['unknown-column "stats"']);
  });
});

describe('a disable-file comment', () => {
  it('suppresses its codes in every query below', () => {
    const source =
      "// aplomb-disable-file unknown-column\n\n['logs'] | where a\n\n['logs'] | where b == coutn()";
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('works directly above the first query', () => {
    assert.deepEqual(told("// aplomb-disable-file\n['logs'] | where a\n\n['logs'] | | wher"), []);
  });

  it('is reported as misplaced after the first query and suppresses nothing', () => {
    const comment = '// aplomb-disable-file unknown-column';
    const found = told(`['logs'] | count\n\n${comment}\n['logs'] | where a == 1`);
    assert.deepEqual(found, [`misplaced-directive "${comment}"`, 'unknown-column "a"']);
  });

  it('is found by disabledInFile() only at the start of the file', () => {
    assert.deepEqual(disabledInFile('// aplomb-disable-file unknown-column, nonsense\n'), [
      'unknown-column',
    ]);
    assert.deepEqual(disabledInFile('\n// aplomb-disable-file -- old\nlogs'), problemCodes);
    assert.deepEqual(disabledInFile('logs\n// aplomb-disable-file'), []);
    assert.deepEqual(disabledInFile(''), []);
  });
});

describe('a list of disabled codes', () => {
  it('suppresses its codes everywhere and ignores unknown codes', () => {
    const source = "['logs'] | where stats == coutn()";
    assert.deepEqual(told(source, ['unknown-column', 'x']), ['unknown-function "coutn"']);
  });

  it("doesn't cause unused-directive for a disable comment with a listed code", () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column\n| where stats == 1";
    assert.deepEqual(told(source, ['unknown-column']), []);
  });

  it('suppresses problems of directives, such as unused-directive', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column, nonsense\n| count";
    assert.deepEqual(told(source, ['unused-directive', 'unknown-code']), []);
  });
});

describe('directive problems', () => {
  it('report an unknown code and suggest the closest code', () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-colum\n| where stats == 1";
    const [first] = analyze(source, schema).problems;
    assert.deepEqual([first?.code, first?.severity], ['unknown-code', 'hint']);
    assert.equal(first?.suggestion, 'unknown-column');
  });

  it('report an unknown directive and suggest the closest directive', () => {
    const [first] = analyze('// aplomb-disable-nextline x\nlogs | count', schema).problems;
    assert.equal(first?.code, 'unknown-directive');
    assert.equal(first?.suggestion, 'aplomb-disable-next-line');
  });

  it('are fixed by removing an unused directive with its line', () => {
    const source = "['logs']\n  // aplomb-disable-next-line unknown-column -- once\n| count";
    assert.deepEqual(told(source), [
      'unused-directive "// aplomb-disable-next-line unknown-column"',
    ]);
    assert.equal(mended(source), "['logs']\n| count");
    assert.equal(mended("['logs'] // aplomb-disable-next-line\n| count"), "['logs']\n| count");
  });

  it('are fixed by removing unused codes while keeping the reason', () => {
    const source =
      "['logs']\n// aplomb-disable-next-line unknown-function, unknown-column -- why\n| where a == 1";
    assert.equal(
      mended(source),
      "['logs']\n// aplomb-disable-next-line unknown-column -- why\n| where a == 1",
    );
  });

  it('report a directive that is separated from its query by a blank line', () => {
    const comment = '// aplomb-disable-next-line unknown-column';
    assert.deepEqual(told(`${comment}\n\n['logs'] | where stats == 1`), [
      `unused-directive "${comment}"`,
      'unknown-column "stats"',
    ]);
  });

  it('are fixed by removing an unused disable-file comment', () => {
    const source = "// aplomb-disable-file unknown-column\n\n['logs'] | count\n";
    assert.equal(mended(source), "\n['logs'] | count\n");
  });

  it("aren't reported for unused directives if the schema is unknown", () => {
    const source = "['logs']\n// aplomb-disable-next-line unknown-column\n| where stats == 1";
    assert.deepEqual(told(source, [], undefined), []);
    assert.deepEqual(told(`// aplomb-disable-file unknown-column\n\n${source}`, [], undefined), []);
  });
});

describe('a large number of directives', () => {
  const line = '// aplomb-disable-next-line unknown-column\n';

  it('apply to the first line of code below them', () => {
    const source = `${line.repeat(100_000)}['logs'] | where stats == 1 | where coutn()`;
    assert.deepEqual(told(source), ['unknown-function "coutn"']);
  });

  it('are reported as unused at most 200 times', () => {
    assert.equal(told(`['logs']\n${`${line}| where status == 1\n`.repeat(1_000)}`).length, 200);
    assert.equal(told(`${line}\n`.repeat(100_000)).length, 200);
  });
});

describe('suppressed problems', () => {
  it('are returned separately from reported problems', () => {
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

  it('together with reported problems equal the problems of the text without directives', () => {
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
