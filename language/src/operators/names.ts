/** The names of the tabular operators. All tables of operators must have an entry for each name. */

/** The operators that can follow a pipe. */
export const transformNames = [
  'count',
  'distinct',
  'extend',
  'extend-valid',
  'getschema',
  'join',
  'limit',
  'lookup',
  'make-series',
  'mv-expand',
  'order',
  'parse',
  'parse-kv',
  'parse-where',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'redact',
  'sample',
  'search',
  'sort',
  'summarize',
  'take',
  'top',
  'union',
  'where',
] as const;

/** The operators that can only start a pipeline. */
export const sourceNames = ['externaldata', 'print', 'datatable', 'table'] as const;

export type TransformName = (typeof transformNames)[number];
export type SourceName = (typeof sourceNames)[number];
export type OperatorName = TransformName | SourceName;

const transforms: ReadonlySet<string> = new Set(transformNames);

export function isTransformName(name: string): name is TransformName {
  return transforms.has(name);
}
