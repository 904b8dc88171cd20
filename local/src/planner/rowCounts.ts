/**
 * Plans counts of the rows that a query reads. The examined rows are all rows in the range, counted once for each read
 * of their dataset. The matched rows are those that the leading filters of the main pipeline and its unions keep. If
 * possible, an aggregation counts its input rows in a hidden column, which avoids a second scan.
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
import { branchesOf, innerParts, innerSourceParts, type Part, sourceParts } from './queryParts.ts';
import type { Planning } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import type { WriteStatement } from './statement.ts';
import { oneRow } from './table.ts';

/** How often each dataset is read, by name, or how often each count is added, by its SQL. */
type Times = ReadonlyMap<string, number>;

interface Reads {
  readonly datasets: Times;
  readonly isEvents: boolean;
}

/** Returns whether a stage is a filter. `parse-where` isn't, so the rows that it drops still count as matched. */
const isFilter = ({ operator: { kind } }: BoundStage): boolean =>
  kind === 'where' || kind === 'search';

/** Returns whether a stage outputs one row per input row, possibly up to a limit. */
function keepsFirstRows({ operator }: BoundStage): boolean {
  const { rows } = factsOf(operator);
  return rows === 'all' || rows === 'limited';
}

function keepsRowCount(stage: BoundStage): boolean {
  return keepsFirstRows(stage) || factsOf(stage.operator).rows === 'filtered';
}

/** Counts examined and matched rows. Caches the counts, because a `let` or a view may be used many times. */
export class RowCounter {
  readonly #reads = new Map<BoundPipeline, Reads>();
  readonly #matches = new Map<BoundPipeline, Times>();
  readonly #queries = new Map<string, Sql>();

  /**
   * Returns the `summarize` or `count` that directly follows the filters, so that it can also count the matched rows.
   * Returns undefined if a later stage drops the column with the count.
   */
  countingOperator(query: Part): BoundOperator | undefined {
    const [first, ...later] = this.#stagesAfterEvents(query) ?? [];
    if (first?.operator.kind !== 'summarize' && first?.operator.kind !== 'count') return undefined;
    return later.every(keepsRowCount) ? first.operator : undefined;
  }

  plan(
    query: Part,
    defaultLimit: bigint | undefined,
    statement: WriteStatement,
  ): PlannedCounts | undefined {
    const { planning } = query;
    const { datasets } = this.#read(query);
    if (datasets.size === 0) return undefined;
    const examined = sumOf(
      [...datasets].flatMap(([name, times]) => {
        const main = partialSource(name, planning);
        const all = (reads: number) => this.#count(datasetPart(name, planning), reads);
        if (main === undefined) return all(times);
        const own = this.#count(datasetPart(name, planning, main));
        return times > 1 ? [own, all(times - 1)] : own;
      }),
    );
    const matched = this.#matchesOf(query);
    const later = this.#stagesAfterEvents(query);
    const limit = later && limitOf(later, planning, defaultLimit);
    const readsFiles = (planning.context.externalFiles?.size ?? 0) > 0;
    return {
      examined: this.#tally(examined, statement, readsFiles),
      ...(!isSame(matched, examined) && { matched: this.#tally(matched, statement, readsFiles) }),
      ...(limit !== undefined && { limit }),
    };
  }

  #read({ pipeline, planning }: Part): Reads {
    const known = this.#reads.get(pipeline);
    if (known !== undefined) return known;
    const found = pipeline.stages.reduce<Reads>(
      ({ datasets, isEvents }, stage) => {
        const parts = [...branchesOf(stage, planning), ...innerParts(stage, planning)];
        return {
          datasets: sumOf([datasets, ...parts.map((part) => this.#read(part).datasets)]),
          isEvents: isEvents && this.#keepsMatches(stage, planning),
        };
      },
      this.#readSource(pipeline.source, planning),
    );
    this.#reads.set(pipeline, found);
    return found;
  }

  #readSource(source: BoundSource, planning: Planning): Reads {
    if (source.kind === 'dataset' && planning.context.layoutOf(source.name) !== undefined) {
      return { datasets: new Map([[source.name, 1]]), isEvents: true };
    }
    if (source.kind === 'search' && source.inputs.length === 0) {
      const datasets = new Map(planning.context.datasetNames().map((name) => [name, 1]));
      return { datasets, isEvents: true };
    }
    const parts = sourceParts(source, planning).map((part) => this.#read(part));
    const inner = innerSourceParts(source, planning).map((part) => this.#read(part));
    return {
      datasets: sumOf([...parts, ...inner].map(({ datasets }) => datasets)),
      isEvents: parts.length > 0 && parts.every(({ isEvents }) => isEvents),
    };
  }

  /** Returns whether a stage keeps all matching rows. Unlike in `paging.ts`, a limit isn't such a stage. */
  #keepsMatches(stage: BoundStage, planning: Planning): boolean {
    return stage.operator.kind === 'union'
      ? branchesOf(stage, planning).every((part) => this.#read(part).isEvents)
      : isFilter(stage) || factsOf(stage.operator).rows === 'all';
  }

  #stagesAfterEvents({ pipeline, planning }: Part): readonly BoundStage[] | undefined {
    const { source, stages } = pipeline;
    if (!this.#readSource(source, planning).isEvents) return undefined;
    const end = stages.findIndex(
      (stage) =>
        !isFilter(stage) &&
        !(stage.operator.kind === 'union' && this.#keepsMatches(stage, planning)),
    );
    return end < 0 ? [] : stages.slice(end);
  }

  /** Counts the rows that the leading filters keep, in a pipeline and in the pipelines that provide its rows. */
  #matchesOf(part: Part): Times {
    const { pipeline, planning } = part;
    const known = this.#matches.get(pipeline);
    if (known !== undefined) return known;
    const { source, stages } = pipeline;
    const later = this.#stagesAfterEvents(part);
    const leading = later === undefined ? [] : stages.slice(0, stages.length - later.length);
    const filtered = stages.slice(0, leading.findLastIndex(isFilter) + 1);
    const inputs = sourceParts(source, planning);
    const isCounted =
      later !== undefined && (filtered.length > 0 || source.kind === 'search' || !inputs.length);
    const branches = stages.slice(filtered.length).flatMap((stage) => branchesOf(stage, planning));
    const found = sumOf([
      ...(isCounted ? [this.#count({ ...part, pipeline: { ...pipeline, stages: filtered } })] : []),
      ...[...(isCounted ? [] : inputs), ...branches].map((input) => this.#matchesOf(input)),
    ]);
    this.#matches.set(pipeline, found);
    return found;
  }

  #count({ pipeline, planning }: Part, times = 1): Times {
    const { relation: input } = planning.planPipeline(pipeline, planning);
    const aggregates = [{ id: 'rows', sql: sql`count(*)` }];
    const query = printRelation({ kind: 'aggregate', input, groups: [], aggregates });
    this.#queries.set(query.text, query);
    return new Map([[query.text, times]]);
  }

  #tally(of: Times, statement: WriteStatement, readsFiles: boolean): Tally {
    const queries = [...of.keys()].map((text) => this.#queries.get(text) as Sql);
    const isRepeatable = !readsFiles && !queries.some((query) => print.has(query, 'volatile'));
    return { sql: statement(tallySql(queries)), times: [...of.values()], isRepeatable };
  }
}

/** Adds up the numbers by key. They may double with each `let`, so the sums are capped. */
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

function tallySql(queries: readonly Sql[]): Sql {
  const [first = sql`SELECT 0`, ...others] = queries;
  if (others.length === 0) return first;
  const numbers = queries.map((query, i) => {
    const index = print.bareLong(BigInt(i));
    return sql`SELECT ${index} AS "place", t."rows" FROM ${print.parenthesized(query)} AS t`;
  });
  return print.join(numbers, '\nUNION ALL\n');
}

/**
 * Returns the main pipeline's source if it is the dataset and reads only some of its rows: those after a cursor, or
 * those to which it is narrowed.
 */
function partialSource(name: string, { paging, narrowed }: Planning): BoundSource | undefined {
  const source = paging?.from === undefined ? narrowed?.source : paging.source;
  return source?.kind === 'dataset' && source.name === name ? source : undefined;
}

/** Returns a dataset's source as a part. The default is a source that reads all rows in the range. */
function datasetPart(name: string, planning: Planning, main?: BoundSource): Part {
  const span = { start: 0, end: 0 };
  const columns = { list: [], open: true };
  const source = main ?? ({ kind: 'dataset', name, columns, ...span } as const);
  return { pipeline: { kind: 'pipeline', source, stages: [], columns, ...span }, planning };
}

/**
 * Returns the lowest of the stages' limits and the default limit. Returns undefined if there is no limit, or if a stage
 * other than a limit may change the number of rows.
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
    // Plan the count without a table, because it is constant.
    limits.push(countOf(operator.count, oneRow, planning));
  }
  if (defaultLimit !== undefined) limits.push(defaultLimit);
  return limits.toSorted((a, b) => (a < b ? -1 : 1))[0];
}
