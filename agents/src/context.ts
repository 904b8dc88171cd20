// The interface between the tools and the command line or editor, which each provide a context. Every function may
// reject: the tools report that as a failed call.

import type { KindName } from '../../resources/src/kinds.ts';
import type { Members } from '../../resources/src/value.ts';

/** A value, or a sentence for the model that says what went wrong and what to do. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface DatasetInfo {
  readonly name: string;
  readonly kind: 'dataset' | 'view';
  readonly description?: string;
}

export interface DatasetList {
  readonly datasets: readonly DatasetInfo[];
  /** Whether the list has all datasets and views, so that another name is an error. */
  readonly complete: boolean;
}

export interface FieldInfo {
  readonly name: string;
  /** The service's name of the type, such as `integer` or `integer|string`. */
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface FieldList {
  readonly fields: readonly FieldInfo[];
  readonly complete: boolean;
}

export interface QueryRequest {
  readonly apl: string;
  /** RFC 3339, `now`, or `now-` and a duration. */
  readonly startTime: string;
  readonly endTime: string;
  /** The maximum number of rows if the query has no limit. */
  readonly defaultLimit: number;
  /** The names of the datasets that the query reads, if known. */
  readonly datasets: readonly string[];
  readonly timeoutMs: number;
}

/** A table of an answer, column by column. Integers that a double can't represent are bigints. */
export interface AnswerTable {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly columns: readonly (readonly unknown[])[];
}

export interface QueryAnswer {
  readonly tables: readonly AnswerTable[];
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  readonly elapsedMilliseconds: number;
  readonly isPartial: boolean;
  readonly messages: readonly string[];
}

/** A query in a file of the workspace. */
export interface WorkspaceQuery {
  /** The file's name without folders, and the line: `errors.apl:12`. */
  readonly name: string;
  readonly apl: string;
}

export interface IngestOutcome {
  readonly stored: number;
  readonly failed: number;
  readonly messages: readonly string[];
}

export interface AgentContext {
  /** The deployment in words, such as `the local deployment`. */
  readonly deployment: string;
  ask(request: QueryRequest, signal: AbortSignal): Promise<Result<QueryAnswer>>;
  datasets(signal: AbortSignal): Promise<Result<DatasetList>>;
  fields(dataset: DatasetInfo, signal: AbortSignal): Promise<Result<FieldList>>;
  /** Returns the resources of a kind without their secrets. `dataset` is for kinds that belong to a dataset. */
  resources(
    kind: KindName,
    dataset: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<readonly Members[]>>;
  /** Returns why the service would reject a document, without sending it. */
  documentProblems(
    kind: KindName,
    action: 'create' | 'update',
    body: unknown,
  ): Promise<readonly string[]>;
  workspaceQueries(signal: AbortSignal): Promise<readonly WorkspaceQuery[]>;
  /** Returns the page about a problem code, in Markdown. */
  page(code: string): string | undefined;
  /** Removes tokens from an answer and, from a failed one, the paths of folders. Data may contain any path. */
  redact(text: string, isError: boolean): string;
  /** How a person applies a planned change, as a sentence. */
  readonly applyAdvice: string;
  /** Runs the tests of queries. Absent if there are none. */
  readonly runTests?: (filter: string, signal: AbortSignal) => Promise<Result<string>>;
  /** Stores events. Present only if the person who started the tools allowed it. */
  readonly ingest?: (
    dataset: string,
    events: readonly object[],
    signal: AbortSignal,
  ) => Promise<Result<IngestOutcome>>;
}
