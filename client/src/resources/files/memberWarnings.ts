// Warnings about members of a resource's JSON that are misspelled, or in a draft unknown, and a fix that renames them.
// The JSON Schemas let any member pass, since a service may know more of them than this client.
import * as vscode from 'vscode';
import { parseJson } from '../../../../api/src/plain.ts';
import { documentOf } from '../../../../resources/src/documents.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import { type UnknownMember, unknownMembers } from '../../../../resources/src/unknownMembers.ts';
import { isMembers, type Members } from '../../../../resources/src/value.ts';
import { diagnostic, quickFix } from '../../ui/editorParts.ts';
import { documentScheme, readAddress } from '../documents.ts';
import { isShown, onDidHide } from './editors.ts';

const CHECK_AFTER_MS = 300;
const selector: vscode.DocumentSelector = { scheme: documentScheme, language: 'json' };

interface Found extends UnknownMember {
  readonly range: vscode.Range;
  readonly words: string;
}

/** `baseOf` gives the record that a document was made of; undefined where that is not known. */
export function registerMemberWarnings(
  extensionUri: vscode.Uri,
  baseOf: (uri: vscode.Uri) => Members | undefined,
): vscode.Disposable {
  const warnings = vscode.languages.createDiagnosticCollection('aplomb-members');
  const waiting = new Map<string, NodeJS.Timeout>();
  const schemas = new Map<KindName, Promise<Members>>();
  const schemaOf = (kind: KindName): Promise<Members> => {
    const known = schemas.get(kind) ?? readSchema(extensionUri, kind);
    schemas.set(kind, known);
    return known;
  };

  const find = async (document: vscode.TextDocument): Promise<readonly Found[]> => {
    const address = readAddress(document.uri.query);
    const base = baseOf(document.uri);
    if (address === undefined || base === undefined) return [];
    const { kind, id } = address;
    const schema = await schemaOf(kind);
    const { noun, setByService } = kinds[kind];
    const origin = { base: documentOf(kind, base), isNew: id === '', setByService };
    return unknownMembers(document.getText(), schema, origin).map((member) => ({
      ...member,
      range: new vscode.Range(document.positionAt(member.start), document.positionAt(member.end)),
      words: wordsOf(member, noun),
    }));
  };
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { version } = document;
    const found = await find(document);
    if (document.version !== version || !isShown(document)) return;
    const shown = found.map(({ range, words, meant }) => {
      // Charts have options that no schema lists, so that a name nobody knows may be right.
      const { Information, Warning } = vscode.DiagnosticSeverity;
      const problem = diagnostic(range, words, meant ? Warning : Information);
      problem.source = 'apl';
      return problem;
    });
    warnings.set(document.uri, shown);
  };
  const checkLater = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(selector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        void check(document);
      }, CHECK_AFTER_MS),
    );
  };
  vscode.workspace.textDocuments.forEach(checkLater);

  return vscode.Disposable.from(
    warnings,
    new vscode.Disposable(() => {
      for (const timer of waiting.values()) clearTimeout(timer);
    }),
    vscode.workspace.onDidOpenTextDocument(checkLater),
    vscode.workspace.onDidChangeTextDocument(({ document }) => checkLater(document)),
    onDidHide(({ uri }) => warnings.delete(uri)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => warnings.delete(uri)),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        async provideCodeActions(document, range, { diagnostics }) {
          const found = await find(document);
          return found.flatMap(({ meant, hasMeant, range: at }) => {
            if (meant === undefined || hasMeant || !at.intersection(range)) return [];
            const action = quickFix(`Rename to '${meant}'`);
            action.edit = new vscode.WorkspaceEdit();
            action.edit.replace(document.uri, at, meant);
            action.diagnostics = diagnostics.filter((one) => one.range.isEqual(at));
            action.isPreferred = true;
            return [action];
          });
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function wordsOf({ name, meant }: UnknownMember, noun: string): string {
  return meant === undefined
    ? `The schema of a ${noun} has no member '${name}'. It is saved as it is.`
    : `Unknown member '${name}'. Did you mean '${meant}'?`;
}

async function readSchema(extensionUri: vscode.Uri, kind: KindName): Promise<Members> {
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'schemas', `${kind}.json`);
  const schema = parseJson(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  return isMembers(schema) ? schema : {};
}
