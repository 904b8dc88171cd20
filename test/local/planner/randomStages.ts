/**
 * Random stages: each is its text and what it does by the documents, so that a case can be cut down stage
 * by stage when it fails.
 */
import { quoteName } from '../../../language/src/index.ts';
import type { Random } from '../random.ts';
import {
  distinct,
  extend,
  limit,
  project,
  read,
  type SortKey,
  sort,
  type Table,
  where,
} from './evaluator.ts';
import { type Aggregate, summarize } from './evaluatorGroups.ts';
import { type Expansion, type JoinKind, join, mvExpand, union } from './evaluatorTables.ts';
import { Ambiguous, type Type, Unfit } from './evaluatorValues.ts';
import { makeSummarize } from './randomAggregates.ts';
import { column, expression, itemsText, randomItems } from './randomExpressions.ts';
import { pick, type Source, tableOf } from './randomTables.ts';

export interface Stage {
  readonly text: string;
  readonly run: (table: Table) => Table;
}

/** More rows than these only cost time. */
const mostRows = 150;

export function attempted(stage: Stage, table: Table): Table | undefined {
  try {
    const next = stage.run(table);
    const count = next.classes.reduce((sum, rows) => sum + rows.length, 0);
    return count <= mostRows && next.columns.length <= 24 ? next : undefined;
  } catch (error) {
    if (error instanceof Ambiguous || error instanceof Unfit) return undefined;
    throw error;
  }
}

type Maker = (
  table: Table,
  sources: readonly Source[],
  random: Random,
  depth: number,
) => Stage | undefined;

export function randomStage(
  table: Table,
  sources: readonly Source[],
  random: Random,
  depth: number,
): Stage | undefined {
  return pick(random, makers)(table, sources, random, depth);
}

const makers: readonly Maker[] = [
  makeWhere,
  makeWhere,
  makeExtend,
  makeExtend,
  makeProject,
  makeProjectAway,
  makeSort,
  makeSort,
  makeLimit,
  makeLimit,
  makeTop,
  makeSummarize,
  makeSummarize,
  makeDistinct,
  makeCount,
  makeJoin,
  makeJoin,
  makeUnion,
  makeMvExpand,
  makeMvExpand,
];

function makeWhere({ columns }: Table, _: readonly Source[], random: Random): Stage | undefined {
  const test = expression('bool', columns, random, 3);
  return test && { text: `where ${test.text}`, run: (table) => where(table, test) };
}

function makeExtend(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const items = randomItems(table, random, 3);
  if (items.length === 0) return undefined;
  return { text: `extend ${itemsText(items)}`, run: (input) => extend(input, items) };
}

function makeProject(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const items = randomItems(table, random, 4);
  const kept = table.columns.filter(
    ({ name }) => random(2) === 0 && !items.some((item) => item.name === name),
  );
  for (const one of kept) items.push({ name: one.name, expression: column(one) });
  if (items.length === 0) return undefined;
  return { text: `project ${itemsText(items)}`, run: (input) => project(input, items) };
}

/** What an order may still need is taken away. */
function makeProjectAway(
  { columns }: Table,
  _: readonly Source[],
  random: Random,
): Stage | undefined {
  if (columns.length < 2) return undefined;
  const away = pick(random, columns);
  const run = (table: Table): Table => {
    const kept = table.columns.filter(({ name }) => name !== away.name);
    if (kept.length === table.columns.length || kept.length === 0) throw new Unfit(away.name);
    return project(
      table,
      kept.map((one) => ({ name: one.name, expression: read(one) })),
    );
  };
  return { text: `project-away ${quoteName(away.name)}`, run };
}

const sortable: ReadonlySet<Type> = new Set([
  'bool',
  'long',
  'real',
  'string',
  'datetime',
  'timespan',
]);

function randomKeys(
  { columns }: Table,
  random: Random,
): { text: string; keys: SortKey[] } | undefined {
  const keys: SortKey[] = [];
  const texts: string[] = [];
  const plain = columns.filter(({ type }) => sortable.has(type));
  for (let i = 1 + random(3); i > 0; i--) {
    const type = pick(random, [...sortable]);
    const of =
      plain.length > 0 && random(3) > 0
        ? column(pick(random, plain))
        : expression(type, columns, random);
    if (of === undefined) continue;
    const direction = pick(random, ['', ' asc', ' desc'] as const);
    const nulls = pick(random, ['', '', ' nulls first', ' nulls last'] as const);
    // Descending where nothing is said; nulls are the least unless something is.
    const desc = direction !== ' asc';
    keys.push({
      expression: of,
      desc,
      nullsFirst: nulls === '' ? !desc : nulls === ' nulls first',
    });
    texts.push(`${of.text}${direction}${nulls}`);
  }
  return keys.length === 0 ? undefined : { text: texts.join(', '), keys };
}

function makeSort(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const made = randomKeys(table, random);
  return made && { text: `sort by ${made.text}`, run: (input) => sort(input, made.keys) };
}

function makeLimit(_: Table, __: readonly Source[], random: Random): Stage {
  const count = random(8);
  return {
    text: `${pick(random, ['take', 'limit'])} ${count}`,
    run: (table) => limit(table, count),
  };
}

function makeTop(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const made = randomKeys(table, random);
  const count = random(6);
  return (
    made && {
      text: `top ${count} by ${made.text}`,
      run: (input) => limit(sort(input, made.keys), count),
    }
  );
}

function makeCount(): Stage {
  const count: Aggregate = {
    name: 'count',
    type: 'long',
    uses: [],
    of: (rows) => BigInt(rows.length),
  };
  const run = (table: Table): Table => {
    return summarize(table, [count], []);
  };
  return { text: 'count', run };
}

function makeDistinct({ columns }: Table, _: readonly Source[], random: Random): Stage | undefined {
  const chosen = columns.filter(() => random(3) === 0);
  if (chosen.length === 0) return undefined;
  const text = chosen.map(({ name }) => quoteName(name)).join(', ');
  return { text: `distinct ${text}`, run: (table) => distinct(table, chosen) };
}

/** A table with at most two stages on it, as the other side of a join or a union. */
function randomSide(sources: readonly Source[], random: Random) {
  const source = pick(random, sources);
  const stages: Stage[] = [];
  let table = tableOf(source);
  for (let i = random(3); i > 0; i--) {
    const stage = randomStage(table, sources, random, 1);
    const next = stage && attempted(stage, table);
    if (stage === undefined || next === undefined) continue;
    stages.push(stage);
    table = next;
  }
  const text = `(${[source.name, ...stages.map((stage) => stage.text)].join(' | ')})`;
  const run = () => stages.reduce((before, stage) => stage.run(before), tableOf(source));
  return { text, run, table, name: source.name };
}

const joinKinds: readonly JoinKind[] = [
  'inner',
  'inner',
  'innerunique',
  'leftouter',
  'rightouter',
  'fullouter',
  'leftsemi',
  'leftanti',
  'rightsemi',
  'rightanti',
];

function makeJoin(
  table: Table,
  sources: readonly Source[],
  random: Random,
  depth: number,
): Stage | undefined {
  if (depth > 0) return undefined;
  const side = randomSide(sources, random);
  const joinable: readonly Type[] = ['long', 'real', 'string', 'bool', 'datetime', 'timespan'];
  const pairs = table.columns.flatMap((left) =>
    side.table.columns
      .filter((right) => left.type === right.type && joinable.includes(left.type))
      .map((right) => [left, right] as const),
  );
  const named = pairs.filter(([left, right]) => left.name === right.name);
  const chosen = [pick(random, named.length > 0 && random(3) > 0 ? named : pairs)];
  if (random(4) === 0) chosen.push(pick(random, pairs));
  if (chosen.includes(undefined as never)) return undefined;
  const ties = chosen.map(([left, right]) => ({ left: column(left), right: column(right) }));
  const on = chosen.map(([left, right]) =>
    left.name === right.name && random(2) === 0
      ? quoteName(left.name)
      : `$left.${quoteName(left.name)} == $right.${quoteName(right.name)}`,
  );
  if (random(4) === 0) {
    const kind = pick(random, ['leftouter', 'inner'] as const);
    const dropped = new Set(chosen.map(([, right]) => right.name));
    return {
      text: `lookup kind=${kind} ${side.text} on ${on.join(', ')}`,
      run: (input) => join(input, side.run(), kind, ties, dropped),
    };
  }
  const kind = pick(random, joinKinds);
  return {
    text: `join kind=${kind} ${side.text} on ${on.join(', ')}`,
    run: (input) => join(input, side.run(), kind, ties),
  };
}

function makeUnion(
  _: Table,
  sources: readonly Source[],
  random: Random,
  depth: number,
): Stage | undefined {
  if (depth > 0) return undefined;
  const sides = Array.from({ length: 1 + random(2) }, () => randomSide(sources, random));
  const tables = sides.map(({ text }) => text).join(', ');
  const source = random(3) === 0 ? 'origin' : undefined;
  return {
    text: `union ${source === undefined ? '' : `withsource=${source} `}${tables}`,
    run: (table) => {
      if (table.columns.some(({ name }) => name === source)) throw new Unfit('origin');
      const all = [table, ...sides.map(({ run }) => run())];
      if (all.some(({ columns }) => columns.some(({ name }) => name === source)))
        throw new Unfit('origin');
      return union(all, source);
    },
  };
}

function makeMvExpand(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const items = new Map<string, Expansion & { text: string }>();
  const lists = table.columns.filter(({ type }) => type === 'dynamic');
  for (let i = 1 + random(2); i > 0; i--) {
    const own = lists.length > 0 && random(4) > 0 ? pick(random, lists) : undefined;
    const of = own === undefined ? expression('dynamic', table.columns, random, 1) : column(own);
    if (of === undefined) continue;
    const name = own?.name ?? pick(random, ['element', 'item', 'a']);
    const to = pick(random, [undefined, undefined, 'long', 'string'] as const);
    const written = own === undefined ? `${quoteName(name)} = ${of.text}` : of.text;
    const text = to === undefined ? written : `${written} to typeof(${to})`;
    items.set(name, { name, expression: of, text, ...(to === undefined ? {} : { to }) });
  }
  if (items.size === 0) return undefined;
  const index = random(4) === 0 ? 'place' : undefined;
  const most = random(5) === 0 ? 1 + random(3) : undefined;
  const bags = random(2) === 0;
  const text = [
    'mv-expand',
    ...(bags ? ['kind=bag'] : []),
    ...(index === undefined ? [] : [`with_itemindex=${index}`]),
    [...items.values()].map((item) => item.text).join(', '),
    ...(most === undefined ? [] : [`limit ${most}`]),
  ].join(' ');
  const options = {
    bags,
    ...(index === undefined ? {} : { index }),
    ...(most === undefined ? {} : { limit: most }),
  };
  return { text, run: (input) => mvExpand(input, [...items.values()], options) };
}
