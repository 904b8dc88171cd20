/** Documentation of functions, operators and other catalog entries, for hovers, completion and signature help. */
import type { FunctionName } from '../catalog/index.ts';
import type { ScalarOperatorName } from '../catalog/scalarOperators.ts';
import type { FunctionRow, OperatorRow, ScalarOperatorRow } from '../catalog/types.ts';
import { aggregateProse } from '../functions/aggregates.ts';
import { arrayProse } from '../functions/array.ts';
import { conversionProse } from '../functions/conversion.ts';
import { datetimeProse } from '../functions/datetime.ts';
import { genaiProse } from '../functions/genai.ts';
import { generalProse } from '../functions/general.ts';
import { ipProse } from '../functions/ip.ts';
import { mathProse } from '../functions/math.ts';
import { seriesProse } from '../functions/series.ts';
import { stringProse } from '../functions/string.ts';
import { operatorEditing } from '../operators/index.ts';
import { isTransformName, type SourceName } from '../operators/names.ts';
import { type OperatorProse, type Prose, type ProseRow, says } from './says.ts';
import { scalarOperatorProse } from './scalarOperators.ts';
import { sourceProse } from './sources.ts';

export type { OperatorProse, Prose } from './says.ts';

const functionProse: Readonly<Record<FunctionName, ProseRow>> = {
  ...arrayProse,
  ...conversionProse,
  ...datetimeProse,
  ...genaiProse,
  ...generalProse,
  ...ipProse,
  ...mathProse,
  ...seriesProse,
  ...stringProse,
  ...aggregateProse,
};

export function proseOf(row: OperatorRow): OperatorProse;
export function proseOf(row: FunctionRow | OperatorRow | ScalarOperatorRow): Prose;
export function proseOf(row: FunctionRow | OperatorRow | ScalarOperatorRow): Prose {
  // The lookups below always succeed, because the tables cover every function and operator in the catalog.
  if ('role' in row) return operatorProseOf(row.name);
  if ('kind' in row) return says(...functionProse[row.name as FunctionName]);
  return scalarOperatorProse[row.name as ScalarOperatorName];
}

function operatorProseOf(name: string): OperatorProse {
  return isTransformName(name) ? operatorEditing[name].prose : sourceProse[name as SourceName];
}
