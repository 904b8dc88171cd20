// Validates dataset names, and suggests names for files.
import { DATASET_NAME_LENGTH_MAX, DATASET_NAME_PATTERN } from '../../../api/src/plain.ts';

const pattern = new RegExp(DATASET_NAME_PATTERN);

/** Returns the problem with the name of a new dataset; undefined if it is valid. */
export function datasetNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > DATASET_NAME_LENGTH_MAX) {
    return `A dataset name has at most ${DATASET_NAME_LENGTH_MAX} characters; this one has ${name.length}.`;
  }
  return pattern.test(name)
    ? undefined
    : 'A dataset name consists of letters, digits, hyphens, underscores and periods, and starts and ends with a letter or digit.';
}

const failedSuffix = /\.failed-\d{8}-\d{6}-[0-9a-f]+$/i;

/** Suggests a dataset name for a file, such as `my-cars.v2` for `My Cars.v2.json.gz`. */
export function suggestedName(file: string): string {
  const stem = file
    .replace(/\.(?:gz|gzip|zst|zstd)$/i, '')
    .replace(/\.(?:json|ndjson|jsonl|ldjson|csv|tsv|txt|log|logfmt)(?:[.-]\d+)*$/i, '')
    .replace(failedSuffix, '');
  const name = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, DATASET_NAME_LENGTH_MAX)
    .replace(/^[._-]+|[._-]+$/g, '')
    .toLowerCase();
  return name === '' ? 'events' : name;
}
