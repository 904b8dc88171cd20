/** The results page: draws the tabs and the screen that the host sends, and asks it for rows. */
import 'slickgrid/dist/styles/css/slick.grid.css';
import '../../webview/page/kit.css';
import './results.css';
import { element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { MenuPlace, PageAction, ResultContent, Screen } from '../messages.ts';
import { channel } from './channel.ts';
import {
  cancelledMessage,
  emptyMessage,
  failedMessage,
  goneMessage,
  hintBar,
  waitingMessage,
} from './messages.ts';
import { cancelledLine, runningLine, statusLine } from './statusLine.ts';
import { TableView } from './tableView.ts';
import { TabStripView } from './tabStrip.ts';

const app = document.getElementById('app') as HTMLElement;
const nonce = document.body.dataset.nonce ?? '';
const strip = new TabStripView();
const above = element('div', { class: 'above' });
const content = element('div', {
  attributes: { id: 'content', role: 'tabpanel', 'aria-label': 'Result' },
});
app.append(strip.element, above, content);

/** What is on the page now, so that a state that only adds to it leaves the grid alone. */
let screen: Screen | undefined;
let view: TableView | undefined;
let open = 0;
let stopClock: (() => void) | undefined;

function draw(next: Screen): void {
  const before = screen;
  screen = next;
  stopClock?.();
  stopClock = undefined;
  const same = before !== undefined && showsSame(before, next);
  if (!same) {
    Popup.closeOpen();
    const { content: shown } = next;
    open = shown?.kind === 'result' ? Math.min(shown.view.table, shown.tables.length - 1) : 0;
  }
  drawAbove(next);
  content.classList.toggle('dimmed', next.running !== undefined && next.content !== undefined);
  if (!same) drawContent(next);
  dim(next.running !== undefined);
  if (next.content?.kind === 'result') view?.offerMore(next.content.more);
}

/** Shows that what is in view is of an earlier run. */
function dim(isDimmed: boolean): void {
  view?.dim(isDimmed);
  for (const former of content.querySelectorAll('.message, .hint')) {
    if (!isDimmed || screen?.content === undefined) former.removeAttribute('aria-disabled');
    else {
      former.role = 'group';
      former.ariaDisabled = 'true';
    }
  }
}

/** Whether two screens have the same rows, arranged by the page itself since. */
function showsSame(before: Screen, next: Screen): boolean {
  const [a, b] = [before.content, next.content];
  if (a?.kind !== 'result' || b?.kind !== 'result') return false;
  const rows = ({ tables }: ResultContent) => String(tables.map(({ totalRows }) => totalRows));
  return (
    a.answer === b.answer &&
    rows(a) === rows(b) &&
    before.timeZone === next.timeZone &&
    a.editable === b.editable &&
    a.hint?.message === b.hint?.message
  );
}

function drawAbove({ tab, running, cancelled, content: shown }: Screen): void {
  above.replaceChildren();
  if (running && tab !== null) {
    const { line, stop } = runningLine(running, () => channel.send('cancel', { tab }));
    stopClock = stop;
    above.append(line);
  } else if (shown?.kind === 'result') above.append(resultLine(shown, cancelled));
  else if (shown && cancelled) above.append(cancelledLine());
}

function resultLine(result: ResultContent, cancelled: boolean): HTMLElement {
  const hasRows = (result.tables[open]?.totalRows ?? 0) > 0;
  const summary = [...(cancelled ? ['Cancelled'] : []), ...result.summary];
  return statusLine(
    { ...result, summary },
    open,
    hasRows
      ? [
          { name: 'Find (Ctrl+F)', icon: 'find', run: () => view?.find() },
          { name: 'Wrap lines', icon: 'wrap', run: () => view?.toggleWrap() },
          { name: 'Columns', icon: 'columns', run: (anchor) => view?.chooseColumns(anchor) },
          { name: 'Row details (Space)', icon: 'detail', run: () => view?.toggleDetail() },
        ]
      : [],
    (table) => {
      if (table === open) return;
      channel.send('openTable', { answer: result.answer, table });
      if (view && screen) screen = withState(screen, open, view.state);
      open = table;
      if (screen) {
        drawAbove(screen);
        drawContent(screen);
        above.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
      }
    },
  );
}

/** The screen with a table as the page has arranged it; its widths hold for the same columns of other tables. */
function withState(
  shown: Screen,
  index: number,
  { table, view: state }: TableView['state'],
): Screen {
  const { content: result } = shown;
  if (result?.kind !== 'result') return shown;
  const tables = result.tables.with(index, table);
  const views = result.view.tables.map((other, at) => {
    if (at === index) return state;
    const widths: Record<string, number> = {};
    tables[at]?.columns.forEach(({ name, type }, column) => {
      const same = table.columns.findIndex((one) => one.name === name && one.type === type);
      const width = state.widths[same] ?? other.widths[column];
      if (width !== undefined) widths[column] = width;
    });
    return { ...other, widths };
  });
  return { ...shown, content: { ...result, tables, view: { ...result.view, tables: views } } };
}

function drawContent(next: Screen): void {
  view?.dispose();
  view = undefined;
  const { content: shown, tab } = next;
  const run = (command: string) => {
    if (tab !== null) channel.send('action', { tab, command });
  };
  if (shown === undefined) {
    content.replaceChildren(
      tab === null
        ? emptyMessage()
        : next.running
          ? waitingMessage(next.title)
          : cancelledMessage(next.title),
    );
  } else if (shown.kind === 'failed') content.replaceChildren(failedMessage(shown, run));
  else if (shown.kind === 'gone') content.replaceChildren(goneMessage(shown, run));
  else {
    const table = shown.tables[open];
    if (table === undefined) return content.replaceChildren(emptyMessage());
    view = new TableView({ result: shown, table: open, screen: next, nonce, run });
    const hint = shown.hint && table.totalRows > 0 ? [hintBar(shown.hint, run)] : [];
    content.replaceChildren(...hint, view.element);
    view.start();
  }
}

function act(action: PageAction, place: MenuPlace): void {
  if (action === 'renameTab') {
    const tab = place.tab ?? screen?.tab;
    if (tab) strip.rename(tab);
  } else if (action === 'chooseColumns') view?.chooseColumns(above);
  else view?.act(action, place);
}

channel.listen({
  tabs: (tabs) => strip.draw(tabs),
  screen: draw,
  action: ({ action, place }) => act(action, place),
  focus: () => view?.focus(),
});

// Tells VS Code what its menu is about, before VS Code reads it from the element.
document.addEventListener(
  'contextmenu',
  (event) => {
    if (!(event.target instanceof Element)) return;
    const about = view?.menuAt(event.target);
    const grid = document.querySelector<HTMLElement>('.grid');
    if (about === undefined) grid?.removeAttribute('data-vscode-context');
    else grid?.setAttribute('data-vscode-context', JSON.stringify(about));
  },
  { capture: true },
);

window.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const command = ctrlKey || metaKey;
  const typing = event.target instanceof HTMLInputElement;
  if (command && !altKey && key.toLowerCase() === 'f') view?.find();
  else if (key === 'F3') view?.act(event.shiftKey ? 'findPrevious' : 'findNext', {});
  else if (key === 'Escape' && !typing && screen?.running && screen.tab !== null)
    channel.send('cancel', { tab: screen.tab });
  else return;
  event.preventDefault();
});

window.addEventListener('blur', () => channel.send('focused', false));
window.addEventListener('focus', () => {
  channel.send('focused', true);
  // A popup or a field that had the keyboard keeps it.
  if (document.activeElement === document.body) view?.focus();
});

channel.send('ready', null);
if (document.hasFocus()) channel.send('focused', true);
