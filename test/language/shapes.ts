/**
 * Text of any length filled with one construct, to measure growth of time and to find what fails on sheer size:
 * nesting, lists, lines, strings, comments, chains, unclosed brackets and quotes.
 */

/** Returns a text of about `length` characters. */
export type Shape = (length: number) => string;

/** Repeats a string up to a length, at least once. */
function again(thing: string, length: number): string {
  return thing.repeat(Math.max(1, Math.floor(length / thing.length)));
}

/** Returns strings that differ by a number. */
function numbered(length: number, width: number, thing: (n: number) => string): string[] {
  return Array.from({ length: Math.max(1, Math.floor(length / width)) }, (_, n) => thing(n));
}

/** Shapes of a single query. */
export const queryShapes: Readonly<Record<string, Shape>> = {
  // Brackets
  'open parentheses': (n) => again('(', n),
  'open square brackets': (n) => again('[', n),
  'nested parentheses': (n) => `print ${again('(', n / 2)}1${again(')', n / 2)}`,
  'nested property bags': (n) =>
    `print dynamic(${again('{"a":', (n * 5) / 6)}1${again('}', n / 6)})`,
  'closing parentheses': (n) => again(')', n),
  'mismatched brackets': (n) => again('([)]', n),
  'nested calls': (n) => `logs | extend x = ${again('strlen(', (n * 7) / 8)}a${again(')', n / 8)}`,
  'unclosed nested calls': (n) => `logs | extend x = ${again('iff(a, b, ', n)}`,
  'unclosed nested subqueries': (n) => `logs | where ${again('a in (logs | where ', n)}`,
  'unclosed nested unions': (n) => again('union (', n),
  'unclosed parentheses, one per line': (n) => `logs${again('\n| extend x = f(1', n)}`,
  // Chains
  'chained and operators': (n) => `logs | where ${again('status == 1 and ', n)}ok`,
  'chained or operators': (n) => `logs | where ${again('status == 1 or ', n)}ok`,
  'chained + operators': (n) => `logs | extend x = ${again('a + ', n)}b`,
  'chained == operators': (n) => `logs | where ${again('a == ', n)}b`,
  'minus signs before a value': (n) => `logs | extend x = ${again('-', n)}b`,
  'member accesses': (n) => `logs | where a${again('.b', n)}`,
  'index accesses': (n) => `logs | where a${again("['b']", n)}`,
  // Lists
  'values of an in list': (n) => `logs | where status in (${again('"abc", ', n)}"z")`,
  'array elements': (n) => `print dynamic([${again('1, ', n)}1])`,
  'arguments of a call': (n) => `logs | extend x = case(${again('a == 1, 2, ', n)}3)`,
  aggregates: (n) => `logs | summarize ${again('count(), ', n)}count()`,
  'group columns with one name': (n) => `logs | summarize count() by ${again('a, ', n)}b`,
  'projected columns with one name': (n) => `logs | project ${again('a, ', n)}a`,
  'projected columns with many names': (n) =>
    `logs | project ${numbered(n, 9, (i) => `c${i}`).join(', ')}`,
  'columns added by one extend': (n) =>
    `logs | extend ${numbered(n, 14, (i) => `c${i} = a + 1`).join(', ')}`,
  'renamed columns': (n) =>
    `logs | project-rename ${numbered(n, 14, (i) => `c${i} = d${i}`).join(', ')}`,
  'dropped columns': (n) => `logs | project-away ${numbered(n, 9, (i) => `c${i}`).join(', ')}`,
  wildcards: (n) => `logs | project-keep ${again('a*, ', n)}b*`,
  'sort keys': (n) => `logs | order by ${again('a desc, ', n)}b`,
  'expanded arrays': (n) => `logs | mv-expand ${again('a, ', n)}b`,
  'parts of a parse pattern': (n) => `logs | parse m with ${again("'a' b ", n)}`,
  'tables of a union': (n) => `union ${again('logs, ', n)}logs`,
  'cells of a datatable': (n) => `datatable (a:long) [${again('1, ', n)}1]`,
  'columns of a datatable': (n) =>
    `datatable (${numbered(n, 10, (i) => `c${i}:long`).join(', ')}) []`,
  'unknown functions': (n) => `logs | where ${again('nothing(1) and ', n)}ok`,
  // Stages and statements
  'stages on one line': (n) => `logs${again(' | where x == 1', n)}`,
  'stages that add the same column': (n) => `logs${again('\n| extend x = status + 1', n)}`,
  'stages that add many columns': (n) =>
    `logs${numbered(n, 24, (i) => `\n| extend x${i} = a + 1`).join('')}`,
  'consecutive summarize stages': (n) => `logs${again('\n| summarize count() by a', n)}`,
  joins: (n) => `logs${again('\n| join logs on id', n)}`,
  'joins of pipelines': (n) => `logs${again('\n| join (logs | where a == 1) on id', n)}`,
  'misspelled operators': (n) => `logs${again('\n| wehre x == 1', n)}`,
  'misspelled functions': (n) => `logs${again('\n| where strlne(x) == 1', n)}`,
  'Kusto operators': (n) => `logs${again('\n| render timechart', n)}`,
  'let statements with one name': (n) => `${again('let x = 1;\n', n)}logs`,
  'let statements with many names': (n) =>
    `${numbered(n, 15, (i) => `let x${i} = ${i};\n`).join('')}logs`,
  'let statements that each use the previous one': (n) =>
    `let x0 = 1;\n${numbered(n, 23, (i) => `let x${i + 1} = x${i} + 1;\n`).join('')}print x1`,
  'tables that each use the previous one': (n) =>
    `let t0 = logs;\n${numbered(n, 32, (i) => `let t${i + 1} = t${i} | where a == 1;\n`).join('')}t1`,
  'user-defined functions': (n) => `${again('let f = (a:long) { a + 1 };\n', n)}logs`,
  'query parameters': (n) =>
    `declare query_parameters (${numbered(n, 10, (i) => `p${i}:long`).join(', ')});\nlogs`,
  'set statements': (n) => `${again('set a;\n', n)}logs`,
  pipes: (n) => again('|', n),
  'words between pipes': (n) => again('a|', n),
  // Literals, whitespace and text that isn't APL
  'characters of one string': (n) => `print '${again('a', n)}'`,
  'characters of one unclosed string': (n) => `print '${again('a', n)}`,
  'short strings': (n) => `print ${again("'a', ", n)}1`,
  'unclosed strings, one per line': (n) => `logs${again("\n| where a == 'x", n)}`,
  quotes: (n) => again("'", n),
  'doubled quotes': (n) => `print @'${again("''", n)}'`,
  escapes: (n) => `print '${again('\\n', n)}'`,
  'digits of one number': (n) => again('1', n),
  numbers: (n) => again('1 ', n),
  'letters of one word': (n) => again('a', n),
  words: (n) => again('a ', n),
  'characters of one comment': (n) => `logs // ${again('c', n)}\n| take 1`,
  'comment lines': (n) => `logs\n${again('// c\n', n)}| take 1`,
  'comments after stages': (n) => `logs\n${again('| take 1 // c\n', n)}`,
  'lint suppression comments': (n) =>
    `logs\n${again('// aplomb-disable-next-line unknown-column\n| where x == 1\n', n)}`,
  spaces: (n) => `${again(' ', n)}a`,
  semicolons: (n) => again(';', n),
  commas: (n) => again(',', n),
  dots: (n) => again('.', n),
  'number signs': (n) => again('#', n),
  'curly quotes': (n) => again('“', n),
  emoji: (n) => again('💥', n),
  'Greek words': (n) => again('αβ ', n),
};

/** Shapes of a document with several queries. */
export const documentShapes: Readonly<Record<string, Shape>> = {
  'short queries': (n) => again("['a']\n| where x == 1\n| take 5\n\n", n),
  'one-letter queries': (n) => again('a\n\n', n),
  'queries on one line': (n) => again('a;', n),
  'unclosed parentheses': (n) => again('(\n\n', n),
  'blank lines': (n) => again('\n', n),
  'comments between blank lines': (n) => again('// c\n\n', n),
  'lint suppression comments': (n) =>
    again('// aplomb-disable-next-line unknown-column\nlogs | where x == 1\n\n', n),
  'file-wide lint suppression comments': (n) =>
    `${again('// aplomb-disable-file unknown-column\n', n)}logs`,
};
