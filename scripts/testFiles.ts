// How each test file runs, found by what it imports: `window` starts VS Code, `page` shows pages in a browser, `unit` has
// a process for itself, and `plain` shares a process with other plain files.
import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { repository } from './host/paths.ts';
import { reachableFrom, sourceOf } from './tests/imports.ts';

export type TestKind = 'plain' | 'unit' | 'page' | 'window';

/** Modules that start VS Code, and that start a browser. */
const openers: Readonly<Record<'window' | 'page', readonly string[]>> = {
  window: [join(repository, 'scripts', 'host', 'server.ts'), '@vscode/test-electron'],
  page: [join(repository, 'scripts', 'host', 'browser.ts')],
};

/** Packages and modules of Node whose users start processes, threads, servers or the database. */
const outside =
  /^(@duckdb\/node-api|esbuild|node:(child_process|worker_threads|cluster|https?|http2|net|tls))$/;

/** Changes of the environment, and hooks outside of suites, which would apply to the files after it. */
const lasting = /\bprocess\.env(\.\w+|\[[^\]]+\]) = |^(before|after)(Each)?\(/m;

/** Takes the path of a file from the root of the repository, or an absolute one. */
export function kindOf(file: string): TestKind {
  const path = resolve(repository, file);
  const reached = [...reachableFrom(path)];
  for (const kind of ['window', 'page'] as const)
    if (reached.some((target) => openers[kind].includes(target))) return kind;
  const isPlain = !reached.some((target) => outside.test(target)) && !lasting.test(sourceOf(path));
  return isPlain ? 'plain' : 'unit';
}

/** Whether files of a kind are among the windows, which need a browser. */
export function isShown(kind: TestKind): boolean {
  return kind === 'page' || kind === 'window';
}

/** Tests that need ClickHouse, which `npm run engines` installs before it runs them. */
const enginesFolder = 'test/engines/';

/**
 * All test files that match, from the root of the repository, with forward slashes. Without patterns, those that need
 * ClickHouse are left out.
 */
export function testFiles(patterns?: readonly string[]): string[] {
  const found = globSync(patterns ?? ['test/**/*.test.ts'], { cwd: repository })
    .map((path) => relative(repository, resolve(repository, path)).replaceAll('\\', '/'))
    .sort();
  return patterns === undefined ? found.filter((file) => !file.startsWith(enginesFolder)) : found;
}
