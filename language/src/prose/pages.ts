/** URLs of functions and operators in the public APL documentation. */
import type { FunctionRow, OperatorRow } from '../catalog/types.ts';

const root = 'https://axiom.co/docs/apl';

const folders: Readonly<Record<string, string>> = {
  aggregation: 'aggregation-function',
  array: 'scalar-functions/array-functions',
  conditional: 'scalar-functions/conditional-function',
  conversion: 'scalar-functions/conversion-functions',
  datetime: 'scalar-functions/datetime-functions',
  genai: 'scalar-functions/genai-functions',
  hash: 'scalar-functions/hash-functions',
  ip: 'scalar-functions/ip-functions',
  math: 'scalar-functions/mathematical-functions',
  metadata: 'scalar-functions/metadata-functions',
  pair: 'scalar-functions/pair-functions',
  rounding: 'scalar-functions/rounding-functions',
  sql: 'scalar-functions/sql-functions',
  string: 'scalar-functions/string-functions',
  'time-series': 'scalar-functions/time-series',
  type: 'scalar-functions/type-functions',
};

/** Returns the URL of a function's page. An alias shares its function's page. */
export function functionPage({ name, category, aliasOf }: FunctionRow): string | undefined {
  const folder = folders[category];
  return folder && `${root}/${folder}/${(aliasOf ?? name).replaceAll('_', '-')}`;
}

/** Operators whose pages do not have the suffix `-operator`. */
const shortNames: ReadonlySet<string> = new Set([
  'make-series',
  'mv-expand',
  'parse-kv',
  'parse-where',
  'project-rename',
]);

const withoutPage: ReadonlySet<string> = new Set(['datatable', 'print', 'table']);

export function operatorPage({ name }: OperatorRow): string | undefined {
  if (withoutPage.has(name)) return undefined;
  const page = shortNames.has(name) ? name : `${name}-operator`;
  return `${root}/tabular-operators/${page}`;
}
