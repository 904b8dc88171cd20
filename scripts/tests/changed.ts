// Which test files a change can reach: those that import a changed file, or that import a file which names it. A
// change of anything else that is not documentation reaches all.
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { repository } from '../host/paths.ts';
import { testFiles } from '../testFiles.ts';
import { reachableFrom, sourceOf } from './imports.ts';

/** Files that differ from the last commit, new ones too; absolute paths. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).split('\n').filter(Boolean);
  const names = [
    ...git('diff', '--name-only', '--relative', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return names.filter((name) => !name.endsWith('.md')).map((name) => join(repository, name));
}

/** Gives the test files in question. What is bundled or read is reached by its name. */
export function changedTestFiles(): string[] {
  const changed = changedFiles();
  const tests = testFiles();
  const reached = new Map(tests.map((file) => [file, reachableFrom(join(repository, file))]));
  const namesIt = (path: string, name: string) =>
    path.endsWith('.ts') && sourceOf(path).includes(name);
  const found = new Set<string>();
  for (const each of changed) {
    const importing = tests.filter((file) => reached.get(file)?.has(each));
    const naming = tests.filter((file) =>
      [...(reached.get(file) ?? [])].some((path) => namesIt(path, basename(each))),
    );
    const these = [...importing, ...naming];
    for (const file of these.length > 0 ? these : tests) found.add(file);
  }
  return [...found].sort();
}
