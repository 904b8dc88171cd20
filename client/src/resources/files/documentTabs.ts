// Opens resource documents, and replaces their tabs when a resource is created, renamed or restored.
import * as vscode from 'vscode';
import { documentText, readDocument } from '../../../../resources/src/documents.ts';
import { memberValue } from '../../../../resources/src/jsonText.ts';
import { idOf, kinds } from '../../../../resources/src/kinds.ts';
import { type Members, valueAt } from '../../../../resources/src/value.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';
import {
  type DocumentAddress,
  documentParts,
  documentScheme,
  whereOf,
} from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import type { Outcome } from '../../service/failure.ts';
import { shownApl } from './aplDocument.ts';
import { isInEditor, jsonOf, UNSAVED } from './aplInEditor.ts';
import type { Bases } from './bases.ts';
import { fetchRecord, recordOf } from './documentRecords.ts';
import type { DocumentStates } from './documentStates.ts';
import { addressOf, textOf, uriFor } from './documentTexts.ts';
import { documentsOf, openDocument, openDocuments, replaceText, tabsOf } from './editors.ts';

/** A record that was stored or deleted, or that differs from the visible one. */
export interface Stored {
  readonly profile: Profile;
  readonly kind: DocumentAddress['kind'];
  readonly record: Members;
}

export class DocumentTabs {
  readonly #deployments: Deployments;
  readonly #states: DocumentStates;
  readonly #bases: Bases;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(deployments: Deployments, states: DocumentStates, bases: Bases) {
    this.#deployments = deployments;
    this.#states = states;
    this.#bases = bases;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /**
   * Shows a document. A piece of APL includes unsaved changes in the open JSON document. If the deployment lacks the
   * piece, saves write to the JSON document.
   */
  async open(address: DocumentAddress): Promise<Outcome<vscode.Uri>> {
    const json = address.form === 'apl' ? jsonOf(address) : undefined;
    const read = json && readDocument(address.kind, json.getText());
    const text = read?.ok ? shownApl(address.kind, read.document, address.place ?? '') : undefined;
    if (json === undefined || text === undefined) return this.#show(address);
    if (address.draft === undefined) {
      const record = await fetchRecord(this.#deployments, address);
      if (!record.ok) return record;
      const isStored = textOf(address, record.value) !== undefined;
      if (!isStored) return this.open({ ...address, draft: UNSAVED });
    }
    const opened = await this.#show(address);
    if (!opened.ok || address.draft !== undefined) return opened;
    const document = await vscode.workspace.openTextDocument(opened.value);
    // Keep changes in the APL's editor: they take precedence over changes in the JSON document.
    if (!document.isDirty && json.isDirty && document.getText() !== text) {
      await replaceText(opened.value, text);
    }
    return opened;
  }

  /** Fetches and shows a document. If it is open with unsaved changes, they are kept. */
  async #show(address: DocumentAddress): Promise<Outcome<vscode.Uri>> {
    const record = await recordOf(this.#deployments, address);
    if (!record.ok) return record;
    const uri = openDocument(address)?.uri ?? uriFor(address, record.value);
    // Don't keep the record if the editor has unsaved changes: VS Code would only read it at a later revert, when the
    // record may be outdated.
    const isDirty = openDocuments().some((one) => one.isDirty && one.uri.query === uri.query);
    if (!isDirty) this.reload(uri, record.value);
    await vscode.window.showTextDocument(uri, { preview: true });
    return { ok: true, value: uri };
  }

  /** Shows a draft. Its first save creates the resource on the deployment. */
  async openDraft(address: DocumentAddress, name: string, document: Members): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({ scheme: documentScheme, ...documentParts(address, name) });
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    // Set the indentation: VS Code detects it when it opens a document, but a draft is still empty then.
    editor.options = { ...editor.options, insertSpaces: true, tabSize: 2, indentSize: 2 };
    const text = documentText(document);
    this.#bases.set(uri.query, document);
    // Insert the text by an edit, so that VS Code keeps the draft as unsaved changes.
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
    const empty = kinds[address.kind].emptyMembers?.find((path) =>
      isEmpty(valueAt(document, path)),
    );
    const span = empty && memberValue(text, empty);
    if (span) {
      const { start, end } = offsetRange(editor.document, span);
      editor.selection = new vscode.Selection(start, end);
      editor.revealRange(editor.selection);
    }
    return uri;
  }

  /**
   * Moves the unsaved changes of a deleted resource to the restored resource, which has another identifier. Documents
   * without changes were closed by the deletion.
   */
  async moveChanges(deleted: DocumentAddress, record: Members): Promise<void> {
    const id = idOf(deleted.kind, record) ?? '';
    for (const document of documentsOf(deleted).filter(({ isDirty }) => isDirty)) {
      const changes = document.getText();
      const uri = await this.#showRecord({ ...addressOf(document.uri), id }, record);
      await replaceText(uri, changes);
      // Save only to mark the document unchanged, so that VS Code closes its tab without a question.
      this.#states.of(document.uri.query).isMoved = true;
      await document.save();
      await vscode.window.tabGroups.close(tabsOf(document.uri));
    }
  }

  /** Renames a resource's tabs. A tab with unsaved changes keeps its name until it is saved. */
  rename({ profile, kind, record }: Stored, former = idOf(kind, record) ?? ''): void {
    const id = idOf(kind, record) ?? '';
    const address = { ...whereOf(profile), kind, id: former, form: 'json' as const };
    for (const { uri, isDirty } of documentsOf(address)) {
      const to = { ...addressOf(uri), id };
      const isSame = uriFor(to, record).toString() === uri.toString();
      if (!isSame && !isDirty) this.replace(uri, to, record);
    }
  }

  /** Makes the editor of an unchanged document show a record. */
  reload(uri: vscode.Uri, record: Members): void {
    this.#states.of(uri.query).fetched = record;
    this.#states.touch(uri.query);
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  replace(from: vscode.Uri, { draft: _, ...address }: DocumentAddress, record: Members): void {
    setTimeout(async () => {
      await this.#showRecord(address, record);
      const parts = documentsOf(addressOf(from)).filter((one) => isInEditor(addressOf(one.uri)));
      const tabs = [from, ...parts.map((one) => one.uri)].flatMap(tabsOf);
      await vscode.window.tabGroups.close(tabs.filter(({ isDirty }) => !isDirty));
    });
  }

  async #showRecord(address: DocumentAddress, record: Members): Promise<vscode.Uri> {
    const uri = uriFor(address, record);
    this.#states.of(uri.query).fetched = record;
    await vscode.window.showTextDocument(uri, { preview: false });
    return uri;
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}
