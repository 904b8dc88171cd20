/**
 * Writes Parquet: integers as INT64, times as UTC nanoseconds, dynamic values as JSON, mixed types as strings, all
 * nullable. Row groups are written column by column, so that neither memory nor the time between pauses grows with the
 * table.
 */
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import type { RowSource } from '../../rowSource.ts';
import { type ColumnKind, columnKinds } from '../columnKinds.ts';
import { ExportError } from '../exportError.ts';
import type { Output } from '../output.ts';
import { nanosecondsOf, readInstant } from '../timeCells.ts';
import { uniqueNames } from '../uniqueNames.ts';

type Value = boolean | number | bigint | string;

interface ColumnType {
  readonly schema: Omit<SchemaElement, 'name'>;
  readonly value: (source: RowSource, row: number, column: number) => Value | null;
}

const text = (source: RowSource, row: number, column: number) => source.text(row, column);

const string: ColumnType = { schema: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, value: text };

const types: Readonly<Record<ColumnKind, ColumnType>> = {
  boolean: {
    schema: { type: 'BOOLEAN' },
    value: (source, row, column) => source.cell(row, column) as boolean | null,
  },
  long: {
    schema: { type: 'INT64' },
    value: (source, row, column) => {
      const cell = source.cell(row, column) as number | bigint | null;
      return cell === null ? null : BigInt(cell);
    },
  },
  real: {
    schema: { type: 'DOUBLE' },
    value: (source, row, column) => {
      const cell = source.cell(row, column);
      return cell === null ? null : Number(cell);
    },
  },
  datetime: {
    schema: {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
    },
    value: (source, row, column) => {
      const cell = source.cell(row, column) as string | null;
      const instant = cell === null ? undefined : readInstant(cell);
      return instant === undefined ? null : (nanosecondsOf(instant) ?? null);
    },
  },
  dynamic: {
    schema: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
    value: text,
  },
  timespan: string,
  string,
  mixed: string,
  inexact: string,
};

const groupRows = 16_384;
/** The maximum number of cells in a row group, which limits the group's size in wide tables. */
const groupCells = 1_000_000;
/** The character counts of one column, and of all columns together, at which a row group ends. */
const columnCharacters = 1_500_000;
const groupCharacters = 8_000_000;
const pageBytes = 1_000_000;

export async function writeParquet(source: RowSource, output: Output): Promise<void> {
  if (source.columns.length === 0)
    throw new ExportError('The result has no columns, and a Parquet file needs at least one.');
  // Announce the second pass now, so that progress isn't complete after the first.
  output.expect(source.rowCount);
  const kinds = await columnKinds(source, output);
  output.notices.add('mixedColumns', kinds.filter((kind) => kind === 'mixed').length);
  output.notices.add('inexactColumns', kinds.filter((kind) => kind === 'inexact').length);
  const columns = uniqueNames(source, output).map((name, column) => ({
    name,
    ...types[kinds[column] as ColumnKind].schema,
  }));
  const file = new ParquetFile(columns, output);
  for (let from = 0; from < source.rowCount; ) {
    const group = await readGroup(source, from, kinds, output);
    await file.writeGroup(group);
    from += group[0]?.length ?? 0;
    output.rows = from;
  }
  await file.finish();
}

/** Returns the next rows as values to store, grouped by column; null for null. */
async function readGroup(
  source: RowSource,
  from: number,
  kinds: readonly ColumnKind[],
  output: Output,
): Promise<(Value | null)[][]> {
  const width = kinds.length;
  const readers = kinds.map((kind) => types[kind].value);
  const group = kinds.map((): (Value | null)[] => []);
  const characters = new Float64Array(width);
  const most = Math.min(
    source.rowCount,
    from + Math.max(1, Math.min(groupRows, groupCells / width)),
  );
  let all = 0;
  let isFull = false;
  for (let row = from; row < most && !isFull; row++) {
    for (let column = 0; column < width; column++) {
      const value = readers[column]?.(source, row, column) ?? null;
      group[column]?.push(value);
      if (typeof value !== 'string') continue;
      all += value.length;
      characters[column] = (characters[column] as number) + value.length;
      isFull ||= (characters[column] as number) >= columnCharacters || all >= groupCharacters;
    }
    output.done++;
    if (output.due) await output.pause();
  }
  return group;
}

/** Writes a file column by column, because the library's `write` flushes only entire row groups. */
class ParquetFile {
  readonly #schema: readonly SchemaElement[];
  readonly #output: Output;
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;

  constructor(columns: readonly SchemaElement[], output: Output) {
    this.#schema = [
      { name: 'root', num_children: columns.length },
      ...columns.map((column): SchemaElement => ({ ...column, repetition_type: 'OPTIONAL' })),
    ];
    this.#output = output;
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [...this.#schema],
      codec: 'ZSTD',
      createdBy: 'Aplomb',
    });
  }

  async writeGroup(columns: readonly (Value | null)[][]): Promise<void> {
    const start = this.#bytes.offset;
    const chunks = [];
    for (const [index, values] of columns.entries()) {
      chunks.push(this.#writeColumn(this.#schema[index + 1] as SchemaElement, values).chunk);
      await this.#flush();
    }
    const rows = BigInt(columns[0]?.length ?? 0);
    this.#file.num_rows += rows;
    this.#file.row_groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      num_rows: rows,
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
  }

  async finish(): Promise<void> {
    this.#file.finish();
    await this.#flush();
  }

  #writeColumn(element: SchemaElement, values: (Value | null)[]) {
    const { converted_type, ...physical } = element;
    const isJson = converted_type === 'JSON';
    // Don't serialize the values again for the converted type, as the library would: they are already JSON.
    const written = isJson ? physical : element;
    return writeColumn({
      writer: this.#bytes,
      column: {
        columnName: element.name,
        element: written,
        schemaPath: [this.#schema[0] as SchemaElement, written],
        codec: 'ZSTD',
        compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
        // Omit the bounds of JSON columns, because they would be entire values.
        stats: !isJson,
        pageSize: pageBytes,
        columnIndex: false,
        offsetIndex: false,
      },
      pageData: {
        values,
        definitionLevels: values.map((value) => (value === null ? 0 : 1)),
        repetitionLevels: [],
        maxDefinitionLevel: 1,
      },
    });
  }

  async #flush(): Promise<void> {
    // Copy the bytes, because the writer reuses its buffer.
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    await this.#output.bytes(bytes);
    if (this.#output.due) await this.#output.pause();
  }
}
