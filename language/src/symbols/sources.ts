/**
 * Finds the source of the rows at an offset. The source and a name together identify a field missing from the schema.
 */
import type { Pipeline, QueryTree, Source } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

interface Region extends Span {
  readonly source: string;
}

/** Returns a function that finds the source at an offset. Offsets must be passed in ascending order. */
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

/** Returns each pipeline's span and source in text order, outer pipelines first. */
function regionsOf(tree: QueryTree): Region[] {
  const tables = new Map<string, string>();
  const regions: Region[] = [];
  for (const statement of tree.statements) {
    walk([statement], (node) => {
      if (node.kind !== 'Pipeline') return;
      regions.push({ start: node.start, end: node.end, source: sourceOf(node, tables) });
    });
    if (statement.kind !== 'LetStatement' || statement.name.kind !== 'Name') continue;
    const { name, value } = statement;
    if (value.kind === 'Pipeline') tables.set(name.name, sourceOf(value, tables));
    else tables.delete(name.name);
  }
  return regions;
}

function sourceOf(pipeline: Pipeline, tables: ReadonlyMap<string, string>): string {
  let source: Source = pipeline.source;
  while (source.kind === 'ParenthesizedSource') source = source.pipeline.source;
  if (source.kind === 'DatasetSource') return tables.get(source.name.name) ?? source.name.name;
  // Give a source that isn't a dataset a unique key. It contains `\0`, so it can't equal a dataset name.
  return `\0${source.start}`;
}
