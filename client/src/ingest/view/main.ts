/** The ingest page: files as they will be stored, their run, and its report. */
import '../../webview/page/kit.css';
import './styles/page.css';
import './styles/form.css';
import './styles/files.css';
import './styles/preview.css';
import './styles/run.css';
import { element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import type { ProgressView, Screen } from '../host/messages.ts';
import { ActionBar } from './actionBar.ts';
import { channel } from './channel.ts';
import { FileForm } from './fileForm.ts';
import { FileList } from './fileList.ts';
import { ProgressPanel } from './progressPanel.ts';
import { ReportPanel } from './reportPanel.ts';
import { TargetForm } from './targetForm.ts';

const target = new TargetForm();
const list = new FileList();
const form = new FileForm();
const actions = new ActionBar();
const run = new ProgressPanel();
const report = new ReportPanel();
const notice = element('div', { class: 'message info' });

const preview = element('div', { class: 'columns' }, [
  list.element,
  element('div', { class: 'main' }, [
    element('div', { class: 'form target' }, [target.element]),
    notice,
    form.element,
  ]),
]);
const app = document.getElementById('app') as HTMLElement;
app.append(preview, run.element, report.element, actions.element);
// A field that takes the focus before it has its value would keep the empty text as if it were being typed.
app.hidden = true;

let screen: Screen | undefined;
let progress: ProgressView | undefined;

function draw(next: Screen): void {
  const former = screen?.phase;
  screen = next;
  const { phase } = next;
  app.hidden = false;
  preview.hidden = phase !== 'preview';
  run.element.hidden = phase !== 'running';
  report.element.hidden = phase !== 'report';
  target.update(next);
  list.update(next);
  form.screen(next);
  actions.update(next);
  notice.hidden = next.notice === undefined;
  notice.replaceChildren(icon('info'), element('span', { text: next.notice ?? '' }));
  if (phase === 'running' && progress) run.update(next.mode, next.target.dataset, progress);
  // The button that had the keyboard is gone.
  if (former !== phase) takeKeyboard();
}

/** Puts the keyboard where the phase begins; a page that does not have it leaves it where it is. */
function takeKeyboard(): void {
  if (!document.hasFocus()) return;
  if (screen?.phase === 'running') run.focus();
  else if (screen?.phase === 'preview') target.focus();
  else report.focus();
}

channel.listen({
  screen: draw,
  file: (file) => form.update(file),
  progress: (next) => {
    progress = next;
    if (screen) run.update(screen.mode, screen.target.dataset.trim(), next);
  },
  report: (next) => {
    report.update(next);
    takeKeyboard();
  },
  keep: (kept) => channel.state?.write(kept),
});

keepFocus(takeKeyboard);
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (screen?.phase !== 'preview') return;
  event.preventDefault();
  actions.start();
});

channel.send('ready', null);
