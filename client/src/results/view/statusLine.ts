/** The line above the grid: tables to choose from, what came back in how long or how long it takes, and notices. */
import { button, element } from '../../webview/page/dom.ts';
import { type IconName, icon } from '../../webview/page/icons.ts';
import type { ResultContent, Running, ViewCancelled, ViewNotice } from '../messages.ts';
import { type RunCommand, secondsUntil } from './messages.ts';

interface LineAction {
  readonly name: string;
  readonly icon: IconName;
  readonly run: (button: HTMLElement) => void;
}

interface LineParts {
  readonly actions: readonly LineAction[];
  /** Absent where there is nothing to draw a chart of. */
  readonly modes:
    | { readonly shown: 'table' | 'chart'; readonly onShow: (shown: 'table' | 'chart') => void }
    | undefined;
  /** Undoes the last step that led here; absent where there is none. */
  readonly back: { readonly undoes: 'range' | 'filter'; readonly onBack: () => void } | undefined;
  /** A run after that of the result; absent unless it was cancelled. */
  readonly cancelled: ViewCancelled | undefined;
  readonly run: RunCommand;
  readonly onOpen: (table: number) => void;
}

export function statusLine(
  result: ResultContent,
  open: number,
  { actions, modes, back, cancelled, run, onOpen }: LineParts,
): HTMLElement {
  const line = element('header', { class: 'status' });
  if (modes) line.append(modeChoice(modes));
  if (back) line.append(backButton(back));
  if (result.tables.length > 1) line.append(tableTabs(result, open, onOpen));
  const summary = [...(cancelled ? [cancelled.message] : []), ...result.summary];
  line.append(
    element('span', { class: 'summary', attributes: { role: 'status' } }, [
      ...summary.map((part) => element('span', { class: 'part', title: part, text: part })),
    ]),
    ...(cancelled ? cancelledActions(cancelled, run) : []),
    ...result.notices.map(noticeBadge),
    element(
      'span',
      { class: 'line-actions' },
      actions.map(({ name, icon: drawn, run }) =>
        button(
          {
            class: 'quiet',
            label: name,
            onClick: ({ currentTarget }) => run(currentTarget as HTMLElement),
          },
          [icon(drawn)],
        ),
      ),
    ),
  );
  return line;
}

/** Above what was in view before a run that was cancelled. */
export function cancelledLine(cancelled: ViewCancelled, run: RunCommand): HTMLElement {
  return element('header', { class: 'status' }, [
    element('span', { class: 'summary', text: cancelled.message, attributes: { role: 'status' } }),
    ...cancelledActions(cancelled, run),
  ]);
}

function cancelledActions({ actions }: ViewCancelled, run: RunCommand): HTMLElement[] {
  return actions.map(({ label, command }) =>
    button({ class: 'quiet run-again', text: label, onClick: () => run(command) }),
  );
}

/** What is running and for how long, with a way to stop it; `stop` ends the clock. */
export function runningLine(
  { startedAt, deployment, rangeLabel, wait }: Running,
  onCancel: () => void,
): { line: HTMLElement; stop: () => void } {
  const clock = element('span', { class: 'clock' });
  const tick = () => {
    const seconds = Math.max(0, Date.now() - startedAt) / 1_000;
    clock.textContent = wait ? `again in ${secondsUntil(wait.until)} s` : `${seconds.toFixed(1)} s`;
  };
  tick();
  const timer = setInterval(tick, 100);
  const parts = [deployment, rangeLabel].filter((part) => part !== '');
  const line = element('div', { class: 'status running' }, [
    element('div', { class: 'progress', attributes: { 'aria-hidden': 'true' } }),
    element('span', { class: 'summary' }, [
      element('span', {
        class: 'part',
        text: wait ? `${wait.reason} Waiting` : 'Running',
        attributes: { role: 'status' },
      }),
      element('span', { class: 'part' }, [clock]),
      ...parts.map((text) => element('span', { class: 'part', text })),
    ]),
    button({ class: 'cancel quiet', text: 'Cancel', title: 'Cancel (Escape)', onClick: onCancel }),
  ]);
  return { line, stop: () => clearInterval(timer) };
}

function modeChoice({ shown, onShow }: NonNullable<LineParts['modes']>): HTMLElement {
  const names = { table: 'Table', chart: 'Chart' } as const;
  return element(
    'span',
    { class: 'tables modes', attributes: { role: 'group', 'aria-label': 'Show as' } },
    (['table', 'chart'] as const).map((mode) =>
      button({
        class: 'table-choice',
        text: names[mode],
        attributes: { 'aria-pressed': String(mode === shown), 'data-mode': mode },
        onClick: () => onShow(mode),
      }),
    ),
  );
}

function backButton({ undoes, onBack }: NonNullable<LineParts['back']>): HTMLElement {
  const what =
    undoes === 'filter' ? 'Remove the filter and run again' : 'Back to the earlier time range';
  return button({
    class: 'quiet back',
    text: '← Back',
    title: `${what} (Alt+Left)`,
    onClick: onBack,
  });
}

function tableTabs(
  result: ResultContent,
  open: number,
  onOpen: (table: number) => void,
): HTMLElement {
  return element(
    'span',
    { class: 'tables', attributes: { role: 'group', 'aria-label': 'Result tables' } },
    result.tables.map(({ label }, index) =>
      button({
        class: 'table-choice',
        text: label,
        attributes: { 'aria-pressed': String(index === open) },
        onClick: () => onOpen(index),
      }),
    ),
  );
}

function noticeBadge(notice: ViewNotice): HTMLElement {
  return element(
    'span',
    {
      class: `notice ${notice.severity}`,
      title: notice.message,
      attributes: { role: 'note', 'aria-label': notice.message, tabindex: '0' },
    },
    [element('span', { text: notice.label })],
  );
}
