// The URIs, names and text of resource documents.
import * as vscode from 'vscode';
import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import { documentOf, documentText } from '../../../../resources/src/documents.ts';
import { kinds } from '../../../../resources/src/kinds.ts';
import type { Members } from '../../../../resources/src/value.ts';
import { visibleText } from '../../../../table/src/visibleText.ts';
import {
  type DocumentAddress,
  documentParts,
  documentScheme,
  placeName,
  readAddress,
} from '../../deployments/resourceAddress.ts';
import { shownApl } from './aplDocument.ts';

export function addressOf(uri: vscode.Uri): DocumentAddress {
  const address = readAddress(uri.query);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}

/** Returns the URI of a record's document. Its path is the tab's name. */
export function uriFor(address: DocumentAddress, record: Members): vscode.Uri {
  const { name } = kinds[address.kind].show(record, Date.now());
  const place = aplLocation(address.kind, record, address.place ?? '');
  const shown = address.form === 'apl' && place ? placeName(name, place) : name;
  return vscode.Uri.from({ scheme: documentScheme, ...documentParts(address, visibleText(shown)) });
}

/** Returns the text of a record's document; undefined if the record lacks the piece of APL. */
export function textOf(
  { kind, form, place }: DocumentAddress,
  record: Members,
): string | undefined {
  if (form === 'json') return documentText(documentOf(kind, record));
  return shownApl(kind, record, place ?? '');
}

/** Returns the subject of a message, such as `The monitor 'Errors'`. */
export function nounAndName(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return `The ${kinds[addressOf(uri).kind].noun} '${name}'`;
}
