// Provides the workspace's APL files to the language server, which doesn't read files itself. A file is sent again only
// after a change. The total size is limited.
import * as vscode from 'vscode';
import type { WireFile, WorkspaceFilesResult } from '../../../server/src/protocol.ts';

const pattern = '**/*.apl';
const mostFiles = 1_000;
const mostBytesOfFile = 1024 * 1024;
const mostBytes = 16 * 1024 * 1024;

interface Entry {
  /** Increases with every change of the file. */
  version: number;
  bytes: number;
}

export class WorkspaceFiles implements vscode.Disposable {
  readonly #watching: vscode.Disposable;
  readonly #entries = new Map<string, Entry>();
  /** The last assigned version. Versions are unique, so that a recreated file doesn't count as unchanged. */
  #lastVersion = 0;
  #listed: Thenable<readonly vscode.Uri[]> | undefined;

  constructor() {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const forgetList = () => {
      this.#listed = undefined;
    };
    this.#watching = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(forgetList),
      watcher.onDidDelete((uri) => {
        this.#entries.delete(uri.toString());
        forgetList();
      }),
      watcher.onDidChange((uri) => this.#entries.delete(uri.toString())),
      vscode.workspace.onDidChangeWorkspaceFolders(forgetList),
    );
  }

  /** Returns all files, with text unless `known` has their current version. */
  async files(known: Readonly<Record<string, number>>): Promise<WorkspaceFilesResult> {
    this.#listed ??= vscode.workspace.findFiles(pattern, '**/node_modules/**', mostFiles);
    const uris = await this.#listed.then(undefined, () => {
      this.#listed = undefined;
      return [];
    });
    const files: WireFile[] = [];
    let bytes = 0;
    for (const uri of uris) {
      const entry = this.#entries.get(uri.toString());
      const file =
        entry !== undefined && known[uri.toString()] === entry.version
          ? { uri: uri.toString(), version: entry.version }
          : await this.#read(uri);
      bytes += this.#entries.get(uri.toString())?.bytes ?? 0;
      if (bytes > mostBytes) break;
      if (file !== undefined) files.push(file);
    }
    return { files };
  }

  dispose(): void {
    this.#watching.dispose();
  }

  /** Reads a file, unless it is too large or was deleted. */
  async #read(uri: vscode.Uri): Promise<WireFile | undefined> {
    const entry: Entry = { version: ++this.#lastVersion, bytes: 0 };
    // Set the entry before reading, so that a change during the read removes it and the file is read again.
    this.#entries.set(uri.toString(), entry);
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > mostBytesOfFile) return undefined;
      const content = await vscode.workspace.fs.readFile(uri);
      entry.bytes = content.byteLength;
      const text = new TextDecoder().decode(content);
      return { uri: uri.toString(), version: entry.version, text };
    } catch {
      return undefined;
    }
  }
}
