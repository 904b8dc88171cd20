/** What is said of the tabular operators, and what completion inserts for them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets of the LSP mark their places so.
import type { OperatorName } from '../catalog/operators.ts';
import type { OperatorProse } from './says.ts';
import { reorderDirections, seriesDefaults, sortDirections } from './words.ts';

export const operatorProse: Readonly<Record<OperatorName, OperatorProse>> = {
  count: {
    syntax: 'count',
    summary: 'Counts the rows.',
    example: 'logs | where status >= 500 | count',
    note: 'The column is called count, in lower case.',
    snippet: 'count',
  },
  distinct: {
    syntax: 'distinct field, …',
    summary: 'Gives each combination of the fields once.',
    example: 'logs | distinct method, status',
    snippet: 'distinct ${1:field}',
  },
  extend: {
    syntax: 'extend name = expression, …',
    summary: 'Adds computed columns.',
    example: 'logs | extend seconds = duration_ms / 1000',
    note: 'A column that exists already is replaced and moves to the end.',
    snippet: 'extend ${1:name} = ${2:expression}',
  },
  'extend-valid': {
    syntax: 'extend-valid name = expression, …',
    summary: 'Adds computed columns where the value is valid, and keeps the old value elsewhere.',
    example: 'logs | extend-valid user_id = payload.user_id',
    note: 'Valid is text that is not empty, a number other than 0, NaN and infinity, an array or bag with elements, and true.',
    snippet: 'extend-valid ${1:name} = ${2:expression}',
  },
  externaldata: {
    syntax: 'externaldata (name: type, …) [url, …] with (format=…)',
    summary: 'Reads rows from files at URLs.',
    example:
      'externaldata (id: string, name: string) ["https://example.com/users.csv"] with (format="csv", ignoreFirstRecord=true)',
    note: 'A file has at most 5 MB.',
    snippet: 'externaldata (${1:name}: ${2:string}) ["${3:https://}"] with (format="${4:csv}")',
    clauses: { with: 'Options of reading the files.' },
  },
  getschema: {
    syntax: 'getschema',
    summary: 'Lists the columns and their types instead of rows.',
    example: 'logs | getschema',
    snippet: 'getschema',
  },
  join: {
    syntax: 'join kind=kind (table) on field, left == right, …',
    summary: 'Puts rows of two tables together where fields match.',
    example: 'logs | join kind=leftouter (users | project id, name) on $left.user_id == $right.id',
    note: 'The default kind is inner; innerunique takes the first match of each left row. Conditions are separated by commas, not by and.',
    snippet: 'join kind=${1|inner,innerunique,leftouter|} (${2:table}) on ${3:field}',
    clauses: {
      on: 'What is equal on both sides: fields that both have, or $left.a == $right.b, with commas between.',
    },
  },
  limit: {
    syntax: 'limit count',
    summary: 'Gives at most so many rows.',
    example: 'logs | limit 100',
    note: 'After a summarize whose first group is a time bin, it keeps the top groups in every bin.',
    snippet: 'limit ${1:100}',
  },
  lookup: {
    syntax: 'lookup kind=kind table on field, left == right, …',
    summary: 'Adds the columns of a smaller table where fields match.',
    example: 'logs | lookup kind=inner (users | project user_id, name) on user_id',
    snippet: 'lookup kind=${1|leftouter,inner|} ${2:table} on ${3:field}',
    clauses: {
      on: 'What is equal on both sides: fields that both have, or $left.a == $right.b, with commas between.',
    },
  },
  'make-series': {
    syntax:
      'make-series name = aggregate default=value, … on time from start to end step size by group, …',
    summary: 'Makes for each group arrays of aggregates over even steps of time.',
    example:
      'logs | make-series requests = count() default=0 on _time from ago(1h) to now() step 5m by method',
    note: 'Without from and to, the series covers the time range of the query.',
    snippet: 'make-series ${1:count()} default=${2:0} on ${3:_time} step ${4:1m} by ${5:field}',
    clauses: {
      on: 'The field whose steps the arrays go over, mostly _time.',
      from: 'Where the first step begins.',
      to: 'Where the last step ends.',
      step: 'How wide a step is.',
      by: 'The groups: a row with its arrays for each combination of values.',
    },
    modifiers: seriesDefaults,
  },
  'mv-expand': {
    syntax: 'mv-expand kind=kind with_itemindex=name field to typeof(type), … limit count',
    summary: 'Makes a row for each element of an array or each property of a bag.',
    example: 'logs | mv-expand tag = tags to typeof(string)',
    snippet: 'mv-expand ${1:field}',
    clauses: {
      to: 'The type that the elements are read as.',
      limit: 'At most so many rows for each array.',
    },
  },
  order: {
    syntax: 'order by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | order by _time desc',
    snippet: 'order by ${1:_time} ${2|desc,asc|}',
    clauses: { by: 'The keys, the first before the next; large values first unless asc is said.' },
    modifiers: sortDirections,
  },
  parse: {
    syntax: 'parse kind=kind expression with * "text" name: type …',
    summary: 'Takes columns out of a text by a pattern; null where the text does not match.',
    example: 'logs | parse uri with "/users/" user_id: long "/" action',
    snippet: 'parse ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: {
      with: 'The pattern: texts to skip, and names of the columns that take what stands between.',
    },
  },
  'parse-kv': {
    syntax: 'parse-kv expression as (key, …) with (pair_delimiter=…, kv_delimiter=…)',
    summary: 'Takes columns out of a text of keys and values.',
    example:
      'logs | parse-kv message as (user, action) with (pair_delimiter=" ", kv_delimiter="=")',
    snippet:
      'parse-kv ${1:field} as (${2:key}) with (pair_delimiter="${3: }", kv_delimiter="${4:=}")',
    clauses: {
      as: 'The keys to look for, each with the type of its column.',
      with: 'How pairs and keys are written.',
    },
  },
  'parse-where': {
    syntax: 'parse-where kind=kind expression with * "text" name: type …',
    summary: 'Takes columns out of a text by a pattern and drops rows that do not match.',
    example: 'logs | parse-where uri with "/users/" user_id: long',
    snippet: 'parse-where ${1:field} with ${2:*} "${3:text}" ${4:name}',
    clauses: {
      with: 'The pattern: texts to skip, and names of the columns that take what stands between.',
    },
  },
  project: {
    syntax: 'project field, name = expression, …',
    summary: 'Gives the chosen and computed columns only, in this order.',
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
    summary: 'Keeps only the chosen columns, in their old order.',
    example: 'logs | project-keep _time, resp*',
    snippet: 'project-keep ${1:field}',
  },
  'project-rename': {
    syntax: 'project-rename new = old, …',
    summary: 'Gives columns new names and keeps the others.',
    example: 'logs | project-rename code = status',
    snippet: 'project-rename ${1:new} = ${2:old}',
  },
  'project-reorder': {
    syntax: 'project-reorder field asc, prefix*, …',
    summary: 'Puts the chosen columns first and keeps the others behind.',
    example: 'logs | project-reorder _time, status, req* asc',
    snippet: 'project-reorder ${1:field}',
    modifiers: reorderDirections,
  },
  redact: {
    syntax: 'redact replaceToken=text regex, … on field, …',
    summary: 'Hides what regular expressions match in text fields.',
    example: "logs | redact replaceToken='#' '[0-9]{16}' on message",
    note: 'A token of one character stands for each hidden character, a longer one for the whole match.',
    snippet: "redact '${1:regex}' on ${2:field}",
    clauses: { on: 'The fields to look through.' },
  },
  sample: {
    syntax: 'sample share',
    summary: 'Gives a random share of the rows, between 0 and 1.',
    example: 'logs | sample 0.05',
    note: 'The number is a share of the rows, not a count as in Kusto.',
    snippet: 'sample ${1:0.1}',
  },
  search: {
    syntax: 'search kind=kind in (dataset, …) "term"',
    summary: 'Finds a term in any field, of the rows so far or of datasets.',
    example: 'search in (logs) "timeout" and status == 500',
    note: 'A term is a whole word; write "*term*" for any part of a text.',
    snippet: 'search in (${1:dataset}) "${2:term}"',
    clauses: { in: 'The datasets to look through.' },
  },
  sort: {
    syntax: 'sort by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | sort by duration_ms desc, _time asc',
    snippet: 'sort by ${1:_time} ${2|desc,asc|}',
    clauses: { by: 'The keys, the first before the next; large values first unless asc is said.' },
    modifiers: sortDirections,
  },
  summarize: {
    syntax: 'summarize name = aggregate, … by name = group, …',
    summary: 'Computes aggregates over groups of rows.',
    example: 'logs | summarize requests = count(), avg(duration_ms) by bin_auto(_time), method',
    snippet: 'summarize ${1:count()} by ${2:bin_auto(_time)}',
    clauses: { by: 'The groups: a row for each combination of their values.' },
  },
  take: {
    syntax: 'take count',
    summary: 'Gives at most so many rows.',
    example: 'logs | take 10',
    snippet: 'take ${1:10}',
  },
  top: {
    syntax: 'top count by expression desc',
    summary:
      'Sorts the rows, large values first unless said otherwise, and gives the first of them.',
    example: 'logs | top 10 by duration_ms',
    snippet: 'top ${1:10} by ${2:field}',
    clauses: { by: 'The keys that say which rows come first; large values unless asc is said.' },
    modifiers: sortDirections,
  },
  union: {
    syntax: 'union withsource=name table, prefix*, …',
    summary: 'Puts the rows of several tables one after another, columns matched by name.',
    example: 'union withsource=dataset logs, audit*',
    snippet: 'union ${1:dataset}',
  },
  where: {
    syntax: 'where condition',
    summary: 'Keeps the rows where a condition holds.',
    example: "logs | where status >= 500 and method == 'GET'",
    note: 'Conditions run in the order they are written: put the one that drops most first.',
    snippet: 'where ${1:condition}',
  },
  print: {
    syntax: 'print name = expression, …',
    summary: 'Gives one row of computed values.',
    example: "print greeting = strcat('hello', ' ', 'world')",
    snippet: 'print ${1:expression}',
  },
  datatable: {
    syntax: 'datatable (name: type, …) [value, …]',
    summary: 'Gives rows that are written in the query.',
    example: "datatable (name: string, age: long) ['Ada', 36, 'Alan', 41]",
    snippet: 'datatable (${1:name}: ${2:string}) [${3:value}]',
  },
  table: {
    syntax: 'table(name)',
    summary: 'Gives the rows of the dataset that a text names.',
    example: "table('logs')",
    snippet: "table('${1:dataset}')",
  },
};
