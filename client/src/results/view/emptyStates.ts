/** The messages shown in place of rows: nothing was run, running, cancelled, failed, or no matches. */
import { textButton } from '../../webview/page/controls.ts';
import { element, setLabel, setText } from '../../webview/page/dom.ts';
import type { FailedContent, ResultContent, ViewAction } from '../pageContent.ts';

type Hint = NonNullable<ResultContent['hint']>;

export type RunCommand = (command: string) => void;

export function noRowsMessage(run: RunCommand, hint?: Hint): HTMLElement {
  const text = 'No events match in this time range. Extend the range or relax the filters.';
  return message('No rows', hint?.message ?? text, hint?.actions, run);
}

/** Returns a hint to show above the rows, such as an explanation of a count of zero. */
export function hintBar(hint: Hint, run: RunCommand): HTMLElement {
  return element('div', { class: 'hint flow rigid', role: 'note' }, [
    element('span', { lines: hint.message }),
    ...actionButtons(hint.actions, run),
  ]);
}

export function failedMessage(
  { title, message: reason, traceId, actions }: FailedContent,
  run: RunCommand,
): HTMLElement {
  return element('section', { class: 'message failed', role: 'alert' }, [
    element('h2', { text: title === '' ? 'The query failed' : title }),
    element('p', { class: 'reason', lines: reason }),
    traceId === undefined
      ? undefined
      : element('p', { class: 'trace mono', text: `Trace ${traceId}` }),
    ...actionButtons(actions, run),
  ]);
}

function actionButtons(actions: readonly ViewAction[], run: RunCommand): HTMLElement[] {
  return actions.map(({ label, command, readyAt }) => {
    const made = textButton('action', label, () => run(command));
    if (readyAt !== undefined) countDown(made, label, readyAt);
    return made;
  });
}

/** Counts down the wait that the service asked for. The button remains enabled. */
function countDown(made: HTMLButtonElement, label: string, readyAt: number): void {
  setLabel(made, label);
  const tick = () => {
    const left = secondsUntil(readyAt);
    setText(
      made,
      left === 0 ? label : `${label} (${left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`})`,
    );
    if (left === 0 || (timer !== undefined && !made.isConnected)) clearInterval(timer);
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  tick();
  timer = setInterval(tick, 1_000);
}

/** Returns the seconds until a time in milliseconds since 1970, rounded up; 0 if the time has passed. */
export function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

/** Returns a message with a button for each action. */
export function message(
  heading: string,
  text: string,
  actions: readonly ViewAction[] = [],
  run: RunCommand = () => undefined,
): HTMLElement {
  return element('section', { class: 'message' }, [
    element('h2', { text: heading }),
    element('p', { lines: text }),
    ...actionButtons(actions, run),
  ]);
}
