// The document of a resource as the folder was exported with it: in the folder there is only a digest of it, and the
// content is in an earlier version of the file.
import type { Members } from '../value.ts';
import type { FolderFiles } from './files.ts';
import { readFolder } from './readFolder.ts';

/** Earlier versions of files of a folder, as version control has them. */
export interface FolderHistory {
  /** The folder with the files of one resource, after each change of them, the latest first. */
  versions(path: string): AsyncIterable<FolderFiles>;
}

/** Returns the latest earlier document of a JSON file for which `isExported` holds; undefined if there is none. */
export async function exportedDocument(
  path: string,
  history: FolderHistory,
  isExported: (document: Members) => Promise<boolean>,
): Promise<Members | undefined> {
  for await (const files of history.versions(path)) {
    // What was committed with a mistake is not what was exported.
    const content = await readFolder(files, async () => []).catch(() => undefined);
    const document = content?.entries.find((entry) => entry.path === path)?.document;
    if (document !== undefined && (await isExported(document))) return document;
  }
  return undefined;
}
