/**
 * Messages beyond the LSP. This file imports nothing, because each side has its own version of the JSON-RPC library.
 */

/** A position or range as in the LSP: zero-based lines, UTF-16 columns. */
export interface WirePosition {
  line: number;
  character: number;
}

export interface WireRange {
  start: WirePosition;
  end: WirePosition;
}

export interface StartOptions {
  deployment?: string;
}

/** Client → server, a notification. The active deployment changed. Documents that don't name one use its schema. */
export const activeDeploymentNotification = 'aplomb/activeDeployment';

export interface ActiveDeploymentParams {
  deployment: string;
}

/** URI schemes of resources. Their documents belong to the deployment in the URI's query parameter `deployment`. */
export const resourceSchemes: readonly string[] = ['aplomb', 'aplomb-embedded'];

/**
 * Server → client. Requests the datasets and views of a deployment. The result is null on failure or for an unknown
 * deployment. The client sends `schemaChangedNotification` when a retry may succeed.
 */
export const datasetsRequest = 'aplomb/datasets';

export interface DatasetsParams {
  /** A deployment's name. Absent means the active one. */
  deployment?: string;
}

export interface DatasetsResult {
  datasets: WireDataset[];
  complete: boolean;
}

export interface WireDataset {
  name: string;
  kind: 'dataset' | 'view';
  description?: string;
  query?: string;
}

/** Server → client. Requests the fields of one dataset. The result is null if they can't be fetched. */
export const fieldsRequest = 'aplomb/fields';

export interface FieldsParams {
  /** The deployment's name, as in `DatasetsParams`. */
  deployment?: string;
  dataset: string;
}

export interface FieldsResult {
  fields: WireField[];
  complete: boolean;
}

/** A dataset field. `type` is a wire type such as `integer` or `integer|string`. */
export interface WireField {
  name: string;
  type: string;
  unit?: string;
  description?: string;
  hidden?: boolean;
}

/**
 * Client → server, a notification. Datasets or fields may have changed, for example after ingest. If `datasets` is
 * absent, any dataset may have changed. If `deployment` is absent, any deployment may have changed.
 */
export const schemaChangedNotification = 'aplomb/schemaChanged';

export interface SchemaChangedParams {
  deployment?: string;
  datasets?: string[];
}

/** Client → server. Requests a name in APL syntax, quoted if necessary, because only the server knows APL. */
export const quoteNameRequest = 'aplomb/quoteName';

export interface QuoteNameParams {
  name: string;
}

export type QuoteNameResult = string;

/** Client → server. Adds conditions on result values to the query at `position`, as a `where` stage. */
export const addFilterRequest = 'aplomb/addFilter';

export interface AddFilterParams {
  uri: string;
  position: WirePosition;
  /** The part of the query that was run, starting at `position`. Absent if the entire query was run. */
  part?: string;
  conditions: WireCondition[];
}

export interface WireCondition {
  /** A result column, and the path to a property or element of its value. */
  column: string;
  path: (string | number)[];
  kind: 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';
  /** Empty for null. */
  text: string;
  /** Whether to exclude the rows with this value. If false, only the rows with this value are kept. */
  exclude: boolean;
}

/** The changed query, or a message that explains why the conditions can't be added. */
export type AddFilterResult = AddedFilterText | { refusal: string };

export interface AddedFilterText {
  /** The start of the query, or the start of the part if only a part of the query was run. */
  start: WirePosition;
  /** A replacement of a half-open span. Offsets are in UTF-16 units, relative to `start`. */
  edit: { start: number; end: number; text: string };
  text: string;
  condition: string;
}

/** Client → server. Requests the expression for a column, or for a property or element of its value. */
export const quotePathRequest = 'aplomb/quotePath';

export interface QuotePathParams {
  column: string;
  path: (string | number)[];
}

export type QuotePathResult = string;

/** Client → server. Requests the query at `position`, or every query if there is no position. */
export const queryAtRequest = 'aplomb/queryAt';

export interface QueryAtParams {
  uri: string;
  position?: WirePosition;
}

/** The query at the position, or all queries in order. Empty if there is no query. */
export type QueryAtResult = QueryText[];

export interface QueryText {
  text: string;
  range: WireRange;
  title: string;
  facts: QueryFacts;
}

export interface QueryFacts {
  /** Whether the query determines its column order, as `project` and `summarize` do. */
  statesColumnOrder: boolean;
  parameters: QueryParameter[];
  /** The insertion point for a limit, if the query reads datasets and has neither a limit nor an aggregate. */
  unlimited?: Unlimited;
  /** The dataset whose fields are the result's columns, if the query keeps all fields and adds no columns. */
  allFieldsOf?: string;
  /** The datasets and views named anywhere in the query. Patterns aren't resolved. */
  datasets: string[];
  drawnAs: DrawnAs;
  /** The dataset and the stages, each on one line and truncated if long. Absent if the title is a comment. */
  stages?: string[];
}

export type DrawnAs = 'logStream' | 'timeSeries' | 'topList' | 'statistic' | 'table';

export interface QueryParameter {
  name: string;
  type: ParameterType;
  /** The default value: a string literal's content, or else the expression as written. */
  defaultText?: string;
}

export type ParameterType =
  | 'bool'
  | 'datetime'
  | 'dynamic'
  | 'long'
  | 'real'
  | 'string'
  | 'timespan';

export interface Unlimited {
  /** The datasets and views the query reads. Empty for a `search` of all datasets. */
  datasets: string[];
  /** The offset at which to insert a limit into the query's text, and the limit stage to insert. */
  offset: number;
  insert: string;
}

/** The type of the notebooks whose cells share `let` statements. */
export const notebookType = 'aplomb-notebook';

/** Client → server. Requests a notebook cell's queries, in order. */
export const cellQueriesRequest = 'aplomb/cellQueries';

export interface CellQueriesParams {
  uri: string;
}

export type CellQueriesResult = CellQuery[];

/** A query of a cell. Its text includes the `let` statements needed from cells above, but its range doesn't. */
export interface CellQuery extends QueryText {
  /** The length of the `let` statements from the cells above, in UTF-16 units. */
  above: number;
  lets: CellQueryLet[];
  declares: string[];
  /** Whether the text contains a runnable query rather than only `let` statements. */
  runs: boolean;
  /** A name that the text declares twice. If present, the query can't run. */
  conflict?: string;
}

/** A `let` statement of a cell above, with its position in the query's text and its range in its cell. */
export interface CellQueryLet {
  name: string;
  offset: number;
  length: number;
  uri: string;
  range: WireRange;
}

/** Client → server. Requests the facts of query text that is run without changes, such as a selection. */
export const queryFactsRequest = 'aplomb/queryFacts';

export interface QueryFactsParams {
  text: string;
}

export type QueryFactsResult = QueryFacts;

/** Client → server. Parses each string as one query, and returns its first syntax error or null. */
export const syntaxErrorsRequest = 'aplomb/syntaxErrors';

export interface SyntaxErrorsParams {
  texts: string[];
}

export type SyntaxErrorsResult = (SyntaxErrorAt | null)[];

/** An error's message and its offset, in UTF-16 units. */
export interface SyntaxErrorAt {
  offset: number;
  message: string;
}

/** Client → server. Requests a plan for following a query as events arrive. */
export const followPlanRequest = 'aplomb/followPlan';

export interface FollowPlanParams {
  text: string;
}

/** The column with each event's arrival time. The query for new events adds it, and the result doesn't show it. */
export const arrivalColumn = 'aplomb_arrival';

export type FollowPlan =
  | {
      /** Each row is an event of a dataset. New events are queried with `source`, a `_sysTime` filter and `stages`. */
      kind: 'events';
      source: string;
      stages: string;
      /** The query's row limit. `Number.MAX_SAFE_INTEGER` if the limit isn't a literal number. */
      limit?: number;
    }
  | {
      /** New events can't be queried separately, so each update runs the entire query again. */
      kind: 'rows';
      /** The reason, phrased to follow "because", such as `its rows are not events after "summarize"`. */
      reason: string;
    };

/** Client → server. Requests the queries that count the rows of the source and the rows after each stage, in order. */
export const stageCountsRequest = 'aplomb/stageCounts';

export interface StageCountsParams {
  uri: string;
  position: WirePosition;
}

export type StageCountsResult = StageCount[];

export interface StageCount {
  /** The query that counts rows. Its lines and columns match the document, as in `queryUpTo`. */
  text: string;
  range: WireRange;
  /** The name shown in messages, such as `where status >= 500`. */
  title: string;
}

/** Client → server. Requests the query whose result is the rows after the stage at `position`. */
export const queryUpToRequest = 'aplomb/queryUpTo';

export interface QueryUpToParams {
  uri: string;
  position: WirePosition;
}

/**
 * The query up to the stage, or null if there is no pipeline. Before the first stage, only the source runs. Spaces
 * replace omitted parts, so error positions apply to the document.
 */
export type QueryUpToResult = QueryText | null;

/** The command that prompts for the name of an extracted `let`. Arguments: a document's URI and a `WirePosition`. */
export const renameCommand = 'aplomb.renameAt';

/** The Run to here code lens command. Arguments: a document's URI and a `WirePosition`. */
export const runToHereCommand = 'aplomb.runToHere';

/**
 * Client → server, a notification. Sends values from a result: all values of columns with few distinct values, and the
 * most common strings of other columns. The server keeps values of stored fields in memory to complete comparisons.
 */
export const valuesSeenNotification = 'aplomb/valuesSeen';

export interface ValuesSeenParams {
  /** The name of the deployment that returned the result. Absent means the active one. */
  deployment?: string;
  query: string;
  columns: SeenColumn[];
}

export interface SeenColumn {
  name: string;
  values: SeenValue[];
}

export type SeenValue = string | number | boolean;

/**
 * Server → client. Requests the frequent values of a stored field, when completion first needs them. The result is null
 * if they aren't available now, for example because the deployment failed or is busy.
 */
export const fieldValuesRequest = 'aplomb/fieldValues';

export interface FieldValuesParams {
  /** The deployment's name, as in `DatasetsParams`. */
  deployment?: string;
  dataset: string;
  field: string;
  type: ValueType;
}

/** The field types whose values are requested. Other types rarely have frequent values. */
export type ValueType = 'bool' | 'long' | 'real' | 'string';

export interface FieldValuesResult {
  /** The values, the most frequent first. Empty for measurements, identifiers and long strings. */
  values: SeenValue[];
}

/** Server → client. Requests the workspace's APL files, up to limits, because the server reads no files. */
export const workspaceFilesRequest = 'aplomb/workspaceFiles';

export interface WorkspaceFilesParams {
  /** The version of each file that the server has, by URI. */
  known: Record<string, number>;
}

export interface WorkspaceFilesResult {
  files: WireFile[];
}

/** A workspace file. `text` is absent if the server's copy is current. */
export interface WireFile {
  uri: string;
  version: number;
  text?: string;
}

/** The Run code lens command. Arguments: a document's URI and a `WireRange`. */
export const runCommand = 'aplomb.runQuery';
