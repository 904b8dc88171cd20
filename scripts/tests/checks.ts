// The checks that precede the tests: types, lint and build, at the same time.
import { join } from 'node:path';
import { ensureBuilt } from '../host/build.ts';
import { repository } from '../host/paths.ts';
import { run } from '../host/processes.ts';

const tool = (path: string, ...args: string[]) =>
  run(process.execPath, [join(repository, 'node_modules', path), ...args], { cwd: repository });

const checks: Readonly<Record<string, () => Promise<unknown>>> = {
  types: () => tool('typescript/bin/tsc', '--build'),
  lint: () => tool('@biomejs/biome/bin/biome', 'check', '.'),
  build: () => ensureBuilt(),
};

/** Runs those named and gives the seconds of each. Throws with the output of the first that fails. */
export async function runChecks(names: readonly string[]): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {};
  await Promise.all(
    names.map(async (name) => {
      const started = performance.now();
      await checks[name]?.();
      seconds[name] = (performance.now() - started) / 1_000;
    }),
  );
  return seconds;
}
