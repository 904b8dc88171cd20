/** Determines whether a query specifies its column order. Otherwise, the client chooses the order. */
import { factsOfNode, type syntax } from '../../../language/src/index.ts';

const listing: ReadonlySet<syntax.Source['kind']> = new Set<syntax.Source['kind']>([
  'PrintSource',
  'DatatableSource',
  'ExternaldataSource',
  'ExpressionSource',
]);

export function statesColumnOrder(tree: syntax.QueryTree): boolean {
  const query = tree.statements.findLast((statement) => statement.kind === 'QueryStatement');
  const lets = tabularLets(tree);
  let pipeline = query?.pipeline;
  // Follow each `let` statement only once, because a statement may refer to itself.
  while (pipeline !== undefined) {
    if (pipeline.stages.some(({ operator }) => isStating(operator))) return true;
    const { source }: syntax.Pipeline = pipeline;
    if (listing.has(source.kind)) return true;
    if (source.kind === 'ParenthesizedSource') pipeline = source.pipeline;
    else if (source.kind === 'DatasetSource') {
      const { name } = source.name;
      pipeline = lets.get(name);
      lets.delete(name);
    } else pipeline = undefined;
  }
  return false;
}

export function tabularLets({ statements }: syntax.QueryTree): Map<string, syntax.Pipeline> {
  const lets = new Map<string, syntax.Pipeline>();
  for (const statement of statements) {
    if (statement.kind !== 'LetStatement' || statement.name.kind !== 'Name') continue;
    if (statement.value.kind === 'Pipeline') lets.set(statement.name.name, statement.value);
  }
  return lets;
}

function isStating(operator: syntax.Operator): boolean {
  if (operator.kind === 'ProjectByPatternOperator') return operator.mode === 'reorder';
  return factsOfNode(operator).columns === 'listed';
}
