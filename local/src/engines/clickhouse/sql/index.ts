/** Translates the planner's SQL to ClickHouse's, with the same rows, or throws `NotOnEngine`. */
import { type DatasetLayout, duckdbTypes } from '../../../store/layout.ts';
import type { Column, TranslatedQuery } from './context.ts';
import { restartVariables } from './lists.ts';
import { parseExpression, parseQuery } from './parse.ts';
import { type ColumnsOf, translateOver, translateQuery } from './select.ts';
import { scalarType, typeNamed } from './types.ts';
import type { Value } from './value.ts';

export { isTime, readSource, viewSql } from '../sources/view.ts';
export type { Column, TranslatedQuery } from './context.ts';
export { defineMacros } from './macros.ts';
export { NotOnEngine } from './notOnEngine.ts';
export { typeNamed } from './types.ts';

/** Settings that a translated statement needs, which make ClickHouse follow the SQL standard. */
export const querySettings = {
  allow_experimental_analyzer: 1,
  cast_keep_nullable: 1,
  enable_named_columns_in_function_tuple: 0,
  enable_positional_arguments: 0,
  join_use_nulls: 1,
  max_ast_depth: 10_000,
  max_ast_elements: 5_000_000,
  max_expanded_ast_elements: 5_000_000,
  max_parser_depth: 10_000,
  max_query_size: 16_777_216,
  max_subquery_depth: 10_000,
  // Groups by constants would have a row without events.
  optimize_group_by_constant_keys: 0,
  output_format_json_escape_forward_slashes: 0,
  precise_float_parsing: 1,
  prefer_column_name_to_alias: 1,
  query_plan_max_optimizations_to_apply: 1_000_000,
  short_circuit_function_evaluation: 'force_enable',
  transform_null_in: 0,
} as const;

/** Returns the columns of a dataset's table. `rowColumn` is the column with the row number. */
export function columnsOfLayout({ fields }: DatasetLayout, rowColumn: string): readonly Column[] {
  const columns = fields.flatMap(({ variants }) =>
    variants.map(({ column, type }) => ({ name: column, type: typeNamed(duckdbTypes[type]) })),
  );
  return [...columns, { name: 'rowid', stored: rowColumn, hidden: true, type: scalarType('int') }];
}

/** Translates an expression of a relation's columns. */
export function translateExpression(sql: string, columns: readonly Column[]): Value {
  restartVariables();
  return translateOver(parseExpression(sql), columns);
}

export function translateStatement(sql: string, columnsOf: ColumnsOf): TranslatedQuery {
  restartVariables();
  return translateQuery(parseQuery(sql), { shared: new Map(), columnsOf });
}
