/** Parses and validates the options of `aplomb ingest`. */
import { DATASET_NAME_LENGTH_MAX, DATASET_NAME_PATTERN } from '../../../api/src/plain.ts';
import type { ChosenSettings } from '../../../ingest/src/preview/settings.ts';
import { isZone } from '../../../ingest/src/read/times/zone.ts';
import type { ColumnType, EventFormat, TimeFormat } from '../../../ingest/src/settings.ts';
import {
  choiceOption,
  readArguments,
  required,
  UsageError,
} from '../../../system/src/commandLine.ts';
import { expandPattern } from '../patterns.ts';
import { type Target, targetOf, targetOptions } from './targetOptions.ts';

const options = {
  dataset: { type: 'string' },
  ...targetOptions,
  format: { type: 'string' },
  'time-field': { type: 'string' },
  'time-format': { type: 'string' },
  'time-zone': { type: 'string' },
  'no-time': { type: 'boolean' },
  label: { type: 'string', multiple: true },
  'csv-delimiter': { type: 'string' },
  'csv-names': { type: 'string' },
  'csv-types': { type: 'string' },
  broken: { type: 'string' },
  check: { type: 'boolean' },
  yes: { type: 'boolean' },
  resume: { type: 'boolean' },
  restart: { type: 'boolean' },
} as const;

export interface IngestArguments {
  readonly files: readonly string[];
  /** May be empty for `check`, which sends nothing. */
  readonly dataset: string;
  readonly target: Target;
  readonly chosen: ChosenSettings;
  /** The time options from the command line. The preview determines the missing settings. */
  readonly time: TimeOptions;
  /** The column types from the command line. The preview determines the types of all other columns. */
  readonly columnTypes: Readonly<Record<string, ColumnType>>;
  /** Whether to send every column as a string, except those in `columnTypes`. */
  readonly columnsAsText: boolean;
  /** Whether to skip the check for events that would be lost. */
  readonly yes: boolean;
  readonly mode: 'send' | 'check' | 'resume' | 'restart';
}

interface TimeOptions {
  readonly field?: string;
  readonly format?: TimeFormat;
  readonly zone?: string;
}

const formats: readonly EventFormat[] = ['json', 'ndjson', 'csv', 'logfmt', 'lines'];
const columnTypes: readonly ColumnType[] = ['string', 'integer', 'number', 'boolean'];
const timeFormats: Readonly<Record<string, TimeFormat>> = {
  rfc3339: { kind: 'rfc3339' },
  s: { kind: 'epoch', unit: 's' },
  ms: { kind: 'epoch', unit: 'ms' },
  us: { kind: 'epoch', unit: 'us' },
  ns: { kind: 'epoch', unit: 'ns' },
};

/** Parses the options. Throws a UsageError that names an option, or a FileError if no file matches a pattern. */
export function ingestArguments(args: readonly string[]): IngestArguments {
  const { values, positionals } = readArguments(args, 'any number', options);
  if (positionals.length === 0) throw new UsageError('Specify the files to ingest.');
  if (positionals.includes('-')) {
    throw new UsageError(
      'Standard input cannot be ingested, because a run may have to read it again. Save it to a file.',
    );
  }
  const mode = modeOf(values);
  const dataset =
    mode === 'check'
      ? (values.dataset ?? '')
      : required('--dataset', values.dataset, 'the target dataset');
  if (dataset !== '') checkDataset(dataset);
  const { types, asText } = columnTypesOf(values['csv-types']);
  const time = timeOptions(values['time-format'], values['time-zone']);
  const field = values['time-field'];
  if (values['no-time'] && (field !== undefined || Object.keys(time).length > 0)) {
    throw new UsageError('--no-time cannot be combined with other options about the time.');
  }
  return {
    files: positionals.flatMap(expandPattern),
    dataset,
    target: targetOf(values),
    chosen: {
      ...(values.format !== undefined && {
        format: choiceOption('format', values.format, formats),
      }),
      ...(values.broken !== undefined && {
        broken: choiceOption('broken', values.broken, ['skip', 'stop'] as const),
      }),
      ...csvOf(values['csv-delimiter'], values['csv-names']),
      labels: labelsOf(values.label ?? []),
      ...(values['no-time'] && { time: null }),
    },
    time: { ...time, ...(field !== undefined && { field }) },
    columnTypes: types,
    columnsAsText: asText,
    yes: values.yes === true,
    mode,
  };
}

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

function modeOf({ check, resume, restart }: Values): IngestArguments['mode'] {
  const given = [check && 'check', resume && 'resume', restart && 'restart'].filter(Boolean);
  if (given.length > 1) {
    throw new UsageError(`--${given[0]} and --${given[1]} cannot be combined.`);
  }
  return (given[0] as IngestArguments['mode'] | undefined) ?? 'send';
}

function checkDataset(name: string): void {
  if (name.length <= DATASET_NAME_LENGTH_MAX && new RegExp(DATASET_NAME_PATTERN).test(name)) return;
  throw new UsageError(
    `'${name}' is not a name of a dataset. It has at most ${DATASET_NAME_LENGTH_MAX} letters, digits, hyphens, underscores and periods, and starts and ends with a letter or digit.`,
  );
}

function labelsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--label must be NAME=VALUE, but is '${text}'.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function csvOf(delimiter: string | undefined, names: string | undefined) {
  if (delimiter === undefined && names === undefined) return {};
  return {
    csv: {
      ...(delimiter !== undefined && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
      // Column names replace a header line, so the first line is an event.
      ...(names !== undefined && { names: names.split(','), header: false }),
    },
  };
}

function columnTypesOf(text: string | undefined): {
  types: Record<string, ColumnType>;
  asText: boolean;
} {
  const types: Record<string, ColumnType> = {};
  let asText = false;
  for (const part of text?.split(',') ?? []) {
    const at = part.lastIndexOf('=');
    if (part === 'text') asText = true;
    else if (at < 1) {
      throw new UsageError(`--csv-types must be COLUMN=TYPE,… or text, but has '${part}'.`);
    } else types[part.slice(0, at)] = choiceOption('csv-types', part.slice(at + 1), columnTypes);
  }
  return { types, asText };
}

function timeOptions(format: string | undefined, zone: string | undefined): TimeOptions {
  if (zone !== undefined && !isZone(zone)) {
    throw new UsageError(
      `--time-zone must be a time zone such as Europe/Lisbon or UTC, but is '${zone}'.`,
    );
  }
  return {
    ...(format !== undefined && { format: timeFormat(format) }),
    ...(zone !== undefined && { zone }),
  };
}

function timeFormat(text: string): TimeFormat {
  if (Object.hasOwn(timeFormats, text)) return timeFormats[text] as TimeFormat;
  // A layout without a time component matches only text that is identical to it.
  if (/2006|06|Jan|01|_2|02|15|03/.test(text)) return { kind: 'layout', layout: text };
  throw new UsageError(
    `--time-format must be ${Object.keys(timeFormats).join(', ')}, or a Go layout such as '02/Jan/2006:15:04:05 -0700', but is '${text}'.`,
  );
}
