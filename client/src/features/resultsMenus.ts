// Commands for the results in view, which the page executes.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import type { MenuPlace, PageAction } from '../results/messages.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/messages.ts';

const actions: Readonly<Record<string, PageAction>> = {
  'aplomb.results.copy': 'copy',
  'aplomb.results.copyWithHeaders': 'copyWithHeaders',
  'aplomb.results.copyCsv': 'copyCsv',
  'aplomb.results.copyTsv': 'copyTsv',
  'aplomb.results.copyJson': 'copyJson',
  'aplomb.results.copyNdjson': 'copyNdjson',
  'aplomb.results.copyMarkdown': 'copyMarkdown',
  'aplomb.results.copyIn': 'copyIn',
  'aplomb.results.copyDatatable': 'copyDatatable',
  'aplomb.results.copyRow': 'copyRow',
  'aplomb.results.copyColumnName': 'copyColumnName',
  'aplomb.results.openValue': 'openValue',
  'aplomb.results.openLink': 'openLink',
  'aplomb.results.addFilterToQuery': 'addFilterToQuery',
  'aplomb.results.excludeFromQuery': 'excludeFromQuery',
  'aplomb.results.topValues': 'topValues',
  'aplomb.results.filterByValue': 'filterByValue',
  'aplomb.results.excludeValue': 'excludeValue',
  'aplomb.results.filterColumn': 'filterColumn',
  'aplomb.results.clearFilters': 'clearFilters',
  'aplomb.results.sortAscending': 'sortAscending',
  'aplomb.results.sortDescending': 'sortDescending',
  'aplomb.results.addSortAscending': 'addSortAscending',
  'aplomb.results.addSortDescending': 'addSortDescending',
  'aplomb.results.clearSort': 'clearSort',
  'aplomb.results.pinColumn': 'pinColumn',
  'aplomb.results.unpinColumn': 'unpinColumn',
  'aplomb.results.hideColumn': 'hideColumn',
  'aplomb.results.showAllColumns': 'showAllColumns',
  'aplomb.results.chooseColumns': 'chooseColumns',
  'aplomb.results.moveColumnLeft': 'moveColumnLeft',
  'aplomb.results.moveColumnRight': 'moveColumnRight',
  'aplomb.results.fitColumn': 'fitColumn',
  'aplomb.results.fitAllColumns': 'fitAllColumns',
  'aplomb.results.toggleWrap': 'toggleWrap',
  'aplomb.results.toggleDetail': 'toggleDetail',
  'aplomb.results.find': 'find',
  'aplomb.results.findNext': 'findNext',
  'aplomb.results.findPrevious': 'findPrevious',
  'aplomb.results.showTable': 'showTable',
  'aplomb.results.showChart': 'showChart',
  'aplomb.results.loadMore': 'loadMore',
  'aplomb.results.loadAll': 'loadAll',
  'aplomb.results.renameTab': 'renameTab',
  'aplomb.results.pinTab': 'pinTab',
  'aplomb.results.unpinTab': 'unpinTab',
  'aplomb.results.closeTab': 'closeTab',
  'aplomb.results.closeOtherTabs': 'closeOtherTabs',
  'aplomb.results.closeAllTabs': 'closeAllTabs',
};

/** Actions after which a person types or chooses in the view. */
const typing: ReadonlySet<PageAction> = new Set([
  'find',
  'renameTab',
  'filterColumn',
  'chooseColumns',
]);

export function activate({ results, tabs, runner }: Context): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('aplomb.results.goToQuery', async (context?: unknown) => {
      const tab = menuPlace(context).tab ?? tabs.active?.id;
      const query = tab === undefined ? undefined : runner.queryOf(tab);
      if (query === undefined) return;
      if (query.place === undefined)
        return void showInformationMessage('The query of this result is no longer in a document.');
      const { uri, range } = query.place;
      await vscode.window.showTextDocument(uri, { selection: range });
    }),
    ...Object.entries(actions).map(([command, action]) =>
      registerCommand(command, async (context?: unknown) => {
        // The palette and keys pass no cell, so the page uses the active one. The focus returns to the view after its
        // menus, and after the palette if it was opened from the view.
        const place = menuPlace(context);
        const isFromView = context !== undefined || results.leftForPalette;
        if (place.output === undefined && (isFromView || typing.has(action))) await results.focus();
        results.act(action, place);
      }),
    ),
  );
}

/** Reads the context that the page gave to VS Code for its menu. */
function menuPlace(context: unknown): MenuPlace {
  const { aplombRow, aplombColumn, aplombTab, aplombOutput } = (context ?? {}) as Record<
    string,
    unknown
  >;
  return {
    ...(typeof aplombRow === 'number' && { row: aplombRow }),
    ...(typeof aplombColumn === 'number' && { column: aplombColumn }),
    ...(typeof aplombTab === 'string' && { tab: aplombTab }),
    ...(typeof aplombOutput === 'string' && { output: aplombOutput }),
  };
}
