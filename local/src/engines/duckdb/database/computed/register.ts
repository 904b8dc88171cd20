/** Registers the JavaScript functions with DuckDB. One registration per database suffices for all its connections. */
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListValue,
  type DuckDBListVector,
  DuckDBScalarFunction,
  type DuckDBVector,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import { chunkLimitName, registerChunkLimit } from './chunkLimit.ts';
import {
  type ComputedFunction,
  type ComputedType,
  type ComputedValue,
  computedFunctions,
} from './index.ts';
import { type Interrupted, interruptible } from './interruptible.ts';

const types = { text: VARCHAR, numbers: LIST(DOUBLE) };

export function callsComputed(sql: string): boolean {
  return [chunkLimitName, ...computedFunctions.map(({ name }) => name)].some((name) =>
    sql.includes(`${name}(`),
  );
}

export function registerComputed(
  connection: DuckDBConnection,
  interrupted: Interrupted = () => false,
): void {
  registerChunkLimit(connection, interrupted);
  for (const row of computedFunctions) {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: row.name,
        parameterTypes: row.parameters.map((type) => types[type]),
        returnType: types[row.result],
        ...interruptible((_info, input, output) => {
          for (let i = 0; i < input.rowCount; i++) output.setItem(i, resultOf(row, input, i));
          output.flush();
        }, interrupted),
      }),
    );
  }
}

function resultOf({ parameters, compute }: ComputedFunction, input: DuckDBDataChunk, i: number) {
  const args: ComputedValue[] = [];
  for (const [column, type] of parameters.entries()) {
    const arg = argument(input, column, i, type);
    if (arg === null) return null;
    args.push(arg);
  }
  const result = compute(...(args as never[]));
  // Return the typed array, because DuckDB only reads its items by index.
  return typeof result === 'string' ? result : new DuckDBListValue(result as never);
}

function argument(
  input: DuckDBDataChunk,
  column: number,
  i: number,
  type: ComputedType,
): ComputedValue | null {
  const vector = input.getColumnVector(column);
  return type === 'text' ? (vector.getItem(i) as string | null) : numbers(vector, i);
}

/** Returns a list's numbers, with NaN for each null. Reads the item vector directly, so that no value is boxed. */
function numbers(vector: DuckDBVector, i: number): Float64Array | null {
  const list = (vector as DuckDBListVector).getItemVector(i);
  if (list === null) return null;
  const items = new Float64Array(list.itemCount);
  for (let k = 0; k < items.length; k++) items[k] = (list.getItem(k) ?? Number.NaN) as number;
  return items;
}
