/**
 * Random pipelines over random tables: each stage is its text and what it does by the documents, so that a
 * case can be cut down stage by stage when it fails.
 */
import { quoteName } from '../../../language/src/index.ts';
import { type Random, random as seeded } from '../random.ts';
import {
  type Aggregate,
  aggregateRows,
  type Column,
  distinct,
  type Expansion,
  type Expression,
  extend,
  greatest,
  type Item,
  type JoinKind,
  join,
  limit,
  mvExpand,
  project,
  read,
  type SortKey,
  sort,
  summarize,
  type Table,
  union,
  where,
  withImpliedOrder,
} from './evaluator.ts';
import { operations } from './evaluatorScalars.ts';
import { Ambiguous, type Cell, type Type, Unfit } from './evaluatorValues.ts';
import {
  letText,
  literal,
  pick,
  randomSource,
  type Source,
  tableOf,
  types,
} from './randomTables.ts';

export interface Stage {
  readonly text: string;
  readonly run: (table: Table) => Table;
}

export interface Case {
  readonly sources: readonly Source[];
  readonly stages: readonly Stage[];
}

/** The query's text: a `let` for every table that is not stored, then the pipeline. */
export function queryOf({ sources, stages }: Case): string {
  const lets = sources.filter(({ stored }) => !stored).map(letText);
  const [first] = sources;
  return [...lets, first?.name ?? '', ...stages.map(({ text }) => `| ${text}`)].join('\n');
}

/** What the documents say that a case answers. Throws `Ambiguous` or `Unfit` where it is no case. */
export function answerOf({ sources, stages }: Case): Table {
  const [first] = sources as readonly [Source, ...Source[]];
  return withImpliedOrder(stages.reduce((table, stage) => stage.run(table), tableOf(first)));
}

/** More rows than these only cost time. */
const mostRows = 150;

export function randomCase(seed: number): Case {
  const random = seeded(seed);
  const sources = [randomSource('T', random), randomSource('U', random)];
  const stages: Stage[] = [];
  let table = tableOf(sources[0] as Source);
  const wanted = 1 + random(6);
  for (let tries = 0; stages.length < wanted && tries < 40; tries++) {
    const stage = randomStage(table, sources, random, 0);
    const next = stage && attempted(stage, table);
    if (stage === undefined || next === undefined) continue;
    stages.push(stage);
    table = next;
  }
  const used = stages.some(({ text }) => /\bU\b/.test(text));
  return { sources: used ? sources : sources.slice(0, 1), stages };
}

function attempted(stage: Stage, table: Table): Table | undefined {
  try {
    const next = stage.run(table);
    const count = next.classes.reduce((sum, rows) => sum + rows.length, 0);
    return count <= mostRows && next.columns.length <= 24 ? next : undefined;
  } catch (error) {
    if (error instanceof Ambiguous || error instanceof Unfit) return undefined;
    throw error;
  }
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

export function expression(
  type: Type,
  columns: readonly Column[],
  random: Random,
  depth = 2,
): Expression | undefined {
  const own = columns.filter((column) => column.type === type);
  const way = random(10);
  if (own.length > 0 && (way < 4 || depth === 0)) return column(pick(random, own));
  if (depth > 0 && way < 9) {
    const fitting = operations.filter(({ result }) => result === type);
    if (fitting.length > 0) {
      const operation = pick(random, fitting);
      const parts: Expression[] = [];
      for (const part of operation.takes) {
        const found = expression(part, columns, random, depth - 1);
        if (found === undefined) return undefined;
        parts.push(found);
      }
      return {
        type,
        text: operation.text(...parts.map(({ text }) => text)),
        uses: parts.flatMap(({ uses }) => uses),
        of: (row) => operation.of(...parts.map((part) => part.of(row))),
      };
    }
  }
  if (type !== 'mixed') return literal(type, random);
  return own.length > 0 ? column(pick(random, own)) : undefined;
}

function column(of: Column): Expression {
  return read(of, quoteName(of.name));
}

function some(columns: readonly Column[], random: Random, depth?: number): Expression | undefined {
  return expression(pick(random, types), columns, random, depth);
}

// ── Stages ────────────────────────────────────────────────────────────────────────────────────────

type Maker = (
  table: Table,
  sources: readonly Source[],
  random: Random,
  depth: number,
) => Stage | undefined;

function randomStage(
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

const freshNames = ['b', 'B', 'n', 'x y', 'aggregate', 'made', 'element'] as const;

function randomItems(table: Table, random: Random, most: number): Item[] {
  const items = new Map<string, Item>();
  for (let i = 1 + random(most); i > 0; i--) {
    const olds = table.columns.map(({ name }) => name);
    const name = random(2) === 0 && olds.length > 0 ? pick(random, olds) : pick(random, freshNames);
    const own = table.columns.filter(({ type }) => type !== 'mixed' || random(2) === 0);
    const plain = random(3) === 0 && own.length > 0;
    const made = plain ? column(pick(random, own)) : some(table.columns, random);
    if (made !== undefined) items.set(name, { name, expression: made });
  }
  return [...items.values()];
}

function itemsText(items: readonly Item[]): string {
  return items.map(({ name, expression: { text } }) => `${quoteName(name)} = ${text}`).join(', ');
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

function makeSummarize(table: Table, _: readonly Source[], random: Random): Stage | undefined {
  const groups = random(4) === 0 ? [] : randomGroups(table, random);
  const aggregates: Aggregate[] = [];
  const texts: string[] = [];
  for (let i = 1 + random(3); i > 0; i--) {
    const made = randomAggregate(`g${aggregates.length}`, table, random);
    if (made === undefined) continue;
    aggregates.push(...made.aggregates);
    texts.push(made.text);
  }
  if (texts.length === 0) return undefined;
  const by = groups.length === 0 ? '' : ` by ${itemsText(groups)}`;
  return {
    text: `summarize ${texts.join(', ')}${by}`,
    run: (input) => summarize(input, aggregates, groups),
  };
}

function randomGroups(table: Table, random: Random): Item[] {
  const groups = new Map<string, Item>();
  for (let i = 1 + random(2); i > 0; i--) {
    const of =
      random(2) === 0 ? column(pick(random, table.columns)) : some(table.columns, random, 1);
    const name = pick(random, ['k', 's', 'G', 'aggregate']);
    if (of !== undefined) groups.set(name, { name, expression: of });
  }
  return [...groups.values()];
}

function randomAggregate(
  name: string,
  { columns }: Table,
  random: Random,
): { text: string; aggregates: Aggregate[] } | undefined {
  const way = random(10);
  if (way === 0) {
    return { text: `${name} = count()`, aggregates: [counted(name, undefined)] };
  }
  if (way === 1) {
    const test = expression('bool', columns, random);
    return test && { text: `${name} = countif(${test.text})`, aggregates: [counted(name, test)] };
  }
  if (way < 4) return randomGreatest(name, columns, random);
  const row = pick(random, aggregateRows);
  const type = pick(random, row.takes);
  const of = expression(type, columns, random, 1);
  if (of === undefined) return undefined;
  const aggregate: Aggregate = {
    name,
    type: row.result(type),
    uses: [of],
    of: (rows, ordered) => {
      const cells = rows
        .map((each) => of.of(each))
        .filter((cell): cell is NonNullable<Cell> => cell !== null);
      return row.of(cells, type, ordered);
    },
  };
  return { text: `${name} = ${row.text(of.text)}`, aggregates: [aggregate] };
}

function counted(name: string, test: Expression | undefined): Aggregate {
  return {
    name,
    type: 'long',
    uses: test === undefined ? [] : [test],
    of: (rows) => BigInt(rows.filter((row) => test === undefined || test.of(row) === true).length),
  };
}

function randomGreatest(name: string, columns: readonly Column[], random: Random) {
  const key = expression(
    pick(random, ['long', 'real', 'string', 'datetime'] as const),
    columns,
    random,
    1,
  );
  const of = some(columns, random, 1);
  if (key === undefined || of === undefined) return undefined;
  const [most, best] = [`${name} most`, `${name} best`];
  const aggregates: Aggregate[] = [
    { name: most, type: key.type, uses: [key], of: (rows) => greatest(rows, key, key) },
    { name: best, type: of.type, uses: [key, of], of: (rows) => greatest(rows, key, of) },
  ];
  const text = `arg_max(${quoteName(most)} = ${key.text}, ${quoteName(best)} = ${of.text})`;
  return { text, aggregates };
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
      : `$left.${memberText(left.name)} == $right.${memberText(right.name)}`,
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

function memberText(name: string): string {
  return quoteName(name);
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
