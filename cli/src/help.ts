/** The text that `--help` prints. */

export const help = {
  aplomb: `Check and format APL (Axiom Processing Language) queries.

Usage:
  aplomb check FILES…     Report problems in queries.
  aplomb format FILES…    Format queries.
  aplomb explain [CODE]   Explain a problem and how to fix it.

FILES are APL files, Markdown files with fenced apl or kusto blocks, folders (searched recursively for
.apl files), or - for standard input.

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

Stages with syntax errors are not changed.

Exit status: 0 on success, 1 if --check finds files that are not formatted, 2 if the command line is
invalid or a file cannot be read or written.
`,
  explain: `Explain a problem and how to fix it.

Usage: aplomb explain [CODE]

Without a code, list all problems with their severity and message.
`,
} as const;
