// Annotations: markers on the charts of datasets, at a point in time or over a time range. The bounds are from the
// Limits section of the spec.
import { ANNOTATION_TITLE_LENGTH_MAX } from '../limits.ts';
import {
  key,
  list,
  object,
  optional,
  type Static,
  text,
  timestamp,
  timestampOrNull,
} from '../schema.ts';

const datasets = list(text(undefined, { minLength: 1 }), {
  minItems: 1,
  description: 'Datasets whose charts show the annotation.',
});

const type = text('Kind of event, such as deploy: lower-case letters, digits and hyphens.', {
  minLength: 1,
  maxLength: 256,
  pattern: '^[a-z0-9-]+$',
  'x-words': 'consist of lower-case letters, digits and hyphens',
});

const details = {
  description: optional(text('Description of the event.', { maxLength: 512 })),
  endTime: optional(timestampOrNull('End of the marked time range.')),
  title: optional(
    text('Short title shown on the chart.', { maxLength: ANNOTATION_TITLE_LENGTH_MAX }),
  ),
  url: optional(text('Link to more information.', { maxLength: 512 })),
};

const time = timestamp('Time of the event, or start of the marked time range.');

export const Annotation = object({
  id: key(text('Identifier assigned by the service.')),
  datasets,
  type,
  time,
  ...details,
});
export type Annotation = Static<typeof Annotation>;

/** Body that creates an annotation. `time` defaults to the time of the request. Not in the spec. */
export const NewAnnotation = object({ datasets, type, time: optional(time), ...details });
export type NewAnnotation = Static<typeof NewAnnotation>;

/** Body that changes an annotation. Omitted members stay unchanged. Not in the spec. */
export const AnnotationUpdate = object({
  datasets: optional(datasets),
  type: optional(type),
  time: optional(time),
  ...details,
});
export type AnnotationUpdate = Static<typeof AnnotationUpdate>;
