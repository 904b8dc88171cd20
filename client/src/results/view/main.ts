/** The results page: draws the tabs and the screen that the host sends, and asks it for rows. */
import 'slickgrid/dist/styles/css/slick.grid.css';
import '../../webview/page/kit.css';
import './styles/page.css';
import './styles/tabs.css';
import './styles/statusLine.css';
import './styles/messages.css';
import './styles/filters.css';
import './styles/find.css';
import './styles/grid.css';
import './styles/cells.css';
import './styles/columnPanel.css';
import './styles/popupForms.css';
import './styles/detail.css';
import './styles/strip.css';
import './styles/follow.css';
import '../../charts/view/chart.css';
import './styles/low.css';
import { element } from '../../webview/page/dom.ts';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { MenuPlace, PageAction, ParameterForm, Screen, ViewFollow } from '../messages.ts';
import type { TabId } from '../tabs.ts';
import { AnswerView, type AnswerViewParts } from './answerView.ts';
import { channel } from './channel.ts';
import { askExport } from './exportForm.ts';
import { loadCharts } from './loadCharts.ts';
import {
  cancelledMessage,
  emptyMessage,
  failedMessage,
  goneMessage,
  waitingMessage,
} from './messages.ts';
import { askForParameters } from './parameterForm.ts';
import { cancelledLine, runningLine } from './statusLine.ts';
import { TabStripView } from './tabStrip.ts';

const app = document.getElementById('app') as HTMLElement;
const nonce = document.body.dataset.nonce ?? '';
/** Of this script, as long as it runs for the first time. */
const address = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI;
const strip = new TabStripView();
const above = element('div', { class: 'above' });
const content = element('div', {
  attributes: { id: 'content', role: 'tabpanel', 'aria-label': 'Result', tabindex: '-1' },
});
app.append(strip.element, above, content);

const parts: AnswerViewParts = {
  nonce,
  run: (command) => {
    const tab = screen?.tab ?? null;
    if (tab !== null) channel.send('action', { tab, command });
  },
  loadCharts: () => loadCharts(address),
  follow: () => (follow?.tab === screen?.tab ? follow : null),
};

/** The current screen, so that a state that only adds to it keeps the rows. */
let screen: Screen | undefined;
let follow: ViewFollow | null = null;
let answer: AnswerView | undefined;
let parameters: { readonly id: number; readonly popup: Popup } | undefined;
let stopClock: (() => void) | undefined;
/** Callbacks for the first screen. */
const waiting: (() => void)[] = [];

function draw(next: Screen): void {
  const same = answer?.shows(next) === true;
  screen = next;
  stopClock?.();
  stopClock = undefined;
  if (same) answer?.update(next);
  else {
    Popup.closeOpen();
    drawContent(next);
  }
  drawAbove(next);
  if (document.hasFocus() && document.activeElement === content) home();
  content.classList.toggle('dimmed', next.running !== undefined && next.content !== undefined);
  dim(next.running !== undefined);
  for (const waited of waiting.splice(0)) waited();
}

function dim(isDimmed: boolean): void {
  answer?.dim(isDimmed);
  for (const former of content.querySelectorAll('.message, .hint')) {
    if (!isDimmed || screen?.content === undefined) former.removeAttribute('aria-disabled');
    else {
      former.role = 'group';
      former.ariaDisabled = 'true';
    }
  }
}

function drawAbove({ tab, running, cancelled, content: shown }: Screen): void {
  // Its button is gone once a run was cancelled: the keyboard goes to the one that runs again.
  const focused = cancelled !== undefined && above.contains(document.activeElement);
  if (running && tab !== null) {
    const { line, stop } = runningLine(running, () => channel.send('cancel', { tab }));
    stopClock = stop;
    above.replaceChildren(line);
  } else if (answer) {
    if (!above.contains(answer.line)) above.replaceChildren(answer.line);
  } else if (shown && cancelled) above.replaceChildren(cancelledLine(cancelled, parts.run));
  else above.replaceChildren();
  if (focused) above.querySelector<HTMLElement>('.run-again')?.focus();
}

function drawContent(next: Screen): void {
  answer?.dispose();
  answer = undefined;
  const { content: shown, tab } = next;
  if (shown === undefined) {
    content.replaceChildren(
      tab === null
        ? emptyMessage()
        : next.cancelled
          ? cancelledMessage(next.title, next.cancelled, parts.run)
          : waitingMessage(next.title),
    );
  } else if (shown.kind === 'failed') content.replaceChildren(failedMessage(shown, parts.run));
  else if (shown.kind === 'gone') content.replaceChildren(goneMessage(shown, parts.run));
  else if (shown.tables.length === 0) content.replaceChildren(emptyMessage());
  else {
    answer = new AnswerView(parts, next, shown);
    content.replaceChildren(answer.element);
    answer.start();
  }
}

function act(action: PageAction, place: MenuPlace): void {
  // The command came while the page was loaded.
  if (screen === undefined) waiting.push(() => act(action, place));
  else if (action === 'renameTab') {
    const tab = place.tab ?? screen?.tab;
    if (tab) strip.rename(tab);
  } else if (action === 'exportResult') {
    const tab = place.tab ?? screen?.tab;
    if (tab) void exportResult(tab);
  } else answer?.act(action, place);
}

async function exportResult(tab: TabId): Promise<void> {
  const form = await channel.request('exportForm', { tab });
  if (form === null) return;
  askExport(strip.element, form, (choice) => channel.send('exportResult', { tab, ...choice }));
}

function drawParameters(form: ParameterForm | null): void {
  if (form?.id === parameters?.id) return;
  const before = parameters;
  parameters = undefined;
  before?.popup.close();
  if (form === null) return;
  const { id } = form;
  const popup = askForParameters(
    strip.element,
    form,
    (texts, accept) => channel.request('checkParameters', { form: id, texts, accept }),
    () => channel.send('parametersCancelled', { form: id }),
  );
  parameters = { id, popup };
}

channel.listen({
  tabs: (tabs) => strip.draw(tabs),
  screen: draw,
  action: ({ action, place }) => act(action, place),
  follow: (next) => {
    follow = next;
    answer?.followed();
  },
  parameterForm: drawParameters,
  marksChanged: () => answer?.marksChanged(),
  focus: home,
});

/** Focuses the rows or the chart, the first action of a message, or the panel until there is something in it. */
function home(): void {
  if (answer) answer.focus();
  else content.querySelector<HTMLElement>('.action')?.focus();
  if (document.activeElement === document.body) content.focus();
}

// Tells VS Code what its menu is about, before VS Code reads it from the element.
document.addEventListener(
  'contextmenu',
  (event) => {
    if (!(event.target instanceof Element)) return;
    const about = answer?.menuAt(event.target);
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
  if (command && !altKey && key.toLowerCase() === 'f') answer?.find();
  else if (key === 'F3') answer?.act(event.shiftKey ? 'findPrevious' : 'findNext', {});
  else if (altKey && key === 'ArrowLeft' && !typing && !event.defaultPrevented) answer?.back();
  else if (key === 'Escape' && !typing && screen?.running && screen.tab !== null)
    channel.send('cancel', { tab: screen.tab });
  else if (key === 'Escape' && !typing && follow && follow.state !== 'stopped')
    channel.send('follow', { tab: follow.tab, action: 'stop' });
  else return;
  event.preventDefault();
});

/** When keys were pressed that open the Command Palette unless a person has changed them. */
let paletteAt = Number.NEGATIVE_INFINITY;
const PALETTE_MS = 1_000;
window.addEventListener(
  'keydown',
  ({ key, ctrlKey, metaKey, shiftKey, timeStamp }) => {
    const isChord = (ctrlKey || metaKey) && shiftKey && key.toLowerCase() === 'p';
    if (key === 'F1' || isChord) paletteAt = timeStamp;
  },
  { capture: true },
);

window.addEventListener('blur', ({ timeStamp }) => {
  channel.send('focused', false);
  if (timeStamp - paletteAt < PALETTE_MS) channel.send('leftForPalette', null);
  paletteAt = Number.NEGATIVE_INFINITY;
});
window.addEventListener('focus', () => channel.send('focused', true));
keepFocus(home);

channel.send('ready', null);
if (document.hasFocus()) channel.send('focused', true);
