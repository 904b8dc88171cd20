// The plain test files under Wine, several in a process: each start of Node takes Wine seconds.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from 'esbuild';
import { kindOf, testFiles } from '../testFiles.ts';
import type { Bed } from './bed.ts';
import { type WineProcess, windowsPath } from './wine.ts';

const FILES_AT_ONCE = 12;
const SHARD_MS = 15 * 60_000;

/** Runs the plain tests, or those of the files; throws with the names of the cases that fail. */
export async function runPlainTests(bed: Bed, files: readonly string[]): Promise<void> {
  const wanted = files.length > 0 ? files : testFiles().filter((file) => kindOf(file) === 'plain');
  await lower(bed.copy);
  const shards = Array.from({ length: Math.ceil(wanted.length / FILES_AT_ONCE) }, (_, shard) =>
    wanted.slice(shard * FILES_AT_ONCE, (shard + 1) * FILES_AT_ONCE),
  );
  const counts = { passed: 0, skipped: 0 };
  const failures: string[] = [];
  for (const shard of shards) {
    for (const line of await runShard(bed, shard)) {
      const { kind, name, detail } = JSON.parse(line) as Line;
      if (kind === 'pass') counts.passed += 1;
      else if (kind === 'skip') counts.skipped += 1;
      else failures.push(`${name}\n    ${detail}`);
    }
  }
  console.log(`${wanted.length} files: ${counts.passed} cases passed, ${counts.skipped} skipped.`);
  if (failures.length > 0)
    throw new Error(`${failures.length} cases failed:\n${failures.join('\n')}`);
}

interface Line {
  readonly kind: 'pass' | 'fail' | 'skip';
  readonly name: string;
  readonly detail: string;
}

/** Node 22 does not know `using`: it is lowered in the copy. */
async function lower(copy: string): Promise<void> {
  for (const file of globSync('test/**/*.ts', { cwd: copy })) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (!/^\s*(?:await )?using /m.test(text)) continue;
    const options = { loader: 'ts', target: 'node22', supported: { using: false } } as const;
    writeFileSync(path, (await esbuild.transform(text, options)).code);
  }
}

/** Prints each case as a line of JSON: the names of its suites and its own, and its failure. */
const reporter = `
export default async function* (source) {
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      path.length = data.nesting;
      path.push(data.name);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    path.length = data.nesting;
    const isSuite = data.details.type === 'suite';
    const { error } = data.details;
    if (isSuite && (type === 'test:pass' || error?.failureType === 'subtestsFailed')) continue;
    const name = [...path, data.name].join(' > ');
    const kind = data.skip !== undefined ? 'skip' : type === 'test:pass' ? 'pass' : 'fail';
    const detail = String(error?.cause?.message ?? error?.message ?? '').split('\\n').slice(0, 8).join('\\n    ');
    yield JSON.stringify({ kind, name, detail }) + '\\n';
  }
}
`;

async function runShard(bed: Bed, files: readonly string[]): Promise<string[]> {
  const main = join(bed.copy, 'shard.mjs');
  const reporting = join(bed.copy, 'reporter.mjs');
  writeFileSync(reporting, reporter);
  const suites = files.map(
    (file) => `describe(${JSON.stringify(file)}, async () => { await import('./${file}'); });\n`,
  );
  writeFileSync(main, `import { describe } from 'node:test';\n${suites.join('')}`);
  const url = `file:///${windowsPath(reporting).replaceAll('\\', '/')}`;
  const run = bed.wine.start([`--test-reporter=${url}`, main], bed.copy);
  const status = await run.statusWithin(SHARD_MS);
  const lines = run.out.split('\n').filter((line) => line.startsWith('{'));
  if (status === undefined || lines.length === 0) return [...lines, crash(files, run)];
  return lines;
}

function crash(files: readonly string[], run: WineProcess): string {
  const line: Line = { kind: 'fail', name: files.join(', '), detail: run.err || 'ran too long' };
  return JSON.stringify(line);
}
