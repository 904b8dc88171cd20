/** How to reach a ClickHouse server or cluster. */
export interface ClickHouseOptions {
  /** The address of the HTTP interface, without user and password. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** The database for the tables of the datasets. It is created if missing. */
  readonly database: string;
  /** The cluster whose servers get the tables. Absent for a single server. */
  readonly cluster?: string | undefined;
  /** The maximum running time of a query. */
  readonly queryMs?: number | undefined;
  /** The maximum memory of a query in bytes. The default is that of ClickHouse. */
  readonly queryBytes?: number | undefined;
  /** The time for which a statement is repeated while the server is unreachable or busy. */
  readonly repeatMs?: number | undefined;
  /** The file that declares tables as datasets. Absent for datasets.yaml in the data folder, if it exists. */
  readonly datasetsFile?: string | undefined;
  /** How often the rows of tables that exist already are searched for new fields. */
  readonly searchMs?: number | undefined;
}
