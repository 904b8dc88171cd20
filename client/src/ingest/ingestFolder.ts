// Where journals of runs and failed events are kept. Apart from what reads them, which the start of a window does
// not load.
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';

export function ingestFolder({ globalStorageUri }: ExtensionContext): string {
  return join(globalStorageUri.fsPath, 'ingest');
}

/** Whether a file of the folder is the journal of a run that has not ended, or ended early. */
export function isJournal(name: string): boolean {
  return name.endsWith('.run.ndjson');
}
