/**
 * Random pipelines over random small tables answer what a plain evaluation in JavaScript says, which
 * follows the language's documents. A failure is cut down to few stages and rows before it is told.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { DuckDBInstance, DuckDBTimestampNanosecondsValue } from '@duckdb/node-api';
import { bindQuery, parseQuery, type Schema } from '../../../language/src/index.ts';
import { planQuery } from '../../../local/src/planner/index.ts';
import { isLong, seed } from '../../drawn.ts';
import { context } from './engine.ts';
import type { Row, Table } from './evaluator.ts';
import { Ambiguous, type Cell, loosely, parsedJson, Unfit } from './evaluatorValues.ts';
import { makeMacros } from './macros.ts';
import { answerOf, type Case, queryOf, randomCase } from './randomPipelines.ts';
import { layoutOf, type Source, schemaOf, storeSql } from './randomTables.ts';

const cases = isLong ? 20_000 : 1_000;
/** The first of the seeds, which run on by one. */
const firstSeed = seed * 100_000;

/** Failures often have one cause, which a few show better than one. */
const mostTold = 5;

let instance: DuckDBInstance;
let run: (sql: string) => Promise<unknown[][]>;
before(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await makeMacros(connection);
  run = async (sql) => (await connection.runAndReadAll(sql)).getRows();
});
after(() => instance.closeSync());

/** All times but those that no bound of a range can name. */
const range = { start: -(2n ** 62n), end: 2n ** 62n };

interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

async function planned(of: Case): Promise<Answer> {
  const stored = of.sources.filter((source) => source.stored);
  for (const sql of stored.flatMap(storeSql)) await run(sql);
  const layouts = new Map(stored.map((source) => [source.name, layoutOf(source)]));
  const schema: Schema = { complete: true, datasets: stored.map(schemaOf) };
  const { main } = planQuery(bindQuery(parseQuery(queryOf(of)), schema), {
    ...context,
    range,
    layoutOf: (name) => layouts.get(name),
    datasetNames: () => [...layouts.keys()],
  });
  return { columns: main.columns, rows: await run(main.sql) };
}

// ── Comparing ─────────────────────────────────────────────────────────────────────────────────────

/** A value of the engine as the evaluator has it. */
function cellOf(of: unknown, type: string): Cell {
  if (of instanceof DuckDBTimestampNanosecondsValue) return of.nanos;
  if (typeof of === 'string' && !['string', 'datetime'].includes(type)) return parsedJson(of);
  return of as Cell;
}

/** What is wrong with an answer, or undefined. */
function difference(expected: Table, { columns, rows }: Answer): string | undefined {
  const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name).join(', ');
  if (names(columns) !== names(expected.columns)) {
    return `columns ${names(columns)} for ${names(expected.columns)}`;
  }
  const cells = rows.map((row) => columns.map(({ type }, i) => cellOf(row[i], type)));
  let at = 0;
  for (const [i, tied] of expected.classes.entries()) {
    const last = i === expected.classes.length - 1;
    const count = last ? (expected.choose ?? tied.length) : tied.length;
    const part = cells.slice(at, at + count);
    if (part.length < count) return `${rows.length} rows are too few`;
    const wrong = unmatched(part, tied, expected);
    if (wrong !== undefined) return `row ${at + wrong} is none of those that stand there`;
    at += count;
  }
  return at === rows.length ? undefined : `${rows.length} rows for ${at}`;
}

/** The place of the first row that no wanted row is left for. */
function unmatched(
  actual: readonly (readonly Cell[])[],
  wanted: readonly Row[],
  { columns }: Table,
): number | undefined {
  const left = wanted.map((row) => columns.map(({ name }) => row.get(name) ?? null));
  for (const [i, cells] of actual.entries()) {
    const found = left.findIndex((want) => want.every((cell, c) => same(cells[c] ?? null, cell)));
    if (found < 0) return i;
    left.splice(found, 1);
  }
  return undefined;
}

function same(actual: Cell, wanted: Cell): boolean {
  return loosely(actual, wanted) === loosely(wanted, wanted);
}

// ── Cutting down ──────────────────────────────────────────────────────────────────────────────────

/** What is wrong with a case; undefined where it holds, or is none. */
async function failure(of: Case): Promise<string | undefined> {
  let expected: Table;
  try {
    expected = answerOf(of);
  } catch (error) {
    if (error instanceof Ambiguous || error instanceof Unfit) return undefined;
    throw error;
  }
  try {
    return difference(expected, await planned(of));
  } catch (error) {
    return (error as Error).message;
  }
}

async function smaller(of: Case): Promise<Case> {
  let stages = of.stages;
  for (let i = stages.length - 1; i >= 0; i--) {
    const fewer = stages.toSpliced(i, 1);
    if ((await failure({ ...of, stages: fewer })) !== undefined) stages = fewer;
  }
  const best = { ...of, stages };
  // The stages read the sources' rows when they run, so these are changed in place.
  for (const source of of.sources) {
    for (let i = source.rows.length - 1; i >= 0; i--) {
      const { rows } = source;
      source.rows = rows.toSpliced(i, 1);
      if ((await failure(best)) === undefined) source.rows = rows;
    }
  }
  return best;
}

async function told(of: Case, seed: number): Promise<string> {
  const wrong = await failure(of);
  const write = (value: unknown) =>
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
  const tables = of.sources
    .filter((source) => source.stored)
    .map(
      ({ name, columns, rows }: Source) =>
        `${name}: ${columns.map((one) => `${one.name}:${one.type}`).join(', ')}\n${rows.map((row) => write([...row.values()])).join('\n')}`,
    );
  const { columns, classes, choose } = answerOf(of);
  const expected = classes.map((rows) =>
    rows.map((row) => write(columns.map(({ name }) => row.get(name) ?? null))).join('\n'),
  );
  const actual = await planned(of).then(
    ({ rows }) =>
      rows
        .map((row) =>
          write(
            row.map((cell) =>
              cell instanceof DuckDBTimestampNanosecondsValue ? `${cell.nanos}n` : cell,
            ),
          ),
        )
        .join('\n'),
    (error: Error) => error.message,
  );
  return [
    `seed ${seed}: ${wrong}`,
    ...tables,
    queryOf(of),
    `expected, classes of ties apart${choose === undefined ? '' : `, ${choose} of the last`}:`,
    expected.join('\n----\n'),
    'answered:',
    actual,
  ].join('\n');
}

it(`${cases} random pipelines return the same rows as the reference evaluator`, async () => {
  const failures: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + cases && failures.length < mostTold; seed++) {
    const made = randomCase(seed);
    if ((await failure(made)) !== undefined) failures.push(await told(await smaller(made), seed));
  }
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
});
