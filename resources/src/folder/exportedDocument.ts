// Finds a resource's document as it was when the folder was exported. The folder has only its digest; the content is in
// an earlier version of the file.
import type { Members } from '../value.ts';
import type { FolderFiles } from './files.ts';
import { readFolder } from './readFolder.ts';

/** Earlier versions of a folder's files in version control. */
export interface FolderHistory {
  /** Yields the folder with one resource's files after each of their changes, latest first. */
  versions(path: string): AsyncIterable<FolderFiles>;
}

/**
 * Returns the latest earlier document of a JSON file for which `isExported` returns true; undefined if there is none.
 */
export async function exportedDocument(
  path: string,
  history: FolderHistory,
  isExported: (document: Members) => Promise<boolean>,
): Promise<Members | undefined> {
  for await (const files of history.versions(path)) {
    // A committed version that can't be read isn't the exported one.
    const content = await readFolder(files, async () => []).catch(() => undefined);
    const document = content?.entries.find((entry) => entry.path === path)?.document;
    if (document !== undefined && (await isExported(document))) return document;
  }
  return undefined;
}
