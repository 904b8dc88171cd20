/** The tabular operators, including sources of a pipeline. */
import type { OperatorName } from '../operators/names.ts';
import type { OperatorRow } from './types.ts';
import {
  boolWords,
  externalFormats,
  joinKinds,
  lookupKinds,
  parseKinds,
  parseWhereKinds,
  searchKinds,
} from './words.ts';

type Draft = Omit<OperatorRow, 'name'>;

export const drafts = {
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
        summary: 'The format of the files.',
        type: 'string',
        values: externalFormats,
        place: 'with',
      },
      {
        name: 'ignoreFirstRecord',
        summary: 'Skip the first line, which contains the column names.',
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
        summary: 'Which rows to keep.',
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
        summary: 'Which rows to keep.',
        type: 'word',
        values: lookupKinds,
        defaultValue: 'leftouter',
      },
    ],
  },
  'make-series': {
    role: 'transform',
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
        summary: 'How to match the strings of the pattern.',
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
        summary: 'The separator between pairs.',
        type: 'string',
        place: 'with',
      },
      {
        name: 'kv_delimiter',
        summary: 'The separator between a key and its value.',
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
        summary: 'How to match the strings of the pattern.',
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
        summary: 'The replacement for a match.',
        type: 'string',
        defaultValue: '*',
      },
      {
        name: 'replaceHash',
        summary: 'Replace a match with its hash.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
      },
      {
        name: 'redactGroups',
        summary: 'Redact only the capture groups of a match.',
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
        summary: 'Whether to match case.',
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
    options: [
      { name: 'withsource', summary: 'The column for the name of the table.', type: 'name' },
    ],
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
} as const satisfies Partial<Record<OperatorName, Draft>>;
