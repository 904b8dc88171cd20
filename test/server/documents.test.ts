/**
 * Open documents under edits: what is kept from one version to the next equals what a document opened
 * anew has, and only the queries around an edit are analysed again.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LineTable, splitQueries } from '../../language/src/index.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { queries } from '../language/queries.data.ts';
import { mutate, type Random, randomText, seeded } from '../language/random.ts';
import { schema } from './marked.ts';

const long = process.env.APLOMB_LONG === '1';

/** A document that can be edited, with the state that is kept of it. */
class Edited {
  readonly #documents = new Documents();
  text: string;
  #version = 0;

  constructor(text: string) {
    this.text = text;
  }

  get snapshot(): Snapshot {
    const document = { uri: 'file:///a.apl', version: this.#version, getText: () => this.text };
    return this.#documents.snapshot(document, schema);
  }

  replace(start: number, end: number, by: string): Snapshot {
    this.text = this.text.slice(0, start) + by + this.text.slice(end);
    this.#version++;
    return this.snapshot;
  }
}

/** What there is to see of a snapshot, without the objects that stand for it. */
function seen({ queries, lines, text }: Snapshot) {
  return {
    queries: queries.map(({ analysis, ...span }) => ({
      ...span,
      text: analysis.tree.text,
      problems: analysis.problems,
    })),
    lines: Array.from({ length: lines.count }, (_, line) => lines.offsetAt({ line, character: 0 })),
    last: lines.positionAt(text.length),
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

describe('a document under edits', () => {
  it('is what it would be if it were opened anew, after any edits', () => {
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
        assert.deepEqual(diagnostics(kept), diagnostics(fresh), what);
      }
    }
  });

  it('analyses nothing anew but the query that is typed in', () => {
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

  it('gives equal queries an analysis each', () => {
    const edited = new Edited('a | take 1\n\na | take 1');
    edited.replace(0, 0, 'a | take 1\n\n');
    const { queries: found } = edited.snapshot;
    assert.equal(found.length, 3);
    assert.equal(new Set(found.map(({ analysis }) => analysis)).size, 3);
  });

  it('analyses everything anew under another schema', () => {
    const documents = new Documents();
    const source = { uri: 'a', version: 1, getText: () => "['http-logs'] | where nowhere == 1" };
    const open = documents.snapshot(source, { datasets: [] });
    const known = documents.snapshot(source, schema);
    assert.deepEqual(
      [open, known].map(({ queries: [query] }) => query?.analysis.problems.map(({ code }) => code)),
      [[], ['unknown-column']],
    );
  });

  it('is the same snapshot while nothing has changed', () => {
    const edited = new Edited('a | take 1');
    assert.equal(edited.snapshot, edited.snapshot);
  });
});

describe('lines of a changed text', () => {
  it('equal those of the text, whatever ends of lines are cut or joined', () => {
    const random = seeded(32);
    for (let round = 0; round < (long ? 200_000 : 20_000); round++) {
      const text = Array.from({ length: random.below(9) }, () =>
        random.pick(['\r', '\n', 'a']),
      ).join('');
      const start = random.below(text.length + 1);
      const end = start + random.below(text.length - start + 1);
      const by = Array.from({ length: random.below(4) }, () => random.pick(['\r', '\n', 'b'])).join(
        '',
      );
      const changed = text.slice(0, start) + by + text.slice(end);
      const kept = new LineTable(text).changed({ start, end, length: by.length }, changed);
      assert.deepEqual(kept, new LineTable(changed), JSON.stringify([text, start, end, by]));
    }
  });
});

describe('queries of any text', () => {
  it('are read on where a query behind a ; comes to stand on a line of its own', () => {
    // Its indentation, which tells what an open bracket holds, was that of the line.
    const edited = new Edited('  a;(b\n\n c');
    assert.equal(edited.snapshot.queries.length, 3);
    assert.deepEqual(
      edited.replace(4, 4, '\n').queries.map(({ start, end }) => edited.text.slice(start, end)),
      ['a;', '(b\n\n c'],
    );
  });

  it('are the same when their document is split from a change on', () => {
    // Lines that are nearly nothing but borders of queries.
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
      const kept = edited.replace(start, end, by).queries.map(({ analysis: _, ...span }) => span);
      assert.deepEqual(kept, splitQueries(edited.text), JSON.stringify([before, start, end, by]));
    }
  });
});
