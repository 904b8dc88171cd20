// Saves a document: checks its text, writes it to the deployment that it was opened from, and updates the tabs and
// documents that show the record.
import * as vscode from 'vscode';
import { counted, plural } from '../../../../formats/src/counts.ts';
import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import { creationBody, documentOf, readDocument } from '../../../../resources/src/documents.ts';
import { idOf, kinds } from '../../../../resources/src/kinds.ts';
import {
  hasConflictMarkers,
  mergeDocuments,
  mergeStrings,
} from '../../../../resources/src/merge.ts';
import { type Members, withValueAt } from '../../../../resources/src/value.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../deployments/profiles.ts';
import type { DocumentAddress } from '../../deployments/resourceAddress.ts';
import type { Service } from '../../service/service.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { confirm } from '../../ui/notifications.ts';
import { createRecord } from '../calls.ts';
import { hasExpression, queryToCheck, shownApl, writtenApl } from './aplDocument.ts';
import { isInEditor, writeInEditor } from './aplInEditor.ts';
import type { Bases } from './bases.ts';
import type { Choice, Conflicts } from './conflicts.ts';
import { fetchRecord, profileOf, requestFailed } from './documentRecords.ts';
import type { DocumentStates } from './documentStates.ts';
import type { DocumentTabs, Stored } from './documentTabs.ts';
import { addressOf, nounAndName, textOf } from './documentTexts.ts';
import { documentsOf, openDocuments, replaceText } from './editors.ts';
import { SaveCancelled } from './saveFailures.ts';
import { rebased, type Saving, saveResource, type Written } from './saving.ts';

export const NOT_AUTOMATIC = 'Auto save does not write to deployments.';

/** Returns a sentence that explains why a document's query cannot run; undefined if no problem is known. */
export type QueryProblem = (document: vscode.TextDocument) => Promise<string | undefined>;

export interface SaveParts extends Pick<Context, 'deployments' | 'language'> {
  readonly states: DocumentStates;
  readonly bases: Bases;
  readonly conflicts: Conflicts;
  readonly tabs: DocumentTabs;
  readonly queryProblem: QueryProblem;
  readonly onStored: (stored: Stored) => void;
}

interface Save extends SaveParts {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  readonly profile: Profile;
  readonly text: string;
}

export async function saveDocument(parts: SaveParts, uri: vscode.Uri, text: string): Promise<void> {
  const { deployments, states, bases } = parts;
  if (states.take(uri.query, 'isMoved') === true) return;
  const address = addressOf(uri);
  if (isInEditor(address)) return writeInEditor(address, text);
  const { kind, id } = address;
  const { noun } = kinds[kind];
  const profile = profileOf(deployments, address);
  // Reject automatic saves, so that unfinished text never reaches a deployment. The manifest turns them off by default.
  // After an error, VS Code doesn't retry until the user saves the document.
  if (states.take(uri.query, 'isAutomatic') === true) {
    const toSave = id === '' ? `create the ${noun} on` : `save the ${noun} to`;
    throw unavailable(`${NOT_AUTOMATIC} Press Ctrl+S to ${toSave} ${profile.name}.`);
  }
  const save: Save = { ...parts, uri, address, profile, text };
  const written = read(save);
  await checkExpression(save, written);
  await confirmQueries(save);
  const service = await deployments.service(profile);
  if (!service.ok) throw requestFailed(deployments, uri, 'saved to', service.failure);
  if (id === '') return create(save, service.value, written);
  const saving = { base: bases.get(uri.query), own: states.of(uri.query).own, written };
  let end = await saveResource(service.value, kind, id, saving);
  if (end.kind === 'conflict') {
    const base = end.current;
    const choice = choiceFor(save, base);
    if (choice === 'merge') await markConflicts(save, saving, base);
    end = await saveResource(service.value, kind, id, { base, written });
  }
  switch (end.kind) {
    case 'unchanged':
      return;
    case 'saved':
      return saved(save, end.record, end.isMerged);
    case 'failed':
      throw requestFailed(deployments, uri, 'saved to', end.failure);
    case 'gone':
      throw unavailable(
        `${nounAndName(uri)} no longer exists on ${profile.name}. To keep it, copy the text into a new ${noun}.`,
      );
    case 'conflict':
      throw conflict(save);
  }
}

function read({ uri, address, bases, text }: Save): Written {
  const { kind, form, place = '' } = address;
  if (hasConflictMarkers(text)) {
    throw unavailable('It has unresolved conflicts. Choose a side for each, then save again.');
  }
  if (form === 'apl') {
    const written = writtenApl(kind, text, bases.get(uri.query));
    if (!written.ok) throw unavailable(written.problem);
    return { form, place, apl: written.apl };
  }
  const json = readDocument(kind, text);
  if (!json.ok) throw unavailable(json.problem);
  return { form, document: json.document };
}

/** Rejects APL that isn't a single expression, because it would change the result of the document's query. */
async function checkExpression({ address, language }: Save, written: Written): Promise<void> {
  if (written.form !== 'apl' || !hasExpression(address.kind)) return;
  const [error] = await language.syntaxErrors([queryToCheck(written.apl)]);
  if (error === undefined) return;
  throw unavailable(`Expected one expression, without other columns or stages. ${error.message}`);
}

/** Asks for confirmation before saving a query that is empty or has errors, because it would never run. */
async function confirmQueries({ uri, profile, text, queryProblem }: Save): Promise<void> {
  const document = openDocuments().find((one) => one.uri.toString() === uri.toString());
  // Ask only if an editor is saved, not for other writes.
  if (document === undefined || document.getText() !== text) return;
  const problem = await queryProblem(document);
  if (problem === undefined) return;
  const message = `Save ${nounAndName(uri).replace(/^T/, 't')} to ${profile.name} although its query cannot run?`;
  const isConfirmed = await confirm(message, problem, 'Save Anyway', 'Continue Editing');
  if (!isConfirmed) throw new SaveCancelled();
}

/** Returns the user's choice between the two versions. Without a choice, the save fails and the choices are shown. */
function choiceFor(save: Save, current: Members): Choice {
  const { deployments, conflicts, uri, address, profile } = save;
  const choice = conflicts.choiceFor({
    uri,
    deployment: profile.name,
    theirs: textOf(address, current) ?? '',
    read: async () => {
      const record = await fetchRecord(deployments, address);
      return record.ok ? textOf(address, record.value) : undefined;
    },
  });
  if (choice === undefined) throw conflict(save);
  return choice;
}

function conflict({ uri, profile }: Save): Error {
  return unavailable(
    `${nounAndName(uri)} was changed on ${profile.name} after you opened it. Choose Merge, Overwrite or Reload above the text.`,
  );
}

/** Merges both versions into the text, with conflicts marked. Always throws, so that the user saves again. */
async function markConflicts(
  { bases, uri, address, profile, text }: Save,
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
          shownChange(address, current, changes.apl),
          textOf(address, current) ?? '',
          names,
        );
  bases.merged(uri.query, text, current);
  await replaceText(uri, merged.text);
  bases.dirty(uri.query);
  if (merged.conflicts === 0) throw unavailable('Both changes are in the text. Save it again.');
  throw unavailable(
    `${counted(merged.conflicts, 'conflict')} ${plural(merged.conflicts, 'is', 'are')} marked in the document. Choose a side for each, then save again.`,
  );
}

function shownChange({ kind, place = '' }: DocumentAddress, record: Members, apl: string): string {
  const at = aplLocation(kind, record, place);
  const changed = at && (withValueAt(record, at.path, apl) as Members);
  return (changed && shownApl(kind, changed, place)) ?? apl;
}

async function create(save: Save, service: Service, written: Written): Promise<void> {
  const { deployments, states, tabs, onStored, uri, address, profile } = save;
  if (written.form !== 'json') throw vscode.FileSystemError.FileNotFound(uri);
  const { kind } = address;
  const { noun, endpoints } = kinds[kind];
  if (endpoints.create === undefined) throw vscode.FileSystemError.NoPermissions(uri);
  const state = states.of(uri.query);
  if (state.isCreated === true) {
    throw unavailable(
      `The ${noun} already exists and is open in another editor. Copy your changes there.`,
    );
  }
  const answer = await createRecord(service, kind, creationBody(kind, written.document));
  if (!answer.ok) {
    const failed = requestFailed(deployments, uri, 'created on', answer.failure);
    if (answer.failure.sent !== true || failed instanceof SaveCancelled) throw failed;
    throw unavailable(
      `${failed.message} The ${noun} may have been created. If so, saving again updates it instead of creating another.`,
    );
  }
  state.isCreated = true;
  onStored({ profile, kind, record: answer.value });
  tabs.replace(uri, { ...address, id: idOf(kind, answer.value) ?? '' }, answer.value);
}

function saved(save: Save, record: Members, isMerged: boolean): void {
  const { states, bases, tabs, onStored, uri, address, profile, text } = save;
  const { kind } = address;
  // Keep the base after a merge: it changes only when the editor shows the merged text.
  if (!isMerged) bases.set(uri.query, record);
  onStored({ profile, kind, record });
  const id = idOf(kind, record);
  if (id !== undefined && id !== address.id) {
    // Replace the tab, because a view's identifier is its name, so a rename changes the URI.
    tabs.replace(uri, { ...address, id }, record);
    return;
  }
  const state = states.of(uri.query);
  state.stored = { profile, record };
  const now = textOf(address, record);
  if (now !== undefined && !isMerged) bases.read(uri.query, text, record);
  if (now !== undefined && (isMerged || now !== text)) state.afterSave = record;
  for (const { uri: other, isDirty } of documentsOf(address)) {
    if (other.query === uri.query) continue;
    if (isDirty) states.of(other.query).own = record;
    else tabs.reload(other, record);
  }
}
