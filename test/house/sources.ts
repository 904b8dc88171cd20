/** Reads the project's own sources for the house rules: files, their text, and what they import. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

const ignored = new Set(['node_modules', 'dist', '.git', '.tsc', '.vscode-test', '.bench', 'data']);

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** All files below a folder whose name ends in one of `endings`. */
export function filesBelow(folder: string, endings: readonly string[]): SourceFile[] {
  const found: SourceFile[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (ignored.has(entry.name)) continue;
      const full = join(directory, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (endings.some((ending) => entry.name.endsWith(ending)))
        found.push({
          path: relative(root, full).split('\\').join('/'),
          text: readFileSync(full, 'utf8'),
        });
    }
  };
  visit(join(root, folder));
  return found;
}

/** The specifiers that a file imports or re-exports, resolved to repository paths when relative. */
export function importsOf(file: SourceFile): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  const found: string[] = [];
  for (const match of file.text.matchAll(pattern)) {
    const specifier = (match[1] ?? match[2]) as string;
    if (!specifier.startsWith('.')) {
      found.push(specifier);
      continue;
    }
    const target = relative(root, resolve(root, dirname(file.path), specifier));
    found.push(target.split('\\').join('/'));
  }
  return found;
}
