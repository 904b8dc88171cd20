/**
 * Strings that look like SQL, paths, patterns, formats or nothing in particular, for tests that
 * data stays data.
 */
import { type Random, random } from './random.ts';

const quotes = ["'", '"', '`', "''", '""', '“', '’', "E'", '$$', '$tag$', "\\'", '\\"', "'||'"];
const comments = ['--', '/*', '*/', '//', '#', ';', "';", '";', '\n;\n'];
const controls = [
  '\0',
  '\u0001',
  '\b',
  '\t',
  '\n',
  '\r',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u202e',
  '\ufeff',
  '\uffff',
  '\ud800',
  '\udc00',
];
const formats = [
  '%',
  '%s',
  '%n',
  '%d%d',
  '_',
  '?',
  '$1',
  '$0',
  '\\1',
  '\\0',
  '{',
  '}',
  '{}',
  '$\u007bx}',
  '{{',
];
const words = [
  'a',
  'B',
  ' ',
  '.',
  '..',
  'é',
  'İ',
  '😀',
  '0',
  '-1',
  'null',
  'NaN',
  '1e999',
  '__proto__',
  'constructor',
];
const statements = [
  'SELECT 1',
  "') OR true --",
  "'); DROP TABLE logs; --",
  'DROP TABLE logs',
  'PRAGMA database_list',
  'SET lock_configuration = false',
  'INSTALL httpfs',
  'LOAD json',
  'EXPORT DATABASE',
  'CHECKPOINT',
  'ATTACH',
  'COPY',
  'UNION ALL SELECT',
];
const calls = [
  'read_csv',
  'pragma_version()',
  'duckdb_settings()',
  "getenv('HOME')",
  "glob('*')",
  'apl.has',
  'apl.items(t."s")',
  't."_time"',
  'rowid',
  'random()',
  'lambda',
  '::JSON',
  "E'\\x00'",
];
const patterns = [
  '(a*)*$',
  '(a+)+b',
  '(a|aa)+$',
  'a{1000}',
  '(a{1000}){1000}',
  'x{99999999}',
  '((((((((((',
  '[[:alpha:]]',
  '[z-a]',
  '[',
  '\\p{Greek}',
  '\\C',
  '\\x{110000}',
  '(?i)',
  '(?P<n>.)',
  '(?=a)',
  '(?#',
  '\\Q',
  '\\',
  '^$',
  '|',
];
const paths = [
  '/etc/passwd',
  '../../x',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'C:\\x',
  '/dev/stdin',
  '~',
];
const long = ['x'.repeat(300), '('.repeat(150), "'".repeat(201), '[1,'.repeat(90), '\\'.repeat(64)];

const kinds = [
  quotes,
  comments,
  controls,
  formats,
  words,
  statements,
  calls,
  patterns,
  paths,
  long,
];

/** Returns a string of one to five hostile parts. `more` adds parts from the caller. */
export function hostileText(below: Random, more: readonly string[] = []): string {
  const parts = Array.from({ length: 1 + below(5) }, () => {
    const kind = [...kinds, ...(more.length === 0 ? [] : [more])][
      below(kinds.length + (more.length === 0 ? 0 : 1))
    ];
    return (kind as readonly string[])[below((kind as readonly string[]).length)];
  });
  return parts.join('');
}

/** Returns `count` hostile strings. The same seed gives the same strings. */
export function hostileTexts(count: number, seed: number, more?: readonly string[]): string[] {
  const below = random(seed);
  return Array.from({ length: count }, () => hostileText(below, more));
}
