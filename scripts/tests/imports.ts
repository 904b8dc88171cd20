// Finds what a source file imports when it runs, directly and through other files of the repository.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const statement =
  /(?:^|\n)\s*(?:import|export)\b(\s+type\b)?(?:[^'"`;]*?\bfrom)?\s*(['"])(.+?)\2|\bimport\(\s*(['"])(.+?)\4\s*\)/g;

const cache = new Map<string, readonly string[]>();
const sources = new Map<string, string>();

/** The modules that a file imports: absolute paths of files, and the names of packages. Without type imports. */
export function importsOf(path: string): readonly string[] {
  const known = cache.get(path);
  if (known !== undefined) return known;
  const found: string[] = [];
  for (const [, type, , named, , dynamic] of sourceOf(path).matchAll(statement)) {
    const target = named ?? dynamic;
    if (type === undefined && target !== undefined) found.push(resolved(target, path));
  }
  cache.set(path, found);
  return found;
}

function resolved(target: string, importer: string): string {
  if (target.startsWith('.')) return join(dirname(importer), target);
  return target.startsWith('file:') ? fileURLToPath(target) : target;
}

/** The source of a file; empty for what cannot be read. */
export function sourceOf(path: string): string {
  const known = sources.get(path);
  if (known !== undefined) return known;
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // A package, or a file that is made later.
  }
  sources.set(path, text);
  return text;
}

/** Everything that a file imports, through other files too. The file itself is the first. */
export function reachableFrom(path: string): ReadonlySet<string> {
  const seen = new Set([path]);
  for (const each of seen)
    if (/\.(ts|mjs)$/.test(each)) for (const target of importsOf(each)) seen.add(target);
  return seen;
}
