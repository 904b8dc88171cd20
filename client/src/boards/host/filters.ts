/** Stores the values of a dashboard's filters, and the filter options listed by queries. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { FilterView } from '../boardContent.ts';
import { type Board, type BoardFilter, type FilterOption, usesFilter } from '../model/dashboard.ts';
import { tableOf } from '../monitor/watchedTable.ts';

const optionsMax = 1_000;

export type QueriedFilter = BoardFilter & { readonly apl: string };

export class Filters {
  #filters: readonly BoardFilter[] = [];
  readonly #values: Map<string, string>;
  readonly #options = new Map<string, readonly FilterOption[]>();
  readonly #problems = new Map<string, string>();

  /** `values` contains the filter values chosen before a reload. */
  constructor(values: Readonly<Record<string, string>> = {}) {
    this.#values = new Map(Object.entries(values));
  }

  set({ cards }: Board): void {
    this.#filters = cards.flatMap(({ filters }) => filters);
  }

  get chosen(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values);
  }

  get queried(): readonly QueriedFilter[] {
    return this.#filters.filter((filter): filter is QueriedFilter => filter.apl !== undefined);
  }

  /** Returns the filter values that a query uses as parameters. */
  variables(apl: string): Readonly<Record<string, string>> | undefined {
    const used = this.#filters.filter(({ id }) => usesFilter(apl, id));
    if (used.length === 0) return undefined;
    return Object.fromEntries(used.map(({ id }) => [id, this.value(id)]));
  }

  value(id: string): string {
    const filter = this.#filters.find((each) => each.id === id);
    return this.#values.get(id) ?? filter?.initial ?? '';
  }

  /** Sets a filter's value. Returns whether the filter exists and its value changed. */
  choose(id: string, value: string): boolean {
    if (!this.#filters.some((filter) => filter.id === id) || this.value(id) === value) return false;
    this.#values.set(id, value);
    return true;
  }

  dependingOn(id: string): readonly QueriedFilter[] {
    return this.queried.filter(({ apl }) => usesFilter(apl, id));
  }

  listed(id: string, answer: ReadResponse<'queryEdge'>): void {
    const columns = (tableOf(answer)?.columns ?? []) as readonly (readonly unknown[])[];
    const [keys = [], values = keys] = columns;
    const options = keys.slice(0, optionsMax).map((key, row) => ({
      label: String(key ?? ''),
      value: String(values[row] ?? ''),
    }));
    this.#problems.delete(id);
    this.#options.set(id, options);
  }

  failed(id: string, problem: string): void {
    this.#problems.set(id, problem);
  }

  view({ id, name, kind, options }: BoardFilter): FilterView {
    const problem = this.#problems.get(id);
    const value = this.value(id);
    const all = [...options, ...(this.#options.get(id) ?? [])];
    const offered = all.filter(
      (option, index) => all.findIndex((other) => other.value === option.value) === index,
    );
    // Keep the chosen value in the list even if the query doesn't return it, so that it stays visible.
    const isOffered = kind === 'search' || offered.some((option) => option.value === value);
    return {
      id,
      name,
      kind,
      options: isOffered ? offered : [{ label: value === '' ? 'All' : value, value }, ...offered],
      value,
      ...(problem !== undefined && { problem }),
    };
  }
}
