/**
 * Plans the statements that count the rows a query examines: all rows in the range, and the rows that the leading
 * filters match. They are needed when the answer itself has no count; see `counted.ts`.
 */
import type { BoundPipeline, BoundSource } from '../../../language/src/index.ts';
import { keepsRows } from './counted.ts';
import { countOf } from './operators/rows.ts';
import type { PlannedCounts, Tally } from './plan.ts';
import { printRelation } from './print.ts';
import { branchesOf, innerParts, type Part, type Reader, sourceParts } from './reads.ts';
import type { Planning } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import type { WriteStatement } from './statement.ts';
import type { Table } from './table.ts';

/** Counting queries by SQL text, with the multiplicity of each. */
type Counts = ReadonlyMap<string, Counted>;

interface Counted {
  readonly query: Sql;
  readonly times: number;
}

/** The counting queries of a query, before they become separate statements. */
export interface CountQueries {
  readonly examined: Counts;
  readonly matched?: { readonly events?: Sql; readonly others: Counts };
  readonly limit?: bigint;
}

/** Plans a query's counting queries; undefined if it reads no dataset. */
export function planCounts(
  pipeline: BoundPipeline,
  planning: Planning,
  reader: Reader,
  defaultLimit: bigint | undefined,
): CountQueries | undefined {
  const whole = { pipeline, planning };
  const reads = reader.read(whole);
  if (reads.datasets.size === 0) return undefined;
  const ofDatasets = [...reads.datasets].map(([name, times]) =>
    counted(countOfRows(datasetPart(name, planning)), times),
  );
  const examined = sumOf(ofDatasets);
  const events = reader.eventsOf(whole);
  if (events === undefined) {
    return { examined, matched: { others: new Matches(reader).of(whole) } };
  }
  const limit = limitOf(
    pipeline.stages.slice(events.pipeline.stages.length),
    planning,
    defaultLimit,
  );
  const stated = limit === undefined ? {} : { limit };
  const ofEvents = reader.read(events);
  const isAll = [...reads.datasets].every(([name, times]) => ofEvents.datasets.get(name) === times);
  if (isAll && !ofEvents.isFiltered) return { examined, ...stated };
  const others = new Matches(reader).beyondEvents(whole, events);
  const matched = { events: countOfRows(events), others };
  // Without a filter both counts are equal, but the answer only contains the count of the events.
  return isSame(matched, examined) ? { examined } : { examined, matched, ...stated };
}

function isSame({ events, others }: { events: Sql; others: Counts }, examined: Counts): boolean {
  const all = sumOf([counted(events, 1), others]);
  return (
    all.size === examined.size &&
    [...all].every(([text, { times }]) => examined.get(text)?.times === times)
  );
}

function counted(query: Sql, times: number): Counts {
  return new Map([[query.text, { query, times }]]);
}

/** Adds up counts. Multiplicities may double with each let, so they are capped. */
function sumOf(counts: readonly Counts[]): Counts {
  const sum = new Map<string, Counted>();
  for (const [text, { query, times }] of counts.flatMap((each) => [...each])) {
    const before = sum.get(text)?.times ?? 0;
    sum.set(text, { query, times: Math.min(before + times, Number.MAX_SAFE_INTEGER) });
  }
  return sum;
}

/** Writes the counts as statements. `statement` wraps a query as a statement. */
export function writtenCounts(
  { examined, matched, limit }: CountQueries,
  statement: WriteStatement,
): PlannedCounts {
  const tally = (of: Counts): Tally => ({
    sql: statement(tallySql([...of.values()])),
    times: [...of.values()].map(({ times }) => times),
  });
  return {
    examined: tally(examined),
    ...(matched && {
      matched: {
        ...(matched.events === undefined ? {} : { events: statement(matched.events) }),
        ...(matched.others.size === 0 ? {} : { others: tally(matched.others) }),
      },
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function tallySql(counts: readonly Counted[]): Sql {
  const [first, ...others] = counts;
  if (first !== undefined && others.length === 0) return first.query;
  const numbers = counts.map(({ query }, i) => {
    const index = print.bareLong(BigInt(i));
    return sql`SELECT ${index} AS "place", t."rows" FROM ${print.parenthesized(query)} AS t`;
  });
  return print.join(numbers, '\nUNION ALL\n');
}

/** Counts the rows that filters match, in every part of a query that reads events. */
class Matches {
  readonly #reader: Reader;
  // Cached, because a let or a view may be used many times.
  readonly #known = new Map<BoundPipeline, Counts>();
  readonly #inner = new Map<BoundPipeline, Counts>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  of(part: Part): Counts {
    const known = this.#known.get(part.pipeline);
    if (known !== undefined) return known;
    const found = this.#find(part);
    this.#known.set(part.pipeline, found);
    return found;
  }

  /** Counts the rows that a pipeline reads in addition to its leading events. */
  beyondEvents({ pipeline, planning }: Part, events: Part): Counts {
    const later = pipeline.stages.slice(events.pipeline.stages.length);
    const parts = later.flatMap((stage) => [
      ...branchesOf(stage, planning),
      ...innerParts(stage.operator, planning),
    ]);
    return sumOf([...parts.map((part) => this.of(part)), this.#inside(events)]);
  }

  #find(part: Part): Counts {
    const events = this.#reader.eventsOf(part);
    if (events !== undefined) {
      return sumOf([counted(countOfRows(events), 1), this.beyondEvents(part, events)]);
    }
    const { pipeline, planning } = part;
    const parts = [
      ...sourceParts(pipeline.source, planning),
      ...innerParts(pipeline.source, planning),
      ...pipeline.stages.flatMap((stage) => [
        ...branchesOf(stage, planning),
        ...innerParts(stage.operator, planning),
      ]),
    ];
    return sumOf(parts.map((inner) => this.of(inner)));
  }

  /** Counts the rows that the expressions of an events pipeline read. */
  #inside(part: Part): Counts {
    const known = this.#inner.get(part.pipeline);
    if (known !== undefined) return known;
    const found = this.#findInside(part);
    this.#inner.set(part.pipeline, found);
    return found;
  }

  #findInside({ pipeline, planning }: Part): Counts {
    const through = [
      ...sourceParts(pipeline.source, planning),
      ...pipeline.stages.flatMap((stage) => branchesOf(stage, planning)),
    ];
    const inner = [
      ...innerParts(pipeline.source, planning),
      ...pipeline.stages.flatMap((stage) => innerParts(stage.operator, planning)),
    ];
    return sumOf([
      ...through.map((part) => this.#inside(part)),
      ...inner.map((part) => this.of(part)),
    ]);
  }
}

/**
 * Returns a pipeline that reads a dataset. Reuses a paged source if it is the same dataset, because pages start at a
 * cursor.
 */
function datasetPart(name: string, planning: Planning): Part {
  const span = { start: 0, end: 0 };
  const columns = { list: [], open: true };
  const paged = planning.paging?.source;
  const isPaged = paged?.kind === 'dataset' && paged.name === name;
  const source: BoundSource = isPaged ? paged : { kind: 'dataset', name, columns, ...span };
  return { pipeline: { kind: 'pipeline', source, stages: [], columns, ...span }, planning };
}

function countOfRows({ pipeline, planning }: Part): Sql {
  const { relation: input } = planning.planPipeline(pipeline, planning);
  const aggregates = [{ id: 'rows', sql: sql`count(*)` }];
  return printRelation({ kind: 'aggregate', input, groups: [], aggregates });
}

/**
 * Returns the lowest limit of stages that otherwise keep all rows; undefined if a stage may drop rows or there is no
 * limit.
 */
function limitOf(
  stages: BoundPipeline['stages'],
  planning: Planning,
  defaultLimit: bigint | undefined,
): bigint | undefined {
  if (!stages.every(({ operator }) => keepsRows.has(operator.kind))) return undefined;
  const limits = stages.flatMap(({ operator }) =>
    operator.kind === 'limit' || operator.kind === 'top'
      ? [countOf(operator.count, noColumns, planning)]
      : [],
  );
  if (defaultLimit !== undefined) limits.push(defaultLimit);
  return limits.reduce<bigint | undefined>(
    (least, limit) => (least === undefined || limit < least ? limit : least),
    undefined,
  );
}

/** An empty table, because a row count is a constant and reads no columns. */
const noColumns: Table = {
  relation: { kind: 'values', ids: [], rows: [] },
  columns: [],
  taken: new Set(),
  order: [],
  implied: true,
};
