/**
 * The messages between client and language server beyond the LSP: method names and plain types. It
 * imports nothing, since each side brings its own version of the JSON-RPC library.
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

/** What the client passes as `initializationOptions`. */
export interface StartOptions {
  /** The name of the active deployment. */
  deployment?: string;
}

/**
 * Client → server, a notification. Another deployment is active: documents that belong to none are analyzed with its
 * schema.
 */
export const activeDeploymentNotification = 'aplomb/activeDeployment';

export interface ActiveDeploymentParams {
  deployment: string;
}

/**
 * The schemes of documents that belong to a deployment whatever they contain: its resources, and the queries in them.
 * The query of their URI has the parameter `deployment`, the name.
 */
export const resourceSchemes: readonly string[] = ['aplomb', 'aplomb-embedded'];

/**
 * Server → client. The names that a query may start with. The result is null where they cannot be fetched, or where
 * there is no deployment of that name; the client then sends `schemaChangedNotification` when it is time to ask again.
 */
export const datasetsRequest = 'aplomb/datasets';

export interface DatasetsParams {
  /** The name of a deployment; the active one where it is absent. */
  deployment?: string;
}

export interface DatasetsResult {
  datasets: WireDataset[];
  /** Whether these are all datasets and views there are. */
  complete: boolean;
}

export interface WireDataset {
  name: string;
  kind: 'dataset' | 'view';
  description?: string;
  /** The query of a view, whose columns are the view's. */
  query?: string;
}

/** Server → client. The fields of one dataset. The result is null where they cannot be fetched. */
export const fieldsRequest = 'aplomb/fields';

export interface FieldsParams {
  /** As in `DatasetsParams`. */
  deployment?: string;
  dataset: string;
}

export interface FieldsResult {
  fields: WireField[];
  complete: boolean;
}

/** `type` is a wire type such as `integer` or `integer|string`. */
export interface WireField {
  name: string;
  type: string;
  unit?: string;
  description?: string;
  hidden?: boolean;
}

/**
 * Client → server, a notification. Datasets or fields may have changed: after ingest, with another token, or by a
 * result with new metadata. Without `datasets`, everything may have; without `deployment`, in all deployments.
 */
export const schemaChangedNotification = 'aplomb/schemaChanged';

export interface SchemaChangedParams {
  deployment?: string;
  datasets?: string[];
}

/** Client → server. The client needs a name written as APL writes it; it does not know the language. */
export const quoteNameRequest = 'aplomb/quoteName';

export interface QuoteNameParams {
  name: string;
}

/** The answer is the name, quoted if it must be. */
export type QuoteNameResult = string;

/**
 * Client → server. A condition on a value of a result, to be added to the query at `position` as a `where`.
 */
export const addFilterRequest = 'aplomb/addFilter';

export interface AddFilterParams {
  uri: string;
  position: WirePosition;
  /** Where a part of the query was run: its text, which begins at the position. */
  part?: string;
  conditions: WireCondition[];
}

export interface WireCondition {
  /** A column of the result, and the members or elements below its value. */
  column: string;
  path: (string | number)[];
  kind: 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';
  /** The exact text of the value; empty for null. */
  text: string;
  /** Keep the rows that have another value instead. */
  exclude: boolean;
}

/** The changed query, or why there is none, for the person. */
export type AddFilterResult = AddedFilterText | { refusal: string };

export interface AddedFilterText {
  /** Where the query or its part begins. */
  start: WirePosition;
  /** What replaces a half-open span of it; offsets in UTF-16 units from its beginning. */
  edit: { start: number; end: number; text: string };
  /** Its text with the edit. */
  text: string;
  /** The conditions as they are written. */
  condition: string;
}

/** Client → server. A column, or a member below its value, as a query names it. */
export const quotePathRequest = 'aplomb/quotePath';

export interface QuotePathParams {
  column: string;
  path: (string | number)[];
}

export type QuotePathResult = string;

/** Client → server. What to run for the cursor at `position`, or for every query when none is given. */
export const queryAtRequest = 'aplomb/queryAt';

export interface QueryAtParams {
  uri: string;
  position?: WirePosition;
}

/** The query at the position, or all of them in order; empty when there is none. */
export type QueryAtResult = QueryText[];

export interface QueryText {
  text: string;
  range: WireRange;
  /** A short name for a result's title: the comment above the query, or its dataset and stages. */
  title: string;
  facts: QueryFacts;
}

/** What running a query depends on. */
export interface QueryFacts {
  /** Whether the query lists its columns, as `project` and `summarize` do, and so states their order. */
  statesColumnOrder: boolean;
  /** What `declare query_parameters` declares, in order. */
  parameters: QueryParameter[];
  /** For a query that reads datasets and has neither a limit nor an aggregate: where a limit goes. */
  unlimited?: Unlimited;
  /** The dataset whose fields are the columns, where the query leaves all of them in place and adds none. */
  allFieldsOf?: string;
  /** The datasets and views that it names, anywhere in it; patterns are not resolved. */
  datasets: string[];
  /** What its result can be drawn as. */
  drawnAs: DrawnAs;
  /** The dataset and the stages, each on one line and cut; absent where a comment names the query. */
  stages?: string[];
}

/**
 * What the result of a query can be drawn as: events, a number over time, the largest groups, one number, or for want
 * of these a table.
 */
export type DrawnAs = 'logStream' | 'timeSeries' | 'topList' | 'statistic' | 'table';

export interface QueryParameter {
  name: string;
  /** The type that it is declared with; string where it is declared with none. */
  type: ParameterType;
  /** The default value: the text that it is, or else what the query writes. */
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
  /** The datasets and views that are read. */
  datasets: string[];
  /** An offset in the query's text, and what to insert there before the rows are to be limited. */
  offset: number;
  insert: string;
}

/** The type of the notebooks whose cells share their lets. */
export const notebookType = 'aplomb-notebook';

/** Client → server. What to run for a cell of a notebook: its queries in order. */
export const cellQueriesRequest = 'aplomb/cellQueries';

export interface CellQueriesParams {
  uri: string;
}

export type CellQueriesResult = CellQuery[];

/**
 * A query of a cell. Its text starts with the lets of the cells above that it needs; its range is that of the query
 * itself in the cell.
 */
export interface CellQuery extends QueryText {
  /** The length of the lets, in UTF-16 units. */
  above: number;
  lets: CellQueryLet[];
  /** The names of the lets in the query itself. */
  declares: string[];
  /** False for a query that consists of lets alone. */
  runs: boolean;
  /** A name that is declared twice in the text, so that it cannot be run. */
  conflict?: string;
}

/** A let of a cell above: its place in the query's text, and in its cell. */
export interface CellQueryLet {
  name: string;
  offset: number;
  length: number;
  uri: string;
  range: WireRange;
}

/** Client → server. The same about text that is run as it is, such as a selection. */
export const queryFactsRequest = 'aplomb/queryFacts';

export interface QueryFactsParams {
  text: string;
}

export type QueryFactsResult = QueryFacts;

/** Client → server. What keeps texts from being parsed, each as one query: the first error of each, or null. */
export const syntaxErrorsRequest = 'aplomb/syntaxErrors';

export interface SyntaxErrorsParams {
  texts: string[];
}

export type SyntaxErrorsResult = (SyntaxErrorAt | null)[];

/** An error at an offset in UTF-16 units. */
export interface SyntaxErrorAt {
  offset: number;
  message: string;
}

/** Client → server. How a query is followed while events arrive. */
export const followPlanRequest = 'aplomb/followPlan';

export interface FollowPlanParams {
  text: string;
}

/** The column that the query for new events adds: when each has arrived. Not part of what is shown. */
export const arrivalColumn = 'aplomb_arrival';

export type FollowPlan =
  | {
      /**
       * Each row is an event of one dataset. The query for new events is `source`, a filter on `_sysTime`, the
       * column of arrivals, and `stages`, in which no limit and no order is left.
       */
      kind: 'events';
      source: string;
      stages: string;
      /** The number of rows that the query states. */
      limit?: number;
    }
  | {
      /** The rows are something else, so that the query is run again. */
      kind: 'rows';
      /** Why, to follow "since": `its rows are not events after "summarize"`. */
      reason: string;
    };

/**
 * Client → server. Queries that count the rows of the source and after each stage of the pipeline around a
 * position, in order; empty where there is none.
 */
export const stageCountsRequest = 'aplomb/stageCounts';

export interface StageCountsParams {
  uri: string;
  position: WirePosition;
}

export type StageCountsResult = StageCount[];

export interface StageCount {
  /** Counts the rows. Its places are those of the document, as with `queryUpTo`. */
  text: string;
  /** The source or the stage, without its comments. */
  range: WireRange;
  /** What it is called in messages, such as `where status >= 500`. */
  title: string;
}

/** Client → server. What to run to see the rows behind the stage at `position`. */
export const queryUpToRequest = 'aplomb/queryUpTo';

export interface QueryUpToParams {
  uri: string;
  position: WirePosition;
}

/**
 * Nothing where there is no stage. The text is as long as the range and has the same lines; what does not
 * belong to the query in it is blank, so it may differ from what the document has there.
 */
export type QueryUpToResult = QueryText | null;

/** The command behind an extracted let: asks for its name. Its arguments are a URI and a `WirePosition`. */
export const renameCommand = 'aplomb.renameAt';

/** The command of the Run to here code lens; its arguments are a document's URI and a `WirePosition`. */
export const runToHereCommand = 'aplomb.runToHere';

/**
 * Client → server, a notification. A result has come: the values of its columns that have few different
 * ones. The server keeps those of stored fields in memory, to offer them where a field is compared.
 */
export const valuesSeenNotification = 'aplomb/valuesSeen';

export interface ValuesSeenParams {
  /** The name of the deployment that answered; the active one where it is absent. */
  deployment?: string;
  /** The query that was run. */
  query: string;
  columns: SeenColumn[];
}

export interface SeenColumn {
  name: string;
  values: SeenValue[];
}

export type SeenValue = string | number | boolean;

/**
 * Server → client. The frequent values of a stored field, requested when completion first offers values for it. The
 * result is null if there is no answer now: the deployment failed or refused, or it is busy with other requests.
 */
export const fieldValuesRequest = 'aplomb/fieldValues';

export interface FieldValuesParams {
  /** As in `DatasetsParams`. */
  deployment?: string;
  dataset: string;
  field: string;
  type: ValueType;
}

/** The types of fields whose values are requested. Fields of other types hardly have frequent values. */
export type ValueType = 'bool' | 'long' | 'real' | 'string';

export interface FieldValuesResult {
  /** The most frequent first; empty for measurements, identifiers and long strings. */
  values: SeenValue[];
}

/**
 * Server → client. The server needs the APL files of the workspace, which it does not read itself, and
 * says which versions it has. The client answers with all of them, up to its bounds.
 */
export const workspaceFilesRequest = 'aplomb/workspaceFiles';

export interface WorkspaceFilesParams {
  /** The version of each file that the server has, by URI. */
  known: Record<string, number>;
}

export interface WorkspaceFilesResult {
  files: WireFile[];
}

/** Without `text` the file is as the server knows it. */
export interface WireFile {
  uri: string;
  version: number;
  text?: string;
}

/** The command of the Run code lens; its arguments are a document's URI and a `WireRange`. */
export const runCommand = 'aplomb.runQuery';
