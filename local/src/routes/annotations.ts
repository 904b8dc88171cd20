/** Annotations: stored, and listed by dataset and time. */
import type { Annotation } from '../../../api/src/index.ts';
import { formatNanos, parseTimestamp } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const annotationHandlers: Handlers = {
  listAnnotations: ({ store, query }) => {
    const start = query.start === undefined ? undefined : parseTimestamp(query.start);
    const end = query.end === undefined ? undefined : parseTimestamp(query.end);
    return store.resources.list<Annotation>('annotation').filter((annotation) => {
      const from = parseTimestamp(annotation.time);
      const to = annotation.endTime ? parseTimestamp(annotation.endTime) : from;
      return (
        (query.datasets === undefined ||
          annotation.datasets.some((dataset) => query.datasets!.includes(dataset))) &&
        (start === undefined || to === undefined || to >= start) &&
        (end === undefined || from === undefined || from < end)
      );
    });
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
