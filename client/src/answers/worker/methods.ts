/** Implements the protocol's methods in the worker. */
import { createReadStream } from 'node:fs';
import { TOTALS_TABLE } from '../../../../api/src/index.ts';
import type { AnswerArrival, AnswerTable } from '../../../../table/src/answer.ts';
import { appendRows } from '../../../../table/src/append.ts';
import { arrangedRows } from '../../../../table/src/arrange/arranged.ts';
import { Charts } from '../../../../table/src/chart/charts.ts';
import type { ChartContext } from '../../../../table/src/chart/context.ts';
import type { Column } from '../../../../table/src/columns/column.ts';
import type { HeldTable } from '../../../../table/src/columns/heldTable.ts';
import { columnValues } from '../../../../table/src/columnValues.ts';
import { compareTables } from '../../../../table/src/compare.ts';
import { drawnSizes, drawnWindow } from '../../../../table/src/drawn.ts';
import { copyRows } from '../../../../table/src/export/exportRows.ts';
import { exportToFile } from '../../../../table/src/export/exportToFile.ts';
import { Search } from '../../../../table/src/find.ts';
import { Invalid } from '../../../../table/src/invalid.ts';
import { valuesToOffer } from '../../../../table/src/offer.ts';
import { Cancelled, type LongTask } from '../../../../table/src/rowSource.ts';
import { selectionFigures } from '../../../../table/src/selectionFigures.ts';
import { columnSummary } from '../../../../table/src/summary.ts';
import { columnAt, tableSource } from '../../../../table/src/tableSource.ts';
import type { ColumnFilter, ColumnOrder } from '../../../../table/src/viewState.ts';
import {
  bodyPath,
  eraseKept,
  keptAnswer,
  pagePaths,
  removePages,
  updateHeader,
} from '../disk/keptFiles.ts';
import type {
  Arranged,
  Decoded,
  ExactCell,
  MethodName,
  Params,
  Result,
  TablePlace,
} from '../protocol.ts';
import { Answers, type OpenTable } from './answers.ts';
import { Arrival, type Arrived } from './arrival.ts';
import { FileProblem, Gone } from './failures.ts';
import { settleFollowed } from './settleFollowed.ts';

type Handlers = {
  readonly [Name in MethodName]: (
    params: Params<Name>,
    task: LongTask,
  ) => Result<Name> | Promise<Result<Name>>;
};

const restoreBytes = 256 * 1024;

/** Returns the methods. Each call creates a separate set of answers. */
export function workerMethods(): Handlers {
  const answers = new Answers();
  const arrivals = new Map<string, Arrival>();

  const arrival = (id: string): Arrival => {
    const found = arrivals.get(id);
    if (found === undefined) throw new Gone();
    return found;
  };

  async function settle(
    id: string,
    arrived: Arrived,
    from: Arrival,
    task: LongTask,
  ): Promise<Decoded> {
    const { head, tables, ...kept } = arrived;
    const { follow, appendTo: place, keep } = from.options;
    if (follow !== undefined)
      return await settleFollowed(answers, id, { arrived, follow, appendTo: place }, task);
    if (place === undefined) return { head, bytes: answers.add(id, head, tables), ...kept };
    const target = answers.table(place);
    const [added] = tables;
    if (added !== undefined)
      await target.writing(async () => {
        // Keep the former arrangement, because the page shows it until it requests one with the new rows.
        const { arranged } = target.table;
        await appendRows(target.table, added, task);
        target.table.arranged = arranged;
      });
    target.search = undefined;
    const former = answers.get(place.answer).head;
    const { fields, rowCount } = target.table;
    const joined = {
      // Keep the first page's query statistics, which cover all rows. A later page's statistics start at its cursor.
      ...former,
      cursors: { ...former.cursors, ...head.cursors },
      messages: head.messages,
      tables: former.tables.map((table, index) =>
        index === place.table ? { ...table, fields, rowCount } : table,
      ),
    };
    answers.replaceHead(place.answer, joined);
    if (keep?.pageOf && kept.kept !== undefined)
      await updateHeader(keep.folder, kept.kept, (header) => ({ ...header, rowCount })).catch(
        () => undefined,
      );
    return { head: joined, bytes: answers.bytes(place.answer), ...kept };
  }

  /** Decodes a body on disk into an answer or into a part of an answer. */
  async function stored(
    id: string,
    { path, arrival: facts, total }: { path: string; arrival: AnswerArrival; total: number },
    arriving: Arrival,
    task: LongTask,
  ): Promise<Decoded> {
    let done = 0;
    for await (const bytes of createReadStream(path, { highWaterMark: restoreBytes })) {
      await arriving.chunk(bytes as Buffer, task);
      done += (bytes as Buffer).length;
      if (task.due) await task.pause(done, total);
    }
    return await settle(id, await arriving.finish(facts, task), arriving, task);
  }

  const reading = <T>(place: TablePlace, work: (table: HeldTable) => Promise<T>): Promise<T> => {
    const open = answers.table(place);
    return open.reading(() => work(open.table));
  };

  const charts = new Charts();
  const charting = <T>(
    { answer, table: index, ...request }: Params<'chart'>,
    task: LongTask,
    work: (context: ChartContext) => Promise<T>,
  ): Promise<T> => {
    const { head, tables } = answers.get(answer);
    const totals = tables.find((open) => open.table.name === TOTALS_TABLE)?.table;
    return reading({ answer, table: index }, (table) => {
      const described = head.tables[index] as AnswerTable;
      const { aggregated } = head;
      return work({ table, described, ...(totals && { totals }), aggregated, request, task });
    });
  };

  return {
    begin({ answer, ...options }) {
      if (arrivals.has(answer)) throw new Invalid(`The answer ${answer} is arriving already.`);
      if (options.appendTo !== undefined) answers.table(options.appendTo);
      arrivals.set(answer, new Arrival(options));
      return null;
    },
    chunk: ({ answer, bytes }, task) => arrival(answer).chunk(bytes, task),
    firstRows({ answer }) {
      const first = arrival(answer).firstRows();
      if (first === undefined) return null;
      return { head: first.head, bytes: answers.add(answer, first.head, [first.table]) };
    },
    async finish({ answer, arrival: facts }, task) {
      const arriving = arrival(answer);
      try {
        const arrived = await arriving.finish(facts, task);
        return await settle(answer, arrived, arriving, task);
      } catch (error) {
        answers.drop(answer);
        await arriving.discard();
        throw error;
      } finally {
        arrivals.delete(answer);
      }
    },
    async abort({ answer }) {
      const arriving = arrivals.get(answer);
      arrivals.delete(answer);
      answers.drop(answer);
      await arriving?.discard();
      return null;
    },
    drop({ answer }) {
      answers.drop(answer);
      return null;
    },

    window: ({ columns, from, to, timeZone, ...place }) =>
      drawnWindow(answers.table(place).table, { from, to }, columns, { timeZone }),
    sizes: ({ columns, rows, timeZone, ...place }) =>
      drawnSizes(answers.table(place).table, columns, rows, { timeZone }),
    cell({ row, column, ...place }) {
      const { table } = answers.table(place);
      return exactCell(columnAt(table, column), storedRow(table, row));
    },
    row({ row, ...place }) {
      const { table } = answers.table(place);
      const number = storedRow(table, row);
      return {
        number: table.removed + number,
        cells: table.columns.map((column) => exactCell(column, number)),
      };
    },

    arrange: ({ order, filters, ...place }, task) =>
      arrange(answers.table(place), filters, order, task),
    async showNewest({ first, ...place }, task) {
      const open = answers.table(place);
      open.table.newestFirst = first;
      return await arrange(open, open.filters, open.order, task);
    },
    async find({ text, options, columns, timeZone, ...place }, task) {
      const open = answers.table(place);
      const turn = ++open.searching;
      return await open.reading(async () => {
        const search = await Search.run(open.table, text, options, columns, { timeZone }, task);
        if (turn !== open.searching) throw new Cancelled();
        open.search = search;
        return { total: await search.total(task) };
      });
    },
    async findNext({ row, column, backwards, ...place }, task) {
      const open = answers.table(place);
      return (await open.search?.next(row, column, backwards, task)) ?? null;
    },
    foundIn: ({ from, to, columns, ...place }) =>
      answers.table(place).search?.within({ from, to }, columns) ?? [],
    summary: ({ column, top, bins, ...place }, task) =>
      reading(place, (table) => columnSummary(table, column, top, bins, task)),
    values({ column, search, limit, ...place }, task) {
      const { filters } = answers.table(place);
      return reading(place, (table) => columnValues(table, filters, column, search, limit, task));
    },
    figures: ({ blocks, ...place }, task) =>
      reading(place, (table) => selectionFigures(table, blocks, task)),
    copy: ({ blocks, format, options, maxCharacters, ...place }, task) =>
      reading(place, async (table) => {
        const [first] = blocks;
        if (first === undefined) return { text: '', rows: 0, truncated: false, notices: [] };
        // Skip blocks with other columns, because all rows of a table must have the same columns.
        const same = blocks.filter(({ columns }) => String(columns) === String(first.columns));
        const spans = same.map(({ fromRow, toRow }) => ({ from: fromRow, to: toRow }));
        const source = tableSource(table.name, table, first.columns, spans);
        return await copyRows(source, format, options, maxCharacters, task);
      }),
    export: ({ format, options, path, name, columns, allRows, ...place }, task) =>
      reading(place, async (table) => {
        const source = tableSource(name, table, columns, allRows ? 'all' : 'shown');
        return await exportToFile(source, format, options, path, task);
      }),
    async compare({ before, after, keys, into }, task) {
      const [first, second] = [answers.table(before), answers.table(after)];
      const { table, head, ...counts } = await first.reading(() =>
        second.reading(() => compareTables(first.table, second.table, keys, task)),
      );
      const bytes = answers.add(into, head, [table]);
      return { head, bytes, ...counts };
    },
    chart: (params, task) => charting(params, task, (context) => charts.chart(context)),
    chartPoint: ({ at, ...params }, task) =>
      charting(params, task, (context) => charts.point(context, at)),
    async valuesToOffer({ answer }, task) {
      const { head, tables } = answers.get(answer);
      const [open] = tables;
      if (open === undefined) return [];
      return await open.reading(() => valuesToOffer(open.table, head.aggregated, task));
    },

    async restore({ answer, maxBytes, folder, file }, task) {
      const header = await keptAnswer(folder, file);
      if (header === undefined)
        throw new FileProblem('The stored result is not there, incomplete, or of another version.');
      const { arrival, bytes: total } = header;
      const first = { path: bodyPath(folder, file), arrival, total };
      let decoded = await stored(answer, first, new Arrival({ maxBytes }), task);
      const pages = await pagePaths(folder, file);
      let read = 0;
      for (const path of pages) {
        const page = new Arrival({ maxBytes, appendTo: { answer, table: 0 } });
        try {
          decoded = await stored(answer, { path, arrival, total }, page, task);
          read += 1;
        } catch (error) {
          if (error instanceof Cancelled) {
            answers.drop(answer);
            throw error;
          }
          // Remove unreadable pages, so that rows loaded from here on are stored right after the readable ones.
          await removePages(pages.slice(read));
          break;
        }
      }
      return { ...decoded, kept: file, header, pages: read };
    },
    async updateKept({ folder, file, pinned, viewState }) {
      await updateHeader(folder, file, (header) => ({ ...header, pinned, viewState }));
      return null;
    },
    async eraseKept({ folder, files }) {
      await eraseKept(folder, files);
      return null;
    },
  };
}

async function arrange(
  open: OpenTable,
  filters: readonly ColumnFilter[],
  order: readonly ColumnOrder[],
  task: LongTask,
): Promise<Arranged> {
  const turn = ++open.arranging;
  return await open.reading(async () => {
    const { table } = open;
    const rows = await arrangedRows(table, filters, order, task);
    if (turn !== open.arranging) throw new Cancelled();
    open.filters = filters;
    open.order = order;
    table.arranged = rows;
    return { rowCount: table.shownCount, totalRows: table.rowCount };
  });
}

function storedRow(table: HeldTable, shown: number): number {
  if (!Number.isInteger(shown) || shown < 0 || shown >= table.shownCount)
    throw new Invalid(`There is no row ${shown}.`);
  return table.rowAt(shown);
}

function exactCell(column: Column, row: number): ExactCell {
  return { value: column.cell(row), text: column.text(row) ?? '' };
}
