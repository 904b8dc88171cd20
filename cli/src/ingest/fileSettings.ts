/** Determines the settings for reading a file: from the options or, if absent, from the first events. */
import { FileProblem, type FileSource, type Preview } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import type { ChosenSettings } from '../../../ingest/src/preview/settings.ts';
import type { CsvSettings, TimeSettings } from '../../../ingest/src/settings.ts';
import type { IngestArguments } from './arguments.ts';

/** Previews a file with the options' settings. Rejects with a FileProblem if the options don't fit the file. */
export async function previewWithOptions(
  source: FileSource,
  args: IngestArguments,
  signal: AbortSignal,
): Promise<Preview> {
  const guessed = await previewFile(source, args.chosen, undefined, signal);
  const time = timeOf(source, guessed, args);
  const csv = guessed.settings.csv && csvOf(source, guessed, args);
  if (time === undefined && csv === undefined) return guessed;
  const chosen: ChosenSettings = {
    ...args.chosen,
    ...(time && { time }),
    ...(csv && { csv }),
  };
  return previewFile(source, chosen, undefined, signal);
}

/**
 * Returns the time settings from the options. Returns undefined without time options, so that the preview's settings
 * are used. Throws a FileProblem if the time field or its format is unknown.
 */
function timeOf(
  { name }: FileSource,
  { time: { candidates }, settings }: Preview,
  { time, chosen }: IngestArguments,
): TimeSettings | undefined {
  const { field, format, zone } = time;
  if (chosen.time === null || Object.keys(time).length === 0) return undefined;
  const found =
    field === undefined
      ? settings.time
      : candidates.find((candidate) => candidate.settings.field === field)?.settings;
  if (field === undefined && found === undefined) {
    throw new FileProblem(`${name}: no field has the time. Specify it with --time-field.`);
  }
  if (format === undefined && found === undefined) {
    throw new FileProblem(
      `${name}: the first values of ${field} are not times in a format that is recognized. Check the name of the field, or specify --time-format.`,
    );
  }
  return {
    field: (field ?? found?.field) as string,
    format: (format ?? found?.format) as TimeSettings['format'],
    zone: zone ?? found?.zone ?? 'UTC',
  };
}

function csvOf(
  { name }: FileSource,
  { settings, fields }: Preview,
  { columnTypes, columnsAsText }: IngestArguments,
): CsvSettings | undefined {
  const { csv } = settings;
  if (csv === undefined || (!columnsAsText && Object.keys(columnTypes).length === 0)) {
    return undefined;
  }
  const columns = new Set([
    ...csv.names,
    ...Object.keys(csv.types),
    ...fields.map((field) => field.nameInFile ?? field.name),
  ]);
  for (const column of Object.keys(columnTypes)) {
    if (columns.has(column)) continue;
    throw new FileProblem(`${name} has no column ${column}. Check --csv-types.`);
  }
  return { ...csv, types: { ...(columnsAsText ? {} : csv.types), ...columnTypes } };
}
