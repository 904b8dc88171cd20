/**
 * `join` and `lookup`, with all of Kusto's join kinds. A null operand makes a condition false. `innerunique` keeps one
 * right row per key, as in the service. Kusto keeps one left row instead.
 */
import type { BoundOperator } from '../../../../language/src/index.ts';
import { comparable } from '../comparable.ts';
import { PlanError } from '../errors.ts';
import { planExpression } from '../expressions.ts';
import { joinKey } from '../joinKeys.ts';
import type { Item, JoinClause } from '../relation.ts';
import { type Planning, type Scope, scopeOf, unknownColumn } from '../scope.ts';
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import { columnsByName, Ids, newTable, type Table, type TableColumn } from '../table.ts';

type Join = Extract<BoundOperator, { kind: 'join' }>;

/** The SQL join of each kind. In `swapped` kinds, the left table is the right side of the SQL join. */
const kinds: Readonly<
  Record<string, { readonly clause: JoinClause['kind']; readonly swapped?: true }>
> = {
  inner: { clause: 'INNER' },
  innerunique: { clause: 'INNER' },
  leftouter: { clause: 'LEFT' },
  rightouter: { clause: 'RIGHT' },
  fullouter: { clause: 'FULL' },
  leftsemi: { clause: 'SEMI' },
  leftanti: { clause: 'ANTI' },
  rightsemi: { clause: 'SEMI', swapped: true },
  rightanti: { clause: 'ANTI', swapped: true },
};

export function planJoin(operator: Join, left: Table, planning: Planning): Table {
  const kind = Object.hasOwn(kinds, operator.joinKind) ? kinds[operator.joinKind] : undefined;
  if (kind === undefined) {
    const message = `The join kind ${operator.joinKind} does not exist.`;
    throw new PlanError('invalid-argument', operator.keyword, message);
  }
  const sides = kind.swapped ? ({ left: 'r', right: 'l' } as const) : straight;
  const right = planning.planPipeline(operator.right, planning);
  const scopes = {
    left: sideScope(left, sides.left, planning),
    right: sideScope(right, sides.right, planning),
  };
  const ties = operator.conditions.map((condition) => {
    const a = planExpression(condition.left, scopes.left);
    const b = planExpression(condition.right, scopes.right);
    const [x, y] = comparable(a, b);
    return sql`${joinKey(x, left, planning)} = ${joinKey(y, right, planning)}`;
  });
  const ids = new Ids();
  const items: Item[] = [];
  planning.size.addWritten(operator.columns.list.length, operator);
  const byName = { left: columnsByName(left), right: columnsByName(right) };
  const columns = operator.columns.list.map((wanted): TableColumn => {
    const side = sides[wanted.side];
    const source = byName[wanted.side].get(wanted.from);
    if (source === undefined) throw unknownColumn(wanted.from, operator);
    const take = (id: string) => {
      const free = ids.free(id);
      items.push({ id: free, sql: print.column(id, side) });
      return free;
    };
    if (source.variants === undefined) {
      // Drop the constant value, because an outer join fills this column with null in unmatched rows.
      const { known: _, ...column } = source;
      return { ...column, name: wanted.name, id: take(source.id) };
    }
    const variants = source.variants.map((variant) => ({ ...variant, id: take(variant.id) }));
    return { ...source, name: wanted.name, variants };
  });
  const unique = operator.joinKind === 'innerunique';
  const ready = unique ? firstOfEach(operator, right, planning) : right;
  const on = ties.length === 0 ? sql`true` : print.join(ties, ' AND ');
  const clause: JoinClause = { kind: kind.clause, on, ...(unique && { unique }) };
  const [l, r] = kind.swapped ? [ready, left] : [left, ready];
  return newTable(
    { kind: 'join', left: l.relation, right: r.relation, clause, items },
    columns,
    ids,
  );
}

const straight = { left: 'l', right: 'r' } as const;

function firstOfEach(operator: Join, right: Table, planning: Planning): Table {
  const scope = scopeOf(right, planning);
  const keys = operator.conditions.map((condition) => planExpression(condition.right, scope).sql);
  const rank = sql`row_number() OVER (PARTITION BY ${print.join(keys)})`;
  const ids = new Ids(right.taken);
  const id = ids.free('row of key');
  const numbered = { kind: 'extend', input: right.relation, items: [{ id, sql: rank }] } as const;
  return {
    ...right,
    relation: { kind: 'filter', input: numbered, predicate: sql`${print.column(id)} = 1` },
    taken: ids.taken,
  };
}

function sideScope(table: Table, side: 'l' | 'r', planning: Planning): Scope {
  // Disable precomputed columns here, because their SQL doesn't say to which side they belong.
  const scope = scopeOf(table, { ...planning, precomputed: undefined }, side);
  return {
    ...scope,
    column: (name, _side, span) => {
      const found = scope.find(name);
      if (found === undefined) throw unknownColumn(name, span);
      return found;
    },
  };
}
