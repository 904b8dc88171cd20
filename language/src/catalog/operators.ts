/** The tabular operators, those that start a pipeline included. */
import type { OperatorRow } from './types.ts';
import {
  boolWords,
  expandKinds,
  externalFormats,
  joinKinds,
  lookupKinds,
  parseKinds,
  parseWhereKinds,
  searchKinds,
} from './words.ts';

type Draft = Omit<OperatorRow, 'name'>;

const drafts = {
  count: {
    role: 'transform',
  },
  distinct: {
    role: 'transform',
  },
  extend: {
    role: 'transform',
  },
  'extend-valid': {
    role: 'transform',
  },
  externaldata: {
    role: 'source',
    options: [
      {
        name: 'format',
        summary: 'How the files are written.',
        type: 'string',
        values: externalFormats,
        place: 'with',
      },
      {
        name: 'ignoreFirstRecord',
        summary: 'Whether the first line holds names and is skipped.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
        place: 'with',
      },
    ],
  },
  getschema: {
    role: 'transform',
  },
  join: {
    role: 'transform',
    options: [
      {
        name: 'kind',
        summary: 'Which rows are kept.',
        type: 'word',
        values: joinKinds,
        defaultValue: 'inner',
      },
    ],
  },
  limit: {
    role: 'transform',
    aliasOf: 'take',
  },
  lookup: {
    role: 'transform',
    options: [
      {
        name: 'kind',
        summary: 'Which rows are kept.',
        type: 'word',
        values: lookupKinds,
        defaultValue: 'leftouter',
      },
    ],
  },
  'make-series': {
    role: 'transform',
  },
  'mv-expand': {
    role: 'transform',
    options: [
      {
        name: 'kind',
        summary: 'What a bag becomes.',
        type: 'word',
        values: expandKinds,
        defaultValue: 'array',
      },
      {
        name: 'with_itemindex',
        summary: 'A column for the zero-based place of the element.',
        type: 'name',
      },
    ],
  },
  order: {
    role: 'transform',
    aliasOf: 'sort',
  },
  parse: {
    role: 'transform',
    options: [
      {
        name: 'kind',
        summary: 'How texts of the pattern are matched.',
        type: 'word',
        values: parseKinds,
        defaultValue: 'simple',
      },
    ],
  },
  'parse-kv': {
    role: 'transform',
    options: [
      {
        name: 'pair_delimiter',
        summary: 'What stands between one pair and the next.',
        type: 'string',
        place: 'with',
      },
      {
        name: 'kv_delimiter',
        summary: 'What stands between key and value.',
        type: 'string',
        place: 'with',
      },
    ],
  },
  'parse-where': {
    role: 'transform',
    options: [
      {
        name: 'kind',
        summary: 'How texts of the pattern are matched.',
        type: 'word',
        values: parseWhereKinds,
        defaultValue: 'simple',
      },
      {
        name: 'flags',
        summary: 'Flags of the regular expression, such as i.',
        type: 'name',
      },
    ],
  },
  project: {
    role: 'transform',
  },
  'project-away': {
    role: 'transform',
  },
  'project-keep': {
    role: 'transform',
  },
  'project-rename': {
    role: 'transform',
  },
  'project-reorder': {
    role: 'transform',
  },
  redact: {
    role: 'transform',
    options: [
      {
        name: 'replaceToken',
        summary: 'What takes the place of the match.',
        type: 'string',
        defaultValue: '*',
      },
      {
        name: 'replaceHash',
        summary: 'Whether a hash takes the place of the match.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
      },
      {
        name: 'redactGroups',
        summary: 'Whether only the groups of the match are hidden.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
      },
    ],
  },
  sample: {
    role: 'transform',
  },
  search: {
    role: 'both',
    options: [
      {
        name: 'kind',
        summary: 'Whether upper and lower case differ.',
        type: 'word',
        values: searchKinds,
        defaultValue: 'default',
      },
    ],
  },
  sort: {
    role: 'transform',
  },
  summarize: {
    role: 'transform',
  },
  take: {
    role: 'transform',
  },
  top: {
    role: 'transform',
  },
  union: {
    role: 'both',
    options: [{ name: 'withsource', summary: 'A column for the name of the table.', type: 'name' }],
  },
  where: {
    role: 'transform',
  },
  print: {
    role: 'source',
  },
  datatable: {
    role: 'source',
  },
  table: {
    role: 'source',
  },
} as const satisfies Record<string, Draft>;

export type OperatorName = keyof typeof drafts;

export const operators: readonly OperatorRow[] = Object.entries<Draft>(drafts).map(
  ([name, draft]) => ({ name, ...draft }),
);
