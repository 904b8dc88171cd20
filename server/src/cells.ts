/**
 * The lets that cells of a notebook share: a let can be used in the cells below the one that declares it. A scope
 * holds the lets above a cell. As long as these stay the same, it is the same object, so that any other edit of a
 * cell leaves the cached analyses of the cells below it valid.
 */
import {
  type OuterLet,
  outerLet,
  type QueryAnalysis,
  type Schema,
} from '../../language/src/index.ts';
import type { QueryState, Snapshot } from './documents.ts';

/** A let of a cell. */
export interface CellLet {
  readonly name: string;
  readonly outer: OuterLet;
  /** The statement without its semicolon. */
  readonly statement: string;
  /** The cell, and the let's index in it: an offset would change with every edit of the cell. */
  readonly uri: string;
  readonly index: number;
  /** A let has a higher number than those that it needs. */
  readonly order: number;
  /** The lets of cells that its value uses directly. */
  readonly needs: readonly CellLet[];
}

/** The lets above a cell. */
export interface CellScope {
  /** By name. Of two lets with one name, the lower one. */
  readonly lets: ReadonlyMap<string, CellLet>;
  readonly outer: readonly OuterLet[];
  /** The number of lets above, including shadowed ones. */
  readonly count: number;
}

/** The scope of a notebook's first cell. */
export const emptyScope: CellScope = { lets: new Map(), outer: [], count: 0 };

/** A let with the query that declares it. */
export interface PlacedLet {
  readonly query: QueryState;
  readonly bound: QueryAnalysis['bound']['lets'][number];
}

/** All lets of a cell in text order. */
export function letsIn({ queries }: Snapshot): PlacedLet[] {
  return queries.flatMap((query) => query.analysis.bound.lets.map((bound) => ({ query, bound })));
}

interface Remembered {
  readonly before: CellScope;
  readonly schema: Schema;
  readonly statements: readonly string[];
  readonly after: CellScope;
}

export class CellScopes {
  readonly #remembered = new Map<string, Remembered>();

  /** The scope of the cell below one that was analyzed in the scope `before`. */
  below(snapshot: Snapshot, before: CellScope): CellScope {
    const { uri, schema } = snapshot;
    const lets = letsIn(snapshot);
    if (lets.length === 0) return before;
    const statements = lets.map(statementOf);
    const last = this.#remembered.get(uri);
    const isSame =
      last?.before === before &&
      last.schema === schema &&
      last.statements.length === statements.length &&
      last.statements.every((text, i) => text === statements[i]);
    if (isSame) return last.after;
    const after = extended(uri, lets, statements, before);
    this.#remembered.set(uri, { before, schema, statements, after });
    return after;
  }

  forget(uri: string): void {
    this.#remembered.delete(uri);
  }
}

function statementOf({ query, bound }: PlacedLet): string {
  // A line break before the semicolon may end a comment, so it stays.
  return query.analysis.tree.text.slice(bound.start, bound.end).replace(/;?\s*$/, '');
}

function extended(
  uri: string,
  lets: readonly PlacedLet[],
  statements: readonly string[],
  before: CellScope,
): CellScope {
  const visible = new Map(before.lets);
  let query: QueryState | undefined;
  let own = new Map<string, CellLet>();
  for (const [index, placed] of lets.entries()) {
    // As in a file, two queries of one cell do not share their lets.
    if (placed.query !== query) own = new Map();
    query = placed.query;
    const { name } = placed.bound;
    const needs = namesOfLets(query, placed.bound).flatMap(
      (one) => own.get(one) ?? before.lets.get(one) ?? [],
    );
    const found: CellLet = {
      name,
      outer: outerLet(placed.bound, query.analysis.tree.text),
      statement: statements[index] as string,
      uri,
      index,
      order: before.count + index,
      needs,
    };
    own.set(name, found);
    visible.set(name, found);
  }
  const outer = [...visible.values()].map((one) => one.outer);
  return { lets: visible, outer, count: before.count + lets.length };
}

/** The names of the lets that a part of a query uses. */
function namesOfLets(
  { analysis }: QueryState,
  { start, end }: { readonly start: number; readonly end: number },
): string[] {
  const names = analysis.bound.references.flatMap(({ meaning, definition, ...at }) =>
    meaning.kind === 'let' && !definition && start <= at.start && at.end <= end
      ? [meaning.name]
      : [],
  );
  return [...new Set(names)];
}

/**
 * The lets of the cells above that a query needs, in document order; `conflict` is a name that two of them, or one of
 * them and the query itself, declare.
 */
export function neededLets(
  query: QueryState,
  scope: CellScope,
): { readonly lets: readonly CellLet[]; readonly conflict?: string } {
  const { tree, bound } = query.analysis;
  const own = new Set(bound.lets.map(({ name }) => name));
  const waiting = namesOfLets(query, { start: 0, end: tree.text.length }).flatMap((name) =>
    own.has(name) ? [] : (scope.lets.get(name) ?? []),
  );
  const found = new Set<CellLet>();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    waiting.push(...one.needs);
  }
  const lets = [...found].sort((a, b) => a.order - b.order);
  const names = new Set(own);
  const twice = lets.find(({ name }) => {
    const has = names.has(name);
    names.add(name);
    return has;
  });
  return twice === undefined ? { lets } : { lets, conflict: twice.name };
}

/** The let of a cell above that is used at an offset of the document. */
export function cellLetAt(
  { analysis, start }: QueryState,
  offset: number,
  scope: CellScope,
): CellLet | undefined {
  const at = offset - start;
  const { references, lets } = analysis.bound;
  const use = references.find((one) => one.start <= at && at <= one.end);
  if (use?.meaning.kind !== 'let' || lets.some(({ name }) => name === use.name)) return undefined;
  return scope.lets.get(use.meaning.name);
}
