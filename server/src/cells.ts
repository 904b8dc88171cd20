/**
 * The `let` statements that the cells of a notebook share. A cell's scope contains the statements of the cells above.
 * The scope stays the same object until these statements or the schema change, so other edits keep the cached analyses
 * of the cells below.
 */
import {
  type OuterLet,
  outerLet,
  type QueryAnalysis,
  type Schema,
} from '../../language/src/index.ts';
import type { QueryState, Snapshot } from './documents.ts';

export interface CellLet {
  readonly name: string;
  readonly outer: OuterLet;
  readonly statement: string;
  /** The cell's URI, and the statement's index in the cell, which changes less often than an offset would. */
  readonly uri: string;
  readonly index: number;
  /** The statement's rank in declaration order, so it is higher than each rank in `needs`. */
  readonly order: number;
  /** The `let` statements that the value uses directly, from its own query and from the cells above. */
  readonly needs: readonly CellLet[];
}

export interface CellScope {
  /** The `let` statements by name. A statement replaces earlier ones with the same name. */
  readonly lets: ReadonlyMap<string, CellLet>;
  readonly outer: readonly OuterLet[];
  /** The number of `let` statements in the cells above, including statements replaced by later ones. */
  readonly count: number;
}

export const emptyScope: CellScope = { lets: new Map(), outer: [], count: 0 };

export interface PlacedLet {
  readonly query: QueryState;
  readonly bound: QueryAnalysis['bound']['lets'][number];
}

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

  /** Returns a cell's scope. `snapshot` and `before` are the preceding cell and its scope. */
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
  // Keep a line break that precedes the semicolon, because the line may end with a comment.
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
    // As in a file, a cell's `let` statements apply only to their own query, so clear them before each query.
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
 * Returns the `let` statements that a query needs from earlier cells, in order. `conflict` is a name declared twice.
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
