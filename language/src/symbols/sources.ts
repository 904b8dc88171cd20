/**
 * Where the rows at a place come from. A field that the schema does not list has no identity of its own:
 * one of that name in the rows of the same dataset is taken to be the same field.
 */
import type { LetStatement, Pipeline, QueryTree, Source } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';

/** A pipeline of a query and the name of what its rows are read from. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly source: string;
}

/** Tells for places asked in text order which source their rows have; linear in the query. */
export function sourceReader(tree: QueryTree): (offset: number) => string {
  const regions = regionsOf(tree);
  const open: Region[] = [];
  let next = 0;
  return (offset) => {
    for (let region = regions[next]; region !== undefined && region.start <= offset; ) {
      open.push(region);
      region = regions[++next];
    }
    while (open.length > 0 && (open.at(-1) as Region).end <= offset) open.pop();
    return open.at(-1)?.source ?? '';
  };
}

/** The pipelines of a query in text order, outer ones before those inside them. */
function regionsOf(tree: QueryTree): Region[] {
  const tables = new Map<string, string>();
  const regions: Region[] = [];
  for (const statement of tree.statements) {
    walk([statement], (node) => {
      if (node.kind !== 'Pipeline') return;
      regions.push({ start: node.start, end: node.end, source: sourceOf(node, tables) });
    });
    if (statement.kind === 'LetStatement') remember(statement, tables);
  }
  return regions;
}

/** A let of a table stands for the rows that it is made of. */
function remember(statement: LetStatement, tables: Map<string, string>): void {
  const { name, value } = statement;
  if (name.kind !== 'Name') return;
  if (value.kind === 'Pipeline') tables.set(name.name, sourceOf(value, tables));
  else tables.delete(name.name);
}

function sourceOf(pipeline: Pipeline, tables: ReadonlyMap<string, string>): string {
  let source: Source = pipeline.source;
  while (source.kind === 'ParenthesizedSource') source = source.pipeline.source;
  if (source.kind === 'DatasetSource') return tables.get(source.name.name) ?? source.name.name;
  // A source of several tables, or of none that has a name, is its own; no dataset is called so.
  return `\0${source.start}`;
}
