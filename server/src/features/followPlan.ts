/**
 * Plans how to follow a query as new events arrive. Only new events are queried if the query's rows are events of one
 * dataset in time order. The entire query runs again for other rows, for a filter after a limit, and if the query may
 * remove the arrival column.
 */
import { factsOfNode, type syntax } from '../../../language/src/index.ts';
import { arrivalColumn, type FollowPlan } from '../protocol.ts';

export function followPlan(tree: syntax.QueryTree): FollowPlan {
  const query = tree.statements.findLast((statement) => statement.kind === 'QueryStatement');
  if (query === undefined) return rows('there is no query');
  const { source, stages } = query.pipeline;
  const lets = tree.statements.flatMap((statement) =>
    statement.kind === 'LetStatement' && statement.name.kind === 'Name'
      ? [statement.name.name]
      : [],
  );
  if (source.kind !== 'DatasetSource' || lets.includes(source.name.name) || isPattern(source.name))
    return rows('it does not start with a dataset');
  let rest = '';
  let limit: number | undefined;
  for (const { operator, start, end } of stages) {
    const text = tree.text.slice(start, end);
    switch (operator.kind) {
      case 'SortOperator':
      case 'TopOperator':
        if (!operator.keys.every(isByTime)) return rows('its rows are not in the order of time');
        if (operator.kind === 'TopOperator') limit = fewer(limit, operator.count);
        break;
      case 'LimitOperator':
        limit = fewer(limit, operator.count);
        break;
      case 'ProjectOperator':
        rest += `\n${text}, ${arrivalColumn}`;
        break;
      case 'ProjectByPatternOperator':
        if (operator.mode === 'away' && operator.items.some(({ name }) => removesArrival(name)))
          return rows('it removes all columns of a pattern');
        rest += operator.mode === 'keep' ? `\n${text}, ${arrivalColumn}` : `\n${text}`;
        break;
      default: {
        const effect = factsOfNode(operator).rows;
        if (effect !== 'all' && effect !== 'filtered')
          return rows(`its rows are not events after "${wordOf(operator, tree)}"`);
        if (effect === 'filtered' && limit !== undefined)
          return rows('it filters the rows that a limit leaves');
        rest += `\n${text}`;
      }
    }
  }
  return {
    kind: 'events',
    source: tree.text.slice(0, source.end),
    stages: rest,
    ...(limit !== undefined && { limit }),
  };
}

function rows(reason: string): FollowPlan {
  return { kind: 'rows', reason };
}

function isPattern({ name, quoted }: syntax.Name): boolean {
  return !quoted && name.includes('*');
}

function isByTime({ expression }: syntax.SortKey): boolean {
  if (expression.kind !== 'NameReference') return false;
  return expression.name === '_time' || expression.name === '_sysTime';
}

function removesArrival(pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(arrivalColumn);
}

/** Returns the lower of two row limits. A limit that isn't a literal counts as `Number.MAX_SAFE_INTEGER`. */
function fewer(limit: number | undefined, count: syntax.Expression): number {
  const stated = count.kind === 'Literal' ? Number(count.value) : Number.NaN;
  const known = Number.isSafeInteger(stated) && stated >= 0 ? stated : Number.MAX_SAFE_INTEGER;
  return Math.min(limit ?? known, known);
}

function wordOf({ keyword }: syntax.Operator, { text }: syntax.QueryTree): string {
  return text.slice(keyword.start, keyword.end);
}
