/**
 * Plans the counts of the rows that a query reads. The examined rows are all rows in the range, once for each place
 * that reads their dataset, including repeated uses of a let or a view. The matched rows are those that the leading
 * filters keep. If possible, an aggregation of events counts its input rows in a hidden column, which saves a second
 * scan. All other counts are separate statements.
 */
import {
  type BoundOperator,
  type BoundPipeline,
  type BoundSource,
  type BoundStage,
  factsOf,
} from '../../../language/src/index.ts';
import { countOf } from './operators/rows.ts';
import type { PlannedCounts, Tally } from './plan.ts';
import { printRelation } from './print.ts';
import {
  allParts,
  branchesOf,
  innerParts,
  innerSourceParts,
  type Part,
  sourceParts,
  stageParts,
} from './queryParts.ts';
import type { Planning } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import type { WriteStatement } from './statement.ts';
import { oneRow } from './table.ts';

/** Numbers by key: how often each dataset is read, by name, or how often each counting query is used, by SQL. */
type Times = ReadonlyMap<string, number>;

/** The datasets that a pipeline reads, and the kind of its rows. */
interface Reads {
  readonly datasets: Times;
  /** Whether each row is one event of a dataset, possibly with computed columns. */
  readonly isEvents: boolean;
  /** Whether the events were filtered. */
  readonly isFiltered: boolean;
}

/** A counting query, and how often its result counts. */
interface CountQuery {
  readonly query: Sql;
  readonly times: number;
}

/** The SQL that counts the rows of a query, before each count becomes a separate statement. */
export interface CountQueries {
  readonly examined: readonly CountQuery[];
  readonly matched?: { readonly events?: Sql; readonly others: readonly CountQuery[] };
  readonly limit?: bigint;
}

type Kinds = ReadonlySet<BoundOperator['kind']>;

/** Stages that filter events. `parse-where` isn't one: the rows that it drops count as matched. */
const filters: Kinds = new Set(['where', 'search']);

/**
 * Returns whether a stage outputs one row for each event that the filters keep, so that counting the rows counts the
 * matches. Unlike in `paging.ts`, a limit isn't such a stage, because it drops rows that match.
 */
const keepsMatches = ({ operator }: BoundStage): boolean =>
  factsOf(operator).rows === 'all' || filters.has(operator.kind);

/** Returns whether a stage outputs one row for each input row, or for the first of them. */
function keepsFirstRows({ operator }: BoundStage): boolean {
  const { rows } = factsOf(operator);
  return rows === 'all' || rows === 'limited';
}

/** Returns whether a stage keeps the hidden column with the number of rows aggregated. */
function keepsRowCount(stage: BoundStage): boolean {
  return keepsFirstRows(stage) || factsOf(stage.operator).rows === 'filtered';
}

/** Counts the rows that a query reads. Results are cached, because a let or a view may be used many times. */
export class RowCounter {
  readonly #reads = new Map<BoundPipeline, Reads>();
  readonly #matches = new Map<BoundPipeline, Times>();
  readonly #innerMatches = new Map<BoundPipeline, Times>();
  readonly #queries = new Map<string, Sql>();

  /**
   * Returns the `summarize` or `count` that can count the matched rows, because it directly follows the filters.
   * Undefined if there is none, or if a later stage drops the column with the count.
   */
  countingOperator(pipeline: BoundPipeline, planning: Planning): BoundOperator | undefined {
    const events = this.#eventsOf({ pipeline, planning });
    if (events === undefined) return undefined;
    const [first, ...later] = stagesAfter(events, pipeline);
    if (first?.operator.kind !== 'summarize' && first?.operator.kind !== 'count') return undefined;
    return later.every(keepsRowCount) ? first.operator : undefined;
  }

  /** Plans a query's counting queries; undefined if it reads no dataset. */
  plan(
    pipeline: BoundPipeline,
    planning: Planning,
    defaultLimit: bigint | undefined,
  ): CountQueries | undefined {
    const whole = { pipeline, planning };
    const reads = this.#read(whole);
    if (reads.datasets.size === 0) return undefined;
    const all = [...reads.datasets].map(([name, times]) =>
      this.#count(datasetPart(name, planning), times),
    );
    const examined = sumOf(all);
    const events = this.#eventsOf(whole);
    if (events === undefined) {
      const others = this.#queriesOf(this.#matchesOf(whole));
      return { examined: this.#queriesOf(examined), matched: { others } };
    }
    const stated = limitOf(stagesAfter(events, pipeline), planning, defaultLimit);
    const limit = stated === undefined ? {} : { limit: stated };
    const ofEvents = this.#read(events);
    const isAll = [...reads.datasets].every(
      ([name, times]) => ofEvents.datasets.get(name) === times,
    );
    if (isAll && !ofEvents.isFiltered) return { examined: this.#queriesOf(examined), ...limit };
    const others = this.#matchesAfter(whole, events);
    const query = countOfRows(events);
    // If no filter applies, the number of matched rows is the number of examined rows, so don't count them again.
    if (isSame(sumOf([this.#times(query, 1), others]), examined)) {
      return { examined: this.#queriesOf(examined) };
    }
    const matched = { events: query, others: this.#queriesOf(others) };
    return { examined: this.#queriesOf(examined), matched, ...limit };
  }

  #read({ pipeline, planning }: Part): Reads {
    const known = this.#reads.get(pipeline);
    if (known !== undefined) return known;
    const start = this.#readSource(pipeline.source, planning);
    const found = pipeline.stages.reduce(
      (before, stage) => this.#readStage(stage, before, planning),
      start,
    );
    this.#reads.set(pipeline, found);
    return found;
  }

  #readSource(source: BoundSource, planning: Planning): Reads {
    if (source.kind === 'dataset' && planning.context.layoutOf(source.name) !== undefined) {
      return { datasets: new Map([[source.name, 1]]), isEvents: true, isFiltered: false };
    }
    if (source.kind === 'search' && source.inputs.length === 0) {
      const datasets = new Map(planning.context.datasetNames().map((name) => [name, 1]));
      return { datasets, isEvents: true, isFiltered: true };
    }
    const parts = sourceParts(source, planning).map((part) => this.#read(part));
    const inner = innerSourceParts(source, planning).map((part) => this.#read(part));
    return {
      datasets: sumOf([...parts, ...inner].map(({ datasets }) => datasets)),
      isEvents: parts.length > 0 && parts.every(({ isEvents }) => isEvents),
      isFiltered: source.kind === 'search' || parts.some(({ isFiltered }) => isFiltered),
    };
  }

  #readStage(stage: BoundStage, before: Reads, planning: Planning): Reads {
    const { kind } = stage.operator;
    const branches = branchesOf(stage, planning).map((part) => this.#read(part));
    const inner = innerParts(stage, planning).map((part) => this.#read(part));
    return {
      datasets: sumOf([before, ...branches, ...inner].map(({ datasets }) => datasets)),
      isEvents:
        before.isEvents &&
        (kind === 'union' ? branches.every(({ isEvents }) => isEvents) : keepsMatches(stage)),
      isFiltered:
        before.isFiltered || filters.has(kind) || branches.some(({ isFiltered }) => isFiltered),
    };
  }

  /** Returns the pipeline up to the last of its leading filters and unions; undefined if its source has no events. */
  #eventsOf({ pipeline, planning }: Part): Part | undefined {
    const { source, stages } = pipeline;
    if (!this.#readSource(source, planning).isEvents) return undefined;
    const end = stages.findIndex((stage) => {
      if (filters.has(stage.operator.kind)) return false;
      const branches = branchesOf(stage, planning);
      return branches.length === 0 || !branches.every((part) => this.#read(part).isEvents);
    });
    if (end < 0) return { pipeline, planning };
    return { pipeline: { ...pipeline, stages: stages.slice(0, end) }, planning };
  }

  /** Counts the rows that filters match, in every part of a pipeline that reads events. */
  #matchesOf(part: Part): Times {
    const known = this.#matches.get(part.pipeline);
    if (known !== undefined) return known;
    const events = this.#eventsOf(part);
    const found =
      events === undefined
        ? sumOf(allParts(part).map((inner) => this.#matchesOf(inner)))
        : sumOf([this.#count(events, 1), this.#matchesAfter(part, events)]);
    this.#matches.set(part.pipeline, found);
    return found;
  }

  /** Counts the rows that a pipeline reads in addition to its leading events. */
  #matchesAfter({ pipeline, planning }: Part, events: Part): Times {
    const parts = stagesAfter(events, pipeline).flatMap((stage) => stageParts(stage, planning));
    return sumOf([...parts.map((part) => this.#matchesOf(part)), this.#matchesInside(events)]);
  }

  /** Counts the rows that the expressions of an events pipeline read. */
  #matchesInside(part: Part): Times {
    const known = this.#innerMatches.get(part.pipeline);
    if (known !== undefined) return known;
    const { pipeline, planning } = part;
    const { source, stages } = pipeline;
    const branches = stages.flatMap((stage) => branchesOf(stage, planning));
    const inner = stages.flatMap((stage) => innerParts(stage, planning));
    const found = sumOf([
      ...[...sourceParts(source, planning), ...branches].map((one) => this.#matchesInside(one)),
      ...[...innerSourceParts(source, planning), ...inner].map((one) => this.#matchesOf(one)),
    ]);
    this.#innerMatches.set(pipeline, found);
    return found;
  }

  #count(part: Part, times: number): Times {
    return this.#times(countOfRows(part), times);
  }

  #times(query: Sql, times: number): Times {
    this.#queries.set(query.text, query);
    return new Map([[query.text, times]]);
  }

  #queriesOf(of: Times): readonly CountQuery[] {
    return [...of].map(([text, times]) => ({ query: this.#queries.get(text) as Sql, times }));
  }
}

/** Adds numbers by key. They may double with each let, so they are capped. */
function sumOf(all: readonly Times[]): Times {
  const sum = new Map<string, number>();
  for (const [key, times] of all.flatMap((each) => [...each])) {
    sum.set(key, Math.min((sum.get(key) ?? 0) + times, Number.MAX_SAFE_INTEGER));
  }
  return sum;
}

function isSame(a: Times, b: Times): boolean {
  return a.size === b.size && [...a].every(([key, times]) => b.get(key) === times);
}

function stagesAfter(events: Part, { stages }: BoundPipeline): readonly BoundStage[] {
  return stages.slice(events.pipeline.stages.length);
}

// ── Statements ────────────────────────────────────────────────────────────────────────────────────

/** Writes the counts as statements. `statement` wraps a query as a statement. */
export function writtenCounts(
  { examined, matched, limit }: CountQueries,
  statement: WriteStatement,
): PlannedCounts {
  const tally = (of: readonly CountQuery[]): Tally => ({
    sql: statement(tallySql(of)),
    times: of.map(({ times }) => times),
  });
  return {
    examined: tally(examined),
    ...(matched && {
      matched: {
        ...(matched.events === undefined ? {} : { events: statement(matched.events) }),
        ...(matched.others.length === 0 ? {} : { others: tally(matched.others) }),
      },
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function tallySql(counts: readonly CountQuery[]): Sql {
  const [first, ...others] = counts;
  if (first !== undefined && others.length === 0) return first.query;
  const numbers = counts.map(({ query }, i) => {
    const index = print.bareLong(BigInt(i));
    return sql`SELECT ${index} AS "place", t."rows" FROM ${print.parenthesized(query)} AS t`;
  });
  return print.join(numbers, '\nUNION ALL\n');
}

function countOfRows({ pipeline, planning }: Part): Sql {
  const { relation: input } = planning.planPipeline(pipeline, planning);
  const aggregates = [{ id: 'rows', sql: sql`count(*)` }];
  return printRelation({ kind: 'aggregate', input, groups: [], aggregates });
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

/**
 * Returns the lowest limit of stages that otherwise keep all rows; undefined if a stage may drop rows or there is no
 * limit.
 */
function limitOf(
  stages: BoundPipeline['stages'],
  planning: Planning,
  defaultLimit: bigint | undefined,
): bigint | undefined {
  if (!stages.every(keepsFirstRows)) return undefined;
  const limits: bigint[] = [];
  for (const { operator } of stages) {
    if (factsOf(operator).rows !== 'limited') continue;
    if (!('count' in operator)) return undefined;
    // A row count is constant, so it can be planned without the rows.
    limits.push(countOf(operator.count, oneRow, planning));
  }
  if (defaultLimit !== undefined) limits.push(defaultLimit);
  return limits.reduce<bigint | undefined>(
    (least, limit) => (least === undefined || limit < least ? limit : least),
    undefined,
  );
}
