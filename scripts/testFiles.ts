// Which test files show a browser or VS Code, and which do not. A new file or folder of tests belongs to the
// second set unless a pattern here names it.
import { globSync } from 'node:fs';
import { repository } from './host/paths.ts';

export type TestSet = 'unit' | 'windows';

const windows = [
  'test/client/results/**/*.test.ts',
  'test/client/account/**/*.test.ts',
  'test/client/boards/{accessible,dashboard}.test.ts',
  'test/client/fields/**/*.test.ts',
  'test/client/ingest/**/*.test.ts',
  'test/local/page/**/*.test.ts',
  'test/host/**/*.test.ts',
  'test/security/window/**/*.test.ts',
];

/** The files of a set, from the root of the repository, with forward slashes. */
export function testFiles(set: TestSet): string[] {
  const found = (patterns: string[], exclude: string[] = []) =>
    globSync(patterns, { cwd: repository, exclude })
      .map((path) => path.replaceAll('\\', '/'))
      .sort();
  return set === 'windows' ? found(windows) : found(['test/**/*.test.ts'], windows);
}
