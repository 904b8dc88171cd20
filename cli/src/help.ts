/** The output of `--help`. */

export const help = {
  aplomb: `Check and format APL (Axiom Processing Language) queries, ingest files, keep resources in folders, and
run the local deployment.

Usage:
  aplomb check FILES…     Report problems in queries.
  aplomb format FILES…    Format queries.
  aplomb explain [CODE]   Explain a problem and how to fix it.
  aplomb ingest FILES…    Send the events of files to a dataset.
  aplomb pull FOLDER      Write monitors, dashboards and other resources into a folder.
  aplomb push FOLDER      Apply the resources of a folder to a deployment.
  aplomb mcp [FOLDER]     Offer tools to agents over the Model Context Protocol.
  aplomb serve            Run the local deployment.
  aplomb rotate-tokens    Replace the tokens of its data folder.
  aplomb backup FILE      Save everything in its data folder as one file.
  aplomb restore FILE     Restore a backup into an empty folder.
  aplomb export DATASET   Write events of the local deployment to a Parquet or NDJSON file.

For check and format, FILES are APL files, Markdown files with fenced apl or kusto blocks, folders
(searched recursively for .apl files), or - for standard input.

Options:
  --help      Show this help, or the help of a command: aplomb check --help.
  --version   Show the version.
`,
  check: `Report problems in queries.

Usage: aplomb check FILES… [options]

Options:
  --format text|json|sarif   Output format. Default: text.
  --schema FILE              JSON file with datasets and their fields. Without it, unknown datasets
                             and columns are not reported.
  --max-warnings N           Fail if there are more than N warnings. Without it, warnings do not fail.
  --disable CODE             Suppress problems with this code. Can be repeated, or a comma-separated
                             list of codes.

Exit status: 0 if there are no errors, 1 if there are errors or too many warnings, 2 if the command line
is invalid or a file cannot be read.

To suppress a problem in a file, add // aplomb-disable-next-line CODE on the line above it, or
// aplomb-disable-file CODE above the first query.
`,
  format: `Format queries.

Usage: aplomb format FILES… [options]

Without --check or --write, the formatted text of a single file is written to standard output.

Options:
  --check        List the files that are not formatted, and fail if there are any. Changes nothing.
  --write        Format the files in place and list the changed files.
  --tab-size N   Width of an indentation level in columns. Default: 4.
  --tabs         Indent with tabs.
  --width N      Preferred maximum line width. Default: 100.

A file with syntax errors is never written. On standard output, its stages with errors are unchanged.
Links that lead out of their folder are not followed.

Exit status: 0 on success, 1 if --check finds files that are not formatted, 2 if the command line is
invalid or a file cannot be read or written.
`,
  explain: `Explain a problem and how to fix it.

Usage: aplomb explain [CODE]

Without a code, list all problems with their severity and message.
`,
  ingest: `Send the events of files to a dataset.

Usage: aplomb ingest FILES… --dataset NAME [options]

The files contain JSON, NDJSON, CSV, TSV, logfmt or plain lines, also compressed with gzip or zstd.
Format, columns and time are recognized by content; what was recognized is printed. The events go to the
local deployment that VS Code runs, or to --url with the token in the variable APLOMB_TOKEN. A dataset
that does not exist is created. A link that leads out of its folder is refused: specify the file itself.

Target:
  --dataset NAME         The dataset.
  --url URL              Address of a deployment, such as https://api.axiom.co.
  --edge-url URL         Address for ingest, where it differs.
  --organization ID      Organization of a personal token.
  --data FOLDER          Data folder of the local deployment, where it is not found.

Reading:
  --format FORMAT        json, ndjson, csv, logfmt or lines.
  --time-field NAME      Field with the time of an event, with dots between the names of nested objects.
  --time-format FORMAT   rfc3339; s, ms, us or ns since 1970; or a Go layout.
  --time-zone ZONE       Zone of times that do not name one, such as Europe/Lisbon. Default: UTC.
  --no-time              Give events the time of their arrival.
  --label NAME=VALUE     Add a field to every event. Can be repeated.
  --csv-delimiter CHAR   Character between values; \\t for a tab.
  --csv-names A,B,…      Names of the columns of a file without a header line.
  --csv-types A=TYPE,…   Types of columns: string, integer, number or boolean. With text, all other
                         columns are sent as text. Default: recognized so that no digit is lost.
  --broken skip|stop     Leave out what cannot be read, or end the run there. Default: skip.

Running:
  --check                Read the files whole, report what would be stored, and send nothing.
  --yes                  Send files without reading them first, also if events would be lost. Otherwise
                         you are asked; without a terminal, nothing of such a file is sent.
  --resume               Continue the run of a file that ended early.
  --restart              Send a file from its start, although an earlier run ended early.

Exit status: 0 if all events are stored, 1 if some were rejected, left out or are in doubt, 2 if the
command line is invalid, a file cannot be read or a run ended early, 130 if cancelled with Ctrl+C.
`,
  pull: `Write the resources of a deployment into a folder, to keep them in version control.

Usage: aplomb pull FOLDER [options]

Monitors, notifiers without their secrets, dashboards, views, annotations, saved queries, virtual fields and
map fields become a sorted JSON file each, with their APL in .apl files next to it. They come from the local
deployment that VS Code runs, or from --url with the token in the variable APLOMB_TOKEN. Files that differ are
overwritten. Commit aplomb.lock.json as well: by it, a push finds what others changed on the deployment.

Options:
  --kinds A,B,…          Kinds to write: monitors, notifiers, dashboards, views, annotations,
                         saved-queries, virtual-fields and map-fields. Default: all.
  --delete               Remove files whose resources are gone.
  --url URL              Address of a deployment, such as https://api.axiom.co.
  --edge-url URL         Address for queries and ingest, which are not used here.
  --organization ID      Organization of a personal token.
  --data FOLDER          Data folder of the local deployment, where it is not found.

Exit status: 0 if everything is written, 1 if something could not be read, 2 if the command line is invalid
or a file cannot be written, 130 if cancelled with Ctrl+C.
`,
  push: `Apply the resources of a folder to a deployment.

Usage: aplomb push FOLDER [options]

Reads all files, prints a plan of what is to be created and changed, with the differences, and carries it
out. Nothing is applied if a file has problems. What others changed on the deployment after the folder was
exported is a conflict and is not applied. Commit aplomb.lock.json, which records what was applied. A run that
failed or was cancelled is continued by running it again. The deployment is the local one that VS Code runs,
or --url with the token in the variable APLOMB_TOKEN.

Options:
  --dry-run              Print the plan and apply nothing.
  --format text|json     Output format. Default: text. JSON needs --yes or --dry-run where text would ask.
  --delete               Delete resources that have no file, of the kinds that the folder was written with.
  --overwrite            Apply conflicts too: replace or delete what others changed on the deployment.
  --yes                  Do not ask before a deployment that is not on this machine is changed. Required
                         without a terminal.
  --url URL              Address of a deployment, such as https://api.axiom.co.
  --edge-url URL         Address for queries and ingest, which are not used here.
  --organization ID      Organization of a personal token.
  --data FOLDER          Data folder of the local deployment, where it is not found.

Exit status: 0 if there is nothing to do or all is done, 1 if something was refused, failed or is in conflict,
or a file has problems, 2 if the command line is invalid or a file cannot be read, 3 if --dry-run finds
changes, 130 if cancelled with Ctrl+C or by the answer no.
`,
  mcp: `Offer tools to agents over the Model Context Protocol, on standard input and output.

Usage: aplomb mcp [FOLDER] [options]

An agent's client starts this command. Its tools list datasets and fields, check, explain and run queries, search
those of FOLDER (default: the working folder) and of the deployment, read resources and plan changes of them. They
change nothing. Queries go to the local deployment that VS Code runs, which the first call starts if needed.

Options:
  --allow-ingest         Offer a tool that stores events in datasets of the local deployment.
  --data FOLDER          Data folder of the local deployment, where it is not found.
  --url URL              Address of a hosted deployment. Its token is read from the variable APLOMB_TOKEN.
  --not-production       Required with --url: confirms that the deployment is not production, which is refused
                         because calls cannot be confirmed here.
  --edge-url URL         Address for queries, where it differs.
  --organization ID      Organization of a personal token.

Exit status: 0 when standard input ends, 2 if the command line is invalid.
`,
} as const;
