/**
 * `summarize`. A group by a bin of `_time` makes a time series: the plan keeps what it needs to count a
 * later limit in groups, and to give the totals table, which is the same grouping without the time.
 */
import type { BoundOperator, NamedExpression } from '../../../../language/src/index.ts';
import { aggregateOf, planSpread } from '../aggregates.ts';
import { planExpression } from '../expressions.ts';
import type { Item } from '../relation.ts';
import { type Planning, type Scope, scopeOf } from '../scope.ts';
import { addColumn, fresh, Ids, type Table, type TableColumn, type TimeBin } from '../table.ts';
import { binSize } from '../timeBins.ts';

type Summarize = Extract<BoundOperator, { kind: 'summarize' }>;

/** Plans the operator; with `withoutTime`, the group of the time bin is left out. */
export function planSummarize(
  operator: Summarize,
  table: Table,
  planning: Planning,
  withoutTime = false,
): Table {
  const scope = scopeOf(table, planning);
  const bin = timeBinOf(operator, table, scope);
  const { range } = planning.context;
  const inside: Scope = {
    ...scope,
    aggregates: {
      window: bin === undefined || withoutTime ? range.end - range.start : bin.size,
      groups: new Set(operator.groups.map((group) => group.name)),
    },
  };
  const ids = new Ids();
  const groups: Item[] = [];
  const kept = operator.groups.filter((_, i) => !withoutTime || i !== operator.timeGroup);
  const groupColumns = kept.map((group) =>
    addColumn(group.name, planExpression(group.expression, scope), ids, groups),
  );
  const aggregates: Item[] = [];
  const made = operator.aggregates.flatMap((item) =>
    aggregateColumns(item, inside, ids, aggregates),
  );
  const result = fresh(
    { kind: 'aggregate', input: table.relation, groups, aggregates },
    [...groupColumns, ...made],
    ids,
  );
  const names = groupColumns.map((column) => column.name);
  const grouped = { ...result, groups: names };
  return bin === undefined || withoutTime ? grouped : { ...grouped, bin };
}

function aggregateColumns(
  item: NamedExpression,
  scope: Scope,
  ids: Ids,
  items: Item[],
): readonly TableColumn[] {
  const { expression } = item;
  if (item.columns !== undefined && expression.kind === 'call') {
    return planSpread(expression, scope).map((value, i) =>
      addColumn(item.columns?.[i] ?? item.name, value, ids, items),
    );
  }
  const column = addColumn(item.name, planExpression(expression, scope), ids, items);
  const agg = aggregateOf(expression);
  return [agg === undefined ? column : { ...column, agg }];
}

/** The bin of `_time` among the groups; a bin of another time is a group like any other. */
function timeBinOf(operator: Summarize, input: Table, scope: Scope): TimeBin | undefined {
  const { timeGroup } = operator;
  const group = timeGroup === undefined ? undefined : operator.groups[timeGroup];
  if (group === undefined || group.expression.kind !== 'call') return undefined;
  const [time] = group.expression.arguments;
  if (time?.kind !== 'column' || time.name !== '_time') return undefined;
  const size = binSize(group.expression, scope);
  if (size === undefined) return undefined;
  const others = operator.groups.filter((other) => other !== group).map((other) => other.name);
  return { field: group.name, size, groups: others, first: timeGroup === 0, operator, input };
}
