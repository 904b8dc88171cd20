/**
 * Open documents → their queries, each analysed. An analysis depends on a query's text and the schema
 * alone and its spans are relative, so an edit re-analyses only the queries it touches.
 */
import {
  analyzeQuery,
  LineTable,
  type QueryAnalysis,
  type QuerySpan,
  type Schema,
  splitQueries,
} from '../../language/src/index.ts';

/** One query of a document; `analysis` has spans relative to `start`. */
export interface QueryState extends QuerySpan {
  readonly analysis: QueryAnalysis;
}

export interface Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly lines: LineTable;
  readonly schema: Schema;
  readonly queries: readonly QueryState[];
}

export interface SourceDocument {
  readonly uri: string;
  readonly version: number;
  getText(): string;
}

export class Documents {
  readonly #snapshots = new Map<string, Snapshot>();

  /** The analysis of a document as it is now under `schema`. */
  snapshot(document: SourceDocument, schema: Schema): Snapshot {
    const last = this.#snapshots.get(document.uri);
    if (last?.version === document.version && last.schema === schema) return last;
    const text = document.getText();
    const known = new Map<string, QueryAnalysis>();
    if (last?.schema === schema)
      for (const query of last.queries) known.set(query.analysis.tree.text, query.analysis);
    const queries = splitQueries(text).map((span): QueryState => {
      const queryText = text.slice(span.start, span.end);
      let analysis = known.get(queryText);
      if (analysis === undefined) {
        analysis = analyzeQuery(queryText, schema);
        known.set(queryText, analysis);
      }
      return { ...span, analysis };
    });
    const snapshot: Snapshot = {
      uri: document.uri,
      version: document.version,
      text,
      lines: new LineTable(text),
      schema,
      queries,
    };
    this.#snapshots.set(document.uri, snapshot);
    return snapshot;
  }

  forget(uri: string): void {
    this.#snapshots.delete(uri);
  }
}
