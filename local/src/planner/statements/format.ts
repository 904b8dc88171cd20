/** Writes the model of a SQL statement as one line, with its words in small letters. */
import type { Column, Expression, Source, Statement } from './model.ts';

export function formatStatement(of: Statement): string {
  switch (of.statement) {
    case 'insert': {
      const names = of.columns === undefined ? '' : ` (${all(of.columns, column)})`;
      const rows = all(of.values ?? [], (row) => `(${all(row, expression)})`);
      return `insert into ${table(of.table)}${names} values ${rows}`;
    }
    case 'update': {
      const set = all(of.set ?? [], (one) => `${name(one.colname)} = ${expression(one.expr)}`);
      return `update ${table(of.table)} set ${set}${part('where', of.where && expression(of.where))}`;
    }
    case 'delete':
      return `delete from ${table(of.table)}${part('where', of.where && expression(of.where))}`;
    default:
      return select(of);
  }
}

function select(of: Statement): string {
  const orders = of.order?.map(({ direction, expr }) =>
    direction === 'desc' ? `${expression(expr)} desc` : `${expression(expr)} asc`,
  );
  return [
    `select ${of.distinct ? 'distinct ' : ''}${all(of.columns ?? [], column)}`,
    part('from', of.from?.map(source).join('')),
    part('where', of.where && expression(of.where)),
    part('group by', of.group?.map((one) => expression(one)).join(', ')),
    part('having', of.having && expression(of.having)),
    part('order by', orders?.join(', ')),
    part('limit', of.limit),
    part('offset', of.offset),
  ].join('');
}

function part(word: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${word} ${text}`;
}

function all<Item>(items: readonly Item[], write: (item: Item) => string): string {
  return items.map((item) => write(item)).join(', ');
}

function column(of: Column): string {
  return of.alias === undefined ? expression(of) : `${expression(of)} as ${name(of.alias)}`;
}

function source(of: Source): string {
  const named =
    of.alias === undefined ? table(of.table) : `${table(of.table)} as ${name(of.alias)}`;
  const on = of.on === undefined ? '' : ` on ${expression(of.on)}`;
  if (of.join === undefined) return named;
  return of.join === ',' ? `, ${named}` : ` ${of.join} ${named}${on}`;
}

/** How tightly an operator binds; what binds less tightly inside it gets brackets. */
function strength(operator: string): number {
  const ranks = [['or'], ['and'], ['not'], undefined, ['+', '-', '||'], ['*', '/', '%']];
  const rank = ranks.findIndex((operators) => operators?.includes(operator) === true);
  return rank === -1 ? 3 : rank;
}

function expression(of: Expression, outer = -1): string {
  if ('colname' in of) {
    return of.table === undefined ? name(of.colname) : `${name(of.table)}.${name(of.colname)}`;
  }
  if ('value' in of) {
    return of.valtype === 'string' ? `'${of.value.replaceAll("'", "''")}'` : of.value;
  }
  if ('list' in of) return `(${all(of.list, expression)})`;
  if ('function' in of) {
    return `${of.function}(${of.distinct ? 'distinct ' : ''}${all(of.params, expression)})`;
  }
  const inner = strength(of.operator);
  const text = operation(of.operator, of.params, inner);
  return inner < outer ? `(${text})` : text;
}

function operation(operator: string, params: readonly Expression[], inner: number): string {
  const [left = '', right = '', high = ''] = params.map((one, i) =>
    expression(one, i === 0 ? inner : inner + (operator === 'and' || operator === 'or' ? 0 : 0.5)),
  );
  if (params.length === 1) return operator === 'not' ? `not ${left}` : `${operator}${left}`;
  return high === '' ? `${left} ${operator} ${right}` : `${left} ${operator} ${right} and ${high}`;
}

/** A table's name, behind that of a schema where it has one. */
function table(text = ''): string {
  return text.split('.').map(name).join('.');
}

function name(text: string): string {
  return text === '*' || /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(text)
    ? text
    : `"${text.replaceAll('"', '""')}"`;
}
