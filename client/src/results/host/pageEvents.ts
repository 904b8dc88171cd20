/** Handles the user's actions on the page, such as arranging a table, opening a value or choosing a tab. */

import type { TableViewState } from '../../../../table/src/viewState.ts';
import { filterCondition } from '../../query/filterCondition.ts';
import type { EventHandlers } from '../../webview/hostChannel.ts';
import { cellDocument } from '../cellDocument.ts';
import { valueAt } from '../detailTree.ts';
import type { ResultsContract } from '../resultsContract.ts';
import { webAddress } from '../webAddress.ts';
import { chartEvents } from './chartEvents.ts';
import { type HeldTables, textAt } from './heldTables.ts';
import type { AnswersHostParts } from './parts.ts';

export function pageEvents(
  parts: AnswersHostParts,
  tables: HeldTables,
): Omit<EventHandlers<ResultsContract>, 'ready'> {
  const { tabs, effects, strip } = parts;
  return {
    ...chartEvents(parts, tables),
    focused: (isFocused) => strip?.focused(isFocused),
    leftForPalette: () => strip?.leftForPalette?.(),
    arranged: ({ answer, view }) => tables.keepView(answer, view),
    activateTab: ({ tab }) => strip?.tabs.activate(tab),
    closeTab: ({ tab }) => strip?.tabs.close(tab),
    pinTab: ({ tab, pinned }) => strip?.tabs.pin(tab, pinned),
    renameTab: ({ tab, name }) => strip?.tabs.rename(tab, name),
    cancel: ({ tab }) => {
      const found = tabs.tab(tab);
      if (found?.state.kind === 'running') strip?.cancel(found);
    },
    cancelLoad: ({ answer }) => tables.allRows.cancel(answer),
    follow: ({ tab, action }) => strip?.follow?.act(tab, action),
    action: ({ tab, command }) => {
      const found = tabs.tab(tab);
      const action =
        found && tables.actionsOf(found).find((offered) => offered.command === command);
      if (action) effects.runAction(action);
    },
    openValue: async (params) => {
      const { cell, name } = await tables.cell(params);
      if (cell.value === null) return effects.inform('The value is null.');
      const { answer, table, column, row } = params;
      const { order = [], filters = [] } = tables.viewOf(tables.table(answer, table).held).tables[
        table
      ] as TableViewState;
      const place = new URLSearchParams({
        answer,
        table: `${table}`,
        column: `${column}`,
        arranged: JSON.stringify([order, filters]),
      });
      await effects.openDocument(cellDocument(name, row, cell.value), `${place}`);
    },
    openLink: async ({ path, ...params }) => {
      const { cell } = await tables.cell(params);
      const address = webAddress(textAt(cell, path) ?? '');
      if (address !== undefined) effects.openLink(address);
    },
    filterQuery: async ({ path, exclude, ...params }) => {
      const { cell, name, type } = await tables.cell(params);
      const tab = tables.tabOf(params.answer);
      const value = path.length === 0 ? cell.value : valueAt(cell.value, path);
      const text = textAt(cell, path);
      const condition = filterCondition({ name, type, path, value, text: text ?? '', exclude });
      if (condition === undefined)
        return effects.warn(
          'A filter compares single values. Choose a member of the object or array instead.',
        );
      if (tab) await effects.addFilter?.(tab, [condition]);
    },
    topValues: async ({ answer, table, column }) => {
      const name = tables.table(answer, table).fields[column]?.name;
      const tab = tables.tabOf(answer);
      if (tab && name !== undefined) await effects.topValues?.(tab, name);
    },
    parametersCancelled: ({ form }) => strip?.parameterForms?.cancel(form),
    exportResult: async ({ tab, ...choice }) => {
      await strip?.exports?.write(tab, choice);
    },
    setTimeZone: ({ timeZone }) => effects.setTimeZone(timeZone),
  };
}
