/** Keeps the workspace's APL files. Each response lists all files, but contains the text of changed files only. */
import { LineTable, type QuerySpan, splitQueries } from '../../language/src/index.ts';
import type { WorkspaceFilesParams, WorkspaceFilesResult } from './protocol.ts';

/** Requests the files from the client. If this fails, the known files are kept. */
export type AskForFiles = (params: WorkspaceFilesParams) => Promise<WorkspaceFilesResult>;

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

  /** Requests the current files, and returns those for which `isOpen` returns false. */
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
