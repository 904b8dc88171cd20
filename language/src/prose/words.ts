/** Keywords used only by completion and hover. */
import type { WordRow } from '../catalog/types.ts';
import { words } from '../catalog/words.ts';

export const sortDirections = /* @__PURE__ */ words({
  asc: 'Ascending order.',
  desc: 'Descending order.',
  'nulls first': 'Null values first.',
  'nulls last': 'Null values last.',
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

export const setOptions = /* @__PURE__ */ words({
  stricttypes: 'Reject values of an unexpected type.',
});

export const constantWords = /* @__PURE__ */ words({
  true: 'The bool value true.',
  false: 'The bool value false.',
  null: 'A missing value.',
});

export const joinSides = /* @__PURE__ */ words({
  $left: 'The row of the left table.',
  $right: 'The row of the right table.',
});
