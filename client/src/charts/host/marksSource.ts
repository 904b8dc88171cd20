/** Reads the annotations of an answer's datasets, and the thresholds of monitors that have the same query. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import type { ChartAnnotation, ChartMarks, ChartThreshold } from '../marks.ts';

/** The maximum number of annotations, because more would hide the chart. */
const maxAnnotations = 200;

export type Annotation = ReadResponse<'listAnnotations'>[number];
type Monitor = ReadResponse<'listMonitors'>[number];

/** Reads an answer's marks. Never fails: omits unreadable marks, and explains unexpected failures in `notes`. */
export async function readMarks(
  service: Service,
  answer: HeldAnswer,
  signal: AbortSignal,
): Promise<ChartMarks> {
  const { about, head } = answer;
  const [annotations, monitors] = await Promise.all([
    readAnnotations(service, head.datasetNames, head.tables[0]?.range?.end, signal),
    service.call('listMonitors', { signal }),
  ]);
  const drawn = annotationMarks(annotations.ok ? annotations.value : [], answer);
  const notes = [
    annotations.ok ? undefined : unreadNote('Annotations', annotations.failure),
    monitors.ok ? undefined : unreadNote('Thresholds of monitors', monitors.failure),
  ];
  return {
    annotations: drawn.annotations,
    thresholds: monitors.ok ? thresholdsOf(monitors.value.typed, about.query) : [],
    notes: [...notes.filter((note) => note !== undefined), ...drawn.notes],
  };
}

/** Lists the datasets' annotations up to a time. Returns none if there are no datasets. */
export async function readAnnotations(
  service: Service,
  datasets: readonly string[],
  end: string | undefined,
  signal: AbortSignal,
): Promise<Outcome<readonly Annotation[]>> {
  if (datasets.length === 0) return { ok: true, value: [] };
  // Pass no start time, because the service would omit annotations that began earlier and haven't ended.
  const query = { datasets: [...datasets], ...(end !== undefined && { end }) };
  const answer = await service.call('listAnnotations', { query, signal });
  return answer.ok ? { ok: true, value: answer.value.typed } : answer;
}

/** Returns the annotations on the answer's datasets in its range, or the first `maxAnnotations` of them and a note. */
export function annotationMarks(
  annotations: readonly Annotation[],
  { head }: Pick<HeldAnswer, 'head'>,
): Pick<ChartMarks, 'annotations' | 'notes'> {
  const range = head.tables[0]?.range;
  const marks = annotations
    .flatMap((annotation) => annotationMark(annotation, head.datasetNames))
    .filter((mark) => isAfter(mark, range?.start) && !(mark.time > Date.parse(range?.end ?? '')));
  return {
    annotations: marks.slice(0, maxAnnotations),
    notes:
      marks.length > maxAnnotations
        ? [`Only ${maxAnnotations} of ${marks.length} annotations are drawn.`]
        : [],
  };
}

/** Explains why marks are missing. Returns undefined if access is missing, because every chart would repeat that. */
export function unreadNote(what: string, { kind, status, message }: Failure): string | undefined {
  if (kind === 'cancelled' || kind === 'token' || status === 401 || status === 403)
    return undefined;
  return `${what} could not be read: ${message}`;
}

/** Returns whether a mark ends at or after `start`. True if there is no `start`. */
export function isAfter(
  { time, endTime = time }: Pick<ChartAnnotation, 'time' | 'endTime'>,
  start: string | undefined,
): boolean {
  return !(endTime < Date.parse(start ?? ''));
}

function annotationMark(
  { id, title, description, type, time, endTime, datasets }: Annotation,
  wanted: readonly string[],
): ChartAnnotation | [] {
  const at = Date.parse(time ?? '');
  const end = Date.parse(endTime ?? '');
  if (Number.isNaN(at) || !datasets?.some((dataset) => wanted.includes(dataset))) return [];
  return {
    id,
    title: title || type || 'Annotation',
    ...(description && { description }),
    type: type ?? '',
    time: at,
    ...(end > at && { endTime: end }),
  };
}

function thresholdsOf(monitors: readonly Monitor[], query: string): ChartThreshold[] {
  const asked = queryKey(query);
  return monitors.flatMap(
    ({ name: monitor, type, aplQuery, threshold: value, columnName: column }) =>
      type === 'Threshold' && typeof value === 'number' && queryKey(aplQuery ?? '') === asked
        ? { monitor, value, ...(column && { column }) }
        : [],
  );
}

/** Normalizes a query for comparison: removes comment lines and collapses whitespace. */
export function queryKey(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*\/\//.test(line))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
