/** The messages shown in place of rows: nothing was run, running, cancelled, failed, or no matches. */
import { textButton } from '../../webview/page/controls.ts';
import { element, setLabel, setText } from '../../webview/page/dom.ts';
import type {
  FailedContent,
  GoneContent,
  ResultContent,
  ViewAction,
  ViewCancelled,
} from '../pageContent.ts';

type Hint = NonNullable<ResultContent['hint']>;

export type RunCommand = (command: string) => void;

export function emptyMessage(): HTMLElement {
  return message('No results', 'Place the cursor in a query and press Shift+Enter to run it.');
}

export function noRowsMessage(run: RunCommand, hint?: Hint): HTMLElement {
  const { message: text, actions } = hint ?? {
    message: 'No events match in this time range. Extend the range or relax the filters.',
    actions: [],
  };
  return message('No rows', text, ...actionButtons(actions, run));
}

export function noEventsMessage(): HTMLElement {
  return message('No events yet', 'Events appear here as they arrive.');
}

/** Returns a hint to show above the rows, such as an explanation of a count of zero. */
export function hintBar(hint: Hint, run: RunCommand): HTMLElement {
  return element('div', { class: 'hint flow rigid', role: 'note' }, [
    element('span', { lines: hint.message }),
    ...actionButtons(hint.actions, run),
  ]);
}

export function waitingMessage(title: string): HTMLElement {
  return message('Running', title);
}

export function cancelledMessage(
  title: string,
  { message: said, actions }: ViewCancelled,
  run: RunCommand,
): HTMLElement {
  return message(said, title, ...actionButtons(actions, run));
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

export function goneMessage(
  { title, message: reason, actions }: GoneContent,
  run: RunCommand,
): HTMLElement {
  return message(
    title === '' ? 'No rows in memory' : title,
    reason,
    ...actionButtons(actions, run),
  );
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

function message(heading: string, text: string, ...actions: readonly HTMLElement[]): HTMLElement {
  return element('section', { class: 'message' }, [
    element('h2', { text: heading }),
    element('p', { lines: text }),
    ...actions,
  ]);
}
