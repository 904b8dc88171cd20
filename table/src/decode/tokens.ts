/** JSON tokens, and the positions in an answer at which the decoder expects them. */

export const states = {
  value: 0,
  valueOrEnd: 1,
  key: 2,
  keyOrEnd: 3,
  colon: 4,
  commaOrEnd: 5,
  done: 6,
} as const;
export type State = (typeof states)[keyof typeof states];

/** An open container's role in the answer. */
export const roles = {
  other: 0,
  body: 1,
  tables: 2,
  table: 3,
  columns: 4,
  column: 5,
  /** Inside a cell that is an array or object. */
  cell: 6,
  rows: 7,
  row: 8,
} as const;
export type Role = (typeof roles)[keyof typeof roles];

/** Whether the items of a container are columns or rows. */
export function isList(role: Role): boolean {
  return role === roles.columns || role === roles.rows;
}

export function holdsCells(role: Role): boolean {
  return role === roles.column || role === roles.row;
}

/** Returns the role of an array that is a table's member. */
export function listRole(name: string): Role {
  if (name === 'columns') return roles.columns;
  return name === 'rows' ? roles.rows : roles.other;
}

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const encoder = new TextEncoder();
export const words = {
  null: encoder.encode('null'),
  true: encoder.encode('true'),
  false: encoder.encode('false'),
};
