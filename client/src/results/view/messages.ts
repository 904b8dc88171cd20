/** What stands in the view when there are no rows: nothing run yet, running, cancelled, failed, or none matched. */
import type { ViewState } from '../messages.ts';
import { element } from './dom.ts';
import { post } from './host.ts';

type Failed = Extract<ViewState, { kind: 'failed' }>;

export function emptyMessage(): HTMLElement {
  return message('No result yet', 'Put the cursor in a query and press Shift+Enter.');
}

export function noRowsMessage(): HTMLElement {
  return message(
    'No rows',
    'Nothing matched in this time range. Widen the range or loosen the filters.',
  );
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
  for (const action of state.actions)
    box.append(
      element('button', {
        class: 'action',
        text: action.label,
        onClick: () => post({ type: 'command', command: action.command }),
      }),
    );
  return box;
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
