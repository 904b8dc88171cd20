// A deployment's resources as files: their JSON, and their queries as APL.
import * as vscode from 'vscode';
import type { Members } from '../../../../resources/src/value.ts';
import type { Context } from '../../context.ts';
import { documentScheme, readAddress } from '../../deployments/resourceAddress.ts';
import { Disposables } from '../../host/disposables.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { setStatusBarMessage } from '../../ui/notifications.ts';
import { isInEditor } from './aplInEditor.ts';
import { Bases } from './bases.ts';
import { Conflicts } from './conflicts.ts';
import { recordOf, requestFailed } from './documentRecords.ts';
import { DocumentStates } from './documentStates.ts';
import { DocumentTabs, type Stored } from './documentTabs.ts';
import { addressOf, textOf } from './documentTexts.ts';
import { autoSave, openDocuments } from './editors.ts';
import { NOT_AUTOMATIC, type QueryProblem, type SaveParts, saveDocument } from './saveDocument.ts';
import { saved, throwOnce, writing } from './saveFailures.ts';

/** The size of every document. It is constant, because VS Code treats a new size as a change by another program. */
const SIZE = 1;

const AUTO_SAVE_NOTE_MS = 30_000;

export class ResourceFiles extends Disposables {
  readonly #context: Context;
  readonly conflicts = new Conflicts();
  readonly tabs: DocumentTabs;
  readonly #stored = new vscode.EventEmitter<Stored>();
  readonly onDidStore = this.#stored.event;
  readonly #states = new DocumentStates();
  readonly #bases: Bases;
  readonly #saving: SaveParts;
  #hasNotedAutoSave = false;

  constructor(context: Context, queryProblem: QueryProblem) {
    super();
    const { deployments, language, extension } = context;
    this.#context = context;
    this.#bases = new Bases(extension.workspaceState, this.#states);
    this.tabs = new DocumentTabs(deployments, this.#states, this.#bases);
    this.#saving = {
      deployments,
      language,
      states: this.#states,
      bases: this.#bases,
      conflicts: this.conflicts,
      tabs: this.tabs,
      queryProblem,
      onStored: (stored) => this.#stored.fire(stored),
    };
    this.own(
      this.conflicts,
      this.tabs,
      this.#stored,
      vscode.workspace.onDidOpenTextDocument((document) => this.#changed(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        const { uri } = document;
        const isUndo = reason === vscode.TextDocumentChangeReason.Undo;
        if (isUndo && uri.scheme === documentScheme)
          this.#bases.undone(uri.query, document.getText());
        this.#changed(document);
        if (contentChanges.length > 0) this.#noteAutoSave(document);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== documentScheme) return;
        this.conflicts.end(uri);
        // After a rename, another tab may still use this address, so keep its merge base.
        if (openDocuments().some((one) => one.uri.query === uri.query)) return;
        this.#bases.closed(uri.query);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const { uri } = document;
        if (uri.scheme !== documentScheme) return;
        void saved(this.#states, document);
        const record = this.#states.take(uri.query, 'afterSave');
        if (record !== undefined) this.tabs.reload(uri, record);
        const stored = this.#states.take(uri.query, 'stored');
        if (stored !== undefined) this.tabs.rename({ ...stored, kind: addressOf(uri).kind });
      }),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (uri.scheme !== documentScheme) return;
        const isAutomatic = reason !== vscode.TextDocumentSaveReason.Manual;
        this.#states.of(uri.query).isAutomatic = isAutomatic;
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      // Mark an automatic save: VS Code restores changes before it starts the extension, so one may be in progress.
      if (uri.scheme === documentScheme && autoSave(document).savesResources) {
        this.#states.of(uri.query).isAutomatic = true;
      }
      this.#changed(document);
    }
  }

  /** Returns the record that an open document's text is based on, if known. */
  baseOf({ query }: vscode.Uri): Members | undefined {
    return this.#bases.get(query);
  }

  /** Updates trees and tabs after a record was created, changed or deleted outside its document. */
  notify(stored: Stored): void {
    this.#stored.fire(stored);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    // Return a folder: VS Code requests the folder's state before it writes a file whose own state couldn't be read.
    if (uri.path.lastIndexOf('/') === 0) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    if (readAddress(uri.query) === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    throwOnce(this.#states, uri);
    const mtime = this.#states.of(uri.query).time ?? this.#states.touch(uri.query);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: SIZE };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { deployments } = this.#context;
    const address = addressOf(uri);
    if (address.id === '' && address.form === 'json') return new Uint8Array();
    const fetched = this.#states.take(uri.query, 'fetched');
    const record = fetched
      ? { ok: true as const, value: fetched }
      : await recordOf(deployments, address);
    if (!record.ok) throw requestFailed(deployments, uri, 'opened from', record.failure);
    const text = textOf(address, record.value);
    if (text === undefined) {
      throw unavailable('The query is no longer in the resource.');
    }
    this.#bases.read(uri.query, text, record.value);
    return new TextEncoder().encode(text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return writing(this.#states, uri, content, () =>
      saveDocument(this.#saving, uri, new TextDecoder().decode(content)),
    );
  }

  #changed(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (uri.scheme !== documentScheme) return;
    if (isDirty) {
      this.#bases.dirty(uri.query);
      return;
    }
    this.#bases.clean(uri.query, document.getText());
    this.conflicts.end(uri);
  }

  /** Reports once, if auto save is on, that it doesn't save resources. */
  #noteAutoSave(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (this.#hasNotedAutoSave || !isDirty || uri.scheme !== documentScheme) return;
    if (isInEditor(addressOf(uri)) || !autoSave(document).isOn) return;
    this.#hasNotedAutoSave = true;
    setStatusBarMessage(`${NOT_AUTOMATIC} Press Ctrl+S to save.`, AUTO_SAVE_NOTE_MS);
  }
}
