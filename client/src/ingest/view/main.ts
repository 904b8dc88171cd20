/** The ingest page: previews, progress and report. */
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

/** Focuses the first element of the current phase, unless another part of the window has the focus. */
function focusHome(): void {
  const homes = [...root.querySelectorAll<HTMLElement>('[data-home]')];
  const home = homes.find((one) => one.checkVisibility());
  if (!document.hasFocus()) return;
  // Don't scroll, so that the preview keeps its scroll position during a run and its report.
  home?.focus({ preventScroll: true });
  if (home instanceof HTMLInputElement) home.select();
}

/** Passes on the host's messages. When the phase changes, removes the outdated progress or report. */
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
// Create only one root, because IDs are unique only within a root.
render(h(App, { focusHome, listen }), root);
