// Resources of a deployment as files: monitors, dashboards, views and the rest as JSON, and their queries as APL. A
// save goes to the deployment that the document was opened from, whichever is active by then.
import * as vscode from 'vscode';
import { aplLiterals, aplLocation } from '../../../../resources/src/aplLocations.ts';
import {
  creationBody,
  documentOf,
  documentText,
  readDocument,
} from '../../../../resources/src/documents.ts';
import { encode, memberValue } from '../../../../resources/src/jsonText.ts';
import { idOf, kinds } from '../../../../resources/src/kinds.ts';
import {
  hasConflictMarkers,
  mergeDocuments,
  mergeStrings,
} from '../../../../resources/src/merge.ts';
import { equal, type Members, valueAt, withValueAt } from '../../../../resources/src/value.ts';
import type { Failure, Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../deployments/profiles.ts';
import { adviceFor } from '../../host/advice.ts';
import { visibleText } from '../../results/visibleText.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { setStatusBarMessage, showErrorMessage, showWarningMessage } from '../../ui/messages.ts';
import { createRecord, getRecord } from '../calls.ts';
import {
  type DocumentAddress,
  documentParts,
  documentScheme,
  identityOf,
  placeName,
  readAddress,
  whereOf,
} from '../documents.ts';
import { hasExpression, queryToCheck, shownApl, writtenApl } from './aplDocument.ts';
import { Bases } from './bases.ts';
import { type Choice, Conflicts } from './conflicts.ts';
import { DocumentStates } from './documentStates.ts';
import {
  autoSave,
  documentsOf,
  keepChanged,
  openDocuments,
  replaceText,
  tabsOf,
} from './editors.ts';
import { notSaved, SaveCancelled, SaveFailures } from './saveFailures.ts';
import { rebased, type Saving, saveResource, type Written } from './saving.ts';

/** A record was stored or deleted, or was found to be another than the one that is shown. */
export interface Stored {
  readonly profile: Profile;
  readonly kind: DocumentAddress['kind'];
  readonly record: Members;
}

/** Why a query of a document cannot run, in a sentence; undefined if nothing is known to be wrong. */
export type QueryProblem = (document: vscode.TextDocument) => Promise<string | undefined>;

/**
 * The size that every document claims, since VS Code takes a change of it for a change by somebody else. Whether there
 * was one is decided by comparing what is there.
 */
const SIZE = 1;

export class ResourceFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #context: Context;
  readonly conflicts = new Conflicts();
  readonly #bases: Bases;
  readonly #events = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#events.event;
  readonly #stored = new vscode.EventEmitter<Stored>();
  readonly onDidStore = this.#stored.event;
  readonly #states = new DocumentStates();
  readonly #failures = new SaveFailures();
  #hasNotedAutoSave = false;
  readonly #subscriptions: vscode.Disposable;

  readonly #queryProblem: QueryProblem;

  constructor(context: Context, queryProblem: QueryProblem) {
    this.#context = context;
    this.#queryProblem = queryProblem;
    this.#bases = new Bases(context.extension.workspaceState);
    this.#subscriptions = vscode.Disposable.from(
      this.conflicts,
      this.#events,
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
        // A renamed document has another tab of the same address.
        if (openDocuments().some((one) => one.uri.query === uri.query)) return;
        this.#bases.closed(uri.query);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const { uri } = document;
        const missed = this.#failures.missed(uri);
        if (missed !== undefined) void keepUnsaved(document, missed);
        const record = this.#states.take(uri, 'afterSave');
        if (record !== undefined) this.#reload(uri, record);
        const stored = this.#states.take(uri, 'stored');
        if (stored !== undefined) this.renameTabs({ ...stored, kind: addressOf(uri).kind });
      }),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (uri.scheme !== documentScheme) return;
        this.#states.of(uri).isAutomatic = reason !== vscode.TextDocumentSaveReason.Manual;
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      // VS Code restores changes before it starts the extension, and may be saving them by itself already.
      if (uri.scheme === documentScheme && autoSave(document).savesResources) {
        this.#states.of(uri).isAutomatic = true;
      }
      this.#changed(document);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Fetches a document and shows it. An open one with changes is shown with them. */
  async open(
    address: DocumentAddress,
    options: vscode.TextDocumentShowOptions = { preview: true },
  ): Promise<Outcome<vscode.Uri>> {
    const record = await this.#record(address);
    if (!record.ok) return record;
    const uri = this.openUri(address) ?? this.uriFor(address, record.value);
    // An editor with changes does not read it now, and would take it for what is there when it is reverted.
    const isDirty = openDocuments().some((one) => one.isDirty && one.uri.query === uri.query);
    if (!isDirty) {
      this.#states.of(uri).fetched = record.value;
      this.#touch(uri);
    }
    await vscode.window.showTextDocument(uri, options);
    return { ok: true, value: uri };
  }

  /**
   * Shows a piece of APL as the JSON document in the editor has it, with the changes that were not saved. One that the
   * deployment does not have yet is saved into that document.
   */
  async openPlace(address: DocumentAddress): Promise<Outcome<vscode.Uri>> {
    const json = address.form === 'apl' ? this.#jsonOf(address) : undefined;
    const read = json && readDocument(address.kind, json.getText());
    const text = read?.ok ? shownApl(address.kind, read.document, address.place ?? '') : undefined;
    if (json === undefined || text === undefined) return this.open(address);
    if (address.draft === undefined) {
      const record = await this.#fetch(address);
      if (!record.ok) return record;
      const isStored = textOf(address, record.value) !== undefined;
      if (!isStored) return this.openPlace({ ...address, draft: UNSAVED });
    }
    const opened = await this.open(address);
    if (!opened.ok || address.draft !== undefined) return opened;
    const document = await vscode.workspace.openTextDocument(opened.value);
    // Changes in its own editor are the newer ones.
    if (!document.isDirty && json.isDirty && document.getText() !== text) {
      await replaceText(opened.value, text);
    }
    return opened;
  }

  /** The open JSON document that a piece of APL is in. */
  #jsonOf({ draft, place: _, ...address }: DocumentAddress): vscode.TextDocument | undefined {
    const isOfDraft = draft !== undefined && draft !== UNSAVED;
    const json = this.openUri({ ...address, form: 'json', ...(isOfDraft && { draft }) });
    return json && openDocuments().find(({ uri }) => uri.toString() === json.toString());
  }

  /** The record that a document shows: the JSON in the editor for APL that is only there. */
  async #record(address: DocumentAddress): Promise<Outcome<Members>> {
    if (!isInEditor(address)) return this.#fetch(address);
    const json = this.#jsonOf(address);
    const read = json && readDocument(address.kind, json.getText());
    if (read?.ok) return { ok: true, value: read.document };
    throw unavailable(read?.ok === false ? read.problem : CLOSED);
  }

  /** Saves a piece of APL into the JSON document in the editor. */
  async #writeInEditor(address: DocumentAddress, text: string): Promise<void> {
    const json = this.#jsonOf(address);
    const read = json && readDocument(address.kind, json.getText());
    if (json === undefined || !read?.ok) {
      throw notSaved(read?.ok === false ? read.problem : CLOSED);
    }
    const written = writtenApl(address.kind, text, read.document);
    if (!written.ok) throw notSaved(written.problem);
    const place = aplLocation(address.kind, read.document, address.place ?? '');
    const literal = aplLiterals(address.kind, json.getText()).find(
      ({ path }) => place !== undefined && equal(path, place.path),
    );
    if (literal === undefined) throw notSaved('The query is no longer in the document.');
    const [start, end] = [literal.start, literal.end].map((at) => json.positionAt(at));
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(start as vscode.Position, end as vscode.Position);
    edit.replace(json.uri, range, encode(written.apl));
    await vscode.workspace.applyEdit(edit);
  }

  /** Shows a draft: a document that is stored by its first save. */
  async openDraft(address: DocumentAddress, name: string, document: Members): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({ scheme: documentScheme, ...documentParts(address, name) });
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    // VS Code guesses the indentation of a text when it opens it, and a draft has none then.
    editor.options = { ...editor.options, insertSpaces: true, tabSize: 2, indentSize: 2 };
    const text = documentText(document);
    this.#bases.set(uri.query, document);
    // An edit, so that VS Code keeps the draft as it does all that is not saved.
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
    const empty = kinds[address.kind].emptyMembers?.find((path) =>
      isEmpty(valueAt(document, path)),
    );
    const span = empty && memberValue(text, empty);
    if (span) {
      const [start, end] = [span.start, span.end].map((at) => editor.document.positionAt(at));
      editor.selection = new vscode.Selection(start as vscode.Position, end as vscode.Position);
      editor.revealRange(editor.selection);
    }
    return uri;
  }

  /**
   * Has the changed documents of a resource that was deleted, and made again under another identifier, be changes of
   * the new one. Those without changes were closed with the deletion.
   */
  async moveChanges(deleted: DocumentAddress, record: Members): Promise<void> {
    const id = idOf(deleted.kind, record) ?? '';
    for (const document of openDocuments().filter(({ isDirty }) => isDirty)) {
      const address = readAddress(document.uri.query);
      if (address === undefined || identityOf(address) !== identityOf(deleted)) continue;
      const changes = document.getText();
      const uri = this.uriFor({ ...address, id }, record);
      this.#states.of(uri).fetched = record;
      await vscode.window.showTextDocument(uri, { preview: false });
      await replaceText(uri, changes);
      // Only a document without changes is closed without a question.
      this.#states.of(document.uri).isMoved = true;
      await document.save();
      await vscode.window.tabGroups.close(tabsOf(document.uri));
    }
  }

  uriFor(address: DocumentAddress, record: Members): vscode.Uri {
    const { name } = kinds[address.kind].show(record, Date.now());
    const place = aplLocation(address.kind, record, address.place ?? '');
    const shown = address.form === 'apl' && place ? placeName(name, place) : name;
    return vscode.Uri.from({
      scheme: documentScheme,
      ...documentParts(address, visibleText(shown)),
    });
  }

  /** The open document of that address, whatever the name was when it was opened. */
  openUri(address: DocumentAddress): vscode.Uri | undefined {
    const key = keyOf(address);
    return openDocuments().find(({ uri }) => {
      const open = readAddress(uri.query);
      return open !== undefined && keyOf(open) === key;
    })?.uri;
  }

  /** What an open document was made of; undefined where that is not known. */
  baseOf({ query }: vscode.Uri): Members | undefined {
    return this.#bases.get(query);
  }

  /** Has the trees, and the names of tabs, follow a record that was made, changed or deleted elsewhere. */
  notify(stored: Stored): void {
    this.#stored.fire(stored);
  }

  /** Gives the tabs of a resource its new name. One with changes keeps its tab until it is saved. */
  renameTabs({ profile, kind, record }: Stored, former = idOf(kind, record) ?? ''): void {
    const id = idOf(kind, record) ?? '';
    const address = { ...whereOf(profile), kind, id: former, form: 'json' as const };
    for (const { uri, isDirty } of documentsOf(address)) {
      const open = addressOf(uri);
      const to = { ...open, id };
      const isSame = this.uriFor(to, record).toString() === uri.toString();
      if (!isSame && !isDirty) this.#moveTab(uri, to, record);
    }
  }

  watch(): vscode.Disposable {
    // A service sends no word of changes.
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    // VS Code looks for the folder of a file whose state it could not get, before it writes it.
    if (uri.path.lastIndexOf('/') === 0) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    if (readAddress(uri.query) === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    this.#failures.tell(uri);
    const mtime = this.#states.of(uri).time ?? this.#touchTime(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: SIZE };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = addressOf(uri);
    if (address.id === '' && address.form === 'json') return new Uint8Array();
    const fetched = this.#states.take(uri, 'fetched');
    const record = fetched ? { ok: true as const, value: fetched } : await this.#record(address);
    if (!record.ok) throw this.#failed(uri, 'opened from', record.failure);
    const text = textOf(address, record.value);
    if (text === undefined) {
      throw unavailable('The query is no longer in the resource.');
    }
    this.#bases.read(uri.query, text, record.value);
    return new TextEncoder().encode(text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return this.#failures.writing(uri, content, () => this.#write(uri, content));
  }

  async #write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (this.#states.take(uri, 'isMoved') === true) return;
    const address = addressOf(uri);
    const text = new TextDecoder().decode(content);
    if (isInEditor(address)) return this.#writeInEditor(address, text);
    const { noun } = kinds[address.kind];
    const profile = this.#profile(address);
    // What is half typed must not reach a deployment. The manifest turns auto save off for documents outside of the
    // workspace; if settings turn it on, VS Code tries no more by itself after an error until the document is saved.
    if (this.#states.take(uri, 'isAutomatic') === true) {
      const toSave = address.id === '' ? `create the ${noun} on` : `save the ${noun} to`;
      throw notSaved(`${NOT_AUTOMATIC} Press Ctrl+S to ${toSave} ${profile.name}.`);
    }
    const written = this.#read(address, uri, text);
    await this.#checkExpression(address, written);
    await this.#confirmQueries(uri, profile, text);
    const service = await this.#context.deployments.service(profile);
    if (!service.ok) throw this.#failed(uri, 'saved to', service.failure);
    if (address.id === '') {
      await this.#create(uri, address, profile, service.value, written);
      return;
    }
    const [base, own] = [this.#bases.get(uri.query), this.#bases.own(uri.query)];
    const saving: Saving = { base, own, written };
    let end = await saveResource(service.value, address.kind, address.id, saving);
    if (end.kind === 'conflict') {
      const choice = this.#choiceFor(uri, address, profile, end.current);
      if (choice === 'merge') await this.#mark(uri, address, profile, text, saving, end.current);
      end = await saveResource(service.value, address.kind, address.id, {
        base: end.current,
        written,
      });
    }
    switch (end.kind) {
      case 'unchanged':
        return;
      case 'saved':
        await this.#saved(uri, address, profile, end.record, end.isMerged ? undefined : text);
        return;
      case 'failed':
        throw this.#failed(uri, 'saved to', end.failure);
      case 'gone':
        throw notSaved(
          `${nounAndName(uri)} no longer exists on ${profile.name}. To keep it, copy the text into a new ${noun}.`,
        );
      case 'conflict':
        throw this.#conflict(uri, profile);
    }
  }

  /** The choice between both sides of a conflict. Without one, the save fails and the choices are shown. */
  #choiceFor(
    uri: vscode.Uri,
    address: DocumentAddress,
    profile: Profile,
    current: Members,
  ): Choice {
    const choice = this.conflicts.choiceFor({
      uri,
      deployment: profile.name,
      theirs: textOf(address, current) ?? '',
      read: async () => {
        const record = await this.#fetch(address);
        return record.ok ? textOf(address, record.value) : undefined;
      },
    });
    if (choice === undefined) throw this.#conflict(uri, profile);
    return choice;
  }

  #conflict(uri: vscode.Uri, { name }: Profile): vscode.FileSystemError {
    return notSaved(
      `${nounAndName(uri)} was changed on ${name} after you opened it. Choose Merge, Overwrite or Reload above the text.`,
    );
  }

  /** Marks in the text what both sides changed. The save fails until a side is chosen for each. */
  async #mark(
    uri: vscode.Uri,
    address: DocumentAddress,
    profile: Profile,
    text: string,
    saving: Saving,
    current: Members,
  ): Promise<never> {
    const { kind } = address;
    const { base, changes } = rebased(kind, saving);
    const names = {
      mine: 'Your changes',
      base: 'Before both changes',
      theirs: `On ${profile.name}`,
    };
    const merged =
      changes.form === 'json'
        ? mergeDocuments(
            base === undefined ? {} : documentOf(kind, base),
            changes.document,
            documentOf(kind, current),
            names,
          )
        : mergeStrings(
            (base && textOf(address, base)) ?? '',
            aplSide(address, current, changes),
            textOf(address, current) ?? '',
            names,
          );
    this.#bases.merged(uri.query, text, current);
    await replaceText(uri, merged.text);
    this.#bases.dirty(uri.query);
    if (merged.conflicts === 0) throw notSaved('Both changes are in the text. Save it again.');
    const count = merged.conflicts === 1 ? '1 conflict is' : `${merged.conflicts} conflicts are`;
    throw notSaved(`${count} marked in the document. Choose a side for each, then save again.`);
  }

  async #create(
    uri: vscode.Uri,
    address: DocumentAddress,
    profile: Profile,
    service: Service,
    written: Written,
  ): Promise<void> {
    if (written.form !== 'json') throw vscode.FileSystemError.FileNotFound(uri);
    const { kind } = address;
    const { noun, endpoints } = kinds[kind];
    if (endpoints.create === undefined) throw vscode.FileSystemError.NoPermissions(uri);
    if (this.#states.of(uri).isCreated === true) {
      throw notSaved(
        `The ${noun} already exists and is open in another editor. Copy your changes there.`,
      );
    }
    const answer = await createRecord(service, kind, creationBody(kind, written.document));
    if (!answer.ok) {
      const { message } = this.#failed(uri, 'created on', answer.failure);
      if (answer.failure.kind === 'cancelled') throw new SaveCancelled();
      if (answer.failure.sent !== true) throw notSaved(message);
      throw notSaved(
        `${message} The ${noun} may have been created. If so, saving again updates it instead of creating another.`,
      );
    }
    this.#states.of(uri).isCreated = true;
    this.#stored.fire({ profile, kind, record: answer.value });
    this.#moveTab(uri, { ...address, id: idOf(kind, answer.value) ?? '' }, answer.value);
  }

  /**
   * `text` is what the editor has, where that was stored. After a merge it is not: what is typed until the editor has
   * the merged text is a change of the former record.
   */
  async #saved(
    uri: vscode.Uri,
    address: DocumentAddress,
    profile: Profile,
    record: Members,
    text: string | undefined,
  ): Promise<void> {
    const { kind } = address;
    if (text !== undefined) this.#bases.set(uri.query, record);
    this.#stored.fire({ profile, kind, record });
    const id = idOf(kind, record);
    if (id !== undefined && id !== address.id) {
      // A view with another name has another identifier.
      this.#moveTab(uri, { ...address, id }, record);
      return;
    }
    this.#states.of(uri).stored = { profile, record };
    const now = textOf(address, record);
    if (now !== undefined && text !== undefined) this.#bases.read(uri.query, text, record);
    if (now !== undefined && now !== text) this.#states.of(uri).afterSave = record;
    for (const { uri: other, isDirty } of documentsOf(address)) {
      if (other.query === uri.query) continue;
      if (isDirty) this.#bases.storedHere(other.query, record);
      else this.#reload(other, record);
    }
  }

  /** Has the editor of a document without changes take what a record says. */
  #reload(uri: vscode.Uri, record: Members): void {
    this.#states.of(uri).fetched = record;
    this.#touch(uri);
  }

  /** Shows a document in place of the one that it has become. */
  #moveTab(from: vscode.Uri, address: Omit<DocumentAddress, 'draft'>, record: Members): void {
    const { deployment, host, kind, id, form, place } = address;
    const to: DocumentAddress = {
      deployment,
      ...(host !== undefined && { host }),
      kind,
      id,
      form,
      ...(place !== undefined && { place }),
    };
    setTimeout(async () => {
      const uri = this.uriFor(to, record);
      this.#states.of(uri).fetched = record;
      await vscode.window.showTextDocument(uri, { preview: false });
      const parts = documentsOf(addressOf(from)).filter((one) => isInEditor(addressOf(one.uri)));
      const tabs = [from, ...parts.map((one) => one.uri)].flatMap(tabsOf);
      await vscode.window.tabGroups.close(tabs.filter(({ isDirty }) => !isDirty));
    });
  }

  readDirectory(): never {
    throw vscode.FileSystemError.FileNotADirectory();
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** The deployment that an address names. Throws where it is not there, or not the same. */
  #profile({ deployment, host }: DocumentAddress): Profile {
    const profile = this.#context.deployments.find(deployment);
    if (profile === undefined) {
      throw notSaved(
        `The deployment ${deployment} is no longer in the settings. Add it again, or copy the text.`,
      );
    }
    if (profile.kind === 'hosted' && host !== undefined && host !== profile.general) {
      throw notSaved(
        `The deployment ${deployment} has a different address than when the document was opened (${host}).`,
      );
    }
    return profile;
  }

  async #fetch(address: DocumentAddress): Promise<Outcome<Members>> {
    const service = await this.#context.deployments.service(this.#profile(address));
    return service.ok ? getRecord(service.value, address.kind, address.id) : service;
  }

  #read(address: DocumentAddress, { query }: vscode.Uri, text: string): Written {
    if (hasConflictMarkers(text)) {
      throw notSaved('It has unresolved conflicts. Choose a side for each, then save again.');
    }
    if (address.form === 'apl') {
      const written = writtenApl(address.kind, text, this.#bases.get(query));
      if (!written.ok) throw notSaved(written.problem);
      return { form: 'apl', place: address.place ?? '', apl: written.apl };
    }
    const read = readDocument(address.kind, text);
    if (!read.ok) throw notSaved(read.problem);
    return { form: 'json', document: read.document };
  }

  /** An expression that is more than one would change what the query of the document computes. */
  async #checkExpression({ kind }: DocumentAddress, written: Written): Promise<void> {
    if (written.form !== 'apl' || !hasExpression(kind)) return;
    const [error] = await this.#context.language.syntaxErrors([queryToCheck(written.apl)]);
    if (error === undefined) return;
    throw notSaved(`Expected one expression, without other columns or stages. ${error.message}`);
  }

  /** Asks before a resource is saved whose query is empty or has errors, since it would never run. */
  async #confirmQueries(uri: vscode.Uri, profile: Profile, text: string): Promise<void> {
    const document = openDocuments().find((one) => one.uri.toString() === uri.toString());
    // Others than its editor are not asked.
    if (document === undefined || document.getText() !== text) return;
    const problem = await this.#queryProblem(document);
    if (problem === undefined) return;
    const save = 'Save Anyway';
    // Enter presses the first button.
    const edit = 'Continue Editing';
    const chosen = await showWarningMessage(
      `Save ${nounAndName(uri).replace(/^T/, 't')} to ${profile.name} although its query cannot run?`,
      { modal: true, detail: problem },
      edit,
      save,
    );
    if (chosen !== save) throw new SaveCancelled();
  }

  /** A request for a document that failed, with what to do about it. */
  #failed(
    uri: vscode.Uri,
    done: 'opened from' | 'saved to' | 'created on',
    failure: Failure,
  ): Error {
    const { kind, deployment } = addressOf(uri);
    const { capability } = kinds[kind];
    const what = `${nounAndName(uri)} was not ${done} ${deployment}`;
    if (failure.kind === 'cancelled') return new SaveCancelled();
    const local = this.#context.deployments.find(deployment)?.kind === 'local';
    const { message } = adviceFor(failure, { local, needs: `access to ${capability}` });
    const isWrong = failure.status === 400 || failure.status === 422;
    const next = isWrong && done !== 'opened from' ? ' Correct it, then save again.' : '';
    return notSaved(`${what}. ${message}${next}`);
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

  /** Says once that auto save leaves resources alone, to a person who relies on it. */
  #noteAutoSave(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (this.#hasNotedAutoSave || !isDirty || uri.scheme !== documentScheme) return;
    if (isInEditor(addressOf(uri)) || !autoSave(document).isOn) return;
    this.#hasNotedAutoSave = true;
    setStatusBarMessage(`${NOT_AUTOMATIC} Press Ctrl+S to save.`, NOTE_MS);
  }

  #touch(uri: vscode.Uri): void {
    this.#touchTime(uri);
    this.#events.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  #touchTime(uri: vscode.Uri): number {
    const state = this.#states.of(uri);
    const time = Math.max(Date.now(), (state.time ?? 0) + 1);
    state.time = time;
    return time;
  }
}

const CLOSED = 'The document that the query is in was closed or created.';

const NOT_AUTOMATIC = 'Auto save does not write to deployments.';

/** How long the status bar says so. */
const NOTE_MS = 30_000;

/** In place of a draft: APL that only the JSON document in the editor has. */
const UNSAVED = 'unsaved';

/** Whether a document is a part of the JSON document in the editor, and not of a resource of the deployment. */
function isInEditor({ form, draft }: DocumentAddress): boolean {
  return form === 'apl' && draft !== undefined;
}

function addressOf(uri: vscode.Uri): DocumentAddress {
  const address = readAddress(uri.query);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}

/** What tells documents apart, in whichever form and under whatever name. */
function keyOf(address: DocumentAddress): string {
  return JSON.stringify([identityOf(address), address.form, address.place ?? '']);
}

function textOf({ kind, form, place }: DocumentAddress, record: Members): string | undefined {
  if (form === 'json') return documentText(documentOf(kind, record));
  return shownApl(kind, record, place ?? '');
}

/** A piece of APL that was written, as the text that an editor shows. */
function aplSide(
  { kind, place }: DocumentAddress,
  record: Members,
  { apl }: Extract<Written, { form: 'apl' }>,
): string {
  const at = aplLocation(kind, record, place ?? '');
  const changed = at && (withValueAt(record, at.path, apl) as Members);
  return (changed && shownApl(kind, changed, place ?? '')) ?? apl;
}

/** Such as `The monitor Errors`. */
function nounAndName(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return `The ${kinds[addressOf(uri).kind].noun} '${name}'`;
}

/** Whether a member of a draft has the value of one that nobody has filled in. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** Keeps the changes of a document that VS Code takes for saved, and says why it was not; a person who cancels knows. */
async function keepUnsaved(document: vscode.TextDocument, error: unknown): Promise<void> {
  if (!(error instanceof SaveCancelled)) {
    void showErrorMessage(error instanceof Error ? error.message : String(error));
  }
  await keepChanged(document);
}
