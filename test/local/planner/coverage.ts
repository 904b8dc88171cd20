/**
 * Which goldens exercise which row of the catalog, told from the nodes of their queries' trees, so that no text,
 * comment or name of a column is taken for a call. Goldens that are refused do not count: they show no rows.
 */
import {
  type AnyNode,
  aggregates,
  functions,
  operators,
  parseQuery,
  scalarOperators,
  walk,
} from '../../../language/src/index.ts';
import type { Golden } from './goldens.ts';

/** The tables of the catalog, and what a query uses of each. */
const tables = {
  function: functions,
  aggregate: aggregates,
  operator: operators,
  'scalar operator': scalarOperators,
} as const;

export type Table = keyof typeof tables;

export interface Covered {
  readonly table: Table;
  readonly name: string;
  /** The goldens that use it and show rows. */
  readonly goldens: readonly string[];
}

/** Every row of the catalog with its goldens, in the order of the catalog. */
export function coverage(goldens: readonly Golden[]): readonly Covered[] {
  const found = new Map<string, string[]>();
  for (const golden of goldens) {
    if (golden.expected.includes('--- refused')) continue;
    for (const key of usesOf(golden.query)) {
      found.set(key, [...(found.get(key) ?? []), golden.name]);
    }
  }
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows.map(({ name }) => ({
      table: table as Table,
      name,
      goldens: found.get(keyOf(table as Table, name)) ?? [],
    })),
  );
}

function keyOf(table: Table, name: string): string {
  return `${table} ${name}`;
}

const aggregateNames = new Set(aggregates.map(({ name }) => name));

/** What a query uses, each once. */
function usesOf(query: string): ReadonlySet<string> {
  const tree = parseQuery(query);
  const uses = new Set<string>();
  const add = (table: Table, name: string) => uses.add(keyOf(table, name));
  walk(tree.statements, (node) => {
    if ('keyword' in node) add('operator', tree.text.slice(node.keyword.start, node.keyword.end));
    const source = sourceNames[node.kind];
    if (source !== undefined) add('operator', source);
    if (node.kind === 'Call') {
      const { name } = node.name;
      add(aggregateNames.has(name) ? 'aggregate' : 'function', name);
    }
    const operator = scalarOperatorOf(node);
    if (operator !== undefined) add('scalar operator', operator);
  });
  return uses;
}

/** The operators that only start a pipeline. */
const sourceNames: Partial<Record<AnyNode['kind'], string>> = {
  PrintSource: 'print',
  DatatableSource: 'datatable',
  ExternaldataSource: 'externaldata',
  TableCall: 'table',
};

function scalarOperatorOf(node: AnyNode): string | undefined {
  switch (node.kind) {
    case 'Binary':
      return node.operator === 'has' && node.left.kind === 'Star' ? '* has' : node.operator;
    case 'InExpression':
    case 'Between':
      return node.operator;
    case 'Unary':
      return node.operator === 'not' ? 'not' : undefined;
    case 'Call':
      return node.name.name === 'not' ? 'not' : undefined;
    case 'Member':
      return '.';
    case 'Index':
    case 'Slice':
      return '[]';
    default:
      return undefined;
  }
}
