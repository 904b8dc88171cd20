/** The values of a dashboard's filters, and the options that come from queries. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import { visibleText } from '../../results/visibleText.ts';
import type { FilterView } from '../messages.ts';
import {
  type Board,
  type BoardFilter,
  type FilterOption,
  usedFilters,
} from '../model/dashboard.ts';
import { tableOf } from '../monitor/watchedTable.ts';

const optionsMax = 1_000;

export class Filters {
  #filters: readonly BoardFilter[] = [];
  readonly #values = new Map<string, string>();
  readonly #options = new Map<string, readonly FilterOption[]>();
  readonly #problems = new Map<string, string>();

  /** `values` are those that were chosen before a reload. */
  constructor(values: Readonly<Record<string, string>> = {}) {
    for (const [id, value] of Object.entries(values)) this.#values.set(id, value);
  }

  set({ cards }: Board): void {
    this.#filters = cards.flatMap(({ filters }) => filters);
  }

  /** What was chosen otherwise than the document says. */
  get chosen(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values);
  }

  /** The filters whose options a query lists. */
  get asking(): readonly (BoardFilter & { readonly apl: string })[] {
    return this.#filters.flatMap((filter) =>
      filter.apl === undefined ? [] : [{ ...filter, apl: filter.apl }],
    );
  }

  /** The variables that a query uses, with their values. */
  variables(apl: string): Readonly<Record<string, string>> | undefined {
    const used = usedFilters(apl, this.#filters);
    if (used.length === 0) return undefined;
    return Object.fromEntries(used.map((id) => [id, this.value(id)]));
  }

  value(id: string): string {
    const filter = this.#filters.find((each) => each.id === id);
    return this.#values.get(id) ?? filter?.initial ?? '';
  }

  /** False where it has the value already, or is not a filter. */
  choose(id: string, value: string): boolean {
    if (!this.#filters.some((filter) => filter.id === id) || this.value(id) === value) return false;
    this.#values.set(id, value);
    return true;
  }

  /** The filters whose options depend on another. */
  dependingOn(id: string): readonly (BoardFilter & { readonly apl: string })[] {
    return this.asking.filter(({ apl }) => usedFilters(apl, [{ id }]).length > 0);
  }

  listed(id: string, answer: ReadResponse<'queryEdge'>): void {
    const columns = (tableOf(answer)?.columns ?? []) as readonly (readonly unknown[])[];
    const [keys = [], values = keys] = columns;
    const options = keys.slice(0, optionsMax).map((key, row) => ({
      label: visibleText(String(key ?? '')),
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
    // What is chosen stays, although the query does not list it any longer.
    const isOffered = kind === 'search' || offered.some((option) => option.value === value);
    return {
      id,
      name: visibleText(name),
      kind,
      options: isOffered
        ? offered
        : [{ label: value === '' ? 'All' : visibleText(value), value }, ...offered],
      value,
      ...(problem !== undefined && { problem }),
    };
  }
}
