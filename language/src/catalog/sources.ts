/** The operators that can only start a pipeline. */
import type { SourceName } from '../operators/names.ts';
import type { OperatorRow } from './types.ts';
import { boolWords, externalFormats } from './words.ts';

export const sourceRows: Readonly<Record<SourceName, Omit<OperatorRow, 'name'>>> = {
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
  print: { role: 'source' },
  datatable: { role: 'source' },
  table: { role: 'source' },
};
