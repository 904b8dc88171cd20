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

/** Focuses the element where the phase begins, unless another part of the window has the focus. */
function focusHome(): void {
  const homes = [...root.querySelectorAll<HTMLElement>('[data-home]')];
  const home = homes.find((one) => one.checkVisibility());
  if (!document.hasFocus()) return;
  // The preview keeps its scroll position while a run and its report are shown.
  home?.focus({ preventScroll: true });
  if (home instanceof HTMLInputElement) home.select();
}

/** Passes the messages of the host on. Progress and reports of an earlier run are outdated with another phase. */
function listen(update: (part: PageState) => void): void {
  channel.listen({
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
  channel.send('ready', null);
}

keepFocus(focusHome);
// One root: ids are unique among the components of a root.
render(h(App, { focusHome, listen }), root);
