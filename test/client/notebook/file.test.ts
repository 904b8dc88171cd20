/** Notebook files: round trips, small diffs, and rejection of content that a save would lose. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CellFile,
  type NotebookFile,
  NotebookFileError,
} from '../../../client/src/notebook/file.ts';
import { readNotebook } from '../../../client/src/notebook/readFile.ts';
import { writeNotebook } from '../../../client/src/notebook/writeFile.ts';
import { type Random, random as seeded } from '../../api/random.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readNotebook(bytes(text));

const cell: CellFile = { kind: 'apl', source: '', outputs: [], others: {} };
const notebook: NotebookFile = { keepOutputs: false, others: {}, cells: [] };

/** Returns the lines that only one of two strings contains. */
function changedLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return [...a.filter((line) => !b.includes(line)), ...b.filter((line) => !a.includes(line))];
}

function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof NotebookFileError, String(error));
    return error.message;
  }
  return assert.fail('the file was opened');
}

describe('a notebook file', () => {
  it('has keys in a fixed order, each source as an array of lines, and a final newline', () => {
    const text = writeNotebook({
      ...notebook,
      deployment: 'Local',
      range: 'last 1 hour',
      others: { owner: { team: 'web' } },
      cells: [
        { ...cell, kind: 'markdown', source: '# Errors' },
        { ...cell, range: 'last 7 days', source: "['http-logs']\n| count", others: { x: 1 } },
      ],
    });
    assert.equal(
      text,
      `{
  "version": 1,
  "range": "last 1 hour",
  "deployment": "Local",
  "owner": {
    "team": "web"
  },
  "cells": [
    {
      "kind": "markdown",
      "source": [
        "# Errors"
      ]
    },
    {
      "kind": "apl",
      "range": "last 7 days",
      "x": 1,
      "source": [
        "['http-logs']",
        "| count"
      ]
    }
  ]
}
`,
    );
    assert.equal(writeNotebook(read(text)), text);
  });

  it('changes in one line when a line of a cell changes', () => {
    const cells = ["['a']\n| count", "['b']\n| count", "['c']"].map((source) => ({
      ...cell,
      source,
    }));
    const before = writeNotebook({ ...notebook, cells });
    const edited = cells.map((one, i) => (i === 1 ? { ...one, source: "['b']\n| take 5" } : one));
    const after = writeNotebook({ ...notebook, cells: edited });
    assert.equal(before.split('\n').length, after.split('\n').length);
    assert.deepEqual(changedLines(before, after), ['        "| take 5"']);
  });

  it('contains result rows only if the notebook keeps outputs, one row per line', () => {
    const output = {
      columns: [{ name: 'n', type: 'integer' }],
      rows: [['9007199254740993'], [null]],
      rowCount: 7,
      run: { time: '2026-11-21T09:15:00Z', range: 'last 1 hour', deployment: 'Local' },
    };
    const cells = [{ ...cell, outputs: [output] }];
    const without = writeNotebook({ ...notebook, cells });
    assert.ok(!without.includes('outputs'));
    const kept = writeNotebook({ ...notebook, keepOutputs: true, cells });
    assert.ok(kept.includes('\n            ["9007199254740993"],\n            [null]\n'), kept);
    assert.deepEqual(read(kept).cells[0]?.outputs, [output]);
  });

  it('is read back as the same notebook, for random notebooks', () => {
    const random = seeded(17);
    for (let i = 0; i < 300; i++) {
      const made = anyNotebook(random);
      const text = writeNotebook(made);
      const again = read(text);
      assert.deepEqual(again, made, text);
      assert.equal(writeNotebook(again), text);
    }
  });

  it('keeps unknown members in their order and with all digits of their numbers', () => {
    const text = writeNotebook({ ...notebook, cells: [cell] })
      .replace('"version": 1,', '"version": 1,\n  "zeta": 12345678901234567890,\n  "alpha": [],')
      .replace('"kind": "apl",', '"kind": "apl",\n      "__proto__": {\n        "a": 1\n      },');
    assert.equal(writeNotebook(read(text)), text);
    assert.equal(({} as Record<string, unknown>)['a'], undefined);
  });

  it('keeps but ignores a "range" that is not a string', () => {
    const text = '{ "version": 1, "range": 5, "cells": [] }';
    assert.equal(read(text).range, undefined);
    assert.match(writeNotebook(read(text)), /"range": 5/);
  });

  it('opens as an empty notebook if it contains only whitespace or a byte order mark', () => {
    for (const text of ['', ' \n', '\ufeff']) assert.deepEqual(read(text), notebook);
  });

  it('accepts a source that is one string with CRLF line breaks, and writes it as lines', () => {
    const text = '{"version":1,"cells":[{"kind":"apl","source":"a\\r\\n| count"}]}';
    assert.match(writeNotebook(read(text)), /"a",\n {8}"\| count"/);
  });

  it('of an unsupported version is rejected with a message that says what to do', () => {
    assert.equal(
      refusal('{ "version": 2, "cells": "others" }'),
      'The notebook has version 2, and this extension opens version 1. Update the extension, or open the file as text.',
    );
  });

  it('is rejected if it is malformed, because a save would lose data', () => {
    const inCell = (members: string) => `{ "version": 1, "cells": [{ ${members} }] }`;
    const rows: readonly (readonly [string, RegExp])[] = [
      ['{ "version": 1, "cells": [', /is not JSON/],
      ['<<<<<<< HEAD\n{}', /is not JSON/],
      ['[]', /is not a JSON object/],
      ['null', /is not a JSON object/],
      ['{ "cells": [] }', /"version" is missing/],
      ['{ "version": "1", "cells": [] }', /"version" is missing/],
      ['{ "version": 1, "cells": {} }', /"cells" is not a list/],
      ['{ "version": 1, "cells": [null] }', /cell 1 is not an object/],
      [inCell('"kind": "apl"'), /the source of cell 1 is not a list of lines/],
      [inCell('"kind": "apl", "source": ["a", 1]'), /the source of cell 1/],
      [inCell('"kind": "video", "source": []'), /cell 1 has neither the kind/],
      [`{ "version": 1, "x": ${'['.repeat(200)}${']'.repeat(200)}, "cells": [] }`, /levels deep/],
      [`{ "version": 1, "x": ${'['.repeat(1e6)}${']'.repeat(1e6)}, "cells": [] }`, /deep/],
    ];
    for (const [text, expected] of rows) assert.match(refusal(text), expected);
    assert.throws(() => readNotebook(Uint8Array.of(0xff, 0xfe, 0x00)), /is not UTF-8 text/);
    assert.throws(() => readNotebook(new Uint8Array(33 * 1024 * 1024)), /has 33 MB/);
  });

  it('opens without its saved rows if they are malformed', () => {
    const outputs = [null, {}, { columns: [{}], rows: [] }, { columns: [], rows: [[1]] }];
    const text = JSON.stringify({ version: 1, cells: [{ kind: 'apl', source: [], outputs }] });
    assert.deepEqual(read(text).cells[0]?.outputs, []);
  });
});

function anyNotebook(random: Random): NotebookFile {
  const keepOutputs = random.below(2) === 0;
  return {
    ...anySettings(random),
    keepOutputs,
    others: anyOthers(random),
    cells: list(random, 6, () => anyCell(random, keepOutputs)),
  };
}

function anyCell(random: Random, keepOutputs: boolean): CellFile {
  const kind = random.pick(['apl', 'markdown', 'code'] as const);
  return {
    kind,
    ...(kind === 'code' && { language: random.pick(['sql', 'plaintext']) }),
    ...anySettings(random),
    source: list(random, 4, () => anyText(random)).join('\n'),
    outputs: keepOutputs ? list(random, 2, () => anyOutput(random)) : [],
    others: anyOthers(random),
  };
}

function anyOutput(random: Random) {
  const columns = list(random, 3, () => ({ name: anyText(random), type: 'string' }));
  const rows = list(random, 3, () =>
    columns.map(() => (random.below(5) === 0 ? null : anyText(random))),
  );
  const run = {
    time: '2026-11-21T09:15:00Z',
    range: anyText(random),
    deployment: anyText(random),
    ...(random.below(2) === 0 && { parameters: anyText(random) }),
  };
  return {
    columns,
    rows,
    rowCount: rows.length + random.below(5),
    ...(random.below(2) === 0 && { run }),
  };
}

function anySettings(random: Random) {
  return {
    ...(random.below(2) === 0 && { range: anyText(random) }),
    ...(random.below(2) === 0 && { deployment: anyText(random) }),
  };
}

function anyOthers(random: Random): Record<string, unknown> {
  return Object.fromEntries(
    list(random, 3, () => [
      // V8 13.6 reads the name `x"` as `x\` once it has read that, so no name has a backslash.
      `x${anyText(random).replaceAll('\\', '/')}`,
      random.pick([
        null,
        true,
        1.5,
        'text',
        12345678901234567890n,
        [],
        {},
        { a: [1, { b: '\n' }] },
      ]),
    ]),
  );
}

function anyText(random: Random): string {
  const parts = [
    '',
    'count',
    '| ',
    '"',
    '\\',
    '\t',
    '</script>',
    '\u2028',
    '🛰',
    '∅',
    '//',
    '\u0000',
  ];
  return list(random, 5, () => random.pick(parts)).join('');
}

function list<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: random.below(most + 1) }, make);
}
