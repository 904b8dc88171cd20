/** Writes the cells of answers as JSON, with the same characters as `store/json.ts` makes DuckDB write. */
import type { Column, Context, TranslatedQuery } from './context.ts';
import { translate } from './expressions.ts';
import { doubleText, jsonText, timeText } from './formats.ts';
import { scalarType } from './types.ts';
import { quotedName } from './value.ts';

/** Returns SQL for the JSON of a column's values, which is never null. */
export function cellJson(wireType: string, column: string): string {
  return `ifNull(${nonNull(wireType, column)}, 'null')`;
}

function nonNull(wireType: string, c: string): string {
  switch (wireType) {
    case 'integer':
      return `toString(${c})`;
    case 'float':
      return `if(isFinite(${c}), ${doubleText(c)}, NULL)`;
    case 'boolean':
      return `multiIf(isNull(${c}), NULL, ${c}, 'true', 'false')`;
    case 'string':
      return jsonText(c);
    case 'datetime':
      return `concat('"', replaceOne(${timeText(c)}, ' ', 'T'), 'Z"')`;
    case 'timespan':
      return `concat('"', ${formatted(c)}, '"')`;
    default:
      return c;
  }
}

function formatted(column: string): string {
  const context: Context = {
    bindings: new Map([['_c', () => ({ sql: column, type: scalarType('int') })]]),
    attempt: false,
    column: () => undefined,
    query: () => {
      throw new Error('A cell has no sub-query.');
    },
  };
  const name = { kind: 'name', name: '_c' } as const;
  const call = {
    kind: 'call',
    name: 'apl.format_timespan',
    args: [name],
    distinct: false,
    order: [],
  } as const;
  return translate(call, context).sql;
}

/** Returns a statement whose rows have the JSON of each cell, in columns named `c0`, `c1` and so on. */
export function jsonRows({ sql, columns }: TranslatedQuery, wireTypes: readonly string[]): string {
  const cells = wireTypes.map((type, i) => {
    const { name } = columns[i] as Column;
    return `${cellJson(type, `_rows.${quotedName(name)}`)} AS c${i}`;
  });
  return `SELECT ${cells.join(', ')}\nFROM (\n${sql}\n) AS _rows`;
}
