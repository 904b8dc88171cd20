// Searches bytes and folders for secrets. Packed files are unpacked; links are not followed.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Marked } from './forms.ts';

/** A secret in a place. */
export interface Hit {
  readonly secret: string;
  readonly place: string;
  readonly form: string;
}

export function searchBytes(place: string, bytes: Buffer, secrets: readonly Marked[]): Hit[] {
  return secrets.flatMap(({ label, forms }) => {
    const found = forms.find((form) => bytes.includes(form.bytes));
    return found ? [{ secret: label, place, form: found.name }] : [];
  });
}

export interface Searched {
  readonly hits: readonly Hit[];
  /** The files that were read, as paths in the folder. */
  readonly files: readonly string[];
}

/** Reads every file below a folder, and looks at their paths as well. `leftOut` names folders by their path. */
export async function searchFolder(
  folder: string,
  secrets: readonly Marked[],
  leftOut: (path: string) => boolean = () => false,
): Promise<Searched> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const hits: Hit[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const place = relative(folder, path).replaceAll('\\', '/');
    if (leftOut(place)) continue;
    hits.push(...searchBytes(`${place} (its path)`, Buffer.from(place), secrets));
    if (!entry.isFile()) continue;
    files.push(place);
    const bytes = await readFile(path);
    hits.push(...searchBytes(place, Buffer.concat([bytes, ...unpacked(bytes)]), secrets));
  }
  return { hits, files };
}

function unpacked(bytes: Buffer): Buffer[] {
  try {
    if (bytes.readUInt16BE(0) === 0x1f8b) return [gunzipSync(bytes)];
    if (bytes.readUInt32BE(0) === 0x28b52ffd) return [zstdDecompressSync(bytes)];
  } catch {
    // Too short, or only seems to be packed.
  }
  return [];
}
