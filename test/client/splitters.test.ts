// Files are cut between events and nowhere else: the pieces give the file back, and no piece exceeds a
// limit, however the bytes arrive.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CsvSplitter } from '../../client/src/ingest/csvSplitter.ts';
import { JsonSplitter } from '../../client/src/ingest/jsonSplitter.ts';
import { NdjsonSplitter } from '../../client/src/ingest/ndjsonSplitter.ts';
import type { Piece, PieceLimits, Splitter } from '../../client/src/ingest/piece.ts';

const limits: PieceLimits = { events: 7, bytes: 200, eventBytes: 400 };

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** Feeds text in chunks of random size, so that every boundary falls anywhere. */
function split(splitter: Splitter, text: string, next: (below: number) => number): Piece[] {
  const bytes = Buffer.from(text);
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + next(next(2) === 0 ? 4 : 120);
    pieces.push(...splitter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...pieces, ...splitter.end()];
}

function checkLimits(pieces: readonly Piece[], overhead: number): void {
  for (const piece of pieces) {
    assert.ok(piece.events >= 1 && piece.events <= limits.events, `${piece.events} events`);
    assert.ok(
      piece.body.length - overhead <= limits.bytes || piece.events === 1,
      `${piece.body.length} bytes in ${piece.events} events`,
    );
  }
}

const awkward = [
  '',
  'a',
  'é',
  '日本',
  '😀',
  '\\',
  '"',
  "'",
  '\n',
  '\r\n',
  ',',
  ';',
  ']',
  '}',
  '[',
  '{',
  '\u2028',
];

function awkwardText(next: (below: number) => number): string {
  return Array.from({ length: next(6) }, () => awkward[next(awkward.length)]).join('');
}

describe('newline-delimited JSON', () => {
  it('gives the lines back in 500 random files', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const next = random(seed);
      const ending = next(2) === 0 ? '\n' : '\r\n';
      const lines = Array.from({ length: next(40) }, () =>
        next(8) === 0 ? ' ' : JSON.stringify({ a: awkwardText(next), n: next(1000) }),
      );
      const text = lines.join(ending) + (next(2) === 0 ? ending : '');
      const pieces = split(new NdjsonSplitter(limits), text, next);
      checkLimits(pieces, 0);
      const events = (all: string) => all.split('\n').filter((line) => line.trim() !== '');
      assert.deepEqual(
        pieces.flatMap(({ body }) => events(body.toString())),
        events(text),
      );
      for (const { body, events: count } of pieces) {
        assert.equal(events(body.toString()).length, count);
      }
    }
  });

  it('knows the line of the file at which each piece begins', () => {
    const text = Array.from({ length: 20 }, (_, index) => `{"n":${index}}\n`).join('');
    const pieces = split(new NdjsonSplitter(limits), text, random(1));
    assert.deepEqual(
      pieces.map(({ firstLine, lastLine }) => [firstLine, lastLine]),
      [
        [1, 7],
        [8, 14],
        [15, 20],
      ],
    );
  });

  it('refuses a line that no request may carry, wherever in the file it stands', () => {
    const long = `{"a":"${'x'.repeat(limits.eventBytes)}"}`;
    for (const text of [long, `{"a":1}\n${long}\n{"a":2}\n`]) {
      assert.throws(
        () => split(new NdjsonSplitter(limits), text, random(3)),
        /The event that starts on line \d+ exceeds/,
      );
    }
  });

  it('sends a line alone that is larger than a piece should be', () => {
    const long = `{"a":"${'x'.repeat(limits.bytes)}"}`;
    const pieces = split(new NdjsonSplitter(limits), `{"a":1}\n${long}\n{"a":2}\n`, random(3));
    assert.deepEqual(
      pieces.map(({ events }) => events),
      [1, 1, 1],
    );
  });

  it('holds no more than a piece of blank lines', () => {
    const pieces = split(new NdjsonSplitter(limits), `${'\n'.repeat(5_000)}{"a":1}\n`, random(1));
    assert.deepEqual(
      pieces.map(({ body, firstLine }) => [body.toString(), firstLine]),
      [['{"a":1}\n', 5_001]],
    );
  });
});

describe('CSV', () => {
  it('with lines that end with carriage returns alone is cut at them', () => {
    const next = random(11);
    for (let round = 0; round < 20; round += 1) {
      const ends = ['\r', '\r\n', '\n'];
      const rows = Array.from(
        { length: 20 },
        (_, n) => `${n},"x\ry"${ends[next(round % 2 === 0 ? 1 : 3)]}`,
      );
      const pieces = split(new CsvSplitter(limits, ','), `a,b\r${rows.join('')}`, next);
      assert.equal(
        pieces.reduce((sum, { events }) => sum + events, 0),
        20,
      );
      const bodies = pieces.map(({ body }) => Buffer.from(body).toString());
      assert.ok(bodies.every((body) => body.startsWith('a,b\r')));
      assert.equal(bodies.map((body) => body.slice(4)).join(''), rows.join(''));
    }
  });

  /** Writes a value as RFC 4180 has it. */
  const quoted = (value: string): string =>
    /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

  it('gives the records back in 500 random files, quoted line ends and all', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const next = random(seed);
      const ending = next(2) === 0 ? '\n' : '\r\n';
      const header = `a,"b\n""c",d${ending}`;
      const records = Array.from({ length: 1 + next(40) }, (_, index) =>
        [`r${index}`, awkwardText(next), awkwardText(next)].map(quoted).join(','),
      );
      const text = header + records.join(ending) + (next(2) === 0 ? ending : '');
      const pieces = split(new CsvSplitter(limits, ','), text, next);
      checkLimits(pieces, header.length);
      let bodies = '';
      for (const { body } of pieces) {
        const piece = body.toString();
        assert.ok(piece.startsWith(header));
        bodies += piece.slice(header.length);
      }
      assert.equal(header + bodies, text);
      assert.equal(
        pieces.reduce((sum, { events }) => sum + events, 0),
        records.length,
      );
    }
  });

  it('takes a quote inside an unquoted value as a sign like any other', () => {
    const text = 'a,b\n5" pipe,1\n6" pipe,2\n';
    const pieces = split(new CsvSplitter({ ...limits, events: 1 }, ','), text, random(2));
    assert.deepEqual(
      pieces.map(({ body, firstLine }) => [body.toString(), firstLine]),
      [
        ['a,b\n5" pipe,1\n', 2],
        ['a,b\n6" pipe,2\n', 3],
      ],
    );
  });

  it('says so when the file ends inside a quoted value', () => {
    assert.throws(
      () => split(new CsvSplitter(limits, ','), 'a,b\n1,"two\nthree\n', random(2)),
      /ends inside a quoted value of the record that starts on line 2/,
    );
  });
});

describe('JSON', () => {
  it('gives the elements back in 500 random arrays', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const next = random(seed);
      const events = Array.from({ length: next(40) }, (_, index) => ({
        index,
        text: awkwardText(next),
        [awkwardText(next)]: [{ deep: [awkwardText(next)] }, null, true, -1.5e3],
      }));
      const text = `${next(2) === 0 ? '\n ' : ''}${JSON.stringify(events, null, next(3))}\n`;
      const pieces = split(new JsonSplitter(limits), text, next);
      checkLimits(pieces, 60);
      assert.deepEqual(
        pieces.flatMap(({ body }) => JSON.parse(body.toString()) as unknown[]),
        events,
      );
    }
  });

  it('gives objects back that stand one after another, however they are laid out', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const next = random(seed);
      const events = Array.from({ length: 1 + next(20) }, (_, index) => ({
        index,
        text: awkwardText(next),
      }));
      const text = events
        .map((event) => JSON.stringify(event, null, next(3)))
        .join('\n'.repeat(next(3)));
      const pieces = split(new JsonSplitter(limits), text, next);
      assert.deepEqual(
        pieces.flatMap(({ body }) => JSON.parse(body.toString()) as unknown[]),
        events,
      );
    }
  });

  it('gives nothing for an empty array', () => {
    assert.deepEqual(split(new JsonSplitter(limits), ' [ ] ', random(1)), []);
  });

  const broken: readonly (readonly [string, RegExp])[] = [
    ['[{"a":1},{"a":', /before the array is closed.*line 1/],
    ['[{"a":1}', /before the array is closed/],
    ['[{"a":1},', /before the array is closed/],
    ['[', /before the array is closed/],
    ['[\n{"a":1},\n{"a":"[', /before the array is closed.*element that starts on line 3/],
    ['[{"a":1},]', /Missing value on line 1/],
    ['[,{"a":1}]', /Missing value on line/],
    ['[{"a":1},\n,{"a":1}]', /Missing value on line 2/],
    ['[{"a":1}]\n{"a":2}', /after the end of the array on line 2/],
    ['[{"a":1}]]', /Unexpected text after the end of the array/],
    ['{"a":1}\n{"a":', /inside the object that starts on line 2/],
    ['{"a":1}}', /Expected an object on line/],
    ['{"a":1}\n[1]', /Expected an object on line 2/],
    ['x', /does not start with an array or an object/],
    ['[}]', /Unmatched closing bracket/],
  ];
  for (const [text, message] of broken) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => split(new JsonSplitter(limits), text, random(5)), message);
    });
  }
});
