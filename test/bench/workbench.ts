/**
 * The results store at its full size: memory and speed of decoding, order and filters against plain code on
 * typed arrays in one thread, and how long the host is blocked while all of that goes on in the worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, QueryResult, readTolerant } from '../../api/src/index.ts';
import { answerHead } from '../../client/src/answers/answerHead.ts';
import { passing } from '../../table/src/arrange/filters.ts';
import { ordered } from '../../table/src/arrange/order.ts';
import { HeldTable } from '../../table/src/columns/heldTable.ts';
import { BodyDecoder } from '../../table/src/decode/bodyDecoder.ts';
import type { ColumnFilter } from '../../table/src/viewState.ts';
import { arrive, newStore } from '../client/store/stores.ts';
import { patient } from '../table/tables.ts';
import { type Bench, type Measure, measure, middle } from './measure.ts';
import { answerBody } from './workbench/answerBody.ts';
import { hostMeasures } from './workbench/hostWindow.ts';
import { longestBlock } from './workbench/longestBlock.ts';
import { pageMeasures } from './workbench/page.ts';

const columnCount = 20;
const rounds = 3;
/** Rows of the body that is decoded both ways; one string of the largest body would be too long. */
const decodedRows = 200_000;
const barOfOrder = 1.3;

/** Milliseconds of processor time of this thread, so that other work of the machine does not count. */
async function busy(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The same of one of several runs, for work that is too short for the clock. */
async function repeated(work: () => unknown): Promise<number> {
  const times = 5;
  return (
    (await busy(async () => {
      for (let run = 0; run < times; run++) await work();
    })) / times
  );
}

function decode(chunks: readonly Uint8Array[]): HeldTable {
  const decoder = new BodyDecoder();
  for (const chunk of chunks) decoder.push(chunk);
  const head = answerHead(decoder.end(), decoder.tables);
  const [table] = head.tables;
  if (table === undefined) throw new Error('The answer has no table.');
  return new HeldTable(table, decoder.tables[0] ?? []);
}

async function decoding(chunks: readonly Uint8Array[]): Promise<Measure[]> {
  const lossless: Measure[] = [];
  const plain: Measure[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await busy(() => decode(chunks));
    const exact = await busy(() =>
      readTolerant(QueryResult, parseJson(new TextDecoder().decode(Buffer.concat(chunks)))),
    );
    const parse = await busy(() => JSON.parse(new TextDecoder().decode(Buffer.concat(chunks))));
    lossless.push(measure('workbench', 'decode, against a lossless parse', 'ms', ours, exact, 1));
    plain.push(
      measure('workbench', 'decode, against JSON.parse, which loses digits', 'ms', ours, parse),
    );
  }
  return [middle(lossless), middle(plain)];
}

/** A column's values as plain code would hold them. */
interface Plain {
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
}

function plainColumn(table: HeldTable, name: string): Plain & { index: number } {
  const index = table.fields.findIndex((field) => field.name === name);
  const column = table.columns[index];
  if (column === undefined) throw new Error(`There is no column ${name}.`);
  const numbers = new Float64Array(table.rowCount);
  const texts: string[] = [];
  const isTime = table.fields[index]?.type === 'datetime';
  const isText = table.fields[index]?.type === 'string';
  for (let row = 0; row < table.rowCount; row++) {
    const cell = column.cell(row);
    if (isTime) numbers[row] = Date.parse(String(cell));
    else if (typeof cell === 'number') numbers[row] = cell;
    if (isText) texts.push(typeof cell === 'string' ? cell : '');
  }
  return { numbers, texts, index };
}

/** Text as numbers of the places in a sorted dictionary, as plain code on typed arrays would hold it. */
function ranks(texts: readonly string[]): Float64Array {
  const places = new Map([...new Set(texts)].sort().map((text, place) => [text, place]));
  return Float64Array.from(texts, (text) => places.get(text) ?? 0);
}

async function orders(table: HeldTable): Promise<Measure[]> {
  const found: Measure[] = [];
  const named = (name: string) => plainColumn(table, name);
  const cases: readonly (readonly [string, readonly { index: number; numbers: Float64Array }[]])[] =
    [
      ['an integer', [named('bytes')]],
      ['a fraction', [named('duration')]],
      ['a time', [named('_time')]],
      ['repeated text', [{ ...named('path'), numbers: ranks(named('path').texts) }]],
      ['two columns', [named('status'), named('duration')]],
    ];
  for (const [name, keys] of cases) {
    const order = keys.map(({ index }) => ({ column: index, descending: false }));
    const all: Measure[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await busy(async () =>
        ordered(await passing(table, [], patient), table.columns, order, patient),
      );
      const theirs = await busy(() => {
        const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
        rows.sort((a, b) => {
          for (const { numbers } of keys) {
            const difference = (numbers[a] as number) - (numbers[b] as number);
            if (difference !== 0) return difference;
          }
          return a - b;
        });
        return rows;
      });
      all.push(measure('workbench', `order by ${name}`, 'ms', ours, theirs, barOfOrder));
    }
    found.push(middle(all));
  }
  return found;
}

async function filters(table: HeldTable): Promise<Measure[]> {
  const bytes = plainColumn(table, 'bytes');
  const time = plainColumn(table, '_time');
  const message = plainColumn(table, 'message');
  const path = plainColumn(table, 'path');
  const codes = ranks(path.texts);
  const wantedPath = path.texts[7] ?? '';
  const wantedCode = codes[7];
  const middleTime = time.numbers[table.rowCount >> 1] ?? 0;
  const cases: readonly (readonly [string, ColumnFilter, (row: number) => boolean])[] = [
    [
      'a range of numbers',
      { column: bytes.index, kind: 'number', from: '500000', to: '900000' },
      (row) =>
        (bytes.numbers[row] as number) >= 500_000 && (bytes.numbers[row] as number) <= 900_000,
    ],
    [
      'a range of times',
      { column: time.index, kind: 'time', from: new Date(middleTime).toISOString() },
      (row) => (time.numbers[row] as number) >= middleTime,
    ],
    [
      'repeated text that equals',
      { column: path.index, kind: 'text', match: 'equals', text: wantedPath, caseSensitive: true },
      (row) => codes[row] === wantedCode,
    ],
    [
      'different text that contains',
      {
        column: message.index,
        kind: 'text',
        match: 'contains',
        text: 'retry 42',
        caseSensitive: true,
      },
      (row) => (message.texts[row] as string).includes('retry 42'),
    ],
  ];
  const found: Measure[] = [];
  for (const [name, filter, test] of cases) {
    const all: Measure[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await repeated(() => passing(table, [filter], patient));
      const theirs = await repeated(() => {
        const rows = new Uint32Array(table.rowCount);
        let count = 0;
        for (let row = 0; row < table.rowCount; row++) if (test(row)) rows[count++] = row;
        return rows.slice(0, count);
      });
      all.push(measure('workbench', `filter by ${name}`, 'ms', ours, theirs, barOfOrder));
    }
    found.push(middle(all));
  }
  return found;
}

async function blocks(
  chunks: readonly Uint8Array[],
  progress: (text: string) => void,
): Promise<Measure[]> {
  const { busy: idle } = await longestBlock(() => sleep(2_000));
  const store = newStore({ maxBytes: 4 * 1024 ** 3 });
  try {
    progress('arriving in the worker');
    let id = '';
    const { busy: arriving } = await longestBlock(async () => {
      ({ id } = await arrive(store, chunks));
    });
    const place = { answer: id, table: 0 };
    progress('ordering and filtering in the worker');
    const waits: number[] = [];
    const { busy: working } = await longestBlock(async () => {
      let isRunning = true;
      const task = store
        .rows('arrange', {
          ...place,
          order: [
            { column: 9, descending: true },
            { column: 0, descending: false },
          ],
          filters: [{ column: 7, kind: 'number', from: '1000' }],
        })
        .finally(() => {
          isRunning = false;
        });
      while (isRunning) {
        const started = performance.now();
        await store.rows('window', {
          ...place,
          from: 100,
          to: 150,
          columns: [0, 1, 2, 3, 4, 5],
          timeZone: 'utc',
        });
        waits.push(performance.now() - started);
        await sleep(10);
      }
      await task;
    });
    const slowest = Math.max(...waits);
    return [
      measure('workbench', 'longest block of the host while rows arrive', 'ms', arriving, 50, 1),
      measure(
        'workbench',
        'longest block of the host while rows are arranged',
        'ms',
        working,
        50,
        1,
      ),
      measure('workbench', 'longest block of the host while idle', 'ms', idle, 50),
      measure('workbench', 'slowest window while rows are arranged', 'ms', slowest, 50, 1),
    ];
  } finally {
    await store.dispose();
  }
}

export const workbench: Bench = {
  name: 'workbench',
  summary:
    'results: the store against plain code, the page and VS Code against few rows, idling and a plain client; --events of them, 1,000,000 unless said',
  async run(progress, { events = 1_000_000 }) {
    progress(`a body of ${events} rows by ${columnCount} columns`);
    const chunks = [...answerBody(events, columnCount)];
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const some = events <= decodedRows ? chunks : [...answerBody(decodedRows, columnCount)];
    const decoded = await decoding(some);
    progress('order and filters');
    const table = decode(chunks);
    const memory = measure(
      'workbench',
      'memory of the rows, against their JSON',
      'MB',
      table.bytes / 1e6,
      bytes / 1e6,
      1,
    );
    const measures = [...decoded, memory, ...(await orders(table)), ...(await filters(table))];
    const ofStore = [...measures, ...(await blocks(chunks, progress))];
    const bodies = {
      few: [...answerBody(1_000, columnCount)],
      some: [...answerBody(10_000, columnCount)],
      many: chunks,
    };
    const ofPage = await pageMeasures(bodies, progress);
    return [...ofStore, ...ofPage, ...(await hostMeasures(events, progress))];
  },
};
