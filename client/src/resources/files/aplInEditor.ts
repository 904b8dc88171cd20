// Pieces of APL that only the JSON document in an editor has. They are read from its text and saved into it.
import * as vscode from 'vscode';
import { aplLiterals, aplLocation } from '../../../../resources/src/aplLocations.ts';
import { readDocument } from '../../../../resources/src/documents.ts';
import { encode } from '../../../../resources/src/jsonText.ts';
import { equal, type Members } from '../../../../resources/src/value.ts';
import type { DocumentAddress } from '../../deployments/resourceAddress.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { writtenApl } from './aplDocument.ts';
import { openDocument, rangeBetween } from './editors.ts';

/** The draft of APL that only the JSON document in the editor has. */
export const UNSAVED = 'unsaved';

/** Whether a document is part of the JSON document in the editor and not of a stored resource. */
export function isInEditor({ form, draft }: DocumentAddress): boolean {
  return form === 'apl' && draft !== undefined;
}

/** Returns the open JSON document that contains a piece of APL. */
export function jsonOf({
  draft,
  place: _,
  ...address
}: DocumentAddress): vscode.TextDocument | undefined {
  const isOfDraft = draft !== undefined && draft !== UNSAVED;
  return openDocument({ ...address, form: 'json', ...(isOfDraft && { draft }) });
}

/** Returns the JSON document in the editor and its value. Throws if it was closed or is invalid. */
export function readJson(address: DocumentAddress): {
  readonly json: vscode.TextDocument;
  readonly document: Members;
} {
  const json = jsonOf(address);
  if (json === undefined) {
    throw unavailable('The document that the query is in was closed or created.');
  }
  const read = readDocument(address.kind, json.getText());
  if (!read.ok) throw unavailable(read.problem);
  return { json, document: read.document };
}

export async function writeInEditor(address: DocumentAddress, text: string): Promise<void> {
  const { json, document } = readJson(address);
  const written = writtenApl(address.kind, text, document);
  if (!written.ok) throw unavailable(written.problem);
  const place = aplLocation(address.kind, document, address.place ?? '');
  const literal = aplLiterals(address.kind, json.getText()).find(
    ({ path }) => place !== undefined && equal(path, place.path),
  );
  if (literal === undefined) throw unavailable('The query is no longer in the document.');
  const edit = new vscode.WorkspaceEdit();
  edit.replace(json.uri, rangeBetween(json, literal), encode(written.apl));
  await vscode.workspace.applyEdit(edit);
}
