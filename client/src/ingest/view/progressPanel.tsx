/** A run's progress, with actions to pause and cancel the run. */
import { grouped } from '../../../../formats/src/counts.ts';
import type { ProgressView, Screen } from '../host/pageFacts.ts';
import { fractionOf, progressAmounts } from '../reportText.ts';
import { Action, Message } from './components.tsx';

interface Props {
  readonly screen: Screen;
  readonly progress: ProgressView;
}

export function ProgressPanel({ screen: { mode, target }, progress }: Props) {
  const { file, index, files, state, waiting } = progress;
  const isCheck = mode === 'check';
  const isPaused = state === 'paused';
  const isCancelling = state === 'cancelling';
  const heading = {
    running: isCheck ? `Checking ${file}` : `Ingesting ${file} into '${target.dataset.trim()}'`,
    waiting: `Waiting to send more of ${file}`,
    paused: `Paused: ${file}`,
    cancelling: isCheck
      ? 'Cancelling'
      : 'Cancelling. Waiting for responses to requests that were sent',
  }[state];
  const fraction = fractionOf(progress);
  const percent = Math.floor(100 * fraction);
  const { bytes, events, rate, left } = progressAmounts(progress);
  const place = files > 1 ? `File ${grouped(index)} of ${grouped(files)}` : '';
  const again = waiting?.seconds ? ` Trying again in ${waiting.seconds} s.` : '';
  return (
    <section class="run fill" aria-label="Progress">
      <h2 tabIndex={-1} data-home aria-live="polite">
        {heading}
      </h2>
      <div
        class="bar"
        role="progressbar"
        aria-label="Bytes read"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div class="filled" style={{ width: `${100 * fraction}%` }} />
      </div>
      <div class="dim digits">
        {[`${percent}%`, place, bytes, events, rate, left].filter(Boolean).join(' · ')}
      </div>
      {waiting && <Message severity="warning" text={`${waiting.message}${again}`} />}
      <div class="buttons optional flow">
        {/* A check has no connection to relieve. It can only be cancelled. */}
        {!isCheck && (
          <Action disabled={isCancelling} event={isPaused ? 'resume' : 'pause'}>
            {isPaused ? 'Resume' : 'Pause'}
          </Action>
        )}
        <Action
          title="Stop reading. Events that were sent stay stored, and the rest can be sent later"
          disabled={isCancelling}
          event="cancel"
        >
          Cancel
        </Action>
      </div>
    </section>
  );
}
