/**
 * Writes the cells of answers as JSON, with the values of the JSON that DuckDB writes. The expressions are short, because
 * ClickHouse takes longer to analyze long ones than to answer a small query.
 */
import { argument, type Call, type FunctionRow } from './context.ts';
import { doubleJson, timeText } from './formats.ts';
import type { Node } from './tree.ts';
import { scalar } from './value.ts';

/** The function `json_cell(wireType, column)`: the JSON of a column's value, which is never null. */
export const jsonCell: FunctionRow = (call) => {
  const wireType = String(argument(call, 0).constant);
  const text = nonNull(wireType, argument(call, 1).sql, call);
  return scalar(`ifNull(${text}, 'null')`, 'string', { present: true });
};

function nonNull(wireType: string, c: string, call: Call): string {
  switch (wireType) {
    case 'integer':
      return `toString(${c})`;
    case 'float':
      return `if(isFinite(${c}), ${doubleJson(c)}, NULL)`;
    case 'boolean':
      return `multiIf(isNull(${c}), NULL, ${c}, 'true', 'false')`;
    case 'string':
      return `toJSONString(${c})`;
    case 'datetime':
      return `concat('"', replaceOne(${timeText(c)}, ' ', 'T'), 'Z"')`;
    case 'timespan':
      return `concat('"', ${timespanText(call)}, '"')`;
    default:
      return c;
  }
}

function timespanText({ nodes, context, translate }: Call): string {
  const args = [nodes[1] as Node];
  const name = 'apl.format_timespan';
  return translate({ kind: 'call', name, args, distinct: false, order: [] }, context).sql;
}
