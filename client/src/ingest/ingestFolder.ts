// The folder of journals and failed events. In a separate file, so that activation doesn't load the code that reads
// them.
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';

export function ingestFolder({ globalStorageUri }: ExtensionContext): string {
  return join(globalStorageUri.fsPath, 'ingest');
}

/** Whether a file in the folder is the journal of a run that is in progress or was interrupted. */
export function isJournal(name: string): boolean {
  return name.endsWith('.run.ndjson');
}
