/** Handles the requests of pages that show answers, except for screens. The store's worker reads the rows. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { TableViewState, ValueKey } from '../../../../table/src/viewState.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import { chartText } from '../../charts/chartText.ts';
import { noMarks } from '../../charts/marks.ts';
import { RequestFailed, type RequestHandlers } from '../../webview/hostChannel.ts';
import { rowDetail } from '../detailTree.ts';
import type { ResultsContract } from '../resultsContract.ts';
import { parseTime } from '../timeText.ts';
import { type HeldTables, noMoreRows, textAt } from './heldTables.ts';
import type { AnswersHostParts } from './parts.ts';

/** The maximum number of characters to copy. Pasting more would freeze the target application. */
const maxCopied = 64_000_000;
const maxExact = 10_000;
const maxValues = 300;

/** `onLoaded` is called after all rows were loaded, or when the service has no more rows. */
export function rowRequests(
  parts: AnswersHostParts,
  tables: HeldTables,
  onLoaded: (answer: AnswerId) => void,
): Omit<RequestHandlers<ResultsContract>, 'screen'> {
  return {
    window: async ({ answer, table, from, to, columns, search }, signal) => {
      const place = { answer, table };
      const span = { from, to: Math.min(to, from + 1_000) };
      const drawing = { columns, timeZone: parts.timeZone() };
      const [window, found] = await Promise.all([
        tables.call('window', { ...place, ...span, ...drawing }, signal),
        search ? tables.call('foundIn', { ...place, ...span, columns }, signal) : [],
      ]);
      return { ...window, found };
    },
    arrange: async ({ answer, table, order, filters }, signal) => {
      const arranged = await tables.call('arrange', { answer, table, order, filters }, signal);
      tables.setArranged({ answer, table }, arranged);
      tables.updateView(answer, table, (view) => ({ ...view, order, filters }));
      return arranged;
    },
    find: (params, signal) =>
      tables.call('find', { ...params, timeZone: parts.timeZone() }, signal),
    findNext: (params, signal) => tables.call('findNext', params, signal),
    summary: (params, signal) => tables.call('summary', params, signal),
    values: ({ answer, table, column, search }, signal) =>
      tables.call('values', { answer, table, column, search, limit: maxValues }, signal),
    figures: (params, signal) => tables.call('figures', params, signal),
    detail: async ({ answer, table, row, nested }, signal) => {
      const { held, fields } = tables.table(answer, table);
      const exact = await tables.call('row', { answer, table, row }, signal);
      const { columnOrder, hidden } = tables.viewOf(held).tables[table] as TableViewState;
      const columns = columnOrder.filter((column) => !hidden.includes(column));
      return rowDetail(fields, [...columns, ...hidden], exact, nested);
    },
    exact: async (params, signal) => {
      const { value, text } = await tables.call('cell', params, signal);
      return value === null ? null : text.slice(0, maxExact);
    },
    valueKey: async (params, signal) => {
      const { value, text } = await tables.call('cell', params, signal);
      return valueKey(value, text);
    },
    copy: async ({ answer, table, blocks, format, headers }, signal) => {
      const options = { header: headers, guardFormulas: parts.effects.guardsFormulas() };
      const params = { answer, table, blocks, format, options, maxCharacters: maxCopied };
      const { text, rows, truncated, notices } = await tables.call('copy', params, signal);
      await parts.effects.copy(text);
      if (truncated)
        parts.effects.warn(
          `Only the first ${grouped(rows)} rows were copied: the selection is too large for the clipboard. Export the results to get all rows.`,
        );
      const guarded = notices.some(({ code }) => code === 'guardedFormulas');
      return { rows, truncated, guarded };
    },
    copyValue: async ({ path, what, ...place }) => {
      const { cell, name } = await tables.cell(place);
      const text = what === 'path' ? parts.effects.pathText(name, path) : textAt(cell, path);
      await parts.effects.copy((await text) ?? '');
      return null;
    },
    parseTime: ({ text }) => {
      const time = parseTime(text, parts.timeZone());
      if (time !== undefined) return time;
      throw new RequestFailed('invalid', 'Enter a time such as 2026-01-31 or 2026-01-31 08:30:00.');
    },
    chart: async ({ answer, table, request, filteredAs }, signal) => {
      if (filteredAs !== undefined) await tables.filterAs({ answer, table }, filteredAs);
      return chartText(await tables.call('chart', { answer, table, ...request }, signal));
    },
    chartPoint: ({ answer, table, request, time }, signal) =>
      tables.call('chartPoint', { answer, table, ...request, at: time }, signal),
    chartMarks: async ({ answer }, signal) => {
      const { held } = tables.table(answer, 0);
      const marks = await parts.charts?.marks(held, signal);
      return marks ?? noMarks;
    },
    checkParameters: ({ form, texts, accept }) =>
      parts.strip?.parameterForms?.check(form, texts, accept) ?? [],
    exportForm: ({ tab }) => parts.strip?.exports?.form(tab) ?? null,
    loadMore: async ({ answer, table }, signal) => {
      const { held } = tables.table(answer, table);
      if (tables.allRows.isLoading(answer) || !tables.hasMore(held)) throw noMoreRows();
      try {
        await tables.loadPage(held, signal);
      } finally {
        if (tables.exhausted.has(answer)) onLoaded(answer);
      }
      return { rows: tables.table(answer, table).table.rowCount };
    },
    loadAll: ({ answer, table, rows, start }, signal) => {
      const { held } = tables.table(answer, table);
      if (start && tables.hasMore(held))
        void tables.allRows.start(answer).then(() => onLoaded(answer));
      return tables.allRows.progress(answer, rows, signal);
    },
  };
}

function valueKey(value: unknown, text: string): ValueKey {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return { kind: 'boolean', text };
  if (typeof value === 'object') return { kind: 'json', text };
  return { kind: typeof value === 'string' ? 'text' : 'number', text };
}
