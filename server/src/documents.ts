/**
 * Open documents → their queries, each analysed. An analysis depends on a query's text, the schema and
 * the codes that are silenced alone and its spans are relative, so an edit reads and analyses only the
 * queries around it; the others are moved, and what an edit costs hardly depends on how long the document is.
 */
import {
  analyzeQuery,
  type Change,
  disabledInFile,
  type LinePosition,
  movedQuery,
  type QueryAnalysis,
  type QuerySpan,
  resplitQueries,
  type Schema,
  type SourceText,
  splitQueries,
} from '../../language/src/index.ts';
import type { SourceDocument } from './sourceDocument.ts';

/**
 * One query of a document; `analysis` has spans relative to `start`. It is the same object as long as
 * the query's text and the schema are, and no other query's, so that features may remember by it what
 * they made of it.
 */
export interface QueryState extends QuerySpan {
  /** Where `start` is. */
  readonly position: LinePosition;
  readonly analysis: QueryAnalysis;
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

  constructor(
    { uri, version, text }: SourceDocument,
    schema: Schema,
    disabled: readonly string[],
    queries: readonly QueryState[],
  ) {
    this.uri = uri;
    this.version = version;
    this.lines = text;
    this.schema = schema;
    this.disabled = disabled;
    this.queries = queries;
  }

  /** The whole text. To look at some of it, slice `lines`: that copies nothing. */
  get text(): string {
    return this.lines.toString();
  }
}

export class Documents {
  readonly #snapshots = new Map<string, Snapshot>();
  #disabled: readonly string[] = [];

  /**
   * The analysis of a document as it is now under `schema`. `disabled` are the codes that a setting
   * silences, the same list until the setting changes.
   */
  snapshot(document: SourceDocument, schema: Schema, disabled = this.#disabled): Snapshot {
    if (disabled !== this.#disabled) {
      this.#disabled = disabled;
      this.#snapshots.clear();
    }
    const last = this.#snapshots.get(document.uri);
    if (last?.version === document.version && last.schema === schema) return last;
    const snapshot = next(last, document, schema, disabled);
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
  silent: readonly string[],
): Snapshot {
  const { text } = document;
  const disabled = [...silent, ...disabledInFile(text)];
  if (last === undefined || last.schema !== schema || last.disabled.join() !== disabled.join()) {
    const queries = splitQueries(text.toString()).map((span) =>
      analyzed(text, span, schema, disabled),
    );
    return new Snapshot(document, schema, disabled, queries);
  }
  const change = text.changeSince(last.lines);
  const queries = change === undefined ? last.queries : changed(last, change, text);
  return new Snapshot(document, schema, disabled, queries);
}

function analyzed(
  text: SourceText,
  span: QuerySpan,
  schema: Schema,
  disabled: readonly string[],
): QueryState {
  const analysis = analyzeQuery(text.slice(span.start, span.end), schema, { disabled });
  return { ...span, position: text.positionAt(span.start), analysis };
}

/** The queries of a text that the last one has become by a change. */
function changed(last: Snapshot, change: Change, text: SourceText): QueryState[] {
  const { kept, fresh, rest } = resplitQueries(text, last.queries, change);
  const known = new Map<string, QueryAnalysis>();
  for (let i = kept; i < rest; i++) {
    const { analysis } = last.queries[i] as QueryState;
    known.set(analysis.tree.text, analysis);
  }
  const queries = last.queries.slice(0, kept);
  for (const span of fresh) {
    const query = text.slice(span.start, span.end);
    const analysis = known.get(query);
    known.delete(query);
    queries.push(
      analysis === undefined
        ? analyzed(text, span, last.schema, last.disabled)
        : { ...span, position: text.positionAt(span.start), analysis },
    );
  }
  const { start, end, length } = change;
  const by = start + length - end;
  const down = text.positionAt(start + length).line - last.lines.positionAt(end).line;
  for (let i = rest; i < last.queries.length; i++) {
    const query = last.queries[i] as QueryState;
    const { position, analysis } = query;
    const { line, character } = position;
    queries.push({
      ...movedQuery(query, by),
      // These queries stand on lines below the change.
      position: down === 0 ? position : { line: line + down, character },
      analysis,
    });
  }
  return queries;
}
