// Warnings about misspelled JSON members, and about unknown members in a draft, with fixes. The JSON Schemas allow any
// member, because a service may support more than this client knows.
import * as vscode from 'vscode';
import { parseJson } from '../../../../api/src/plain.ts';
import { documentOf } from '../../../../resources/src/documents.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import { type UnknownMember, unknownMembers } from '../../../../resources/src/unknownMembers.ts';
import { isMembers, type Members } from '../../../../resources/src/value.ts';
import { readAddress } from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import { type JsonWarning, registerJsonWarnings } from './jsonWarnings.ts';

/** `baseOf` returns the record that a document's text is based on, if known. */
export function registerMemberWarnings(
  extensionUri: vscode.Uri,
  baseOf: (uri: vscode.Uri) => Members | undefined,
): vscode.Disposable {
  const schemas = new Map<KindName, Promise<Members>>();
  const schemaOf = (kind: KindName): Promise<Members> => {
    const known = schemas.get(kind) ?? readSchema(extensionUri, kind);
    schemas.set(kind, known);
    return known;
  };
  return registerJsonWarnings('aplomb-members', async (document) => {
    const address = readAddress(document.uri.query);
    const base = baseOf(document.uri);
    if (address === undefined || base === undefined) return [];
    const { kind, id } = address;
    const schema = await schemaOf(kind);
    const { noun, setByService } = kinds[kind];
    const origin = { base: documentOf(kind, base), isNew: id === '', setByService };
    return unknownMembers(document.getText(), schema, origin).map((member) => ({
      range: offsetRange(document, member),
      ...warningOf(member, noun),
    }));
  });
}

function warningOf(
  { name, suggestion, hasSuggestion }: UnknownMember,
  noun: string,
): Omit<JsonWarning, 'range'> {
  // Report only a misspelling as a warning, because charts have options that aren't in the schema.
  const { Information, Warning } = vscode.DiagnosticSeverity;
  if (suggestion === undefined) {
    const words = `The schema of a ${noun} has no member '${name}'. It is saved as it is.`;
    return { words, severity: Information, fixes: [] };
  }
  return {
    words: `Unknown member '${name}'. Did you mean '${suggestion}'?`,
    severity: Warning,
    fixes: hasSuggestion ? [] : [{ title: `Rename to '${suggestion}'`, text: suggestion }],
  };
}

async function readSchema(extensionUri: vscode.Uri, kind: KindName): Promise<Members> {
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'schemas', `${kind}.json`);
  const schema = parseJson(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  return isMembers(schema) ? schema : {};
}
