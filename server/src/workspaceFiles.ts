/**
 * The APL files of the workspace that are not open, as the client tells them: the server reads no files.
 * What was told is kept, and the client sends only what has changed since.
 */
import { LineTable, type QuerySpan, splitQueries } from '../../language/src/index.ts';
import type { WorkspaceFilesParams, WorkspaceFilesResult } from './protocol.ts';

/** How the files are asked for; it may fail, and then those known so far stay. */
export type AskForFiles = (params: WorkspaceFilesParams) => Promise<WorkspaceFilesResult>;

/** A file as it was last told. */
export class WorkspaceFile {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  #queries: readonly QuerySpan[] | undefined;
  #lines: LineTable | undefined;

  constructor(uri: string, version: number, text: string) {
    this.uri = uri;
    this.version = version;
    this.text = text;
  }

  /** Its queries; found when they are first asked for. */
  get queries(): readonly QuerySpan[] {
    this.#queries ??= splitQueries(this.text);
    return this.#queries;
  }

  get lines(): LineTable {
    this.#lines ??= new LineTable(this.text);
    return this.#lines;
  }
}

export class WorkspaceFiles {
  #files = new Map<string, WorkspaceFile>();

  /** The files as they are now, without those that `isOpen` says are open as documents. */
  async current(ask: AskForFiles, isOpen: (uri: string) => boolean): Promise<WorkspaceFile[]> {
    const known: Record<string, number> = {};
    for (const { uri, version } of this.#files.values()) known[uri] = version;
    const told = await ask({ known }).catch(() => undefined);
    if (told !== undefined) this.#take(told);
    return [...this.#files.values()].filter(({ uri }) => !isOpen(uri));
  }

  #take(told: WorkspaceFilesResult): void {
    const files = new Map<string, WorkspaceFile>();
    for (const { uri, version, text } of told.files) {
      const file =
        text === undefined ? this.#files.get(uri) : new WorkspaceFile(uri, version, text);
      if (file !== undefined) files.set(uri, file);
    }
    this.#files = files;
  }
}
