// Pieces of APL that an open JSON document has and the deployment lacks. Saves write to the JSON document.
import * as vscode from 'vscode';
import { aplLiterals, aplLocation } from '../../../../resources/src/aplLocations.ts';
import { readDocument } from '../../../../resources/src/documents.ts';
import { encode } from '../../../../resources/src/jsonText.ts';
import { equal, type Members } from '../../../../resources/src/value.ts';
import type { DocumentAddress } from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { writtenApl } from './aplDocument.ts';
import { openDocument } from './editors.ts';

/** The value of `draft` for APL that the stored resource lacks. */
export const UNSAVED = 'unsaved';

/** Whether a document is a piece of APL that only an open JSON document contains. */
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

/** Returns the open JSON document and its parsed content. Throws if it was closed or is invalid. */
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
  edit.replace(json.uri, offsetRange(json, literal), encode(written.apl));
  await vscode.workspace.applyEdit(edit);
}
