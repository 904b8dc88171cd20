/**
 * Compiles copies of the sources of `formats`, `language`, `server` and the planner with edited files, so that a test
 * can show which files an addition needs.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './sources.ts';

const folders = ['formats', 'language', 'local', 'server'];

/** One program, which takes less time than a build by references. The rest of `local` would take most of its time. */
const settings = {
  extends: './base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    types: ['node'],
    lib: ['ES2024', 'ES2025.Collection'],
  },
  include: ['language/src', 'local/src/planner', 'server/src'],
};

/** A copy of the sources in a temporary folder. */
export class ScratchCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ScratchCopy> {
    // tsc prints real paths.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'aplomb-scratch-')));
    for (const each of folders) {
      await mkdir(join(folder, each));
      await cp(join(root, each, 'src'), join(folder, each, 'src'), { recursive: true });
    }
    await cp(join(root, 'tsconfig.json'), join(folder, 'base.json'));
    await cp(join(root, 'package.json'), join(folder, 'package.json'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    return new ScratchCopy(folder);
  }

  /**
   * Inserts text after the first occurrence of `anchor` in a file.
   * @throws if the file doesn't contain the anchor.
   */
  async insertAfter(path: string, anchor: string, inserted: string): Promise<void> {
    const file = join(this.#folder, path);
    const text = await readFile(file, 'utf8');
    const end = text.indexOf(anchor) + anchor.length;
    if (end < anchor.length) throw new Error(`${path} doesn't contain ${anchor}`);
    await writeFile(file, text.slice(0, end) + inserted + text.slice(end));
  }

  /** Returns the files with type errors, sorted. */
  async filesWithErrors(): Promise<string[]> {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const output = await new Promise<string>((resolve) => {
      const args = [tsc, '-p', this.#folder, '--pretty', 'false'];
      execFile(process.execPath, args, { cwd: this.#folder }, (_error, stdout) => resolve(stdout));
    });
    const errors = [...output.matchAll(/^(.+?)(?:\(\d+,\d+\))?: error TS/gm)];
    return [...new Set(errors.map(([, path = '']) => path.replaceAll('\\', '/')))].sort();
  }

  async delete(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
