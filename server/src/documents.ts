/**
 * Open documents → their queries, each analysed. An analysis depends on a query's text, the schema and
 * the codes that are silenced alone and its spans are relative, so an edit reads and analyses only the
 * queries around it; the others are moved, and what an edit costs hardly depends on how long the document is.
 */
import {
  analyzeQuery,
  type Change,
  changeBetween,
  disabledInFile,
  LineTable,
  type QueryAnalysis,
  type QuerySpan,
  resplitQueries,
  type Schema,
  splitQueries,
} from '../../language/src/index.ts';

/**
 * One query of a document; `analysis` has spans relative to `start`. It is the same object as long as
 * the query's text and the schema are, and no other query's, so that features may remember by it what
 * they made of it.
 */
export interface QueryState extends QuerySpan {
  readonly analysis: QueryAnalysis;
}

export interface Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly lines: LineTable;
  readonly schema: Schema;
  /** The codes of problems that a setting or the document itself silences everywhere in it. */
  readonly disabled: readonly string[];
  readonly queries: readonly QueryState[];
}

export interface SourceDocument {
  readonly uri: string;
  readonly version: number;
  getText(): string;
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
  const { uri, version } = document;
  const text = document.getText();
  const disabled = [...silent, ...disabledInFile(text)];
  if (last === undefined || last.schema !== schema || last.disabled.join() !== disabled.join()) {
    const queries = splitQueries(text).map((span): QueryState => {
      const analysis = analyzeQuery(text.slice(span.start, span.end), schema, { disabled });
      return { ...span, analysis };
    });
    return { uri, version, text, lines: new LineTable(text), schema, disabled, queries };
  }
  const change = changeBetween(last.text, text);
  if (change === undefined) return { ...last, version };
  const lines = last.lines.changed(change, text);
  return { uri, version, text, lines, schema, disabled, queries: changed(last, change, text) };
}

/** The queries of a text that the last one has become by a change. */
function changed(last: Snapshot, change: Change, text: string): QueryState[] {
  const { kept, fresh, rest } = resplitQueries(text, last.queries, change);
  const known = new Map<string, QueryAnalysis>();
  for (let i = kept; i < rest; i++) {
    const { analysis } = last.queries[i] as QueryState;
    known.set(analysis.tree.text, analysis);
  }
  const queries = last.queries.slice(0, kept);
  for (const span of fresh) {
    const query = text.slice(span.start, span.end);
    const { schema, disabled } = last;
    const analysis = known.get(query) ?? analyzeQuery(copyOf(query), schema, { disabled });
    known.delete(query);
    queries.push({ ...span, analysis });
  }
  const by = change.start + change.length - change.end;
  for (let i = rest; i < last.queries.length; i++) {
    const { start, end, reach, analysis } = last.queries[i] as QueryState;
    const moved = { start: reach.start + by, end: reach.end + by };
    queries.push({ start: start + by, end: end + by, reach: moved, analysis });
  }
  return queries;
}

/**
 * A text of its own. A slice keeps the whole text alive that it was cut from, and with the analyses of
 * a long session that would be as many versions of a document as it has queries.
 */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
