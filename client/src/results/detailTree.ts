/** Converts a row to tree lines: its columns, with dotted names nested or flat, and the members of their values. */

import type { AnswerField } from '../../../table/src/answer.ts';
import { cellText } from '../../../table/src/cells.ts';
import type { Cell } from '../../../table/src/result.ts';
import type { ValuePath } from '../../../table/src/viewState.ts';
import { shortened } from '../../../table/src/visibleText.ts';
import type { ExactRow } from '../answers/protocol.ts';
import type { DetailNode, RowDetail } from './pageContent.ts';
import { webAddress } from './webAddress.ts';

const maxNodes = 3_000;
const maxDepth = 50;
const maxText = 2_000;

interface Group {
  readonly members: Map<string, Group>;
  column?: number;
}

/** Returns a row's tree lines, with the columns in the given order. */
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

/** Groups columns by the dot-separated parts of their names. A name with an empty part is not split. */
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
    // Give columns with the same name separate lines.
    if (at.column === undefined) at.column = column;
    else root.members.set(`${name} (${column})`, { members: new Map(), column });
  }
  return root;
}

class Lines {
  readonly nodes: DetailNode[] = [];
  truncated = false;
  readonly #row: ExactRow;

  constructor(row: ExactRow) {
    this.#row = row;
  }

  group({ members }: Group, depth: number): void {
    for (const [key, member] of members) {
      if (member.column !== undefined) this.column(key, member.column, depth, member);
      else if (member.members.size === 1 && depth < maxDepth) {
        // Show a group with a single member on one line, such as `geo.city`.
        const joined = [...member.members].map(([name, only]) => [`${key}.${name}`, only] as const);
        this.group({ members: new Map(joined) }, depth);
      } else {
        const line = { depth, path: [], kind: 'group', text: '', link: false } as const;
        this.#add(key, line, () => this.group(member, depth + 1));
      }
    }
  }

  column(key: string, column: number, depth: number, below?: Group): void {
    const { value = null, text = '' } = this.#row.cells[column] ?? {};
    this.#value(key, { column, path: [], depth }, value, text, below);
  }

  /** `exact` is set if the value is an entire cell. Numbers inside dynamic values are shown as parsed from JSON. */
  #value(
    key: string,
    place: { readonly column: number; readonly path: ValuePath; readonly depth: number },
    value: unknown,
    exact?: string,
    below?: Group,
  ): void {
    const members = membersOf(value);
    const full = members ? '' : (exact ?? cellText(value as Cell));
    const text = members ? countOf(value, members.length) : shortened(full, maxText);
    const link = webAddress(full) !== undefined;
    this.#add(key, { ...place, kind: kindOf(value), text, link }, () => {
      const { column, path, depth } = place;
      for (const [name, member] of depth < maxDepth ? (members ?? []) : []) {
        if (this.truncated) break;
        const inner = { column, path: [...path, name], depth: depth + 1 };
        this.#value(String(name), inner, member);
      }
      if (below) this.group(below, depth + 1);
    });
  }

  #add(key: string, line: Omit<DetailNode, 'key' | 'descendants'>, addBelow: () => void): void {
    this.truncated ||= this.nodes.length >= maxNodes;
    if (this.truncated) return;
    const at = this.nodes.push({ ...line, key, descendants: 0 }) - 1;
    addBelow();
    const node = this.nodes[at] as DetailNode;
    this.nodes[at] = { ...node, descendants: this.nodes.length - at - 1 };
  }
}

/** Returns the member of a value at a path, or undefined if it does not exist. */
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
