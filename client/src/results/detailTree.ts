/** A row as the lines of a tree: columns, with dotted names nested or flat, and the members of their values. */

import type { AnswerField } from '../../../table/src/answer.ts';
import { cellText } from '../../../table/src/cells.ts';
import type { Cell } from '../../../table/src/result.ts';
import { visibleText } from '../../../table/src/visibleText.ts';
import type { DetailNode, RowDetail, ValuePath } from './messages.ts';
import type { ExactRow } from './store/protocol.ts';
import { webAddress } from './webAddress.ts';

const maxNodes = 3_000;
const maxDepth = 50;
const maxText = 2_000;

interface Group {
  readonly members: Map<string, Group>;
  column?: number;
}

/** The lines of a row, columns in the given order. */
export function rowDetail(
  fields: readonly AnswerField[],
  columns: readonly number[],
  row: ExactRow,
  nested: boolean,
): RowDetail {
  const lines = new Lines(row);
  if (nested) lines.group(grouped(fields, columns), 0);
  else for (const column of columns) lines.column(fields[column]?.name ?? '', column, 0);
  return { number: row.number, nodes: lines.nodes, truncated: lines.truncated };
}

/** Columns by the parts of their names; a name with an empty part stays whole. */
function grouped(fields: readonly AnswerField[], columns: readonly number[]): Group {
  const root: Group = { members: new Map() };
  for (const column of columns) {
    const name = fields[column]?.name ?? '';
    const split = name.split('.');
    const parts = split.includes('') ? [name] : split;
    let at = root;
    for (const part of parts) {
      const next: Group = at.members.get(part) ?? { members: new Map() };
      at.members.set(part, next);
      at = next;
    }
    // Of columns with one name, each has a line.
    if (at.column === undefined) at.column = column;
    else root.members.set(`${name} (${column})`, { members: new Map(), column });
  }
  return root;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

class Lines {
  readonly nodes: Writable<DetailNode>[] = [];
  truncated = false;
  readonly #row: ExactRow;

  constructor(row: ExactRow) {
    this.#row = row;
  }

  group({ members }: Group, depth: number): void {
    for (const [key, member] of members) {
      if (member.column !== undefined) this.column(key, member.column, depth, member);
      else if (member.members.size === 1 && depth < maxDepth) this.#chain(key, member, depth);
      else this.#groupLine(key, member, depth);
    }
  }

  column(key: string, column: number, depth: number, below?: Group): void {
    const at = this.#value(key, column, [], this.#row.cells[column]?.value ?? null, depth);
    if (at === undefined || below === undefined || below.members.size === 0) return;
    this.group(below, depth + 1);
    this.#close(at);
  }

  /** A group with a single member is one line: `geo.city`. */
  #chain(key: string, { members }: Group, depth: number): void {
    const joined = [...members].map(([name, only]) => [`${key}.${name}`, only] as const);
    this.group({ members: new Map(joined) }, depth);
  }

  #groupLine(key: string, group: Group, depth: number): void {
    const at = this.#add({
      depth,
      key: visibleText(key),
      path: [],
      kind: 'group',
      text: '',
      link: false,
      descendants: 0,
    });
    if (at === undefined) return;
    this.group(group, depth + 1);
    this.#close(at);
  }

  #value(
    key: string,
    column: number,
    path: ValuePath,
    value: unknown,
    depth: number,
  ): number | undefined {
    const members = membersOf(value);
    // The text of a whole cell is exact; inside dynamic values numbers are as JSON was read.
    const exact = path.length === 0 ? (this.#row.cells[column]?.text ?? '') : undefined;
    const full = members === undefined ? (exact ?? cellText(value as Cell)) : '';
    const at = this.#add({
      depth,
      key: visibleText(key),
      column,
      path,
      kind: kindOf(value),
      text: members === undefined ? visibleText(cut(full)) : countOf(value, members.length),
      link: webAddress(full) !== undefined,
      descendants: 0,
    });
    if (at === undefined || members === undefined || depth >= maxDepth) return at;
    for (const [name, member] of members) {
      if (this.truncated) break;
      this.#value(String(name), column, [...path, name], member, depth + 1);
    }
    this.#close(at);
    return at;
  }

  #add(node: DetailNode): number | undefined {
    if (this.nodes.length >= maxNodes) {
      this.truncated = true;
      return undefined;
    }
    return this.nodes.push(node) - 1;
  }

  #close(at: number): void {
    const node = this.nodes[at];
    if (node) node.descendants = this.nodes.length - at - 1;
  }
}

/** The member of a value that a path leads to; undefined where there is none. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

function membersOf(value: unknown): (readonly [string | number, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((member, index) => [index, member] as const);
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  return undefined;
}

function countOf(value: unknown, count: number): string {
  return Array.isArray(value) ? `[${count}]` : `{${count}}`;
}

function kindOf(value: unknown): DetailNode['kind'] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'text' : 'number';
}

function cut(text: string): string {
  if (text.length <= maxText) return text;
  return `${text.slice(0, maxText).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
