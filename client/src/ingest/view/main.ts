/** The ingest page: files as they will be stored, their run, and its report. */
import '../../webview/page/kit.css';
import './styles/page.css';
import './styles/form.css';
import './styles/files.css';
import './styles/preview.css';
import './styles/run.css';
import './visibleNodes.ts';
import { h, render } from 'preact';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import { App, type PageState } from './app.tsx';
import { channel } from './channel.ts';

const root = document.getElementById('app') as HTMLElement;
let state: PageState = {};

function update(part: PageState): void {
  state = { ...state, ...part };
  render(h(App, { state, focusHome }), root);
}

/** Focuses the element where the phase begins, unless another part of the window has the focus. */
function focusHome(): void {
  const home = root.querySelector<HTMLElement>('[data-home]');
  if (!document.hasFocus()) return;
  home?.focus();
  if (home instanceof HTMLInputElement) home.select();
}

channel.listen({
  // Progress and reports of an earlier run are outdated.
  screen: (screen) =>
    update({
      screen,
      ...(screen.phase !== 'running' && { progress: undefined }),
      ...(screen.phase !== 'report' && { report: undefined }),
    }),
  file: (file) => update({ file }),
  progress: (progress) => update({ progress }),
  report: (report) => update({ report }),
  keep: (kept) => channel.state?.write(kept),
});

keepFocus(focusHome);
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (state.screen?.phase !== 'preview') return;
  event.preventDefault();
  if (state.screen.blocked === undefined) channel.send('start', { mode: 'ingest' });
});

channel.send('ready', null);
