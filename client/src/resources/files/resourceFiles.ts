// Resources of a deployment as files: monitors, dashboards, views and the rest as JSON, and their queries as APL. A
// save goes to the deployment that the document was opened from, whichever is active by then.
import * as vscode from 'vscode';
import {
  creation,
  documentOf,
  documentText,
  readDocument,
} from '../../../../resources/src/documents.ts';
import { memberValue } from '../../../../resources/src/jsonText.ts';
import { idOf, kinds } from '../../../../resources/src/kinds.ts';
import { hasConflictMarks, mergeDocuments, mergeTexts } from '../../../../resources/src/merge.ts';
import { aplPlace } from '../../../../resources/src/places.ts';
import { type Members, valueAt, withValueAt } from '../../../../resources/src/value.ts';
import { adviceFor } from '../../advice.ts';
import type { Failure, Outcome } from '../../api/failure.ts';
import type { Service } from '../../api/service.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../deployments/profiles.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { showErrorMessage } from '../../ui/messages.ts';
import { createRecord, getRecord } from '../calls.ts';
import {
  type DocumentAddress,
  documentParts,
  documentScheme,
  identityOf,
  placeName,
  readAddress,
} from '../documents.ts';
import { hasExpression, queryToCheck, shownApl, writtenApl } from './aplDocument.ts';
import { Bases } from './bases.ts';
import { Conflicts } from './conflicts.ts';
import { notSaved, SaveFailures } from './saveFailures.ts';
import { type SaveEnd, saveResource, type Written } from './saving.ts';

/** A record was stored or deleted, or was found to be another than the one that is shown. */
export interface Stored {
  readonly profile: Profile;
  readonly kind: DocumentAddress['kind'];
  readonly record: Members;
}

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
  /** When a document last changed, in milliseconds since 1970. */
  readonly #times = new Map<string, number>();
  /** Records that were fetched to open a document, until its editor asks for them. */
  readonly #fetched = new Map<string, Members>();
  /** What documents become once VS Code has finished with their save; before, it would not look. */
  readonly #afterSave = new Map<string, Members>();
  /** Drafts that were stored, whose editor is about to be replaced. */
  readonly #created = new Set<string>();
  /** Documents whose changes another one has taken over. */
  readonly #moved = new Set<string>();
  /** Documents that VS Code is about to save by itself. */
  readonly #automatic = new Set<string>();
  readonly #failures = new SaveFailures();
  readonly #subscriptions: vscode.Disposable;

  constructor(context: Context) {
    this.#context = context;
    this.#bases = new Bases(context.extension.workspaceState);
    this.#subscriptions = vscode.Disposable.from(
      this.conflicts,
      this.#events,
      this.#stored,
      vscode.workspace.onDidOpenTextDocument((document) => this.#changed(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
        const { uri } = document;
        const isUndo = reason === vscode.TextDocumentChangeReason.Undo;
        if (isUndo && uri.scheme === documentScheme)
          this.#bases.undone(uri.query, document.getText());
        this.#changed(document);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== documentScheme) return;
        this.#bases.closed(uri.query);
        this.conflicts.end(uri);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const { uri } = document;
        const missed = this.#failures.missed(uri);
        if (missed !== undefined) void keepChanged(document, missed);
        const record = this.#afterSave.get(uri.query);
        this.#afterSave.delete(uri.query);
        if (record !== undefined) this.#reload(uri, record);
      }),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (uri.scheme !== documentScheme) return;
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#automatic.delete(uri.query);
        else this.#automatic.add(uri.query);
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      // VS Code restores changes before it starts the extension, and may be saving them by itself already.
      if (uri.scheme === documentScheme && hasAutoSave(uri)) this.#automatic.add(uri.query);
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
    const record = await this.#fetch(address);
    if (!record.ok) return record;
    const uri = this.openUri(address) ?? this.uriFor(address, record.value);
    // An editor with changes does not read it now, and would take it for what is there when it is reverted.
    const isDirty = openDocuments().some((one) => one.isDirty && one.uri.query === uri.query);
    if (!isDirty) {
      this.#fetched.set(uri.query, record.value);
      this.#touch(uri);
    }
    await vscode.window.showTextDocument(uri, options);
    return { ok: true, value: uri };
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
    const empty = kinds[address.kind].toFill?.find((path) => isEmpty(valueAt(document, path)));
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
      this.#fetched.set(uri.query, record);
      await vscode.window.showTextDocument(uri, { preview: false });
      await replaceText(uri, changes);
      // Only a document without changes is closed without a question.
      this.#moved.add(document.uri.query);
      await document.save();
      await vscode.window.tabGroups.close(tabsOf(document.uri));
    }
  }

  uriFor(address: DocumentAddress, record: Members): vscode.Uri {
    const { name } = kinds[address.kind].show(record, Date.now());
    const place = aplPlace(address.kind, record, address.place ?? '');
    const shown = address.form === 'apl' && place ? placeName(name, place) : name;
    return vscode.Uri.from({ scheme: documentScheme, ...documentParts(address, shown) });
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

  /** Has the trees follow what was made or deleted. */
  notify(stored: Stored): void {
    this.#stored.fire(stored);
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
    const mtime = this.#times.get(uri.query) ?? this.#touchTime(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: SIZE };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = addressOf(uri);
    if (address.id === '') return new Uint8Array();
    const fetched = this.#fetched.get(uri.query);
    this.#fetched.delete(uri.query);
    const record = fetched ? { ok: true as const, value: fetched } : await this.#fetch(address);
    if (!record.ok) throw this.#failed(uri, 'opened from', record.failure);
    const text = textOf(address, record.value);
    if (text === undefined) {
      throw unavailable('The query is not in the resource any more.');
    }
    this.#bases.read(uri.query, text, record.value);
    return new TextEncoder().encode(text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return this.#failures.writing(uri, content, () => this.#write(uri, content));
  }

  async #write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (this.#moved.delete(uri.query)) return;
    const address = addressOf(uri);
    const text = new TextDecoder().decode(content);
    const { noun } = kinds[address.kind];
    const profile = this.#profile(address);
    // What is half typed must not reach a deployment. VS Code tries no more by itself until the document is saved.
    if (this.#automatic.delete(uri.query)) {
      const toSave = address.id === '' ? `create the ${noun} on` : `save the ${noun} to`;
      throw notSaved(
        `Auto save does not write to deployments. Press Ctrl+S to ${toSave} ${profile.name}.`,
      );
    }
    const written = this.#read(address, uri, text);
    await this.#checkExpression(address, written);
    const service = await this.#context.deployments.service(profile);
    if (!service.ok) throw this.#failed(uri, 'saved to', service.failure);
    if (address.id === '') {
      await this.#create(uri, address, profile, service.value, written);
      return;
    }
    const base = this.#bases.get(uri.query);
    let [from, changes] = [base, written];
    for (;;) {
      const end = await saveResource(service.value, address.kind, address.id, {
        base: from,
        written: changes,
      });
      switch (end.kind) {
        case 'unchanged':
          return;
        case 'saved':
          await this.#saved(
            uri,
            address,
            profile,
            end.record,
            changes === written ? text : undefined,
          );
          return;
        case 'failed':
          throw this.#failed(uri, 'saved to', end.failure);
        case 'gone':
          throw notSaved(
            `${nounAndName(uri)} is not on ${profile.name} any more. To keep it, copy the text into a new ${noun}.`,
          );
        case 'conflict': {
          const next = await this.#resolve(uri, address, profile, {
            text,
            base: from,
            changes,
            end,
          });
          if (next === undefined) return;
          [from, changes] = [end.current, next];
        }
      }
    }
  }

  /** What to write after a conflict; undefined where the document takes what is there. */
  async #resolve(
    uri: vscode.Uri,
    address: DocumentAddress,
    profile: Profile,
    {
      text,
      base,
      changes,
      end,
    }: {
      /** What the editor has. */
      readonly text: string;
      readonly base: Members | undefined;
      readonly changes: Written;
      readonly end: Extract<SaveEnd, { kind: 'conflict' }>;
    },
  ): Promise<Written | undefined> {
    const theirs = textOf(address, end.current) ?? '';
    const choice = await this.conflicts.ask({
      uri,
      what: nounAndName(uri),
      deployment: profile.name,
      theirs,
    });
    switch (choice) {
      case undefined:
        throw notSaved(
          `${nounAndName(uri)} was changed on ${profile.name} after you opened it. Choose Merge, Overwrite or Reload above the text.`,
        );
      case 'overwrite':
        return changes;
      case 'reload':
        this.#afterSave.set(uri.query, end.current);
        this.#stored.fire({ profile, kind: address.kind, record: end.current });
        return undefined;
      case 'merge': {
        const names = { mine: 'Your changes', theirs: `On ${profile.name}` };
        const merged =
          changes.form === 'json'
            ? mergeDocuments(
                base === undefined ? {} : documentOf(address.kind, base),
                changes.document,
                documentOf(address.kind, end.current),
                names,
              )
            : mergeTexts(
                (base && textOf(address, base)) ?? '',
                aplSide(address, end.current, changes),
                theirs,
                names,
              );
        if (merged.conflicts === 0) return this.#read(address, uri, merged.text);
        this.#bases.merged(uri.query, text, end.current);
        await replaceText(uri, merged.text);
        this.#bases.dirty(uri.query);
        const count =
          merged.conflicts === 1 ? '1 conflict is' : `${merged.conflicts} conflicts are`;
        throw notSaved(`${count} marked in the document. Choose a side for each, then save again.`);
      }
    }
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
    if (this.#created.has(uri.query)) {
      throw notSaved(
        `The ${noun} was created already, and is open in another editor. Copy your changes there.`,
      );
    }
    const answer = await createRecord(service, kind, creation(kind, written.document));
    if (!answer.ok) {
      const { message } = this.#failed(uri, 'created on', answer.failure);
      if (answer.failure.sent !== true) throw notSaved(message);
      throw notSaved(
        `${message} The ${noun} may have been created. If so, saving again updates it instead of creating another.`,
      );
    }
    this.#created.add(uri.query);
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
    const now = textOf(address, record);
    if (now !== undefined && text !== undefined) this.#bases.read(uri.query, text, record);
    if (now !== undefined && now !== text) this.#afterSave.set(uri.query, record);
    const identity = identityOf(address);
    for (const { uri: other, isDirty } of openDocuments()) {
      const open = readAddress(other.query);
      if (open === undefined || isDirty || other.query === uri.query) continue;
      if (identityOf(open) === identity) this.#reload(other, record);
    }
  }

  /** Has the editor of a document without changes take what a record says. */
  #reload(uri: vscode.Uri, record: Members): void {
    this.#fetched.set(uri.query, record);
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
      this.#fetched.set(uri.query, record);
      await vscode.window.showTextDocument(uri, { preview: false });
      const tabs = tabsOf(from).filter(({ isDirty }) => !isDirty);
      await vscode.window.tabGroups.close(tabs);
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
        `The deployment ${deployment} is not in the settings any more. Add it again, or copy the text.`,
      );
    }
    if (profile.kind === 'hosted' && host !== undefined && host !== profile.general) {
      throw notSaved(
        `The deployment ${deployment} has another address than when the document was opened (${host}).`,
      );
    }
    return profile;
  }

  async #fetch(address: DocumentAddress): Promise<Outcome<Members>> {
    const service = await this.#context.deployments.service(this.#profile(address));
    return service.ok ? getRecord(service.value, address.kind, address.id) : service;
  }

  #read(address: DocumentAddress, { query }: vscode.Uri, text: string): Written {
    if (hasConflictMarks(text)) {
      throw notSaved('It has marks of a conflict. Choose a side for each, then save again.');
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

  /** A request for a document that failed, with what to do about it. */
  #failed(
    uri: vscode.Uri,
    done: 'opened from' | 'saved to' | 'created on',
    failure: Failure,
  ): vscode.FileSystemError {
    const { kind, deployment } = addressOf(uri);
    const { capability } = kinds[kind];
    const what = `${nounAndName(uri)} was not ${done} ${deployment}`;
    if (failure.kind === 'cancelled') return notSaved(`${what}: nothing was sent.`);
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

  #touch(uri: vscode.Uri): void {
    this.#touchTime(uri);
    this.#events.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  #touchTime(uri: vscode.Uri): number {
    const time = Math.max(Date.now(), (this.#times.get(uri.query) ?? 0) + 1);
    this.#times.set(uri.query, time);
    return time;
  }
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
  const at = aplPlace(kind, record, place ?? '');
  const changed = at && (withValueAt(record, at.path, apl) as Members);
  return (changed && shownApl(kind, changed, place ?? '')) ?? apl;
}

/** Such as `The monitor Errors`. */
function nounAndName(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return `The ${kinds[addressOf(uri).kind].noun} ${name}`;
}

/** Whether a member of a draft has the value of one that nobody has filled in. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

function tabsOf(document: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === document.toString(),
    );
}

function openDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === documentScheme);
}

/** Has VS Code take a document for changed that it takes for saved, and says why it was not. */
async function keepChanged(document: vscode.TextDocument, error: unknown): Promise<void> {
  void showErrorMessage(error instanceof Error ? error.message : String(error));
  // An edit that changes nothing is not one.
  const text = document.getText();
  await replaceText(document.uri, `${text}\n`);
  await replaceText(document.uri, text);
}

async function replaceText(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

function hasAutoSave(uri: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('files', uri).get('autoSave') !== 'off';
}
