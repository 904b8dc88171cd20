// Creates the notices shown before sending: missing, unreadable and ambiguous times, broken events, renamed and refused
// fields, type conflicts, and values that the service changes.
import {
  DATASET_FIELDS_MAX,
  INGEST_NAME_BYTES_MAX,
  INGEST_NESTING_MAX,
  INGEST_VALUE_BYTES_MAX,
} from '../../../api/src/plain.ts';
import { counted, grouped } from '../../../formats/src/counts.ts';
import type { BrokenEvent, PreviewField, PreviewNotice, TargetSchema } from '../contract.ts';
import { csvCells, repeatedHeaderReason } from '../read/convert/csvRow.ts';
import { NumberText, typeOf } from '../read/exactJson.ts';
import type { CsvHeader } from '../read/header.ts';
import { unreadTimesText } from '../read/times/sentTime.ts';
import type { ReadSettings } from '../settings.ts';
import { keepsDigits } from './columnTypes.ts';
import type { StoredEvent } from './previewFile.ts';
import type { TimeCandidate } from './timeFields.ts';

export interface NoticeInput {
  readonly settings: ReadSettings;
  readonly events: readonly StoredEvent[];
  readonly fields: readonly PreviewField[];
  readonly broken: readonly BrokenEvent[];
  readonly target: TargetSchema | undefined;
  readonly header: CsvHeader | undefined;
  readonly candidates: readonly TimeCandidate[];
}

type Rule = (previewed: NoticeInput) => PreviewNotice | undefined;

export function noticesOf(input: NoticeInput): PreviewNotice[] {
  return rules.flatMap((rule) => rule(input) ?? []);
}

const LISTED_MAX = 3;

/** Formats names for a sentence: the first few and the number of the others. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ');
  const more = names.length - LISTED_MAX;
  return more > 0 ? `${shown} and ${grouped(more)} more` : shown;
}

const noTime: Rule = ({ settings, events, candidates }) => {
  const without = events.filter(
    ({ time, unread }) => time === undefined && unread === undefined,
  ).length;
  if (without === 0 || events.length === 0) return undefined;
  const [best] = candidates;
  const hint =
    settings.time === undefined && best !== undefined
      ? best.isOutOfRange
        ? ` ${best.settings.field} has times before 1677 or after 2262, which cannot be stored.`
        : ` ${best.settings.field} may be the time.`
      : '';
  const message =
    without === events.length
      ? `No time was found, so that events get the time of their arrival.${hint}`
      : `${counted(without, 'event')} of the first ${grouped(events.length)} ${without === 1 ? 'has' : 'have'} no time and will get the time of arrival.`;
  return { code: 'no-time', message, fields: settings.time ? [settings.time.field] : [] };
};

const unreadTime: Rule = ({ events }) => {
  const unread = events.flatMap(({ line, unread: found }) => (found ? [{ ...found, line }] : []));
  const [first] = unread;
  return (
    first && {
      code: 'unread-time',
      message: unreadTimesText({ ...first, events: unread.length }),
      fields: [first.field],
    }
  );
};

const ambiguousTime: Rule = ({ settings: { time }, candidates }) => {
  if (time?.format.kind !== 'layout') return undefined;
  const { layout } = time.format;
  const other = candidates.find(
    ({ settings: { field, format } }) =>
      field === time.field && format.kind === 'layout' && format.layout !== layout,
  );
  if (other?.settings.format.kind !== 'layout') return undefined;
  return {
    code: 'ambiguous-time',
    message: `No value of ${time.field} shows whether it is ${layout} or ${other.settings.format.layout}. Check which comes first, the day or the month.`,
    fields: [time.field],
  };
};

const brokenEvents: Rule = ({ broken, settings }) => {
  const others = broken.filter(
    ({ reason }) => reason !== repeatedHeaderReason && !isRagged(reason),
  );
  const [first] = others;
  if (first === undefined) return undefined;
  const what =
    settings.broken === 'skip'
      ? 'They will be left out and listed in the report.'
      : 'Ingest will stop at the first of them.';
  return {
    code: 'broken-events',
    message: `${counted(others.length, 'event')} cannot be read, the first on line ${grouped(first.line)}: ${first.reason} ${what}`,
    fields: [],
  };
};

const isRagged = (reason: string) => /^It has [\d,]+ values? for /.test(reason);

const raggedRows: Rule = ({ broken }) => {
  const ragged = broken.filter(({ reason }) => isRagged(reason));
  const [first] = ragged;
  return (
    first && {
      code: 'ragged-rows',
      message: `${counted(ragged.length, 'row')} ${ragged.length === 1 ? 'does' : 'do'} not have a value for each column, the first on line ${grouped(first.line)}. Check the delimiter and the header line.`,
      fields: [],
    }
  );
};

const repeatedHeader: Rule = ({ broken, header, settings }) => {
  const [first] = broken.filter(({ reason }) => reason === repeatedHeaderReason);
  if (first !== undefined) {
    return {
      code: 'doubled-header',
      message: `The header line occurs again on line ${grouped(first.line)}. It is not taken for an event.`,
      fields: [],
    };
  }
  const cells =
    header?.record && settings.csv ? csvCells(header.record, settings.csv.delimiter) : [];
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
  return repeated.length === 0
    ? undefined
    : {
        code: 'doubled-header',
        message: `Several columns are named ${list(repeated)}. The later ones get a number.`,
        fields: repeated,
      };
};

const emptyNames: Rule = ({ header, settings, events }) => {
  const cells =
    header?.record && settings.csv ? csvCells(header.record, settings.csv.delimiter) : [];
  const unnamed = (header?.names ?? []).filter((_, index) => cells[index]?.trim() === '');
  if (unnamed.length > 0) {
    return {
      code: 'empty-names',
      message: `${counted(unnamed.length, 'column')} without a name ${unnamed.length === 1 ? 'is' : 'are'} called ${list(unnamed)}.`,
      fields: unnamed,
    };
  }
  const empty = events.filter(({ fields }) => fields.has('')).length;
  return empty === 0
    ? undefined
    : {
        code: 'empty-names',
        message: `${counted(empty, 'event')} ${empty === 1 ? 'has' : 'have'} a field with an empty name. The service refuses such events.`,
        fields: [''],
      };
};

const reservedFields: Rule = ({ fields }) => {
  const renamed = fields.filter(({ nameInFile }) => nameInFile !== undefined);
  return renamed.length === 0
    ? undefined
    : {
        code: 'reserved-field',
        message: `The service reserves ${list(renamed.map(({ nameInFile }) => nameInFile as string))}. ${renamed.length === 1 ? 'It is' : 'They are'} stored as ${list(renamed.map(({ name }) => name))}.`,
        fields: renamed.map(({ name }) => name),
      };
};

const SYSTEM_FIELDS: ReadonlySet<string> = new Set(['_time', '_sysTime']);

const fieldLimit: Rule = ({ events, target }) => {
  const stored = new Set(target?.fields.map(({ name }) => name));
  for (const { fields } of events) for (const name of fields.keys()) stored.add(name);
  const count = [...stored].filter((name) => !SYSTEM_FIELDS.has(name)).length;
  const maxFields = target?.maxFields ?? DATASET_FIELDS_MAX;
  const known = new Set(target?.fields.map(({ name }) => name));
  return count <= maxFields
    ? undefined
    : {
        code: 'field-limit',
        message: `The dataset would have ${grouped(count)} fields, and its limit is ${grouped(maxFields)}. Events with fields beyond it are refused. Make an object whose keys vary a map field.`,
        fields: [...stored].filter((name) => !known.has(name)).slice(0, 100),
      };
};

const typeConflict: Rule = ({ fields, target }) => {
  const stored = new Map(target?.fields.map(({ name, type }) => [name, type.split('|')]));
  const conflicts = fields.flatMap(({ name, types }) => {
    const known = stored.get(name);
    if (known === undefined || name === '_time') return [];
    const differing = types.filter(
      (type) => type !== 'unknown' && !known.some((one) => accepts(one, type)),
    );
    return differing.length === 0
      ? []
      : [{ name, known: known.join('|'), types: differing.join(' and ') }];
  });
  const [first] = conflicts;
  return (
    first && {
      code: 'type-conflict',
      message: `${first.name} is stored as ${first.known}, and here it is ${first.types}${conflicts.length > 1 ? `; ${counted(conflicts.length - 1, 'other field')} differ too` : ''}. The field will have both types.`,
      fields: conflicts.map(({ name }) => name),
    }
  );
};

function accepts(stored: string, type: string): boolean {
  return (
    stored === type ||
    stored === 'unknown' ||
    (stored === 'float' && type === 'integer') ||
    (stored === 'datetime' && type === 'string') ||
    (stored.startsWith('map') && type === 'map')
  );
}

/** Number of keys under one name from which they count as data rather than names. */
const MAP_KEYS = 20;

const mapField: Rule = ({ events, target }) => {
  const maps = new Set(target?.mapFields);
  const children = new Map<string, Map<string, number>>();
  for (const { fields } of events) {
    for (const { nameInFile } of fields.values()) {
      for (let dot = nameInFile.indexOf('.'); dot > 0; dot = nameInFile.indexOf('.', dot + 1)) {
        const parent = nameInFile.slice(0, dot);
        const key = nameInFile.slice(dot + 1).split('.', 1)[0] as string;
        let keys = children.get(parent);
        if (keys === undefined) {
          keys = new Map();
          children.set(parent, keys);
        }
        keys.set(key, (keys.get(key) ?? 0) + 1);
      }
    }
  }
  const found = [...children].flatMap(([parent, keys]) =>
    !maps.has(parent) && hasDataKeys(keys, events.length) ? [parent] : [],
  );
  // Reporting the outermost of nested map fields is enough.
  const outer = found.filter((name) => !found.some((other) => name.startsWith(`${other}.`)));
  const [first] = outer;
  if (first === undefined) return undefined;
  const count = grouped(children.get(first)?.size ?? 0);
  return {
    code: 'map-field',
    message: `The keys of ${first} look like data: there are ${count} of them. Make it a map field, so that each key is not a field of its own.`,
    fields: outer,
  };
};

const DATA_KEY =
  /^(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{36}|\d{1,3}(?:\.\d{1,3}){3}|\d{4}-\d\d-\d\d.*|.+@.+\..+|\/.*)$/i;

function hasDataKeys(keys: ReadonlyMap<string, number>, events: number): boolean {
  const like = [...keys.keys()].filter((key) => DATA_KEY.test(key)).length;
  if (keys.size >= 3 && like >= keys.size * 0.8) return true;
  // There are many keys, and each event has only a few.
  const uses = [...keys.values()].reduce((sum, count) => sum + count, 0);
  return keys.size >= MAP_KEYS && events >= 10 && uses / keys.size < events / 10;
}

function* values(events: readonly StoredEvent[]): Generator<{ name: string; value: unknown }> {
  for (const { fields } of events)
    for (const { name, value } of fields.values()) yield { name, value };
}

function namesWhere(events: readonly StoredEvent[], test: (value: unknown) => boolean): string[] {
  const names = new Set<string>();
  for (const { name, value } of values(events))
    if (!names.has(name) && test(value)) names.add(name);
  return [...names];
}

const longString: Rule = ({ events }) => {
  const names = namesWhere(
    events,
    (value) =>
      typeof value === 'string' &&
      value.length > INGEST_VALUE_BYTES_MAX / 4 &&
      Buffer.byteLength(value) > INGEST_VALUE_BYTES_MAX,
  );
  return names.length === 0
    ? undefined
    : {
        code: 'long-string',
        message: `Values of ${list(names)} exceed 1 MB. The service stores a note in place of them.`,
        fields: names,
      };
};

const longName: Rule = ({ events }) => {
  const names = new Set<string>();
  for (const { name } of values(events))
    if (Buffer.byteLength(name) > INGEST_NAME_BYTES_MAX) names.add(name);
  return names.size === 0
    ? undefined
    : {
        code: 'long-name',
        message: `${counted(names.size, 'field name')} ${names.size === 1 ? 'is' : 'are'} longer than ${INGEST_NAME_BYTES_MAX} bytes. The service refuses such events.`,
        fields: [...names],
      };
};

const deep: Rule = ({ events }) => {
  const names = new Set<string>();
  for (const { fields } of events)
    for (const field of fields.values()) if (field.isTooDeep) names.add(field.name);
  return names.size === 0
    ? undefined
    : {
        code: 'deep',
        message: `An event nests deeper than ${INGEST_NESTING_MAX} levels. The service stores null for what is deeper.`,
        fields: [...names].slice(0, LISTED_MAX),
      };
};

const precision: Rule = ({ events }) => {
  const names = namesWhere(events, (value) => value instanceof NumberText && losesDigits(value));
  return names.length === 0
    ? undefined
    : {
        code: 'precision',
        message: `Numbers in ${list(names)} have more digits than 64 bits hold. The service rounds them. Send them as strings to keep every digit.`,
        fields: names,
      };
};

function losesDigits(value: NumberText): boolean {
  const { text } = value;
  if (/^-?\d+$/.test(text)) return typeOf(value) !== 'integer';
  // The value is known to be a number, so an exponent without a point isn't a code.
  return text.length > 15 && !keepsDigits(text.replace(/^(-?\d+)([eE])/, '$1.0$2'));
}

const rules: readonly Rule[] = [
  noTime,
  unreadTime,
  ambiguousTime,
  brokenEvents,
  raggedRows,
  repeatedHeader,
  emptyNames,
  reservedFields,
  fieldLimit,
  typeConflict,
  mapField,
  longString,
  longName,
  deep,
  precision,
];
