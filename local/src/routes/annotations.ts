/** Annotations: stored, and listed by dataset and time. */
import type { Annotation } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { formatNanos, parseTimestamp } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const annotationHandlers: Handlers = {
  listAnnotations: ({ seen, query }) => {
    const start = timeOf(query.start);
    const end = timeOf(query.end);
    // One of another version may lack what every annotation has by now.
    const stored = seen.documents<Partial<Annotation>>('annotation');
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
  getAnnotation: ({ store, params }) => getDocument<Annotation>(store, 'annotation', params.id),
  createAnnotation: ({ store, body, now }) => {
    const id = newId('ann_');
    const annotation = { ...body, id, time: body.time ?? formatNanos(now) };
    return addDocument<Annotation>(store, 'annotation', id, checkedEnd(annotation));
  },
  updateAnnotation: ({ store, params, body }) =>
    changeDocument<Annotation>(store, 'annotation', params.id, (current) =>
      checkedEnd({ ...current, ...body, id: current.id }),
    ),
  deleteAnnotation: ({ store, params }) => deleteDocument(store, 'annotation', params.id),
};

/** Nanoseconds since 1970; undefined where there is no time, as in a document of another version. */
function timeOf(text: string | null | undefined): bigint | undefined {
  return text ? parseTimestamp(text) : undefined;
}

/** The annotation, unless its end is not after its time. Throws an ApiError. */
function checkedEnd(annotation: Annotation): Annotation {
  const { time, endTime } = annotation;
  const [start, end] = [timeOf(time), timeOf(endTime)];
  if (start !== undefined && end !== undefined && end <= start) {
    const problems = `endTime must be after time, which is ${time}, got ${endTime}`;
    throw new ApiError('bad-request', { problems });
  }
  return annotation;
}
