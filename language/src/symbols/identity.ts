/**
 * Assigns a key to each name in a query. Names with equal keys refer to the same thing. A column's key depends on its
 * definition, not its spelling. Columns merged by a union share a key, and so do the two columns of a join key.
 */
import type { BoundQuery, Column, Reference } from '../binding/bound.ts';
import { oncePer } from '../maps.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { sourceReader } from './sources.ts';

export interface Use extends Span {
  readonly reference: Reference;
  readonly key: string;
  /** Like `key`, but equal for a field missing from the schema and a column defined as only that field. */
  readonly group: string;
}

class Identities {
  readonly uses: readonly Use[];
  readonly #keys = new Links();
  readonly #groups = new Links();
  readonly #stored = new Set<string>();

  constructor(bound: BoundQuery) {
    const sourceAt = sourceReader(bound.tree);
    const places = placesOf(bound);
    const { references } = bound;
    const keys = references.map((reference) =>
      this.#keyOf(reference, () => sourceAt(reference.start), places),
    );
    for (const { columns } of bound.pipelines)
      for (const column of columns.list)
        if (column.merged !== undefined) this.#keyOfColumn(column, '');
    this.#linkPlaces(references, keys);
    this.uses = references.map((reference, i): Use => {
      const key = this.#keys.rootOf(keys[i] as string);
      const { start, end } = reference;
      return { reference, key, group: this.#groups.rootOf(key), start, end };
    });
  }

  /** Returns a column's key. If the column is a stored field, its dataset must be known. */
  keyOf(column: Column): string {
    return this.#keys.rootOf(this.#keyOfColumn(column, ''));
  }

  /** Returns whether a union merged a stored field into the column, so that the column can't be renamed. */
  isPartlyStored(key: string): boolean {
    return [...this.#stored].some((one) => this.#keys.rootOf(one) === key);
  }

  #keyOf(
    reference: Reference,
    source: () => string,
    places: ReadonlyMap<number, 'call' | 'dataset'>,
  ): string {
    const { meaning, name } = reference;
    switch (meaning.kind) {
      case 'column':
        return this.#keyOfColumn(meaning.column, source);
      case 'unknown':
        return `${places.get(reference.start) ?? `field ${source()}`} ${name}`;
      default:
        return `${meaning.kind} ${meaning.name}`;
    }
  }

  /** Returns a column's key. Links the keys of the columns that a union merged into the column. */
  #keyOfColumn(column: Column, source: string | (() => string)): string {
    if (column.merged === undefined) return partKey(column, source);
    let made: string | undefined;
    let stored = false;
    for (const part of unmergedParts(column)) {
      if (part.definition === undefined) stored = true;
      else {
        const key = partKey(part, source);
        made = made === undefined ? key : this.#keys.join(made, key);
      }
    }
    if (made === undefined) return partKey(column, source);
    if (stored) this.#stored.add(made);
    return made;
  }

  /**
   * Links two names that have the same span: the two columns of a join key, or a field missing from the schema and the
   * column that is defined as that field.
   */
  #linkPlaces(references: readonly Reference[], keys: readonly string[]): void {
    const fields = new Map<string, string>();
    for (let i = 0; i < references.length; i++) {
      const reference = references[i] as Reference;
      const key = keys[i] as string;
      const before = references[i - 1];
      const { start, end, meaning } = reference;
      if (before?.start === start && before.end === end) {
        const other = keys[i - 1] as string;
        if (isMade(before) && isMade(reference)) this.#keys.join(other, key);
      }
      if (meaning.kind === 'unknown') fields.set(`${start}:${end}`, key);
    }
    for (let i = 0; i < references.length; i++) {
      const { meaning } = references[i] as Reference;
      if (meaning.kind !== 'column') continue;
      const { definition } = meaning.column;
      const field = definition && fields.get(`${definition.start}:${definition.end}`);
      if (field !== undefined) this.#groups.join(field, this.#keys.rootOf(keys[i] as string));
    }
  }
}

function isMade(reference: Reference): boolean {
  return reference.meaning.kind === 'column' && reference.meaning.column.definition !== undefined;
}

/** Returns the columns that a union merged into a column, or the column itself. */
export function* unmergedParts(column: Column): Iterable<Column> {
  const waiting = [column];
  const seen = new Set<Column>();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    if (part.merged !== undefined) waiting.push(part.merged[1], part.merged[0]);
    else yield part;
  }
}

function partKey(column: Column, source: string | (() => string)): string {
  if (column.definition !== undefined) return `made ${column.definition.start}`;
  const from = column.dataset ?? (typeof source === 'string' ? source : source());
  return `field ${from} ${column.field ?? column.name}`;
}

/** Finds names that can't refer to columns. Maps the start offset of each name to its kind, `call` or `dataset`. */
function placesOf({ tree }: BoundQuery): Map<number, 'call' | 'dataset'> {
  const places = new Map<number, 'call' | 'dataset'>();
  walk(tree.statements, (node) => {
    if (node.kind === 'Call') places.set(node.name.start, 'call');
    else if (node.kind === 'DatasetSource') places.set(node.name.start, 'dataset');
    else if (node.kind === 'DatasetPattern') places.set(node.start, 'dataset');
    else if (node.kind === 'TableCall') places.set(node.argument.start, 'dataset');
  });
  return places;
}

/** Disjoint sets of keys. Each set is represented by one of its keys. */
class Links {
  readonly #parents = new Map<string, string>();

  rootOf(key: string): string {
    let root = key;
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root))
      root = up;
    for (let at = key; at !== root; ) {
      const up = this.#parents.get(at) as string;
      this.#parents.set(at, root);
      at = up;
    }
    return root;
  }

  join(left: string, right: string): string {
    const root = this.rootOf(left);
    const other = this.rootOf(right);
    if (root !== other) this.#parents.set(other, root);
    return root;
  }
}

export const identitiesOf = oncePer((bound: BoundQuery) => new Identities(bound));
