/** What stands in the view when there are no rows: nothing run yet, running, cancelled, failed, or none matched. */
import type { ViewAction, ViewState } from '../messages.ts';
import { element } from './dom.ts';
import { post } from './host.ts';

type Failed = Extract<ViewState, { kind: 'failed' }>;
type Hint = NonNullable<Extract<ViewState, { kind: 'result' }>['hint']>;

export function emptyMessage(): HTMLElement {
  return message('No results', 'Place the cursor in a query and press Shift+Enter to run it.');
}

export function noRowsMessage(hint?: Hint): HTMLElement {
  if (hint === undefined) {
    return message(
      'No rows',
      'No events match in this time range. Extend the range or relax the filters.',
    );
  }
  const box = message('No rows', hint.message);
  box.append(actionButton(hint.action));
  return box;
}

/** A hint above rows, such as the single row of a count of nothing. */
export function hintBar(hint: Hint): HTMLElement {
  return element('div', { class: 'hint', attributes: { role: 'note' } }, [
    element('span', { text: hint.message }),
    actionButton(hint.action),
  ]);
}

export function cancelledMessage(title: string): HTMLElement {
  return message('Cancelled', title);
}

export function failedMessage(state: Failed): HTMLElement {
  const box = element('section', { class: 'message failed', attributes: { role: 'alert' } }, [
    element('h2', { text: state.title === '' ? 'The query failed' : state.title }),
    element('p', { class: 'reason', text: state.message }),
  ]);
  if (state.traceId !== undefined)
    box.append(element('p', { class: 'trace', text: `Trace ${state.traceId}` }));
  for (const action of state.actions) box.append(actionButton(action));
  return box;
}

function actionButton({ label, command }: ViewAction): HTMLElement {
  return element('button', {
    class: 'action',
    text: label,
    onClick: () => post({ type: 'command', command }),
  });
}

/** Shows seconds as they pass; `stop` ends the clock. */
export function runningMessage(
  title: string,
  startedAt: number,
): { box: HTMLElement; stop: () => void } {
  const clock = element('span', { class: 'clock' });
  const tick = () => {
    clock.textContent = `${(Math.max(0, Date.now() - startedAt) / 1_000).toFixed(1)} s`;
  };
  tick();
  const timer = setInterval(tick, 100);
  const box = element('section', { class: 'message', attributes: { 'aria-live': 'polite' } }, [
    element('div', { class: 'progress', attributes: { 'aria-hidden': 'true' } }),
    element('h2', { text: 'Running' }),
    element('p', { text: title }),
    element('p', {}, [clock]),
    element('button', { class: 'action', text: 'Cancel', onClick: () => post({ type: 'cancel' }) }),
  ]);
  return { box, stop: () => clearInterval(timer) };
}

function message(heading: string, text: string): HTMLElement {
  return element('section', { class: 'message' }, [
    element('h2', { text: heading }),
    element('p', { text }),
  ]);
}
