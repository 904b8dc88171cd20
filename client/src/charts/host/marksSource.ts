/** The annotations of an answer's datasets, and the thresholds of monitors that watch its query. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { Service } from '../../api/service.ts';
import type { HeldAnswer } from '../../results/store/heldAnswer.ts';
import type { ChartAnnotation, ChartMarks, ChartThreshold } from '../marks.ts';

/** More would hide the chart. */
const maxAnnotations = 200;

type Annotation = ReadResponse<'listAnnotations'>[number];
type Monitor = ReadResponse<'listMonitors'>[number];

/** Never fails: what cannot be read is left out, with a sentence where that was not to be expected. */
export async function readMarks(
  service: Service,
  { about, head }: HeldAnswer,
  signal: AbortSignal,
): Promise<ChartMarks> {
  const datasets = head.datasetNames;
  const range = head.tables[0]?.range;
  const [start, end] = [range?.start, range?.end];
  // The service goes by the time of an annotation alone: with a start, one that is under way then would be missing.
  const query = { datasets: [...datasets], ...(end && { end }) };
  const [annotations, monitors] = await Promise.all([
    datasets.length === 0 ? undefined : service.call('listAnnotations', { query, signal }),
    service.call('listMonitors', { signal }),
  ]);
  const notes: string[] = [];
  for (const [answer, what] of [
    [annotations, 'Annotations'],
    [monitors, 'Thresholds of monitors'],
  ] as const) {
    // A token that may only query has no annotations; saying so with every chart would be noise.
    if (answer?.ok !== false || answer.failure.kind === 'cancelled') continue;
    if (answer.failure.kind === 'token' || [401, 403].includes(answer.failure.status ?? 0))
      continue;
    notes.push(`${what} could not be read: ${answer.failure.message}`);
  }
  const spans = annotations?.ok
    ? annotations.value.typed
        .flatMap((annotation) => annotationMark(annotation, datasets))
        .filter((mark) => isAfter(mark, start))
    : [];
  return {
    annotations: spans.slice(0, maxAnnotations),
    thresholds: monitors?.ok ? thresholdsOf(monitors.value.typed, about.query) : [],
    notes: [
      ...notes,
      ...(spans.length > maxAnnotations
        ? [`Only ${maxAnnotations} of ${spans.length} annotations are drawn.`]
        : []),
    ],
  };
}

/** Whether some of a mark is after a time; without one, it is. */
export function isAfter(
  { time, endTime = time }: Pick<ChartAnnotation, 'time' | 'endTime'>,
  start: string | undefined,
): boolean {
  return start === undefined || !(endTime < Date.parse(start));
}

function annotationMark(
  { id, title, description, type, time, endTime, datasets }: Annotation,
  wanted: readonly string[],
): ChartAnnotation[] {
  const at = Date.parse(time ?? '');
  const end = Date.parse(endTime ?? '');
  if (Number.isNaN(at) || !datasets?.some((dataset) => wanted.includes(dataset))) return [];
  return [
    {
      id,
      title: title || type || 'Annotation',
      ...(description && { description }),
      type: type ?? '',
      time: at,
      ...(end > at && { endTime: end }),
    },
  ];
}

function thresholdsOf(monitors: readonly Monitor[], query: string): ChartThreshold[] {
  const asked = queryKey(query);
  return monitors.flatMap(({ name, type, aplQuery, threshold, operator, columnName }) =>
    type === 'Threshold' && typeof threshold === 'number' && queryKey(aplQuery ?? '') === asked
      ? [
          {
            monitor: name,
            ...(operator && { operator }),
            value: threshold,
            ...(columnName && { column: columnName }),
          },
        ]
      : [],
  );
}

/** A query without what does not change it: comments on lines of their own, spaces and line ends. */
export function queryKey(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*\/\//.test(line))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
