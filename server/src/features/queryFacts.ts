/** Determines a query's properties that are needed to run it and to display its result. */
import {
  factsOfNode,
  type RowEffect,
  scalarTypeOf,
  type syntax,
  walk,
} from '../../../language/src/index.ts';
import type { DrawnAs, ParameterType, QueryFacts, QueryParameter, Unlimited } from '../protocol.ts';
import { statesColumnOrder, tabularLets } from './columnOrder.ts';
import { stagesOf } from './queryTitle.ts';

export function queryFacts(tree: syntax.QueryTree): QueryFacts {
  const unlimited = unlimitedIn(tree);
  const stages = stagesOf(tree);
  const allFieldsOf = datasetShown(tree);
  return {
    statesColumnOrder: statesColumnOrder(tree),
    parameters: parametersOf(tree),
    datasets: datasetsNamed(tree),
    drawnAs: unlimited ? 'logStream' : drawnAs(tree),
    ...(unlimited && { unlimited }),
    ...(allFieldsOf !== undefined && { allFieldsOf }),
    ...(stages && { stages }),
  };
}

const TIME_BIN = /^(?:[^=(]+=)?\s*bin(?:_auto|_at)?\s*\(\s*(?:_time\b|\[['"]_time['"]\])/;

/** Chooses the visualization from the last stage that changes the columns. */
function drawnAs({ statements, text }: syntax.QueryTree): DrawnAs {
  const query = statements.findLast((statement) => statement.kind === 'QueryStatement');
  const last = query?.pipeline.stages.findLast(({ operator }) => !keepsColumns(operator));
  switch (last?.operator.kind) {
    case 'CountOperator':
      return 'statistic';
    case 'MakeSeriesOperator':
      return 'timeSeries';
    case 'SummarizeOperator': {
      const { groups, aggregates } = last.operator;
      if (groups.some(({ start, end }) => TIME_BIN.test(text.slice(start, end)))) {
        return 'timeSeries';
      }
      // Show several aggregates as a table, because a list or a single number shows only one value per group.
      if (aggregates.length !== 1) return 'table';
      return groups.length === 0 ? 'statistic' : 'topList';
    }
    default:
      return 'table';
  }
}

/** Returns the names of datasets in a query, without wildcards and names of `let` statements. */
function datasetsNamed({ statements }: syntax.QueryTree): string[] {
  const names = new Set<string>();
  const lets = new Set<string>();
  walk(statements, (node) => {
    if (node.kind === 'LetStatement' && node.name.kind === 'Name') lets.add(node.name.name);
    if (node.kind === 'DatasetSource') names.add(node.name.name);
    if (node.kind === 'DatasetPattern' && !node.wildcard) names.add(node.name);
  });
  return [...names].filter((name) => !lets.has(name));
}

function parametersOf({ statements, text }: syntax.QueryTree): QueryParameter[] {
  const declared = statements.flatMap((statement) =>
    statement.kind === 'DeclareStatement' ? statement.parameters : [],
  );
  return declared.map(({ name, type, defaultValue }) => ({
    name: name.name,
    type: parameterType(type),
    ...(defaultValue && { defaultText: textOf(defaultValue, text) }),
  }));
}

function parameterType(written: syntax.TypeName | undefined): ParameterType {
  const type = written === undefined ? 'string' : scalarTypeOf(written.name);
  return type === undefined || type === 'unknown' ? 'string' : type;
}

function textOf(node: syntax.Expression, text: string): string {
  return node.kind === 'Literal' && typeof node.value === 'string' && node.type === 'string'
    ? node.value
    : text.slice(node.start, node.end);
}

const keepsColumns = (operator: syntax.Operator): boolean =>
  factsOfNode(operator).columns === 'kept';

/** Row effects that make an additional limit unnecessary. Includes `unknown`, which may limit the rows. */
const limiting: ReadonlySet<RowEffect> = new Set(['limited', 'sampled', 'grouped', 'unknown']);

function datasetShown({ statements }: syntax.QueryTree): string | undefined {
  const queries = statements.filter(({ kind }) => kind === 'QueryStatement');
  const [query] = queries;
  if (queries.length !== 1 || query?.kind !== 'QueryStatement') return undefined;
  const { source, stages } = query.pipeline;
  if (source.kind !== 'DatasetSource') return undefined;
  if (!stages.every(({ operator }) => keepsColumns(operator))) return undefined;
  const { name } = source.name;
  const isLet = statements.some(
    (one) => one.kind === 'LetStatement' && one.name.kind === 'Name' && one.name.name === name,
  );
  return isLet || name.includes('*') ? undefined : name;
}

/** Returns where to insert a limit. Undefined if the query has a limit or an aggregate, or reads no dataset. */
function unlimitedIn(tree: syntax.QueryTree): Unlimited | undefined {
  const { statements, text } = tree;
  const query = statements.findLast((statement) => statement.kind === 'QueryStatement');
  if (query === undefined) return undefined;
  const datasets = datasetsOf(query.pipeline, tabularLets(tree));
  if (datasets === undefined) return undefined;
  const end = (query.pipeline.stages.at(-1) ?? query.pipeline.source).end;
  const offset = text.slice(0, end).trimEnd().length;
  const lines = text.slice(query.pipeline.start, end).includes('\n');
  return { datasets, offset, insert: `${lines ? '\n' : ' '}| limit 1000` };
}

/** Returns the datasets read, or an empty array for all. Undefined for a pipeline with a limit or without datasets. */
function datasetsOf(
  pipeline: syntax.Pipeline,
  lets: ReadonlyMap<string, syntax.Pipeline>,
): string[] | undefined {
  if (pipeline.stages.some(({ operator }) => limiting.has(factsOfNode(operator).rows)))
    return undefined;
  const { source } = pipeline;
  switch (source.kind) {
    case 'DatasetSource':
      return namedDatasets(source.name.name, lets);
    case 'ParenthesizedSource':
      return datasetsOf(source.pipeline, lets);
    case 'UnionOperator':
      return read(source.tables.map((table) => tableDatasets(table, lets)));
    case 'SearchOperator':
      return read(source.tables.map((table) => tableDatasets(table, lets))) ?? [];
    default:
      return undefined;
  }
}

function tableDatasets(
  table: syntax.DatasetPattern | syntax.Pipeline,
  lets: ReadonlyMap<string, syntax.Pipeline>,
): string[] | undefined {
  return table.kind === 'Pipeline' ? datasetsOf(table, lets) : namedDatasets(table.name, lets);
}

function namedDatasets(
  name: string,
  lets: ReadonlyMap<string, syntax.Pipeline>,
): string[] | undefined {
  const value = lets.get(name);
  if (value === undefined) return [name];
  // Follow each `let` statement only once, because a statement may refer to itself.
  const others = new Map(lets);
  others.delete(name);
  return datasetsOf(value, others);
}

function read(tables: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const found = tables.flatMap((names) => names ?? []);
  return found.length > 0 ? [...new Set(found)] : undefined;
}
