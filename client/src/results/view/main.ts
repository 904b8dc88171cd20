/** The results view's page: draws the state that the host sends, and asks it for rows. */
import 'slickgrid/dist/styles/css/slick.grid.css';
import './results.css';
import type { CellRange, RowOrder, ToView, ViewState } from '../messages.ts';
import { element } from './dom.ts';
import { ResultGrid } from './grid.ts';
import { keepState, keepWidth, keptState, post } from './host.ts';
import {
  cancelledMessage,
  emptyMessage,
  failedMessage,
  hintBar,
  noRowsMessage,
  runningMessage,
} from './messages.ts';
import { statusLine } from './statusLine.ts';

type ShownResult = Extract<ViewState, { kind: 'result' }>;

const app = document.getElementById('app') as HTMLElement;
const nonce = document.body.dataset.nonce ?? '';

interface ShownGrid {
  readonly id: number;
  readonly table: number;
  readonly grid: ResultGrid;
  readonly reordered: (order: RowOrder | null) => void;
}

/** What is on the page now and must be ended before something else is drawn. */
let shown: ShownGrid | undefined;
let stopClock: (() => void) | undefined;

function clear(): void {
  shown?.grid.dispose();
  shown = undefined;
  stopClock?.();
  stopClock = undefined;
  app.replaceChildren();
}

function draw(state: ViewState): void {
  clear();
  switch (state.kind) {
    case 'empty':
      return app.replaceChildren(emptyMessage());
    case 'cancelled':
      return app.replaceChildren(cancelledMessage(state.title));
    case 'failed':
      return app.replaceChildren(failedMessage(state));
    case 'running': {
      const { box, stop } = runningMessage(state.title, state.startedAt);
      stopClock = stop;
      return app.replaceChildren(box);
    }
    case 'result': {
      const kept = keptState();
      const open = kept.id === state.id && kept.table < state.tables.length ? kept.table : 0;
      return drawResult(state, open);
    }
  }
}

function drawResult(result: ShownResult, open: number): void {
  clear();
  keepState({ id: result.id, table: open });
  app.append(statusLine(result, open, (table) => drawResult(result, table)));
  const table = result.tables[open];
  if (table === undefined || table.rowCount === 0) return app.append(noRowsMessage(result.hint));
  if (result.hint) app.append(hintBar(result.hint));
  const container = element('div', {
    class: 'grid',
  });
  const selected = element('p', { class: 'heard', attributes: { role: 'status' } });
  app.append(container, selected);
  const place = { id: result.id, table: open };
  const grid = new ResultGrid(container, table, {
    nonce,
    label: result.title === '' ? 'Result' : result.title,
    widths: () => keptState().widths,
    onWindow: (from, to) => post({ type: 'window', ...place, from, to }),
    onSort: (order) => post({ type: 'sort', ...place, order }),
    onCopy: (range) => post({ type: 'copy', ...place, range }),
    onOpen: (row, column) => post({ type: 'open', ...place, row, column }),
    onSelect: (range) => {
      selected.textContent = selectionText(range);
    },
    onWidth: keepWidth,
  });
  const reordered = (order: RowOrder | null): void => {
    // The other tabs draw from the same result when they are opened.
    const tables = result.tables.with(open, { ...table, order });
    result = { ...result, tables };
    grid.reordered(order);
  };
  shown = { ...place, grid, reordered };
}

/** What is announced of a selection; a single cell is announced by its focus. */
function selectionText({ fromRow, toRow, fromColumn, toColumn }: CellRange): string {
  const [rows, columns] = [toRow - fromRow + 1, toColumn - fromColumn + 1];
  if (rows === 1 && columns === 1) return '';
  const counted = (count: number, noun: string) =>
    `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
  return `${counted(rows, 'row')} and ${counted(columns, 'column')} selected`;
}

window.addEventListener('message', ({ data }: MessageEvent<ToView>) => {
  if (data.type === 'state') return draw(data.state);
  if (shown?.id !== data.id || shown.table !== data.table) return;
  if (data.type === 'rows') shown.grid.receive(data.from, data.rows);
  else shown.reordered(data.order);
});
window.addEventListener('focus', () => shown?.grid.focus());

post({ type: 'ready' });
