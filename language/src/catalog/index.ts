/** The catalog of APL's names, and functions that look up names in it. */
import { aggregateRows } from '../functions/aggregates.ts';
import { arrayFunctions } from '../functions/array.ts';
import { conversionFunctions } from '../functions/conversion.ts';
import { datetimeFunctions } from '../functions/datetime.ts';
import { genaiFunctions } from '../functions/genai.ts';
import { generalFunctions } from '../functions/general.ts';
import { ipFunctions } from '../functions/ip.ts';
import { mathFunctions } from '../functions/math.ts';
import { seriesFunctions } from '../functions/series.ts';
import { stringFunctions } from '../functions/string.ts';
import { operators } from '../operators/index.ts';
import { scalarOperators } from './scalarOperators.ts';
import type { FunctionRow, OperatorRow, ScalarOperatorRow } from './types.ts';

export { operators } from '../operators/index.ts';
export type { OperatorName } from '../operators/names.ts';
export { closest, closestFew } from './closest.ts';
export { type ScalarOperatorName, scalarOperators } from './scalarOperators.ts';
export {
  scalarTypeOf,
  scalarTypesOfWire,
  typeLabel,
  types,
  wireTypeLabel,
  wireTypeOf,
} from './typeRows.ts';

const functionRows = {
  ...stringFunctions,
  ...datetimeFunctions,
  ...mathFunctions,
  ...arrayFunctions,
  ...conversionFunctions,
  ...generalFunctions,
  ...ipFunctions,
  ...genaiFunctions,
  ...seriesFunctions,
};

export type ScalarFunctionName = keyof typeof functionRows;
export type AggregateName = keyof typeof aggregateRows;
export type FunctionName = ScalarFunctionName | AggregateName;

export const functions: readonly FunctionRow[] = Object.values(functionRows);

export const aggregates: readonly FunctionRow[] = Object.values(aggregateRows);

/** Returns a lookup by name. Its index is built on first use, because all tables must be loaded. */
function byName<Row extends { readonly name: string }>(
  tables: () => readonly (readonly Row[])[],
): (name: string) => Row | undefined {
  let index: Map<string, Row> | undefined;
  return (name) => {
    index ??= new Map(
      tables()
        .flat()
        .map((row) => [row.name, row]),
    );
    return index.get(name);
  };
}

export const functionNamed: (name: string) => FunctionRow | undefined = byName(() => [
  functions,
  aggregates,
]);

export const aggregateNamed: (name: string) => FunctionRow | undefined = byName(() => [aggregates]);

export const operatorNamed: (name: string) => OperatorRow | undefined = byName(() => [operators]);

export const scalarOperatorNamed: (name: string) => ScalarOperatorRow | undefined = byName(() => [
  scalarOperators,
]);
