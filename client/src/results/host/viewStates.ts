/**
 * The arrangements of the tabs' answers, stored with each answer. The initial arrangement comes from the query's stored
 * arrangement and the tab's former answer. Later changes come from the page's reports.
 */

import type { AnswerTable } from '../../../../table/src/answer.ts';
import type { AnswerViewState, TableViewState } from '../../../../table/src/viewState.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { ResultTab, TabId } from '../../answers/tabs.ts';
import { columnKeys, hiddenByDefault } from '../arrangements.ts';
import { belongsTo, type FormerAnswer, hasColumns, withCarried } from '../carriedRows.ts';
import type { AnswersHostParts } from './parts.ts';

interface Former extends FormerAnswer {
  /** Whether a newer answer replaced this one without a run in its tab, such as in a followed query. */
  readonly byItself: boolean;
}

export class ViewStates {
  readonly #parts: Pick<AnswersHostParts, 'store' | 'arrangements'>;
  readonly #former = new Map<TabId, Former>();

  constructor(parts: Pick<AnswersHostParts, 'store' | 'arrangements'>) {
    this.#parts = parts;
  }

  carry(tab: TabId, { about, head, viewState }: HeldAnswer, byItself: boolean): void {
    this.#former.set(tab, { about, head, viewState, byItself });
  }

  isCarried(tab: TabId): boolean {
    return this.#former.has(tab);
  }

  forget(tabs: readonly TabId[]): void {
    for (const tab of tabs) this.#former.delete(tab);
  }

  /** Returns the view state of a tab's answer, complete for all of its tables. */
  of(held: HeldAnswer, tab: ResultTab | undefined): AnswerViewState {
    const { viewState, head, about } = held;
    const isComplete = head.tables.every(({ fields }, index) => {
      const state = viewState.tables[index];
      return state !== undefined && missingColumns(state, fields.length).length === 0;
    });
    if (isComplete) return viewState;
    const former = tab && this.#former.get(tab.id);
    const isSame =
      former?.byItself && viewState.tables.length === 0 && hasSameColumns(former, held);
    const known = isSame ? former.viewState : viewState;
    const complete = {
      table: known.table,
      tables: head.tables.map((table, index) => {
        // Skip a former answer that was never drawn, because it has no state.
        const state = known.tables[index];
        return state ? withAdded(state, about, table) : this.#initial(held, table, tab);
      }),
    };
    this.#parts.store.setViewState(held.id, complete);
    return complete;
  }

  /**
   * Stores the arrangement that the page reports, except for order and filters. These are stored after the rows are
   * arranged, because the worker may reject them. `grows`: whether a table may have columns unknown to the page.
   */
  keep(
    held: HeldAnswer,
    before: AnswerViewState,
    view: AnswerViewState,
    grows: (table: AnswerTable) => boolean,
  ): void {
    const { tables } = held.head;
    if (view.table >= tables.length || view.tables.length !== tables.length)
      throw new Error('The arrangement does not have the tables of the answer.');
    const states = tables.map((table, index): TableViewState => {
      const reported = view.tables[index] as TableViewState;
      const { order, filters } = before.tables[index] as TableViewState;
      // Add missing columns, because rows appended in the meantime may have added columns.
      const state = grows(table) ? withAdded(reported, held.about, table) : reported;
      const count = table.fields.length;
      const { columnOrder, hidden, pinned } = state;
      const known = [...columnOrder, ...hidden, ...pinned].every((column) => column < count);
      // An empty column order means that all columns are in their original order.
      const isWhole = columnOrder.length === 0 || new Set(columnOrder).size === count;
      if (!known || !isWhole)
        throw new Error('The arrangement does not have the columns of the table.');
      return { ...state, order, filters };
    });
    this.#parts.store.setViewState(held.id, { table: view.table, tables: states });
    for (const [index, table] of tables.entries()) {
      const [former, now] = [before.tables[index], states[index]];
      if (former && now) this.#parts.arrangements.keep(held.about, table, former, now);
    }
  }

  #initial(held: HeldAnswer, table: AnswerTable, tab: ResultTab | undefined): TableViewState {
    const { arrangements } = this.#parts;
    const { about } = held;
    const known = tab && this.#former.get(tab.id);
    const former = known && belongsTo(known, held) ? known : undefined;
    if (former && hasColumns(former, table)) arrangements.adopt(former.about, about, table);
    const kept = arrangements.initial(about, table);
    const isChart = tab?.query.chartFirst === true && kept.shown === undefined;
    const initial: TableViewState = isChart ? { ...kept, shown: 'chart' } : kept;
    return former ? withCarried(initial, table, former) : initial;
  }
}

function withAdded(
  state: TableViewState,
  about: HeldAnswer['about'],
  table: AnswerTable,
): TableViewState {
  const added = missingColumns(state, table.fields.length);
  const hidden = hiddenByDefault(about, table).filter((column) => added.includes(column));
  return {
    ...state,
    columnOrder: [...state.columnOrder, ...added],
    hidden: [...state.hidden, ...hidden],
  };
}

/** Returns the columns that a column order lacks. An empty order lacks none, because it means all columns. */
function missingColumns({ columnOrder }: TableViewState, count: number): number[] {
  if (columnOrder.length === 0 || columnOrder.length >= count) return [];
  return Array.from({ length: count }, (_, column) => column).filter(
    (column) => !columnOrder.includes(column),
  );
}

/** Whether two answers have the same columns in the same order, so that their indexes match. */
function hasSameColumns(one: FormerAnswer, other: FormerAnswer): boolean {
  const keys = ({ head }: FormerAnswer) => JSON.stringify(head.tables.map(columnKeys));
  return keys(one) === keys(other);
}
