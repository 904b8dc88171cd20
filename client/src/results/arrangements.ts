/**
 * Remembers how a query's columns are arranged, for its next results: order, hidden and pinned columns, widths. Columns
 * are identified by name and type, because indexes differ between answers.
 */

import type { AnswerAbout, AnswerTable } from '../../../table/src/answer.ts';
import type { ChartChoice } from '../../../table/src/chart/chart.ts';
import { initialTableViewState, type TableViewState } from '../../../table/src/viewState.ts';
import { columnsHiddenByDefault, defaultColumnOrder } from '../query/columnOrder.ts';

/** Storage for arrangements, such as VS Code's workspace state. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): unknown;
}

const memoryKey = 'aplomb.results.columns';
const maxQueries = 200;
const maxWidths = 500;

interface KeptColumns {
  readonly order: readonly string[];
  /** The hidden columns, except for those that are hidden by default. */
  readonly hidden: readonly string[];
  /** Columns that are hidden by default but that the user has revealed. */
  readonly revealed?: readonly string[];
  readonly pinned: readonly string[];
  readonly wrap: boolean;
  readonly shown?: 'table' | 'chart';
  /** The chosen chart, with columns identified by name and type. */
  readonly chart?: Omit<ChartChoice, 'values'> & { readonly values?: readonly string[] };
}

interface Kept {
  /** Arrangements by query and table, the most recently changed last. */
  readonly queries: Readonly<Record<string, KeptColumns>>;
  /** Widths set by the user, by column. They apply to the results of every query. */
  readonly widths: Readonly<Record<string, number>>;
}

type Question = Pick<AnswerAbout, 'document' | 'title' | 'query' | 'statesColumnOrder'>;

export class Arrangements {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  initial(about: Question, table: AnswerTable): TableViewState {
    const keys = columnKeys(table);
    const { queries, widths } = this.#kept();
    const key = queryKey(about, table);
    const kept = own(queries, key);
    const indexes = (names: readonly string[] = []) =>
      names.map((name) => keys.indexOf(name)).filter((index) => index >= 0);
    const initialOrder = about.statesColumnOrder
      ? [...keys.keys()]
      : defaultColumnOrder(table.fields);
    const order = indexes(kept?.order);
    const revealed = indexes(kept?.revealed);
    const hidden = new Set(indexes(kept?.hidden));
    for (const index of hiddenByDefault(about, table)) {
      const isLast = hidden.size + 1 >= keys.length;
      if (!revealed.includes(index) && !isLast) hidden.add(index);
    }
    const ownWidths: Record<string, number> = {};
    keys.forEach((name, index) => {
      const width = own(widths, name);
      if (width !== undefined) ownWidths[index] = width;
    });
    return {
      ...initialTableViewState,
      columnOrder: [...order, ...initialOrder.filter((index) => !order.includes(index))],
      hidden: [...hidden].sort((a, b) => a - b),
      pinned: indexes(kept?.pinned),
      wrap: kept?.wrap ?? false,
      widths: ownWidths,
      ...(kept?.shown && { shown: kept.shown }),
      ...(kept?.chart && { chart: chartWith(kept.chart, indexes(kept.chart.values)) }),
    };
  }

  /** Copies the arrangement of a query's former version, unless the query already has one. */
  adopt(former: Question, about: Question, table: AnswerTable): void {
    const { queries, widths } = this.#kept();
    const [from, to] = [queryKey(former, table), queryKey(about, table)];
    const kept = own(queries, from);
    if (kept === undefined || Object.hasOwn(queries, to)) return;
    this.#store({ queries: bounded(queries, [[to, kept]], maxQueries), widths });
  }

  keep(about: Question, table: AnswerTable, before: TableViewState, after: TableViewState): void {
    const keys = columnKeys(table);
    const names = (indexes: readonly number[]) => indexes.flatMap((index) => keys[index] ?? []);
    const { queries, widths } = this.#kept();
    const changedWidths = Object.entries(after.widths).flatMap(([index, width]) => {
      const key = keys[Number(index)];
      return key === undefined || before.widths[index] === width ? [] : [[key, width] as const];
    });
    const key = queryKey(about, table);
    const byDefault = hiddenByDefault(about, table);
    const differ = (...members: (keyof TableViewState)[]) =>
      members.some((member) => JSON.stringify(after[member]) !== JSON.stringify(before[member]));
    const hasOtherChart = differ('shown', 'chart');
    const hasOtherColumns = differ('wrap', 'columnOrder', 'hidden', 'pinned');
    const columns: KeptColumns = {
      ...(own(queries, key) ?? nothingKept),
      ...(hasOtherColumns && {
        order: names(after.columnOrder),
        hidden: names(after.hidden.filter((index) => !byDefault.includes(index))),
        revealed: names(byDefault.filter((index) => !after.hidden.includes(index))),
        pinned: names(after.pinned),
        wrap: after.wrap,
      }),
      ...(hasOtherChart && keptChart(after, names)),
    };
    const same = !hasOtherColumns && !hasOtherChart;
    if (same && changedWidths.length === 0) return;
    this.#store({
      queries: same ? queries : bounded(queries, [[key, columns]], maxQueries),
      widths: bounded(widths, changedWidths, maxWidths),
    });
  }

  #kept(): Kept {
    const kept = this.#memory.get(memoryKey) as Partial<Kept> | undefined;
    return { queries: kept?.queries ?? {}, widths: kept?.widths ?? {} };
  }

  #store(kept: Kept): void {
    this.#memory.update(memoryKey, kept);
  }
}

const nothingKept: KeptColumns = { order: [], hidden: [], pinned: [], wrap: false };

function keptChart(
  { shown, chart: { values, ...chosen } = {} }: TableViewState,
  names: (indexes: readonly number[]) => string[],
): Pick<KeptColumns, 'shown' | 'chart'> {
  return {
    ...(shown && { shown }),
    chart: { ...chosen, ...(values && { values: names(values) }) },
  };
}

/** Returns the columns that are hidden by default. A query that lists its columns hides none. */
export function hiddenByDefault(
  { statesColumnOrder }: Pick<AnswerAbout, 'statesColumnOrder'>,
  { fields }: AnswerTable,
): number[] {
  return statesColumnOrder ? [] : columnsHiddenByDefault(fields);
}

function chartWith(
  { values, ...choice }: NonNullable<KeptColumns['chart']>,
  indexes: readonly number[],
): ChartChoice {
  return { ...choice, ...(values && indexes.length > 0 && { values: indexes }) };
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Adds entries at the end and removes the oldest beyond the limit. */
function bounded<T>(
  before: Readonly<Record<string, T>>,
  added: readonly (readonly [string, T])[],
  most: number,
): Record<string, T> {
  const entries = new Map(Object.entries(before));
  for (const [key, value] of added) {
    entries.delete(key);
    entries.set(key, value);
  }
  return Object.fromEntries([...entries].slice(-most));
}

/** Identifies a query by its title and document, so that it keeps its arrangement when its text is edited. */
function queryKey({ document, title, query }: Question, table: AnswerTable): string {
  return `${document ?? ''}\n${title === '' ? query : title}\n${table.name}`.slice(0, 1_000);
}

/** Returns keys that identify columns across answers. Columns with the same name and type are numbered. */
export function columnKeys({ fields }: AnswerTable): string[] {
  const seen = new Map<string, number>();
  return fields.map(({ name, type }) => {
    const key = `${name}\n${type}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}\n${count}`;
  });
}
