/** Keywords used only by completion and hover: directions, statements, constants. */
import type { WordRow } from '../catalog/types.ts';
import { words } from '../catalog/words.ts';

export const sortDirections = words({
  asc: 'Ascending order.',
  desc: 'Descending order.',
  'nulls first': 'Null values first.',
  'nulls last': 'Null values last.',
});

export const reorderDirections = words({
  asc: 'Sort the columns in alphabetical order.',
  desc: 'Sort the columns in reverse alphabetical order.',
  'granny-asc': 'Sort the columns in alphabetical order, with numbers in names by their value.',
  'granny-desc':
    'Sort the columns in reverse alphabetical order, with numbers in names by their value.',
});

/** Keywords that can follow an aggregate of make-series. */
export const seriesDefaults = words({
  'default=': 'The value of a step without rows. Default: null.',
});

/** Statements that precede a query. Each ends with a semicolon. */
export const statements: readonly (WordRow & { readonly snippet: string })[] = [
  {
    name: 'let',
    summary: 'Declares a name for a value or a table.',
    snippet: 'let $1 = $0;',
  },
  {
    name: 'set',
    summary: 'Sets an option of the query.',
    snippet: 'set stricttypes;',
  },
  {
    name: 'declare',
    summary: 'Declares parameters whose values a dashboard provides.',
    snippet: 'declare query_parameters ($1:string = "$2");',
  },
];

/** The options of `set`. */
export const setOptions = words({
  stricttypes: 'Reject values of an unexpected type.',
});

/** Keywords that are constants. */
export const constantWords = words({
  true: 'The bool value true.',
  false: 'The bool value false.',
  null: 'A missing value.',
});

/** The names of the two sides in join conditions. */
export const joinSides = words({
  $left: 'The row of the left table.',
  $right: 'The row of the right table.',
});
