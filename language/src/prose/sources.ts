/** Documentation of the operators that only start a pipeline, and the snippets that completion inserts. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LSP snippets use this placeholder syntax.
import type { SourceName } from '../operators/names.ts';
import type { OperatorProse } from './says.ts';

export const sourceProse: Readonly<Record<SourceName, OperatorProse>> = {
  externaldata: {
    syntax: 'externaldata (name: type, …) [url, …] with (format=…)',
    summary: 'Reads rows from files at URLs.',
    example:
      'externaldata (id: string, name: string) ["https://example.com/users.csv"] with (format="csv", ignoreFirstRecord=true)',
    note: 'The maximum file size is 5 MB.',
    snippet: 'externaldata (${1:name}: ${2:string}) ["${3:https://}"] with (format="${4:csv}")',
    clauses: { with: 'Options for reading the files.' },
  },
  print: {
    syntax: 'print name = expression, …',
    summary: 'Returns a row of computed values.',
    example: "print greeting = strcat('hello', ' ', 'world')",
    snippet: 'print ${1:expression}',
  },
  datatable: {
    syntax: 'datatable (name: type, …) [value, …]',
    summary: 'Returns the rows of a literal table.',
    example: "datatable (name: string, age: long) ['Ada', 36, 'Alan', 41]",
    snippet: 'datatable (${1:name}: ${2:string}) [${3:value}]',
  },
  table: {
    syntax: 'table(name)',
    summary: 'Returns the rows of the dataset with the specified name.',
    example: "table('logs')",
    snippet: "table('${1:dataset}')",
  },
};
