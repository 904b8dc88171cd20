/**
 * Open documents → their queries, each analysed. An analysis depends on a query's text, the schema and
 * the codes that are silenced alone and its spans are relative, so an edit reads and analyses only the
 * queries around it; the others are moved, and what an edit costs hardly depends on how long the document is.
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
  resplitQueries,
  type Schema,
  type SourceText,
  splitQueries,
} from '../../language/src/index.ts';
import type { CellScope } from './cells.ts';
import { type Fence, fencesOf } from './fences.ts';
import { markdownId, type SourceDocument } from './sourceDocument.ts';

/**
 * One query of a document; `analysis` has spans relative to `start`. It is the same object as long as
 * the query's text and the schema are, and no other query's, so that features may remember by it what
 * they made of it.
 */
export interface QueryState extends QuerySpan {
  /** Where `start` is. */
  readonly position: LinePosition;
  readonly analysis: QueryAnalysis;
  readonly memory: QueryMemory;
  /** False where problems are not shown, since the text need not be APL. */
  readonly checked: boolean;
}

/** What is made of every query at every keystroke, kept with the analysis, where looking it up would cost more. */
interface QueryMemory {
  /** The diagnostics as they were made for a query at a position. */
  diagnostics: readonly Diagnostic[];
  position: LinePosition | undefined;
}

/** The diagnostics of all queries of a snapshot. */
export interface Diagnosed {
  readonly list: readonly Diagnostic[];
  /** By query: how many there are up to its end. */
  readonly ends: Uint32Array;
}

/**
 * What a snapshot shares with the one before: the first `kept` queries, and those from `rest` on of the
 * other, which stand on the same lines.
 */
interface Shared {
  readonly diagnosed: Diagnosed;
  readonly kept: number;
  readonly rest: number;
}

/** A document as it was at a version, analysed. */
export class Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly lines: SourceText;
  readonly schema: Schema;
  /** The codes of problems that a setting or the document itself silences everywhere in it. */
  readonly disabled: readonly string[];
  readonly queries: readonly QueryState[];
  /** Whether comments may speak to the linter; false when none does. */
  readonly directed: boolean;
  /** Where queries may be; everywhere unless the document is Markdown. */
  readonly fences: readonly Fence[] | undefined;
  /** In a notebook, the lets of the cells above. */
  readonly scope: CellScope | undefined;
  /** What of the diagnostics before an edit holds after it. */
  readonly shared: Shared | undefined;
  /** The diagnostics, once they have been made. */
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

  /** Whether an offset is where queries are written. */
  isCode(offset: number): boolean {
    const { fences } = this;
    return !fences || fences.some(({ start, end }) => start <= offset && offset <= end);
  }

  /** The whole text. To look at some of it, slice `lines`: that copies nothing. */
  get text(): string {
    return this.lines.toString();
  }

  /** What no single query can tell of the comments; offsets are the document's. */
  get problemsOfFile(): readonly Problem[] {
    this.#problemsOfFile ??= this.directed
      ? problemsOfFile(this.text, this.queries, this.disabled)
      : [];
    return this.#problemsOfFile;
  }
}

/** The queries after a change. */
interface Changed {
  readonly queries: readonly QueryState[];
  readonly shared?: Shared | undefined;
  readonly fences?: readonly Fence[] | undefined;
  readonly scope?: CellScope | undefined;
}

/** What of a document is silenced as a whole. */
interface Silence {
  readonly disabled: readonly string[];
  readonly directed: boolean;
}

export class Documents {
  readonly #snapshots = new Map<string, Snapshot>();
  #disabled: readonly string[] = [];

  /**
   * The analysis of a document as it is now under `schema`. `disabled` are the codes that a setting
   * silences, the same list until the setting changes; `scope` is given for a cell of a notebook.
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
  // A let that is not used in its cell may be used in a cell below.
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
 * A Markdown document: each fenced block is split into queries by itself, so that none goes on in the next
 * block. A comment to the linter counts within its query.
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
      // A block that begins with a pipe shows a part of a query.
      const isPart = written.startsWith('|', span.start);
      return { ...query, checked: !isPart };
    }),
  );
  return new Snapshot(document, schema, { disabled, directed: false }, { queries, fences });
}

function hasMark(text: string): boolean {
  return text.includes(directiveMark);
}

/** Whether a text without any comment to the linter may have got one by a change. */
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

/** Queries by their text, to be used again. */
function byText(queries: readonly QueryState[]): Map<string, QueryState> {
  return new Map(queries.map((query) => [query.analysis.tree.text, query]));
}

/** A query of the same text at another place; it is used once, since no two queries share a memory. */
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

/** The queries of a text that the last one has become by a change. */
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

/** A query that stands on lines below a change. */
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
