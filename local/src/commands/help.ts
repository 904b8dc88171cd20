/** The text that each command prints for `--help`. */
export const help = {
  serve: `Run the local deployment: the service's API on this machine, without an account.

Usage: aplomb serve --data FOLDER [options]

When it is ready, it prints one line of JSON on standard output with its address and its two tokens.
Everything else goes to standard error. If a process already serves the folder, its address is printed.

Options:
  --data FOLDER            Folder for the data. Created if it does not exist. Required.
  --port N                 Port to listen on, on 127.0.0.1. Default: any free port.
  --memory-limit SIZE      Memory limit of the database, such as 4GB. Default: half of the memory.
  --query-timeout SECONDS  Time limit of a query. Default: 300.
  --allow-external PATH_OR_URL
                           Let externaldata read a folder, or the loopback URLs that start with this
                           one, such as http://127.0.0.1:8080/. Can be repeated. Default: nothing.
  --end-when-idle          End half a minute after the last window has let go of it.
  --end-with-input         End when standard input closes.
  --engine NAME            Engine that stores events: duckdb, in the data folder, or clickhouse, on a
                           server. Default: duckdb.
  --clickhouse-url URL     Address of ClickHouse's HTTP interface, such as http://127.0.0.1:8123.
                           Required with --engine clickhouse.
  --clickhouse-database NAME
                           Database for a table per dataset. Created if it does not exist.
                           Default: aplomb.
  --clickhouse-cluster NAME
                           Cluster whose servers replicate and share the tables. Default: one server.
  --resources URL          Address of a process in front of the same ClickHouse, which keeps the tokens and
                           resources of this one. Requires --engine clickhouse. Prints no tokens.
  --datasets FILE          Tables of ClickHouse that become read-only datasets, as YAML. Default:
                           datasets.yaml in the data folder, if it exists.
  --discover               Print a proposal for this file from the tables of ClickHouse, and exit.
                           --data is not needed.

Tokens:
  token          An API token (xaat-…) with all capabilities: ingest, queries and all resources. Send it
                 in the header "Authorization: Bearer TOKEN".
  personalToken  A personal token (xapt-…), which acts as the deployment's user.
  Both stay the same from one start to the next. Anyone who has one of them can read and change all
  data; create tokens with fewer capabilities with POST /v2/tokens.

Files in the data folder:
  data.duckdb     Events, resources, roles, users, and hashes of the tokens that were created. The files
                  whose names begin with data.duckdb. belong to it.
  token, personal-token
                  The tokens that are printed. To replace them, run aplomb rotate-tokens.
  license.json    Limits of the license, if you add it: {"maxDatasets": 3}.
  prices.json     Prices of models for the functions about them, if you add it.
  datasets.yaml   Tables of ClickHouse that become datasets, if you add it. See --datasets.
  deployment.json Where the running process is found.
  spool, temporary
                  Files that are in use while it runs.

Environment:
  CLICKHOUSE_USER, CLICKHOUSE_PASSWORD
                       User and password for --engine clickhouse. Default: default, without a password.
  APLOMB_RESOURCES_TOKEN
                       API token that the process at the URL of --resources prints.
  UV_THREADPOOL_SIZE   Threads for statements of the database and for files. Default: 48.

Exit status: 0 if it was ended, 1 if it cannot start, 2 if the command line is invalid.
`,
  backup: `Save everything in a data folder as one file.

Usage: aplomb backup FILE --data FOLDER

The deployment may run and be written to meanwhile: the backup has everything that was acknowledged
before it began. While it is made, the data folder needs as much free space again as the data takes.
The file is a tar archive of the database, license.json and prices.json. It contains all events, the
secrets of notifiers as they are, such as keys and addresses of webhooks, and hashes of the tokens that
were created. It does not contain the tokens that the deployment prints.

With --engine clickhouse, the events are in ClickHouse and not in the file. Back them up there, with its
statement BACKUP DATABASE. The data folder of a process with --resources has nothing to back up.

Options:
  --data FOLDER   Data folder of the local deployment. Required.

Exit status: 0 if the backup is complete, 2 if it is not, 130 if cancelled with Ctrl+C. An incomplete
backup leaves no file.
`,
  restore: `Restore a backup into an empty folder.

Usage: aplomb restore FILE --data FOLDER

The file is checked while it is read, and the database is opened and compared with it before anything
gets its final name. The checks find damage, not intent: whoever made the backup decides which events,
roles, users, tokens and notifiers the deployment has, so restore only backups that you trust.

Events of a deployment on ClickHouse are not in the file. Restore them there, with its statement RESTORE
DATABASE, before the deployment starts.

Tokens that were created before the backup are valid again, also those that were revoked since. How many
there are is printed.

Options:
  --data FOLDER     New or empty folder. Required.
  --without-tokens  Do not restore the tokens that were created. The deployment prints new ones.

Exit status: 0 if all is restored, 2 if nothing is, 130 if cancelled with Ctrl+C.
`,
  'rotate-tokens': `Replace the tokens of the local deployment, if somebody else may have seen them.

Usage: aplomb rotate-tokens --data FOLDER [--all]

Both tokens that the deployment prints are replaced, in the files token and personal-token. A deployment
that runs restarts at the same address; requests with the earlier tokens and links to its landing page are
rejected from then on. Tokens that were created with POST /v2/tokens stay valid, unless --all is added.

Options:
  --data FOLDER   Data folder of the local deployment. Required.
  --all           Delete the tokens that were created, too.

Exit status: 0 if the tokens are replaced, 2 if not.
`,
  export: `Write the events of a dataset of the local deployment to a file.

Usage: aplomb export DATASET --data FOLDER --format FORMAT [options]
       aplomb export --query APL --data FOLDER --format FORMAT [options]

All events are exported, the newest first. Parquet keeps 64-bit integers and nanoseconds as they are;
fields of several types, arrays and maps are JSON, and of fields whose names differ by case alone the
later ones get a number, such as n_1. NDJSON has an object per line, as ingest takes it. While the file
is made, the data folder needs as much free space as the file takes.

Options:
  --data FOLDER     Data folder of the local deployment. Required.
  --format FORMAT   parquet or ndjson. Required.
  --query APL       Rows to export. A query that starts with | is applied to DATASET.
  --start TIME      First time to export, in RFC 3339 or relative such as now-1d.
  --end TIME        End of the time to export.
  -o, --output FILE File to write. Required for parquet. Default: standard output.

Exit status: 0 if the export is complete, 2 if it is not, 130 if cancelled with Ctrl+C. An incomplete
export leaves no file.
`,
} as const;

export type CommandName = keyof typeof help;
