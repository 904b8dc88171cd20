/** The results page: draws the tabs and the host's screens, and requests rows. */
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
import type { ParameterForm } from '../../answers/parameterForm.ts';
import type { TabId } from '../../answers/tabs.ts';
import { element } from '../../webview/page/dom.ts';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { MenuPlace, PageAction, TabStrip, ViewFollow } from '../pageContent.ts';
import { AnswerFrame } from './answerFrame.ts';
import { channel } from './channel.ts';
import { askExport } from './exportForm.ts';
import { loadCharts } from './loadCharts.ts';
import { askForParameters } from './parameterForm.ts';
import { TabStripView } from './tabStrip.ts';

const app = document.getElementById('app') as HTMLElement;
const nonce = document.body.dataset.nonce ?? '';
/** The URL of this script, which is only available while the script first runs. */
const address = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI;
const strip = new TabStripView();
const content = element('div', {
  class: 'stack fill',
  role: 'tabpanel',
  label: 'Result',
  tabIndex: -1,
  attributes: { id: 'content' },
});
let follow: ViewFollow | null = null;
let parameters: { readonly id: number; readonly popup: Popup } | undefined;
const frame = new AnswerFrame({
  content,
  nonce,
  loadCharts: () => loadCharts(address),
  follow: () => (follow?.tab === frame.screen?.tab ? follow : null),
  onReplace: () => Popup.closeOpen(),
});
app.append(strip.element, frame.above, content);

let begin: () => void;
/** Runs actions one after another, each on the latest screen, once the host has sent the tabs. */
let acting = new Promise<void>((resolve) => {
  begin = resolve;
});

function drawTabs(tabs: TabStrip): void {
  strip.draw(tabs);
  if (frame.screen === undefined || tabs.active !== frame.tab) void frame.draw(tabs.active);
  begin();
}

/** Redraws a changed tab. Without a tab strip, the page shows the first slot, which may be added later. */
function drawChanged({ tab }: { readonly tab: TabId | null }): void {
  if (tab !== null && frame.tab === null && strip.element.hidden) void frame.draw(tab);
  else frame.changed(tab);
}

function act(action: PageAction, place: MenuPlace): void {
  const tab = place.tab ?? frame.tab;
  if (action === 'renameTab') {
    if (tab) strip.rename(tab);
  } else if (action === 'exportResult') {
    if (tab) void exportResult(tab);
  } else frame.act(action, place);
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
  tabs: drawTabs,
  changed: drawChanged,
  action: ({ action, place }) => {
    acting = acting
      .then(() => frame.settled())
      .then(() => act(action, place))
      .catch(reportError);
  },
  follow: (next) => {
    follow = next;
    frame.answer?.followed();
  },
  parameterForm: drawParameters,
  marksChanged: () => frame.marksChanged(),
  focus: () => frame.focus(),
});

// Set the menu's context before VS Code reads it from the element.
document.addEventListener(
  'contextmenu',
  (event) => {
    if (!(event.target instanceof Element)) return;
    const about = frame.answer?.menuAt(event.target);
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
  const { answer, screen } = frame;
  if (command && !altKey && key.toLowerCase() === 'f') answer?.act('find', {});
  else if (key === 'F3') answer?.act(event.shiftKey ? 'findPrevious' : 'findNext', {});
  else if (altKey && key === 'ArrowLeft' && !typing && !event.defaultPrevented) answer?.back();
  else if (key === 'Escape' && !typing && screen?.running)
    channel.send('cancel', { tab: screen.tab });
  else if (key === 'Escape' && !typing && follow && follow.state !== 'stopped')
    channel.send('follow', { tab: follow.tab, action: 'stop' });
  else return;
  event.preventDefault();
});

/** The time at which the Command Palette's default keys were last pressed. */
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
keepFocus(() => frame.focus());

channel.send('ready', null);
if (document.hasFocus()) channel.send('focused', true);
