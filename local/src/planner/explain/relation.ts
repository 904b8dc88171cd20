/**
 * Formats the relational plan with one line per node, from the source to the result. The additional inputs of a join or
 * union are bullets below its line.
 */
import type { Item, OrderKey, Relation } from '../relation.ts';
import { listText, nameText, sqlText } from './text.ts';

export function relationLines(relation: Relation): string[] {
  const lines: string[][] = [];
  for (let node: Relation | undefined = relation; node !== undefined; node = mainInput(node)) {
    lines.push([lineOf(node), ...otherInputs(node).flatMap(bulleted)]);
  }
  return lines.reverse().flat();
}

export function bullet(lines: readonly string[]): string[] {
  return lines.map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`);
}

function bulleted(relation: Relation): string[] {
  return bullet(relationLines(relation));
}

function mainInput(relation: Relation): Relation | undefined {
  switch (relation.kind) {
    case 'table':
    case 'values':
    case 'union':
      return undefined;
    case 'join':
      return relation.left;
    default:
      return relation.input;
  }
}

function otherInputs(relation: Relation): readonly Relation[] {
  if (relation.kind === 'union') return relation.inputs;
  return relation.kind === 'join' ? [relation.right] : [];
}

function lineOf(relation: Relation): string {
  switch (relation.kind) {
    case 'table':
      return `read ${sqlText(relation.name.text)}`;
    case 'values': {
      const { ids, rows } = relation;
      if (ids.length === 0) return 'one row';
      return `${rows.length} constant ${rows.length === 1 ? 'row' : 'rows'} of ${names(ids)}`;
    }
    case 'filter':
      return `where ${sqlText(relation.predicate.text)}`;
    case 'extend':
      return `compute ${items(relation.items)}`;
    case 'keep':
      return `keep ${names(relation.ids)}`;
    case 'aggregate': {
      const { groups, aggregates } = relation;
      if (aggregates.length === 0) return `distinct ${items(groups)}`;
      const by = groups.length === 0 ? '' : ` by ${items(groups)}`;
      return `aggregate ${items(aggregates)}${by}`;
    }
    case 'sort': {
      const { keys, limit } = relation;
      const sort = keys.length === 0 ? [] : [`sort by ${listText(keys.map(orderKey))}`];
      const first = limit === undefined ? [] : [`take the first ${limit}`];
      return [...sort, ...first].join(', ');
    }
    case 'expand':
      return `expand ${items(relation.items)}`;
    case 'total':
      return `compute ${nameText(relation.id)} = the sum of ${nameText(relation.of)} over all rows`;
    case 'sample':
      return `sample ${relation.ratio} of the rows`;
    case 'union':
      return `union of ${relation.inputs.length}, each giving ${names(relation.ids)}`;
    case 'join': {
      const { clause } = relation;
      return `${clause.kind.toLowerCase()} join on ${sqlText(clause.on.text)}, giving ${items(relation.items)}`;
    }
  }
}

function names(ids: readonly string[]): string {
  return listText(ids.map(nameText));
}

/** Formats columns with their expressions. For an unchanged column, writes only its name. */
function items(list: readonly Item[]): string {
  return listText(
    list.map(({ id, sql }) => {
      const [name, of] = [nameText(id), sqlText(sql.text)];
      return name === of ? name : `${name} = ${of}`;
    }),
  );
}

function orderKey({ id, desc, nullsFirst }: OrderKey): string {
  return `${nameText(id)} ${desc ? 'desc' : 'asc'} nulls ${nullsFirst ? 'first' : 'last'}`;
}
