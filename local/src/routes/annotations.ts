/** Annotations: stored, and listed by dataset and time. */
import type { Annotation } from '../../../api/src/index.ts';
import { formatNanos, parseTimestamp } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const annotationHandlers: Handlers = {
  listAnnotations: ({ seen, query }) => {
    const start = query.start === undefined ? undefined : parseTimestamp(query.start);
    const end = query.end === undefined ? undefined : parseTimestamp(query.end);
    // One of another version may lack what every annotation has by now.
    const stored = seen.documents<Partial<Annotation>>('annotation');
    const listed = stored.filter(({ datasets = [], time, endTime }) => {
      const from = time ? parseTimestamp(time) : undefined;
      const to = endTime ? parseTimestamp(endTime) : from;
      return (
        (query.datasets === undefined ||
          datasets.some((dataset) => query.datasets!.includes(dataset))) &&
        (start === undefined || to === undefined || to >= start) &&
        (end === undefined || from === undefined || from < end)
      );
    });
    return listed as Annotation[];
  },
  getAnnotation: ({ store, params }) => getDocument<Annotation>(store, 'annotation', params.id),
  createAnnotation: ({ store, body, now }) => {
    const id = newId('ann_');
    return addDocument<Annotation>(store, 'annotation', id, {
      ...body,
      id,
      time: body.time ?? formatNanos(now),
    });
  },
  updateAnnotation: ({ store, params, body }) =>
    changeDocument<Annotation>(store, 'annotation', params.id, (current) => ({
      ...current,
      ...body,
      id: current.id,
    })),
  deleteAnnotation: ({ store, params }) => deleteDocument(store, 'annotation', params.id),
};
