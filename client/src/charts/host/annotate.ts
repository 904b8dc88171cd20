// Prompts for an annotation's title, and stores the annotation for a span chosen in a chart.
import { ANNOTATION_TITLE_LENGTH_MAX } from '../../../../api/src/plain.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import { showFailure } from '../../host/notify.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import type { Service } from '../../service/service.ts';
import { rangeLabel } from '../../time/timeRange.ts';
import { wallText } from '../../time/timeZone.ts';
import { showInputBox } from '../../ui/inputs.ts';
import { showWarningMessage } from '../../ui/notifications.ts';

/** A shorter span becomes an annotation at a point in time. */
const pointMilliseconds = 1;

/** Returns whether the annotation was stored. The span is in milliseconds since 1970. */
export async function annotateSpan(
  service: Service,
  { head, about }: HeldAnswer,
  from: number,
  to: number,
): Promise<boolean> {
  const datasets = [...new Set(head.datasetNames)];
  if (datasets.length === 0) {
    void showWarningMessage(
      'The result does not name its datasets, so no chart could show the annotation.',
    );
    return false;
  }
  const time = new Date(from).toISOString();
  const endTime = to - from < pointMilliseconds ? undefined : new Date(to).toISOString();
  const title = await showInputBox({
    title: `Add Annotation to ${datasets.join(', ')}`,
    prompt: `What happened? ${spanLabel(time, endTime, to - from)}`,
    placeHolder: 'Such as Deployed version 2.4',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? 'Enter a title.'
        : text.length > ANNOTATION_TITLE_LENGTH_MAX
          ? `Enter at most ${ANNOTATION_TITLE_LENGTH_MAX} characters.`
          : undefined,
  });
  if (title === undefined) return false;
  const stored = await service.call('createAnnotation', {
    body: { datasets, type: 'note', title: title.trim(), time, ...(endTime && { endTime }) },
  });
  if (stored.ok) return true;
  showFailure('The annotation was not stored', stored.failure, {
    local: about.deployment === 'Local',
    needs: 'permission to create annotations',
  });
  return false;
}

/** Formats a span as the results do. Includes fractions of a second only if the span is shorter than a second. */
function spanLabel(time: string, endTime: string | undefined, milliseconds: number): string {
  const zone = resultsTimeZone();
  const shown = (text: string) => (milliseconds < 1_000 ? text : text.replace(/\.\d+/, ''));
  const at = (text: string) => ({ kind: 'at', time: shown(text) }) as const;
  const label =
    endTime === undefined
      ? wallText(time, zone).replace('T', ' ').replace('Z', '')
      : rangeLabel({ start: at(time), end: at(endTime) }, zone);
  return zone === 'utc' ? `${label} UTC` : label;
}
