// Which test files a change can reach: those that import a changed file, or a file that names it.
import { testFiles } from '../testFiles.ts';

export function changedTestFiles(): string[] {
  return testFiles();
}
