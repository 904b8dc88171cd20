/** Handles annotations. Lists can be filtered by dataset and time. */
import type { Annotation, AnnotationUpdate, NewAnnotation } from '../../../api/src/index.ts';
import { parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';
import { ApiError } from '../errors.ts';
import { formatNanos } from '../time.ts';
import { documentHandlers } from './documents.ts';
import type { Handlers } from './handler.ts';

const annotations = documentHandlers<Annotation, NewAnnotation, AnnotationUpdate>('annotation', {
  idPrefix: 'ann_',
  created: (body, id, { now }) => checkedEnd({ ...body, id, time: body.time ?? formatNanos(now) }),
  updated: (body, current) => checkedEnd({ ...current, ...body, id: current.id }),
});

export const annotationHandlers = {
  listAnnotations: ({ visible, query }) => {
    const start = timeOf(query.start);
    const end = timeOf(query.end);
    // Members may be missing in an annotation from another version.
    const stored = visible.documents<Partial<Annotation>>('annotation');
    const listed = stored.filter(({ datasets = [], time }) => {
      const at = timeOf(time);
      return (
        (query.datasets === undefined ||
          datasets.some((dataset) => query.datasets!.includes(dataset))) &&
        (start === undefined || at === undefined || at > start) &&
        (end === undefined || at === undefined || at < end)
      );
    });
    return listed as Annotation[];
  },
  getAnnotation: annotations.get,
  createAnnotation: annotations.create,
  updateAnnotation: annotations.update,
  deleteAnnotation: annotations.remove,
} satisfies Handlers;

/** Parses a time to nanoseconds since 1970. */
function timeOf(text: string | null | undefined): bigint | undefined {
  return text ? parseRfc3339Nanos(text) : undefined;
}

/** Returns the annotation. Throws an ApiError if the end time is not after the start time. */
function checkedEnd(annotation: Annotation): Annotation {
  const { time, endTime } = annotation;
  const [start, end] = [timeOf(time), timeOf(endTime)];
  if (start !== undefined && end !== undefined && end <= start) {
    const problems = `endTime must be after time, which is ${time}, got ${endTime}`;
    throw new ApiError('bad-request', { problems });
  }
  return annotation;
}
