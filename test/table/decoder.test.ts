/** Decodes response bodies: values are exact wherever the chunks end, and errors are clear. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from '../../api/src/index.ts';
import { answerHead } from '../../client/src/answers/answerHead.ts';
import type { HeldTable } from '../../table/src/columns/heldTable.ts';
import { BodyDecoder } from '../../table/src/decode/bodyDecoder.ts';
import { type Random, random } from '../api/random.ts';
import { bodyOf, decoded, type JsonColumn, rowsBodyOf, tableOf } from './tables.ts';

const column = (values: readonly string[], type = 'string'): HeldTable =>
  tableOf([['value', type, values]]);
const cells = (table: HeldTable, index = 0) =>
  Array.from({ length: table.rowCount }, (_, row) => table.columns[index]?.cell(row));
const texts = (table: HeldTable, index = 0) =>
  Array.from({ length: table.rowCount }, (_, row) => table.columns[index]?.text(row));
const storeOf = (table: HeldTable, index = 0) => table.columns[index]?.store.constructor.name;

describe('decoded values', () => {
  const kept: Readonly<Record<string, readonly [store: string, values: readonly string[]]>> = {
    'small integers': ['IntegerStore', ['0', '-1', '127', '-128', 'null', '32767', '70000']],
    'integers up to 2^53': ['IntegerStore', ['1', '9007199254740991', '-9007199254740991']],
    'integers of 64 bits': [
      'IntegerStore',
      [
        '9007199254740993',
        '9223372036854775807',
        '-9223372036854775808',
        '-9007199254740993',
        '5',
        'null',
      ],
    ],
    'integers of more than 64 bits': [
      'FractionStore',
      ['18446744073709551615', '9223372036854775808', '-9223372036854775809', '7'],
    ],
    'fractions as JavaScript writes them': [
      'FractionStore',
      ['1.5', '0.1', '1e-7', '5e-324', '1.7976931348623157e+308', '2', '-3'],
    ],
    'fractions that all have a decimal point': [
      'FractionStore',
      ['1.0', '-0.0', '0.0', '1234.0', '2.25'],
    ],
    'fractions of many digits': [
      'FractionStore',
      [
        '0.30000000000000004',
        '0.1234567890123456789',
        '1.10',
        '1e400',
        '-1E+2',
        '100000000000000000000.0',
      ],
    ],
    'negative zero': ['FractionStore', ['-0', '0', '1']],
    booleans: ['BooleanStore', ['true', 'false', 'null', 'true']],
    nulls: ['NullStore', ['null', 'null']],
    'times with as many digits as needed': [
      'TimeStore',
      [
        '"2026-11-21T09:14:02.118394221Z"',
        '"2026-11-21T09:14:02Z"',
        '"1969-12-31T23:59:59.5Z"',
        'null',
        '"1678-01-01T00:00:00Z"',
        '"2261-12-31T23:59:59.999999999Z"',
      ],
    ],
    'times with the same number of digits': [
      'TimeStore',
      ['"2026-11-21T09:14:02.100Z"', '"2024-02-29T00:00:00.000Z"'],
    ],
    'times in different formats': [
      'TextStore',
      ['"2026-11-21T09:14:02.10Z"', '"2026-11-21T09:14:02.1Z"', '"2026-11-21T09:14:02Z"'],
    ],
    'invalid dates': [
      'TextStore',
      [
        '"2026-02-29T00:00:00Z"',
        '"2026-13-01T00:00:00Z"',
        '"0001-01-01T00:00:00Z"',
        '"2026-01-01T24:00:00Z"',
        '"2026-01-01T00:00:60Z"',
      ],
    ],
    'times and other strings': [
      'TextStore',
      ['"2026-11-21T09:14:02.118394221Z"', 'null', '"soon"', '""'],
    ],
    text: [
      'TextStore',
      [
        '""',
        'null',
        '"a"',
        '"a"',
        '"\\u0000\\n\\t\\"\\\\\\/"',
        '"😀"',
        '"\\ud83d\\ude00"',
        '"שלום"',
        '"<img onerror>"',
        '"=1+1"',
        '"__proto__"',
      ],
    ],
    'lone surrogates': [
      'TextStore',
      ['"\\ud800"', '"\\udc00\\ud800x"', '"\\ud83d\\ud83d\\ude00"', '"é"', '"\\uD7FF\\uE000"'],
    ],
    'dynamic values': [
      'TextStore',
      [
        '{"a":[1,2.5,null],"__proto__":{"b":true}}',
        '[]',
        '{}',
        '[[[["x"]]]]',
        'null',
        '{"n":9007199254740993}',
      ],
    ],
    'values of all kinds': [
      'TextStore',
      [
        '1',
        '"1"',
        'true',
        '"true"',
        'null',
        '1.5',
        '{"a":1}',
        '9007199254740993',
        '-0.0',
        '"2026-11-21T09:14:02Z"',
      ],
    ],
    'integers, then text': ['TextStore', ['1', '9007199254740993', 'null', '"x"', '2.50']],
    'booleans, then numbers': ['TextStore', ['true', 'null', '0']],
  };
  for (const [name, [store, values]] of Object.entries(kept)) {
    it(`are exact for ${name}`, () => {
      const table = column(values);
      assert.equal(storeOf(table), store);
      assert.deepEqual(
        cells(table),
        values.map((value) => parseJson(value)),
      );
      const expected = values.map((value) => {
        if (value === 'null') return null;
        return value.startsWith('"') ? JSON.parse(value) : value;
      });
      assert.deepEqual(texts(table), expected);
    });
  }

  it('are exact for thousands of unique or repeated strings', () => {
    const next = random(3);
    const kinds: ((row: number) => string)[] = [
      (row) => `text ${row}`,
      () => `text ${next.below(40)}`,
      (row) => (row === 20_000 ? 'long '.repeat(2_000) : `text ${row % 900}`),
      (row) => (row < 30_000 ? `text ${row % 300}` : `text ${row}`),
      () => `${next.below(70_000)}`,
      () => `${next.below(20_000)}`,
      (row) => (row % 7 === 0 ? '' : `é${row % 5_000}`),
    ];
    for (const text of kinds) {
      const values = Array.from({ length: 70_000 }, (_, row) => text(row));
      const table = column(values.map((value) => JSON.stringify(value)));
      assert.deepEqual(texts(table), values);
    }
  });

  it('include strings of 1 MiB, even if they arrive in small chunks', () => {
    const long = `${'x'.repeat(1_048_576)}😀\n`;
    for (const size of [1_000, 1 << 20]) {
      const [table] = decoded(
        bodyOf([['s', 'string', [JSON.stringify(long), '"a"', JSON.stringify(long)]]]),
        size,
      );
      assert.equal(table?.columns[0]?.text(0), long);
      assert.equal(table?.columns[0]?.text(2), long);
    }
  });

  it('are null at the end of shorter columns and for fields without a column', () => {
    const [table] = decoded(
      '{"status":{},"tables":[{"columns":[[1,2,3],["a"]],"fields":[{"name":"a","type":"integer"},{"name":"b","type":"string"},{"name":"c","type":"float"}]}]}',
    );
    assert.equal(table?.rowCount, 3);
    assert.deepEqual(cells(table as HeldTable, 1), ['a', null, null]);
    assert.deepEqual(cells(table as HeldTable, 2), [null, null, null]);
  });

  it('take less than half the memory of their JSON', () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => row);
    const body = bodyOf([
      ['t', 'datetime', rows.map((row) => `"2026-11-21T09:14:02.${100_000_000 + row}Z"`)],
      ['n', 'integer', rows.map((row) => String(row))],
      ['s', 'string', rows.map((row) => `"name ${row % 50}"`)],
    ]);
    assert.ok((decoded(body)[0]?.bytes ?? 0) < body.length * 0.5);
  });
});

const hostile = bodyOf(
  [
    ['__proto__', 'string', ['"a\\"b\\\\"', '"\\ud83d\\ude00 😀"', '"\\ud800"', 'null']],
    ['constructor', 'float', ['-0.0', '1e-7', '0.1234567890123456789', '1e400']],
    ['a.b', 'map', ['{"a":[1,{"b":"\\u003c]}"}]}', '[ ]', 'null', '"x"']],
    [
      't',
      'datetime',
      ['"2026-11-21T09:14:02.118394221Z"', 'null', '"2026-11-21T09:14:02Z"', '"later"'],
    ],
    ['n', 'integer', ['9223372036854775807', '-1', 'null', '12']],
    ['b', 'boolean', ['true', 'false', 'null', 'true']],
  ],
  '"odd" : [ 1 , {"columns":[[1]],"tables":[]} ] ,\n',
);

describe('a body in chunks', () => {
  it('is decoded identically, wherever the chunks end', () => {
    const [whole] = decoded(hostile);
    const bytes = Buffer.from(hostile);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new BodyDecoder();
      decoder.push(bytes.subarray(0, cut));
      decoder.push(bytes.subarray(cut));
      decoder.end();
      const columns = decoder.tables[0] ?? [];
      for (const [index, other] of columns.entries())
        for (let row = 0; row < 4; row++) {
          assert.deepEqual(other.cell(row), whole?.columns[index]?.cell(row), `cut at ${cut}`);
          assert.equal(other.text(row), whole?.columns[index]?.text(row), `cut at ${cut}`);
        }
    }
    for (const size of [1, 2, 3, 5])
      assert.deepEqual(
        texts(decoded(hostile, size)[0] as HeldTable, 2),
        texts(whole as HeldTable, 2),
      );
  });

  it('has a head with all of its members except the cells', () => {
    const decoder = new BodyDecoder();
    decoder.push(Buffer.from(hostile));
    const json = decoder.end();
    const head = answerHead(json, decoder.tables);
    assert.deepEqual(JSON.parse(json).odd, [1, { columns: [[1]], tables: [] }]);
    assert.deepEqual(
      head.tables[0]?.fields.map(({ name }) => name),
      ['__proto__', 'constructor', 'a.b', 't', 'n', 'b'],
    );
    assert.equal(head.tables[0]?.rowCount, 4);
  });

  it('is decoded with invalid UTF-8 replaced as by TextDecoder', () => {
    const bytes = Buffer.concat([
      Buffer.from(
        '\ufeff{"status":{},"tables":[{"fields":[{"name":"a","type":"string"}],"columns":[["',
      ),
      Buffer.from([0xff, 0x41, 0xed, 0xa0, 0x80, 0xc3]),
      Buffer.from('","é"]]}]}'),
    ]);
    const text = new TextDecoder().decode(bytes);
    const expected = (JSON.parse(text) as { tables: { columns: string[][] }[] }).tables[0]
      ?.columns[0];
    for (const size of [1, 7, 1_000])
      assert.deepEqual(texts(decoded(bytes, size)[0] as HeldTable), expected);
  });
});

describe('a body with values by row', () => {
  const columns: readonly JsonColumn[] = [
    ['a', 'string', ['"x"', '"y\\n"', 'null', '"é"']],
    ['n', 'integer', ['1', '9007199254740993', '-2', 'null']],
    ['d', 'map', ['{"columns":[[1]]}', '[]', '[[1],{"rows":[2]}]', '"5"']],
  ];

  it('has the same cells as by column, wherever the chunks end', () => {
    const [expected] = decoded(bodyOf(columns));
    const body = rowsBodyOf(columns);
    for (let size = 1; size <= body.length; size++) {
      const [table] = decoded(body, size);
      assert.equal(table?.rowCount, 4);
      for (const index of columns.keys())
        assert.deepEqual(cells(table as HeldTable, index), cells(expected as HeldTable, index));
    }
  });

  it('has complete rows and a head while it arrives, wherever the chunks end', () => {
    const [expected] = decoded(bodyOf(columns));
    const body = Buffer.from(rowsBodyOf(columns));
    for (let size = 1; size <= body.length; size++) {
      const decoder = new BodyDecoder();
      let most = 0;
      for (let from = 0; from < body.length; from += size) {
        decoder.push(body.subarray(from, from + size));
        const rows = decoder.arrivedRows;
        if (rows === 0) continue;
        most = Math.max(most, rows);
        const { tables } = answerHead(decoder.headOfArrived(), decoder.tables);
        assert.deepEqual(
          tables[0]?.fields.map(({ name }) => name),
          ['a', 'n', 'd'],
        );
        for (const [index, column] of decoder.tables[0]?.entries() ?? []) {
          const arrived = Array.from({ length: rows }, (_, row) => column.cell(row));
          assert.deepEqual(arrived, cells(expected as HeldTable, index).slice(0, rows));
        }
      }
      if (size === 1) assert.equal(most, 3, 'the last row is complete once the list is closed');
    }
  });

  it('has no complete rows by column', () => {
    const decoder = new BodyDecoder();
    for (const byte of Buffer.from(bodyOf(columns))) {
      decoder.push(Uint8Array.of(byte));
      assert.equal(decoder.arrivedRows, 0);
    }
  });

  it('may have no rows', () => {
    const [table] = decoded(rowsBodyOf([['a', 'string', []]]));
    assert.deepEqual([table?.rowCount, table?.columns.length], [0, 1]);
  });

  it('replaces columns that precede it', () => {
    const fields = '"fields":[{"name":"a","type":"integer"}]';
    const [table] = decoded(
      `{"status":{},"tables":[{${fields},"columns":[[1,2],[3]],"rows":[[4],[5]]}]}`,
    );
    assert.deepEqual(cells(table as HeldTable, 0), [4, 5]);
  });
});

describe('the members of a body', () => {
  it('that are repeated are handled as by JSON.parse', () => {
    const field = '"fields":[{"name":"a","type":"integer"}]';
    const body = `{"tables":[{${field},"columns":[[9]]}],"status":{},"tables":[{"columns":[[1]],${field},"col\\u0075mns":[[2,3]]}]}`;
    assert.deepEqual(cells(decoded(body)[0] as HeldTable), [2, 3]);
  });

  it('can be in any order, with unknown members between them and whitespace anywhere', () => {
    const next = random(8);
    const space = () => next.pick(['', '', ' ', '\n', '\t\r\n  ']);
    const shuffled = <T>(items: readonly T[]): T[] => {
      const left = [...items];
      return items.map(() => left.splice(next.below(left.length), 1)[0] as T);
    };
    const written = (value: unknown): string => {
      if (Array.isArray(value))
        return `[${space()}${value.map(written).join(`${space()},${space()}`)}${space()}]`;
      if (typeof value === 'object' && value !== null) {
        const members = shuffled(Object.entries(value)).map(
          ([name, member]) => `${JSON.stringify(name)}${space()}:${space()}${written(member)}`,
        );
        return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
      }
      return JSON.stringify(value);
    };
    const unknown = { tables: [{ columns: [[1]] }], columns: [[2]], '{"': ']}' };
    for (let round = 0; round < 300; round++) {
      const columns = [
        Array.from({ length: next.below(5) }, (_, row) => row),
        Array.from({ length: 4 }, () =>
          next.pick([null, 'a"\\', { columns: [1], b: [] }, [], 1.5]),
        ),
      ];
      const fields = [
        { name: 'a', type: 'integer', other: unknown },
        { name: '__proto__', type: 'string' },
      ];
      const body = written({
        ...unknown,
        tables: [{ fields, columns, name: '0', extra: unknown }],
        status: { elapsedTime: 1, columns: [[3]] },
        columns: unknown.columns,
      });
      const [table] = decoded(body, 1 + next.below(100));
      for (const [index, values] of columns.entries())
        assert.deepEqual(cells(table as HeldTable, index).slice(0, values.length), values);
      const decoder = new BodyDecoder();
      decoder.push(Buffer.from(body));
      const json = decoder.end();
      const head = answerHead(json, decoder.tables);
      const { columns: others, '{"': brackets, tables } = JSON.parse(json);
      assert.deepEqual([others, brackets, tables[0].extra], [unknown.columns, ']}', unknown]);
      assert.equal(head.tables[0]?.rowCount, 4);
    }
  });

  it('may be null instead of a list', () => {
    assert.deepEqual(decoded('{"status":{},"tables":null}'), []);
    const [table] = decoded(
      '{"status":{},"tables":[{"fields":[{"name":"a","type":"x"}],"columns":null,"groups":null}]}',
    );
    assert.equal(table?.rowCount, 0);
  });
});

describe('a malformed body', () => {
  const field = '"fields":[{"name":"a","type":"string"}]';
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /it is empty/],
    ['[]', /an object is expected/],
    ['{"status":{}', /it ends early/],
    [`{"status":{},"tables":[{${field},"columns":[["a"`, /it ends early/],
    [`{"status":{},"tables":[{${field},"columns":[["a]]}]}`, /it ends early/],
    [
      `{"status":{},"tables":[{${field},"columns":[[1,,2]]}]}`,
      /a value is expected at tables\[0\]\.columns\[0\]\[1\]/,
    ],
    [
      `{"status":{},"tables":[{${field},"columns":[[1 2]]}]}`,
      /"," or "\]" is expected at tables\[0\]\.columns\[0\]\[0\]/,
    ],
    [`{"status":{},"tables":[{${field},"columns":[[01]]}]}`, /the number is invalid/],
    [`{"status":{},"tables":[{${field},"columns":[[1.]]}]}`, /the number is invalid/],
    [`{"status":{},"tables":[{${field},"columns":[[nul]]}]}`, /a value is expected/],
    [`{"status":{},"tables":[{${field},"columns":[["\\x"]]}]}`, /the escape is invalid/],
    [`{"status":{},"tables":[{${field},"columns":[["\\u12g4"]]}]}`, /the escape is invalid/],
    [`{"status":{},"tables":[{${field},"columns":[["a\nb"]]}]}`, /control character/],
    [
      `{"status":{},"tables":[{${field},"columns":[5]}]}`,
      /a list of values is expected at tables\[0\]\.columns\[0\]/,
    ],
    [`{"status":{},"tables":[{${field},"columns":[[${'['.repeat(100_000)}`, /levels are nested/],
    [
      `{"status":{},"tables":[{${field},"columns":[[${'{"a":'.repeat(100_000)}`,
      /levels are nested/,
    ],
    [`{"status":{},"tables":[{${field},"columns":[[{"a":1,}]]}]}`, /a name in quotes is expected/],
    [`{"status":{},"tables":[{${field},"columns":[[[1}]]]}]}`, /"," or "\]" is expected/],
    ['{"status":{},"tables":[{"columns":[[1]]}]}', /fields/],
    ['{"status":5,"tables":[]}', /status/],
    ['{"status":{},"tables":[]} x', /something follows the end/],
    [
      `{"status":{},"tables":[{${field},"rows":[[1,2],[3]]}]}`,
      /a row of 2 values is expected at tables\[0\]\.rows\[1\]\[0\]/,
    ],
    [
      `{"status":{},"tables":[{${field},"rows":[[1],[2,3]]}]}`,
      /"\]" is expected after 1 value at tables\[0\]\.rows\[1\]\[1\]/,
    ],
    [`{"status":{},"tables":[{${field},"rows":[[]]}]}`, /a row of values is expected/],
    [`{"status":{},"tables":[{${field},"rows":[5]}]}`, /a list of values is expected/],
    [`{"status":{},"tables":[{${field},"rows":[[1,]]}]}`, /a value is expected/],
    [
      `{"status":{},"tables":[{${field},"columns":[[${'9'.repeat(10_000)}]]}]}`,
      /the number is too long/,
    ],
  ];
  for (const [body, message] of refused)
    it(`is rejected: ${body.slice(0, 70)}`, () => {
      for (const size of [1, 3, 1_000_000])
        assert.throws(() => decoded(body, size), { name: 'MalformedBody', message });
    });

  it('is rejected wherever it is truncated', () => {
    for (let cut = 0; cut < hostile.length; cut += 3)
      assert.throws(() => decoded(Buffer.from(hostile).subarray(0, cut)), {
        name: 'MalformedBody',
      });
  });

  it('is read as by JSON.parse or rejected, whichever byte is changed', () => {
    const next = random(11);
    const bytes = Buffer.from(hostile);
    const alphabet = Buffer.from('"\\{}[],:0-.eE tnu\u0001');
    for (let round = 0; round < 3_000; round++) {
      const changed = Buffer.from(bytes);
      changed[next.below(bytes.length)] = alphabet[next.below(alphabet.length)] as number;
      let expected: unknown;
      let isJson = true;
      try {
        expected = parseJson(changed.toString());
      } catch {
        isJson = false;
      }
      try {
        const tables = decoded(changed, 1 + next.below(200));
        assert.ok(isJson, changed.toString());
        const columns = (expected as { tables?: { columns?: unknown[][] }[] }).tables?.[0]?.columns;
        for (const [index, values] of (columns ?? []).entries())
          assert.deepEqual(cells(tables[0] as HeldTable, index).slice(0, values.length), values);
      } catch (error) {
        if ((error as Error).name !== 'MalformedBody') throw error;
      }
    }
  });
});

describe('random tables', () => {
  it('are decoded exactly', () => {
    const next = random(5);
    for (let round = 0; round < 150; round++) {
      const columns = Array.from({ length: 1 + next.below(6) }, (_, index): JsonColumn => {
        const make = next.pick(makers);
        const nulls = next.below(4);
        const values = Array.from({ length: 1 + next.below(60) }, () =>
          next.below(8) < nulls ? 'null' : make(next),
        );
        return [`c${index}`, 'string', values];
      });
      const [table] = decoded(bodyOf(columns), 1 + next.below(300));
      for (const [index, [, , values]] of columns.entries())
        for (const [row, value] of values.entries()) {
          assert.deepEqual(table?.columns[index]?.cell(row), parseJson(value), value);
          const text = table?.columns[index]?.text(row);
          if (!value.startsWith('"')) assert.equal(text, value === 'null' ? null : value);
        }
    }
  });
});

const makers: readonly ((next: Random) => string)[] = [
  (next) => String(next.below(300) - 150),
  (next) => String(next.below(2 ** 31) * 2 ** next.below(22)),
  (next) => (BigInt(next.below(2 ** 31)) * 2n ** BigInt(next.below(40)) - 2n ** 50n).toString(),
  (next) => String(next.below(2 ** 31) / 2 ** next.below(60)),
  (next) => `${next.below(1_000)}.${next.below(10_000)}`,
  (next) => `${next.below(10)}.${'0123456789'.repeat(2).slice(0, 1 + next.below(20))}`,
  (next) => `${next.below(1_000) - 500}e${next.below(40) - 20}`,
  (next) => (next.below(2) === 0 ? 'true' : 'false'),
  (next) => JSON.stringify(new Date(next.below(2 ** 31) * 1_000 + next.below(1_000)).toISOString()),
  (next) =>
    JSON.stringify(
      String.fromCharCode(...Array.from({ length: next.below(9) }, () => next.below(0x10000))),
    ),
  (next) => JSON.stringify(next.pick(['a', 'b', '', '漢字', '🙂'])),
  (next) => JSON.stringify({ a: next.below(9), b: [next.below(9), null, 'x'] }),
  (next) => next.pick(['1', '"1"', 'true', '[]', '1.0', '-0.0', '9007199254740993']),
];
