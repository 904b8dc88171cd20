/** Expands glob patterns in operands, because Windows shells don't. */
import { existsSync, readdirSync } from 'node:fs';
import { FileError } from '../../system/src/commandLine.ts';

/**
 * Returns the files that match an operand with `*` or `?`, in the file system's order. Returns an operand without a
 * pattern, or with the name of an existing file, unchanged. As in shells, a pattern matches hidden files only if it
 * begins with a dot.
 * @throws FileError if nothing matches.
 */
export function expandPattern(operand: string): string[] {
  if (!wildcard.test(operand) || existsSync(operand)) return [operand];
  const found = matching(operand.split(separator));
  if (found.length === 0) throw new FileError(`No file matches ${operand}.`);
  return found;
}

const wildcard = /[*?]/;
const separator = process.platform === 'win32' ? /[\\/]/ : /\//;

function matching(segments: readonly string[]): string[] {
  let paths = [''];
  for (const [index, segment] of segments.entries()) {
    const separated = index === 0 ? '' : '/';
    paths = paths.flatMap((path) => {
      const folder = path + separated;
      if (!wildcard.test(segment)) return folder + segment;
      return namesIn(folder)
        .filter((name) => segmentPattern(segment).test(name))
        .map((name) => folder + name);
    });
  }
  return paths.filter((path) => existsSync(path));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder || '.');
  } catch {
    return [];
  }
}

/** Converts one path segment to a regular expression. On Windows, it ignores case. */
function segmentPattern(segment: string): RegExp {
  const source = segment
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const hidden = segment.startsWith('.') ? '' : '(?!\\.)';
  return new RegExp(`^${hidden}${source}$`, process.platform === 'win32' ? 'isu' : 'su');
}
