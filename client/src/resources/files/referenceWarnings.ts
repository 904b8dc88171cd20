// Warnings about unknown identifiers in a resource's JSON, such as those of notifiers. The service accepts them, but a
// monitor with an unknown notifier alerts nobody.
import * as vscode from 'vscode';
import { decode, encode } from '../../../../resources/src/jsonText.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import { referencesIn } from '../../../../resources/src/referenceAt.ts';
import type { Context } from '../../context.ts';
import { type DocumentAddress, readAddress } from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import { onDidLeave } from './editors.ts';
import { type JsonWarning, registerJsonWarnings } from './jsonWarnings.ts';
import { type Named, namedOf } from './references.ts';

type Listed = ReturnType<typeof namedOf>;

export function registerReferenceWarnings(context: Context): vscode.Disposable {
  /** The known resources for each open document. They are fetched again when the document's identifiers change. */
  const lists = new Map<string, { readonly key: string; readonly named: Listed }>();
  const listOf = (
    uri: vscode.Uri,
    address: DocumentAddress,
    to: KindName,
    ids: readonly string[],
  ): Listed => {
    const key = JSON.stringify([to, ids]);
    const known = lists.get(uri.toString());
    if (known?.key === key) return known.named;
    const named = namedOf(context, address, to);
    lists.set(uri.toString(), { key, named });
    return named;
  };
  const forget = ({ uri }: vscode.TextDocument) => void lists.delete(uri.toString());
  const find = async (document: vscode.TextDocument): Promise<readonly JsonWarning[]> => {
    const address = readAddress(document.uri.query);
    if (address === undefined) return [];
    const text = document.getText();
    const references = referencesIn(address.kind, text).map(({ to, literal }) => ({
      to,
      id: decode(text, literal.start, literal.end).value,
      range: offsetRange(document, literal),
    }));
    const ids = references.map(({ id }) => id);
    const found: JsonWarning[] = [];
    for (const { to, id, range } of references) {
      const named = await listOf(document.uri, address, to, ids);
      if (named === undefined || named.some((one) => one.id === id)) continue;
      found.push({ range, ...warningOf(id, named, to, address) });
    }
    return found;
  };
  return vscode.Disposable.from(
    onDidLeave(forget),
    registerJsonWarnings('aplomb-references', find),
  );
}

function warningOf(
  id: string,
  named: readonly Named[],
  to: KindName,
  { deployment }: DocumentAddress,
): Omit<JsonWarning, 'range'> {
  const { noun } = kinds[to];
  const namesakes = named.filter(({ name }) => name === id);
  const words =
    namesakes.length === 0
      ? `${deployment} has no ${noun} with the identifier '${id}'.`
      : `'${id}' is the name of a ${noun}, not its identifier.`;
  const fixes = namesakes.map((one) => ({
    title: `Replace with the identifier of '${id}'${namesakes.length === 1 ? '' : ` (${one.id})`}`,
    text: encode(one.id),
  }));
  return { words, severity: vscode.DiagnosticSeverity.Warning, fixes };
}
