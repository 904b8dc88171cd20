/**
 * Open documents under edits: the state kept between versions equals the state of a newly opened document, and
 * only the queries around an edit are analyzed again.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type QuerySpan, SourceText, splitQueries } from '../../language/src/index.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { type SourceDocument, sourceDocuments } from '../../server/src/sourceDocument.ts';
import { queries } from '../language/queries.data.ts';
import { mutate, type Random, randomText, seeded } from '../language/random.ts';
import { schema } from './marked.ts';

const long = process.env.APLOMB_LONG === '1';

/** A document that can be edited, with its cached state. */
class Edited {
  readonly #documents = new Documents();
  text: string;
  #document: SourceDocument;

  constructor(text: string) {
    this.text = text;
    this.#document = sourceDocuments.create('file:///a.apl', 'axiom-apl', 0, text);
  }

  get snapshot(): Snapshot {
    return this.#documents.snapshot(this.#document, schema);
  }

  replace(start: number, end: number, by: string): Snapshot {
    const { uri, version, text } = this.#document;
    this.#document = { uri, version: version + 1, text: text.replaced(start, end, by) };
    this.text = this.text.slice(0, start) + by + this.text.slice(end);
    assert.equal(this.#document.text.toString(), this.text);
    return this.snapshot;
  }
}

function spanOf({ start, end, reach }: QuerySpan): QuerySpan {
  return { start, end, reach };
}

/** Returns the comparable parts of a snapshot, without its object identities. */
function seen({ queries, lines, text }: Snapshot) {
  return {
    queries: queries.map(({ analysis, memory: _, ...query }) => ({
      ...query,
      text: analysis.tree.text,
      problems: analysis.problems,
    })),
    text,
    lines: lines.lineCount,
  };
}

function pieces(random: Random): string {
  const borders = [
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\n\n| ',
    ';',
    '; ',
    '(\n\n',
    ')',
    "'",
    '// why\n',
    'let x = 1;\n',
    '',
    ' ',
  ];
  switch (random.below(5)) {
    case 0:
      return random.pick(queries);
    case 1:
      return randomText(random, 1 + random.below(4));
    case 2:
      return `\n\n${random.pick(queries)}\n\n`;
    default:
      return random.pick(borders);
  }
}

function document(random: Random): string {
  let text = '';
  for (let left = random.below(12); left > 0; left--) {
    const query =
      random.below(3) === 0 ? mutate(random, random.pick(queries)) : random.pick(queries);
    text +=
      query +
      random.pick(['\n\n', '\n\n\n', '\n', ';\n', '; ', '\n\n// about\n', '\r\n\r\n', '\n\n(']);
  }
  return text;
}

describe('an edited document', () => {
  it('has the same analysis as a newly opened document with the same text', () => {
    const random = seeded(31);
    for (let round = 0; round < (long ? 4_000 : 80); round++) {
      const edited = new Edited(document(random));
      for (let edit = 0; edit < 25; edit++) {
        const { length } = edited.text;
        const before = edited.text;
        const start = random.below(length + 1);
        const end = Math.min(length, start + random.below(random.pick([1, 1, 2, 8, 200])));
        const by = pieces(random);
        const kept = edited.replace(start, end, by);
        const fresh = new Edited(edited.text).snapshot;
        const what = `${JSON.stringify(by)} for ${start} to ${end} of ${JSON.stringify(before)}`;
        assert.deepEqual(seen(kept), seen(fresh), what);
        // Diagnostics are skipped at some edits, so that cached ones are moved across several edits.
        if (random.below(3) > 0) assert.deepEqual(diagnostics(kept), diagnostics(fresh), what);
      }
    }
  });

  it('is reanalyzed only in the edited query', () => {
    const edited = new Edited(queries.join('\n\n'));
    const before = edited.snapshot;
    const typed = before.queries[5];
    assert.ok(typed);
    const after = edited.replace(typed.end, typed.end, ' ');
    const grown = edited.replace(typed.end, typed.end, '\n| take 5');
    assert.equal(after.queries.length, before.queries.length);
    const anew = grown.queries.filter(
      ({ analysis }, i) => analysis !== before.queries[i]?.analysis,
    );
    assert.deepEqual(
      anew.map(({ start, end }) => edited.text.slice(start, end)),
      [`${typed.analysis.tree.text}\n| take 5`],
    );
  });

  it('has a separate analysis for each of several equal queries', () => {
    const edited = new Edited('a | take 1\n\na | take 1');
    edited.replace(0, 0, 'a | take 1\n\n');
    const { queries: found } = edited.snapshot;
    assert.equal(found.length, 3);
    assert.equal(new Set(found.map(({ analysis }) => analysis)).size, 3);
  });

  it('is reanalyzed if the schema changes', () => {
    const documents = new Documents();
    const source = {
      uri: 'a',
      version: 1,
      text: new SourceText("['http-logs'] | where nowhere == 1"),
    };
    const open = documents.snapshot(source, { datasets: [] });
    const known = documents.snapshot(source, schema);
    assert.deepEqual(
      [open, known].map(({ queries: [query] }) => query?.analysis.problems.map(({ code }) => code)),
      [[], ['unknown-column']],
    );
  });

  it('returns the same snapshot if nothing has changed', () => {
    const edited = new Edited('a | take 1');
    assert.equal(edited.snapshot, edited.snapshot);
  });
});

describe('content changes from a client', () => {
  const changed = (...changes: Parameters<typeof sourceDocuments.update>[1]) => {
    const before = sourceDocuments.create('file:///a.apl', 'axiom-apl', 1, 'one\r\ntwo\nthree');
    const { uri, version, text } = sourceDocuments.update(before, changes, 2);
    return { uri, version, text: text.toString() };
  };
  const range = (line: number, character: number, endLine: number, endCharacter: number) => ({
    start: { line, character },
    end: { line: endLine, character: endCharacter },
  });

  it('are applied in order, each to the result of the previous change', () => {
    assert.deepEqual(
      changed({ range: range(1, 0, 2, 0), text: '' }, { range: range(1, 0, 1, 5), text: 'x' }),
      {
        uri: 'file:///a.apl',
        version: 2,
        text: 'one\r\nx',
      },
    );
  });

  it('replace the entire text if they have no range', () => {
    assert.equal(changed({ text: 'new' }).text, 'new');
  });

  it('clamp positions beyond the end of a line or of the text', () => {
    assert.equal(changed({ range: range(0, 99, 0, 99), text: '!' }).text, 'one!\r\ntwo\nthree');
    assert.equal(changed({ range: range(9, 9, 9, 9), text: '!' }).text, 'one\r\ntwo\nthree!');
  });

  it('accept a range with swapped ends', () => {
    assert.equal(changed({ range: range(0, 2, 0, 1), text: 'N' }).text, 'oNe\r\ntwo\nthree');
  });
});

describe('splitting edited text into queries', () => {
  it('uses the new indentation if a query after a semicolon moves onto its own line', () => {
    // An open bracket's content is found by indentation, which was the indentation of the shared line.
    const edited = new Edited('  a;(b\n\n c');
    assert.equal(edited.snapshot.queries.length, 3);
    assert.deepEqual(
      edited.replace(4, 4, '\n').queries.map(({ start, end }) => edited.text.slice(start, end)),
      ['a;', '(b\n\n c'],
    );
  });

  it('has the same result if only the text around a change is split again', () => {
    // The lines are mostly query separators.
    const random = seeded(33);
    const lines = [
      'a',
      '| b',
      ';',
      'a;',
      'a;b',
      'let x = 1;',
      '// c',
      '',
      '  ',
      '(',
      ')',
      "'",
      ' a',
      'print 1',
      'a;|b',
    ];
    const some = (most: number) =>
      Array.from(
        { length: random.below(most) },
        () => random.pick(lines) + random.pick(['\n', '\n', '\r\n', ';', '']),
      );
    for (let round = 0; round < (long ? 200_000 : 10_000); round++) {
      const edited = new Edited(some(14).join(''));
      const before = edited.text;
      assert.ok(edited.snapshot);
      const start = random.below(before.length + 1);
      const end = start + random.below(Math.min(6, before.length - start + 1));
      const by = some(3).join('');
      const kept = edited.replace(start, end, by).queries.map(spanOf);
      assert.deepEqual(kept, splitQueries(edited.text), JSON.stringify([before, start, end, by]));
    }
  });
});
