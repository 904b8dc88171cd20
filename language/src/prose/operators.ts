/** Documentation of the tabular operators, and the snippets that completion inserts. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LSP snippets use this placeholder syntax.
import { operatorEditing } from '../operators/index.ts';
import type { OperatorName } from '../operators/names.ts';
import type { OperatorProse } from './says.ts';
import { reorderDirections, seriesDefaults, sortDirections } from './words.ts';

export const operatorProse: Readonly<Record<OperatorName, OperatorProse>> = {
  count: {
    syntax: 'count',
    summary: 'Counts the rows.',
    example: 'logs | where status >= 500 | count',
    note: 'The column is named count, in lower case.',
    snippet: 'count',
  },
  distinct: {
    syntax: 'distinct field, …',
    summary: 'Returns the distinct combinations of fields.',
    example: 'logs | distinct method, status',
    snippet: 'distinct ${1:field}',
  },
  extend: {
    syntax: 'extend name = expression, …',
    summary: 'Adds computed columns.',
    example: 'logs | extend seconds = duration_ms / 1000',
    note: 'Replaces a column of the same name and moves it to the end.',
    snippet: 'extend ${1:name} = ${2:expression}',
  },
  'extend-valid': {
    syntax: 'extend-valid name = expression, …',
    summary: 'Adds computed columns, but keeps the existing value where the new one is not valid.',
    example: 'logs | extend-valid user_id = payload.user_id',
    note: 'Valid values are non-empty strings, arrays and bags, finite numbers other than 0, and true.',
    snippet: 'extend-valid ${1:name} = ${2:expression}',
  },
  externaldata: {
    syntax: 'externaldata (name: type, …) [url, …] with (format=…)',
    summary: 'Reads rows from files at URLs.',
    example:
      'externaldata (id: string, name: string) ["https://example.com/users.csv"] with (format="csv", ignoreFirstRecord=true)',
    note: 'The maximum file size is 5 MB.',
    snippet: 'externaldata (${1:name}: ${2:string}) ["${3:https://}"] with (format="${4:csv}")',
    clauses: { with: 'Options for reading the files.' },
  },
  getschema: {
    syntax: 'getschema',
    summary: 'Returns the columns and their types instead of rows.',
    example: 'logs | getschema',
    snippet: 'getschema',
  },
  join: {
    syntax: 'join kind=kind (table) on field, left == right, …',
    summary: 'Combines the rows of two tables where fields match.',
    example: 'logs | join kind=leftouter (users | project id, name) on $left.user_id == $right.id',
    note: 'The default kind is inner. innerunique returns only the first match of each left row. Separate conditions with commas, not with and.',
    snippet: 'join kind=${1|inner,innerunique,leftouter|} (${2:table}) on ${3:field}',
    clauses: {
      on: 'The fields to match: fields of both tables, or $left.a == $right.b, separated by commas.',
    },
  },
  limit: {
    syntax: 'limit count',
    summary: 'Returns up to the specified number of rows.',
    example: 'logs | limit 100',
    note: 'After a summarize whose first group is a time bin, limits the number of groups instead of rows.',
    snippet: 'limit ${1:100}',
  },
  lookup: {
    syntax: 'lookup kind=kind table on field, left == right, …',
    summary: 'Adds the columns of a smaller table where fields match.',
    example: 'logs | lookup kind=inner (users | project user_id, name) on user_id',
    snippet: 'lookup kind=${1|leftouter,inner|} ${2:table} on ${3:field}',
    clauses: {
      on: 'The fields to match: fields of both tables, or $left.a == $right.b, separated by commas.',
    },
  },
  'make-series': {
    syntax:
      'make-series name = aggregate default=value, … on time from start to end step size by group, …',
    summary: 'Creates arrays of aggregates over regular time steps for each group.',
    example:
      'logs | make-series requests = count() default=0 on _time from ago(1h) to now() step 5m by method',
    note: 'Without from and to, the series covers the time range of the query.',
    snippet: 'make-series ${1:count()} default=${2:0} on ${3:_time} step ${4:1m} by ${5:field}',
    clauses: {
      on: 'The field that defines the steps, usually _time.',
      from: 'The start of the first step.',
      to: 'The end of the last step.',
      step: 'The width of a step.',
      by: 'The groups. Returns a row with its arrays for each combination of values.',
    },
    modifiers: seriesDefaults,
  },
  'mv-expand': operatorEditing['mv-expand'].prose,
  order: {
    syntax: 'order by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | order by _time desc',
    snippet: 'order by ${1:_time} ${2|desc,asc|}',
    clauses: { by: 'The sort keys, in order of priority. The default order is desc.' },
    modifiers: sortDirections,
  },
  parse: {
    syntax: 'parse kind=kind expression with * "text" name: type …',
    summary:
      'Extracts columns from a string with a pattern. Sets them to null in rows that do not match.',
    example: 'logs | parse uri with "/users/" user_id: long "/" action',
    snippet: 'parse ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: {
      with: 'The pattern: strings to match, and names of the columns for the text between them.',
    },
  },
  'parse-kv': {
    syntax: 'parse-kv expression as (key, …) with (pair_delimiter=…, kv_delimiter=…)',
    summary: 'Extracts columns from a string of key-value pairs.',
    example:
      'logs | parse-kv message as (user, action) with (pair_delimiter=" ", kv_delimiter="=")',
    snippet:
      'parse-kv ${1:field} as (${2:key}) with (pair_delimiter="${3: }", kv_delimiter="${4:=}")',
    clauses: {
      as: 'The keys to extract, each with an optional type.',
      with: 'The separators of pairs and keys.',
    },
  },
  'parse-where': {
    syntax: 'parse-where kind=kind expression with * "text" name: type …',
    summary: 'Extracts columns from a string with a pattern and removes rows that do not match.',
    example: 'logs | parse-where uri with "/users/" user_id: long',
    snippet: 'parse-where ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: {
      with: 'The pattern: strings to match, and names of the columns for the text between them.',
    },
  },
  project: {
    syntax: 'project field, name = expression, …',
    summary: 'Returns only the listed columns, in this order.',
    example: 'logs | project _time, status, seconds = duration_ms / 1000',
    snippet: 'project ${1:field}',
  },
  'project-away': {
    syntax: 'project-away field, prefix*, …',
    summary: 'Removes columns.',
    example: 'logs | project-away user_agent, geo*',
    snippet: 'project-away ${1:field}',
  },
  'project-keep': {
    syntax: 'project-keep field, prefix*, …',
    summary: 'Keeps only the listed columns, in their existing order.',
    example: 'logs | project-keep _time, resp*',
    snippet: 'project-keep ${1:field}',
  },
  'project-rename': {
    syntax: 'project-rename new = old, …',
    summary: 'Renames columns and keeps the others.',
    example: 'logs | project-rename code = status',
    snippet: 'project-rename ${1:new} = ${2:old}',
  },
  'project-reorder': {
    syntax: 'project-reorder field asc, prefix*, …',
    summary: 'Moves the listed columns to the front and keeps the others.',
    example: 'logs | project-reorder _time, status, req* asc',
    snippet: 'project-reorder ${1:field}',
    modifiers: reorderDirections,
  },
  redact: {
    syntax: 'redact replaceToken=text regex, … on field, …',
    summary: 'Replaces matches of regular expressions in string fields.',
    example: "logs | redact replaceToken='#' '[0-9]{16}' on message",
    note: 'A token of one character replaces each character of a match. A longer token replaces the entire match.',
    snippet: "redact '${1:regex}' on ${2:field}",
    clauses: { on: 'The fields to redact.' },
  },
  sample: {
    syntax: 'sample ratio',
    summary: 'Returns a random sample of the rows, with a ratio between 0 and 1.',
    example: 'logs | sample 0.05',
    note: 'Unlike in Kusto, the argument is a ratio, not a number of rows.',
    snippet: 'sample ${1:0.1}',
  },
  search: {
    syntax: 'search kind=kind in (dataset, …) "term"',
    summary: 'Searches all fields of the input rows or of datasets for a term.',
    example: 'search in (logs) "timeout" and status == 500',
    note: 'A term matches entire words. To match parts of words, use "*term*".',
    snippet: 'search in (${1:dataset}) "${2:term}"',
    clauses: { in: 'The datasets to search.' },
  },
  sort: {
    syntax: 'sort by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | sort by duration_ms desc, _time asc',
    snippet: 'sort by ${1:_time} ${2|desc,asc|}',
    clauses: { by: 'The sort keys, in order of priority. The default order is desc.' },
    modifiers: sortDirections,
  },
  summarize: {
    syntax: 'summarize name = aggregate, … by name = group, …',
    summary: 'Computes aggregates over groups of rows.',
    example: 'logs | summarize requests = count(), avg(duration_ms) by bin_auto(_time), method',
    snippet: 'summarize ${1:count()} by ${2:bin_auto(_time)}',
    clauses: { by: 'The groups. Returns a row for each combination of their values.' },
  },
  take: {
    syntax: 'take count',
    summary: 'Returns up to the specified number of rows.',
    example: 'logs | take 10',
    snippet: 'take ${1:10}',
  },
  top: {
    syntax: 'top count by expression desc',
    summary: 'Sorts the rows, in descending order by default, and returns the first ones.',
    example: 'logs | top 10 by duration_ms',
    snippet: 'top ${1:10} by ${2:field}',
    clauses: { by: 'The sort keys. The default order is desc.' },
    modifiers: sortDirections,
  },
  union: {
    syntax: 'union withsource=name table, prefix*, …',
    summary: 'Concatenates the rows of several tables. Columns are matched by name.',
    example: 'union withsource=dataset logs, audit*',
    snippet: 'union ${1:dataset}',
  },
  where: {
    syntax: 'where condition',
    summary: 'Keeps the rows that match a condition.',
    example: "logs | where status >= 500 and method == 'GET'",
    note: 'Conditions are evaluated in the order in which they are written. Put the most selective one first.',
    snippet: 'where ${1:condition}',
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
