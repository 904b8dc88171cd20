/** Makes the computed functions known to DuckDB: once per database, for all its connections. */
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
import {
  type ComputedFunction,
  type ComputedType,
  type ComputedValue,
  computedFunctions,
} from './index.ts';
import { type Interrupted, interruptible } from './interruptible.ts';
import { registerTogether, togetherName } from './together.ts';

const types = { text: VARCHAR, numbers: LIST(DOUBLE) };

/** Whether a text of SQL names a computed function. */
export function callsComputed(sql: string): boolean {
  return [togetherName, ...computedFunctions.map(({ name }) => name)].some((name) =>
    sql.includes(`${name}(`),
  );
}

/** Registers every computed function. `interrupted` reports whether a connection's statement is to stop. */
export function registerComputed(
  connection: DuckDBConnection,
  interrupted: Interrupted = () => false,
): void {
  registerTogether(connection, interrupted);
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
  // The vector reads the items by their numbers only, so a typed array will do.
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

/** A list of the row, with NaN in place of nulls; made from the vector of all rows' items, which no value is boxed for. */
function numbers(vector: DuckDBVector, i: number): Float64Array | null {
  const list = (vector as DuckDBListVector).getItemVector(i);
  if (list === null) return null;
  const items = new Float64Array(list.itemCount);
  for (let k = 0; k < items.length; k++) items[k] = (list.getItem(k) ?? Number.NaN) as number;
  return items;
}
