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
  'open round brackets': (n) => again('(', n),
  'open square brackets': (n) => again('[', n),
  'nested brackets': (n) => `print ${again('(', n / 2)}1${again(')', n / 2)}`,
  'nested bags': (n) => `print dynamic(${again('{"a":', (n * 5) / 6)}1${again('}', n / 6)})`,
  'closing brackets': (n) => again(')', n),
  'brackets that cross': (n) => again('([)]', n),
  'nested calls': (n) => `logs | extend x = ${again('strlen(', (n * 7) / 8)}a${again(')', n / 8)}`,
  'nested calls left open': (n) => `logs | extend x = ${again('iff(a, b, ', n)}`,
  'nested subqueries left open': (n) => `logs | where ${again('a in (logs | where ', n)}`,
  'nested unions left open': (n) => again('union (', n),
  'a bracket left open on each line': (n) => `logs${again('\n| extend x = f(1', n)}`,
  // Chains
  'a chain of and': (n) => `logs | where ${again('status == 1 and ', n)}ok`,
  'a chain of or': (n) => `logs | where ${again('status == 1 or ', n)}ok`,
  'a chain of +': (n) => `logs | extend x = ${again('a + ', n)}b`,
  'a chain of ==': (n) => `logs | where ${again('a == ', n)}b`,
  'signs before a value': (n) => `logs | extend x = ${again('-', n)}b`,
  members: (n) => `logs | where a${again('.b', n)}`,
  indexes: (n) => `logs | where a${again("['b']", n)}`,
  // Lists
  'values of in': (n) => `logs | where status in (${again('"abc", ', n)}"z")`,
  'an array': (n) => `print dynamic([${again('1, ', n)}1])`,
  'arguments of a call': (n) => `logs | extend x = case(${again('a == 1, 2, ', n)}3)`,
  aggregates: (n) => `logs | summarize ${again('count(), ', n)}count()`,
  'groups of one name': (n) => `logs | summarize count() by ${again('a, ', n)}b`,
  'columns of one name': (n) => `logs | project ${again('a, ', n)}a`,
  'columns of many names': (n) => `logs | project ${numbered(n, 9, (i) => `c${i}`).join(', ')}`,
  'columns made together': (n) =>
    `logs | extend ${numbered(n, 14, (i) => `c${i} = a + 1`).join(', ')}`,
  'columns renamed': (n) =>
    `logs | project-rename ${numbered(n, 14, (i) => `c${i} = d${i}`).join(', ')}`,
  'columns dropped': (n) => `logs | project-away ${numbered(n, 9, (i) => `c${i}`).join(', ')}`,
  wildcards: (n) => `logs | project-keep ${again('a*, ', n)}b*`,
  'keys of a sort': (n) => `logs | order by ${again('a desc, ', n)}b`,
  'arrays expanded': (n) => `logs | mv-expand ${again('a, ', n)}b`,
  'parts of parse': (n) => `logs | parse m with ${again("'a' b ", n)}`,
  'tables of union': (n) => `union ${again('logs, ', n)}logs`,
  'cells of datatable': (n) => `datatable (a:long) [${again('1, ', n)}1]`,
  'columns of datatable': (n) =>
    `datatable (${numbered(n, 10, (i) => `c${i}:long`).join(', ')}) []`,
  'unknown functions': (n) => `logs | where ${again('nothing(1) and ', n)}ok`,
  // Stages and statements
  'stages on one line': (n) => `logs${again(' | where x == 1', n)}`,
  'stages that make one column': (n) => `logs${again('\n| extend x = status + 1', n)}`,
  'stages that make many columns': (n) =>
    `logs${numbered(n, 24, (i) => `\n| extend x${i} = a + 1`).join('')}`,
  'summarize after summarize': (n) => `logs${again('\n| summarize count() by a', n)}`,
  joins: (n) => `logs${again('\n| join logs on id', n)}`,
  'joins of pipelines': (n) => `logs${again('\n| join (logs | where a == 1) on id', n)}`,
  'misspelt operators': (n) => `logs${again('\n| wehre x == 1', n)}`,
  'misspelt functions': (n) => `logs${again('\n| where strlne(x) == 1', n)}`,
  'operators of Kusto': (n) => `logs${again('\n| render timechart', n)}`,
  'lets of one name': (n) => `${again('let x = 1;\n', n)}logs`,
  'lets of many names': (n) => `${numbered(n, 15, (i) => `let x${i} = ${i};\n`).join('')}logs`,
  'lets that use the last': (n) =>
    `let x0 = 1;\n${numbered(n, 23, (i) => `let x${i + 1} = x${i} + 1;\n`).join('')}print x1`,
  'tables that use the last': (n) =>
    `let t0 = logs;\n${numbered(n, 32, (i) => `let t${i + 1} = t${i} | where a == 1;\n`).join('')}t1`,
  "functions of one's own": (n) => `${again('let f = (a:long) { a + 1 };\n', n)}logs`,
  parameters: (n) =>
    `declare query_parameters (${numbered(n, 10, (i) => `p${i}:long`).join(', ')});\nlogs`,
  options: (n) => `${again('set a;\n', n)}logs`,
  pipes: (n) => again('|', n),
  'words between pipes': (n) => again('a|', n),
  // Literals, whitespace and text that isn't APL
  'a long string': (n) => `print '${again('a', n)}'`,
  'a long string left open': (n) => `print '${again('a', n)}`,
  'short strings': (n) => `print ${again("'a', ", n)}1`,
  'a string left open on each line': (n) => `logs${again("\n| where a == 'x", n)}`,
  quotes: (n) => again("'", n),
  'doubled quotes': (n) => `print @'${again("''", n)}'`,
  escapes: (n) => `print '${again('\\n', n)}'`,
  'a long number': (n) => again('1', n),
  numbers: (n) => again('1 ', n),
  'a long word': (n) => again('a', n),
  words: (n) => again('a ', n),
  'a long comment': (n) => `logs // ${again('c', n)}\n| take 1`,
  'lines of comment': (n) => `logs\n${again('// c\n', n)}| take 1`,
  'comments behind stages': (n) => `logs\n${again('| take 1 // c\n', n)}`,
  'comments to the linter': (n) =>
    `logs\n${again('// aplomb-disable-next-line unknown-column\n| where x == 1\n', n)}`,
  blanks: (n) => `${again(' ', n)}a`,
  semicolons: (n) => again(';', n),
  commas: (n) => again(',', n),
  dots: (n) => again('.', n),
  'no APL at all': (n) => again('#', n),
  'curly quotes': (n) => again('“', n),
  emoji: (n) => again('💥', n),
  'Greek words': (n) => again('αβ ', n),
};

/** Shapes of a document with several queries. */
export const documentShapes: Readonly<Record<string, Shape>> = {
  'short queries': (n) => again("['a']\n| where x == 1\n| take 5\n\n", n),
  'queries of a letter': (n) => again('a\n\n', n),
  'queries on one line': (n) => again('a;', n),
  'brackets left open': (n) => again('(\n\n', n),
  'blank lines': (n) => again('\n', n),
  'comments of their own': (n) => again('// c\n\n', n),
  'comments to the linter': (n) =>
    again('// aplomb-disable-next-line unknown-column\nlogs | where x == 1\n\n', n),
  'comments about the file': (n) => `${again('// aplomb-disable-file unknown-column\n', n)}logs`,
};
