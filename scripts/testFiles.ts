// How each test file runs, found by what it imports: `window` starts a browser or VS Code, `unit` has a process
// for itself, and `plain` shares a process with other plain files.
import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { repository } from './host/paths.ts';
import { reachableFrom, sourceOf } from './tests/imports.ts';

export type TestKind = 'plain' | 'unit' | 'window';

/** Modules that start a browser or VS Code. */
const openers = new Set([
  join(repository, 'scripts', 'host', 'browser.ts'),
  '@vscode/test-electron',
]);

/** Packages and modules of Node whose users start processes, threads, servers or the database. */
const outside =
  /^(@duckdb\/node-api|esbuild|node:(child_process|worker_threads|cluster|https?|http2|net|tls))$/;

/** Changes of the environment, and hooks outside of suites, which would apply to the files after it. */
const lasting = /\bprocess\.env(\.\w+|\[[^\]]+\]) = |^(before|after)(Each)?\(/m;

/** Takes the path of a file from the root of the repository, or an absolute one. */
export function kindOf(file: string): TestKind {
  const path = resolve(repository, file);
  const reached = [...reachableFrom(path)];
  if (reached.some((target) => openers.has(target))) return 'window';
  const isPlain = !reached.some((target) => outside.test(target)) && !lasting.test(sourceOf(path));
  return isPlain ? 'plain' : 'unit';
}

/** All test files that match, from the root of the repository, with forward slashes. */
export function testFiles(patterns: readonly string[] = ['test/**/*.test.ts']): string[] {
  return globSync(patterns, { cwd: repository })
    .map((path) => relative(repository, resolve(repository, path)).replaceAll('\\', '/'))
    .sort();
}
