// Annotations: marks at a point or over a span of time, shown on the charts of some datasets.
import {
  ANNOTATION_DATASET_LENGTH_MIN,
  ANNOTATION_DATASETS_MIN,
  ANNOTATION_DESCRIPTION_LENGTH_MAX,
  ANNOTATION_TITLE_LENGTH_MAX,
  ANNOTATION_TYPE_LENGTH_MAX,
  ANNOTATION_TYPE_PATTERN,
  ANNOTATION_URL_LENGTH_MAX,
} from '../limits.ts';
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

const datasets = list(text(undefined, { minLength: ANNOTATION_DATASET_LENGTH_MIN }), {
  minItems: ANNOTATION_DATASETS_MIN,
  description: 'The datasets whose charts show the annotation.',
});

const type = text('What kind of event it marks: lower-case letters, digits and hyphens.', {
  minLength: 1,
  maxLength: ANNOTATION_TYPE_LENGTH_MAX,
  pattern: ANNOTATION_TYPE_PATTERN,
  'x-words': 'consist of lower-case letters, digits and hyphens',
});

const details = {
  description: optional(text('What happened.', { maxLength: ANNOTATION_DESCRIPTION_LENGTH_MAX })),
  endTime: optional(timestampOrNull('The end of the marked span.')),
  title: optional(
    text('A short name shown on the chart.', { maxLength: ANNOTATION_TITLE_LENGTH_MAX }),
  ),
  url: optional(text('Where to read more.', { maxLength: ANNOTATION_URL_LENGTH_MAX })),
};

const time = timestamp('The time that is marked.');

/** An annotation as the service holds it. */
export const Annotation = object({
  id: key(text('The identifier the service gave it.')),
  datasets,
  type,
  time,
  ...details,
});
export type Annotation = Static<typeof Annotation>;

/** An annotation as it is made; without `time` the time of the request counts. Not in the spec. */
export const NewAnnotation = object({ datasets, type, time: optional(time), ...details });
export type NewAnnotation = Static<typeof NewAnnotation>;

/** A change of an annotation; what is left out stays. Not in the spec. */
export const AnnotationUpdate = object({
  datasets: optional(datasets),
  type: optional(type),
  time: optional(time),
  ...details,
});
export type AnnotationUpdate = Static<typeof AnnotationUpdate>;
