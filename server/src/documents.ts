/**
 * Stores the analyzed queries of open documents. Spans in an analysis are relative to its query, so an edit requires a
 * new analysis of only the queries around the edit, almost regardless of the document's length.
 */
import type { Diagnostic } from 'vscode-languageserver';
import {
  analyzeQuery,
  type Change,
  directiveMark,
  disabledInFile,
  type LinePosition,
  type Problem,
  problemsOfFile,
  type QueryAnalysis,
  type QuerySpan,
  queryAt,
  resplitQueries,
  type Schema,
  type SourceText,
  splitQueries,
} from '../../language/src/index.ts';
import type { CellScope } from './cells.ts';
import { type Fence, fencesOf } from './fences.ts';
import { markdownId, type SourceDocument } from './sourceDocument.ts';

/**
 * A query of a document. Spans in `analysis` are relative to `start`. Each query has its own analysis object, which
 * changes only with its inputs, so features use it as a cache key.
 */
export interface QueryState extends QuerySpan {
  readonly position: LinePosition;
  readonly analysis: QueryAnalysis;
  readonly memory: QueryMemory;
  /** False for a Markdown query that starts with a pipe. Such a query is incomplete, so its problems aren't shown. */
  readonly checked: boolean;
}

/** Results that every keystroke needs. They are properties of the query, because a map lookup would be slower. */
interface QueryMemory {
  diagnostics: readonly Diagnostic[];
  position: LinePosition | undefined;
}

export interface Diagnosed {
  readonly list: readonly Diagnostic[];
  /** For each query, the number of diagnostics in all queries up to and including it. */
  readonly ends: Uint32Array;
}

/**
 * The queries that a snapshot shares with the preceding snapshot: those before index `kept`, and those from index
 * `rest` on.
 */
interface Shared {
  readonly diagnosed: Diagnosed;
  readonly kept: number;
  readonly rest: number;
}

/** The analyzed queries of one version of a document. */
export class Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly lines: SourceText;
  readonly schema: Schema;
  /** The problem codes suppressed in the entire document. A notebook cell also suppresses `unused-let`. */
  readonly disabled: readonly string[];
  readonly queries: readonly QueryState[];
  /** Whether the text may contain a directive comment. False for Markdown. */
  readonly directed: boolean;
  /** In Markdown, the blocks that may contain queries. In other documents, undefined. */
  readonly fences: readonly Fence[] | undefined;
  readonly scope: CellScope | undefined;
  /** The diagnostics of the previous version that are still valid after an edit. */
  readonly shared: Shared | undefined;
  diagnosed: Diagnosed | undefined;
  #problemsOfFile: readonly Problem[] | undefined;

  constructor(
    { uri, version, text }: SourceDocument,
    schema: Schema,
    silence: Silence,
    { queries, shared, fences, scope }: Changed,
  ) {
    this.uri = uri;
    this.version = version;
    this.lines = text;
    this.schema = schema;
    this.disabled = silence.disabled;
    this.directed = silence.directed;
    this.queries = queries;
    this.shared = shared;
    this.fences = fences;
    this.scope = scope;
  }

  at(offset: number): { readonly query: QueryState; readonly at: number } | undefined {
    const query = queryAt(this.queries, offset);
    return query && { query, at: offset - query.start };
  }

  isCode(offset: number): boolean {
    const { fences } = this;
    return !fences || fences.some(({ start, end }) => start <= offset && offset <= end);
  }

  /** The entire text. To read only a part, use `lines.slice`, which doesn't join all lines. */
  get text(): string {
    return this.lines.toString();
  }

  /** The problems in file directives and in directives between queries. Offsets are relative to the document. */
  get problemsOfFile(): readonly Problem[] {
    this.#problemsOfFile ??= this.directed
      ? problemsOfFile(this.text, this.queries, this.disabled)
      : [];
    return this.#problemsOfFile;
  }
}

interface Changed {
  readonly queries: readonly QueryState[];
  readonly shared?: Shared | undefined;
  readonly fences?: readonly Fence[] | undefined;
  readonly scope?: CellScope | undefined;
}

/** Document-wide suppression: the disabled codes, and whether the text may contain directives. */
interface Silence {
  readonly disabled: readonly string[];
  readonly directed: boolean;
}

export class Documents {
  readonly #snapshots = new Map<string, Snapshot>();
  #disabled: readonly string[] = [];

  /**
   * Returns the current analysis of a document. `disabled` lists the codes that a setting suppresses, and is compared
   * by identity. `scope` is a notebook cell's scope.
   */
  snapshot(
    document: SourceDocument,
    schema: Schema,
    disabled = this.#disabled,
    scope?: CellScope,
  ): Snapshot {
    if (disabled !== this.#disabled) {
      this.#disabled = disabled;
      this.#snapshots.clear();
    }
    const last = this.#snapshots.get(document.uri);
    if (last?.version === document.version && last.schema === schema && last.scope === scope)
      return last;
    const snapshot = next(last, document, schema, disabled, scope);
    this.#snapshots.set(document.uri, snapshot);
    return snapshot;
  }

  forget(uri: string): void {
    this.#snapshots.delete(uri);
  }
}

function next(
  last: Snapshot | undefined,
  document: SourceDocument,
  schema: Schema,
  silenced: readonly string[],
  scope: CellScope | undefined,
): Snapshot {
  // Don't report an unused `let` statement, because a cell below may use it.
  const silent = scope === undefined ? silenced : [...silenced, 'unused-let'];
  if (document.languageId === markdownId) return nextMarkdown(last, document, schema, silent);
  const { text } = document;
  const change = last && text.changeSince(last.lines);
  const directed = last?.directed === false ? gainsMark(text, change) : hasMark(text.toString());
  const disabled = directed ? [...silent, ...disabledInFile(text.toString())] : silent;
  const silence = { disabled, directed };
  const isSame =
    last?.schema === schema && last.scope === scope && last.disabled.join() === disabled.join();
  if (!isSame) {
    const queries = splitQueries(text.toString()).map((span) =>
      analyzed(text, span, schema, disabled, scope),
    );
    return new Snapshot(document, schema, silence, { queries, scope });
  }
  const now = change === undefined ? last : changed(last, change, text);
  return new Snapshot(document, schema, silence, now);
}

/**
 * Analyzes a Markdown document. Splits each fenced block separately, so that no query continues into the next block. A
 * linter directive applies only to the query that contains it.
 */
function nextMarkdown(
  last: Snapshot | undefined,
  document: SourceDocument,
  schema: Schema,
  disabled: readonly string[],
): Snapshot {
  const { text } = document;
  const written = text.toString();
  const isSame = last?.schema === schema && last.disabled === disabled;
  const known = isSame ? byText(last.queries) : new Map<string, QueryState>();
  const fences = fencesOf(written);
  const queries = fences.flatMap(({ start, end }) =>
    splitQueries(written.slice(start, end)).map((found): QueryState => {
      const span = { ...found, start: found.start + start, end: found.end + start };
      const query = reused(known, text, span) ?? analyzed(text, span, schema, disabled);
      // A block that starts with a pipe contains only a part of a query, so its problems aren't shown.
      const isPart = written.startsWith('|', span.start);
      return { ...query, checked: !isPart };
    }),
  );
  return new Snapshot(document, schema, { disabled, directed: false }, { queries, fences });
}

function hasMark(text: string): boolean {
  return text.includes(directiveMark);
}

function gainsMark(text: SourceText, change: Change | undefined): boolean {
  if (change === undefined) return false;
  const { start, length } = change;
  const around = directiveMark.length;
  return hasMark(text.slice(Math.max(0, start - around), start + length + around));
}

function analyzed(
  text: SourceText,
  span: QuerySpan,
  schema: Schema,
  disabled: readonly string[],
  scope?: CellScope,
): QueryState {
  const options = { disabled, lets: scope?.outer ?? [] };
  const analysis = analyzeQuery(text.slice(span.start, span.end), schema, options);
  return placed(span, text, analysis, { diagnostics: [], position: undefined });
}

function placed(
  { start, end, reach }: QuerySpan,
  text: SourceText,
  analysis: QueryAnalysis,
  memory: QueryMemory,
): QueryState {
  return { start, end, reach, position: text.positionAt(start), analysis, memory, checked: true };
}

function byText(queries: readonly QueryState[]): Map<string, QueryState> {
  return new Map(queries.map((query) => [query.analysis.tree.text, query]));
}

/** Returns the known query with the same text, moved. Removes it from `known`, because queries can't share `memory`. */
function reused(
  known: Map<string, QueryState>,
  text: SourceText,
  span: QuerySpan,
): QueryState | undefined {
  const written = text.slice(span.start, span.end);
  const same = known.get(written);
  known.delete(written);
  return same && placed(span, text, same.analysis, same.memory);
}

function changed(last: Snapshot, change: Change, text: SourceText): Changed {
  const { kept, fresh, rest } = resplitQueries(text, last.queries, change);
  const known = byText(last.queries.slice(kept, rest));
  const anew = fresh.map(
    (span) =>
      reused(known, text, span) ?? analyzed(text, span, last.schema, last.disabled, last.scope),
  );
  const { start, end, length } = change;
  const by = start + length - end;
  const down = text.positionAt(start + length).line - last.lines.positionAt(end).line;
  const below = last.queries.slice(rest).map((query) => moved(query, by, down));
  const { diagnosed } = last;
  return {
    queries: last.queries.slice(0, kept).concat(anew, below),
    shared: diagnosed && down === 0 ? { diagnosed, kept, rest } : undefined,
    scope: last.scope,
  };
}

function moved(query: QueryState, by: number, down: number): QueryState {
  const { start, end, reach, position, analysis, memory, checked } = query;
  return {
    start: start + by,
    end: end + by,
    reach,
    position: down === 0 ? position : { line: position.line + down, character: position.character },
    analysis,
    memory,
    checked,
  };
}
