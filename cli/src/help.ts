/** What `--help` prints. */

export const help = {
  aplomb: `Checks and formats APL (Axiom Processing Language).

Usage:
  aplomb check FILES…     Find problems in queries.
  aplomb format FILES…    Format queries.
  aplomb explain [CODE]   Say what a problem means and how to mend it.

FILES are APL files, Markdown files with fenced apl or kusto blocks, folders (for the .apl files
below them), or - for standard input.

  --help      Print this, or the help of a command: aplomb check --help.
  --version   Print the version.
`,
  check: `Finds problems in queries.

Usage: aplomb check FILES… [options]

  --format text|json|sarif   How problems are told. The default is text.
  --schema FILE              A JSON file of datasets and their fields. Without it unknown names of
                             datasets and columns are no problem.
  --max-warnings N           Fail when there are more than N warnings. Without it warnings do not fail.
  --disable CODE             Leave out problems of this code. May be given several times, or with commas.

Exit status: 0 when there is no error, 1 when there are errors or too many warnings, 2 when the
command line is wrong or a file cannot be read.

A comment // aplomb-disable-next-line CODE silences a problem on the next line,
// aplomb-disable-file CODE above the first query of a file those of the whole file.
`,
  format: `Formats queries.

Usage: aplomb format FILES… [options]

Without --check or --write the formatted text of one file goes to standard output.

  --check        Change nothing; print the files that are not formatted, and fail if there are any.
  --write        Change the files in place; print those that were changed.
  --tab-size N   Columns of a step of indentation. The default is 4.
  --tabs         Indent with tabs.
  --width N      The columns that a line should not pass. The default is 100.

A stage in which there is a mistake of syntax is left as it is written.

Exit status: 0 when all went well, 1 when --check found files that are not formatted, 2 when the
command line is wrong or a file cannot be read or written.
`,
  explain: `Says what a problem means and how to mend it.

Usage: aplomb explain [CODE]

Without a code, all problems are listed with their severity.
`,
} as const;
