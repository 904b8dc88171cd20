/** Tables for the tests of the results store: bodies as the service sends them, decoded as the worker does. */
import { parseJson } from '../../api/src/index.ts';
import { answerHead } from '../../client/src/answers/answerHead.ts';
import { HeldTable } from '../../table/src/columns/heldTable.ts';
import { BodyDecoder } from '../../table/src/decode/bodyDecoder.ts';
import type { Cell } from '../../table/src/result.ts';
import type { LongTask } from '../../table/src/rowSource.ts';

/** A column with its type and its values as JSON. */
export type JsonColumn = readonly [name: string, type: string, values: readonly string[]];

/** Returns the body of an answer with one table. */
export function bodyOf(columns: readonly JsonColumn[], extra = ''): string {
  const fields = columns.map(([name, type]) => JSON.stringify({ name, type }));
  const values = columns.map(([, , column]) => `[${column.join(',')}]`);
  return (
    `{"format":"tabular","status":{"elapsedTime":5},"datasetNames":["logs"],${extra}"tables":[{"name":"0",` +
    `"sources":[{"name":"logs"}],"fields":[${fields.join(',')}],"order":[],"groups":[],"columns":[${values.join(',')}]}]}`
  );
}

/** Columns of a number, a string and a time that identify the row. */
export function numberedColumns(rows: number): readonly JsonColumn[] {
  const numbers = Array.from({ length: rows }, (_, row) => String(row));
  const times = numbers.map((number) => `"2026-11-21T09:14:02.${number.padStart(5, '0')}Z"`);
  return [
    ['n', 'integer', numbers],
    ['text', 'string', numbers.map((number) => `"row ${number}"`)],
    ['time', 'datetime', times],
  ];
}

/** The body of the same answer in the format `tabular-rows`. All columns must have the same number of values. */
export function rowsBodyOf(columns: readonly JsonColumn[]): string {
  const fields = columns.map(([name, type]) => JSON.stringify({ name, type }));
  const [first] = columns;
  const rows = first?.[2].map(
    (_, row) => `[${columns.map(([, , values]) => values[row]).join(',')}]`,
  );
  return `{"status":{},"tables":[{"name":"0","fields":[${fields.join(',')}],"rows":[${rows?.join(',')}]}]}`;
}

/** Decodes the tables of a body that arrives in chunks of `size` bytes. */
export function decoded(body: string | Uint8Array, size = 65_536): HeldTable[] {
  const bytes = Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return decodedChunks(chunks);
}

/** Decodes the tables of a body in chunks. */
export function decodedChunks(chunks: Iterable<Uint8Array>): HeldTable[] {
  const decoder = new BodyDecoder();
  for (const chunk of chunks) decoder.push(chunk);
  const head = answerHead(decoder.end(), decoder.tables);
  return head.tables.map((table, index) => new HeldTable(table, decoder.tables[index] ?? []));
}

export function tableOf(columns: readonly JsonColumn[]): HeldTable {
  return decoded(bodyOf(columns))[0] as HeldTable;
}

/** Returns the values of a column for the reference implementation. */
export function plainCells([, , values]: JsonColumn): Cell[] {
  return values.map((value) => parseJson(value) as Cell);
}

/** A task that never pauses, so that a test needs no clock. */
export const patient: LongTask = { due: false, pause: async () => {} };
