/** The results view's page: draws the state that the host sends, and asks it for rows. */
import 'slickgrid/dist/styles/css/slick.grid.css';
import './results.css';
import type { ToView, ViewState } from '../messages.ts';
import { element } from './dom.ts';
import { ResultGrid } from './grid.ts';
import { keepState, keptState, post } from './host.ts';
import {
  cancelledMessage,
  emptyMessage,
  failedMessage,
  noRowsMessage,
  runningMessage,
} from './messages.ts';
import { statusLine } from './statusLine.ts';

type ShownResult = Extract<ViewState, { kind: 'result' }>;

const app = document.getElementById('app') as HTMLElement;
const nonce = document.body.dataset.nonce ?? '';

/** What is on the page now and must be ended before something else is drawn. */
let shown: { readonly id: number; readonly table: number; readonly grid: ResultGrid } | undefined;
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
      const open = kept?.id === state.id && kept.table < state.tables.length ? kept.table : 0;
      return drawResult(state, open);
    }
  }
}

function drawResult(result: ShownResult, open: number): void {
  clear();
  keepState({ id: result.id, table: open });
  app.append(statusLine(result, open, (table) => drawResult(result, table)));
  const table = result.tables[open];
  if (table === undefined || table.rowCount === 0) return app.append(noRowsMessage());
  const container = element('div', {
    class: 'grid',
    attributes: { role: 'grid', 'aria-label': result.title === '' ? 'Result' : result.title },
  });
  app.append(container);
  const place = { id: result.id, table: open };
  const grid = new ResultGrid(container, table, nonce, {
    onWindow: (from, to) => post({ type: 'window', ...place, from, to }),
    onSort: (order) => post({ type: 'sort', ...place, order }),
    onCopy: (range) => post({ type: 'copy', ...place, range }),
  });
  shown = { ...place, grid };
}

window.addEventListener('message', ({ data }: MessageEvent<ToView>) => {
  if (data.type === 'state') return draw(data.state);
  if (shown?.id !== data.id || shown.table !== data.table) return;
  if (data.type === 'rows') shown.grid.receive(data.from, data.rows);
  else shown.grid.reordered();
});
window.addEventListener('focus', () => shown?.grid.focus());

post({ type: 'ready' });
