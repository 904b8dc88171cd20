/** Words that completion and hover tell of and that analysis has no use for: directions, statements, constants. */
import type { WordRow } from '../catalog/types.ts';
import { words } from '../catalog/words.ts';

export const sortDirections = words({
  asc: 'Small values first.',
  desc: 'Large values first.',
  'nulls first': 'Rows without a value come first.',
  'nulls last': 'Rows without a value come last.',
});

export const reorderDirections = words({
  asc: 'Columns in alphabetical order.',
  desc: 'Columns in reverse alphabetical order.',
  'granny-asc': 'In alphabetical order, numbers inside names by their value.',
  'granny-desc': 'In reverse alphabetical order, numbers inside names by their value.',
});

/** What may follow an aggregate of make-series. */
export const seriesDefaults = words({
  'default=': 'The value of a step without rows; null unless given.',
});

/** Statements that stand before a query, each ended by a semicolon. */
export const statements: readonly (WordRow & { readonly snippet: string })[] = [
  {
    name: 'let',
    summary: 'Gives a name to a value or a table for the rest of the query.',
    snippet: 'let $1 = $0;',
  },
  {
    name: 'set',
    summary: 'Sets an option of the query.',
    snippet: 'set stricttypes;',
  },
  {
    name: 'declare',
    summary: 'Names the parameters that a dashboard fills in.',
    snippet: 'declare query_parameters ($1:string = "$2");',
  },
];

/** The options that `set` takes. */
export const setOptions = words({
  stricttypes: 'Refuse values of a type other than the one that is asked for.',
});

/** Words that are values. */
export const constantWords = words({
  true: 'The bool that holds.',
  false: 'The bool that does not hold.',
  null: 'No value.',
});

/** The two tables that the conditions of a join name. */
export const joinSides = words({
  $left: 'The row of the table before the join.',
  $right: 'The row of the table in the join.',
});
