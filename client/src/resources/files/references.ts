// Completion and hovers for identifiers in a resource's JSON, such as those of notifiers and datasets.
import * as vscode from 'vscode';
import { decode } from '../../../../resources/src/jsonText.ts';
import { kinds } from '../../../../resources/src/kinds.ts';
import { findReferenceAt, type PossibleReference } from '../../../../resources/src/referenceAt.ts';
import type { Context } from '../../context.ts';
import { type DocumentAddress, readAddress } from '../../deployments/resourceAddress.ts';
import { offsetRange } from '../../host/offsetRange.ts';
import { completionItem } from '../../ui/editorParts.ts';
import { plainHover } from '../../ui/hovers.ts';
import { listResources, type Resource } from '../resource.ts';
import { jsonSelector as selector } from './jsonProblems.ts';

/** A resource to refer to. The JSON contains its identifier, while completion shows its name. */
export type Named = Pick<Resource, 'id' | 'name' | 'note'>;

interface Found extends PossibleReference {
  readonly address: DocumentAddress;
  readonly noun: string;
  readonly named: readonly Named[];
}

export function registerReferences(context: Context): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) => {
          const found = await referenceAt(context, document, position);
          return found?.named.map((one) => referenceItem(one, found, document, position));
        },
      },
      '"',
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => {
        const found = await referenceAt(context, document, position);
        // Show no hover for a dataset, because its identifier is its name.
        if (found?.literal === undefined || found.to === 'datasets') return undefined;
        const { start, end } = found.literal;
        const id = decode(document.getText(), start, end).value;
        const one = found.named.find((each) => each.id === id);
        const words = one
          ? [`The ${found.noun} '${one.name}'`, one.note]
          : [`${found.address.deployment} has no ${found.noun} with this identifier.`];
        return plainHover(words.filter(Boolean), offsetRange(document, found.literal));
      },
    }),
  );
}

function referenceItem(
  { id, name, note }: Named,
  { literal, to, noun }: Found,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem {
  const detail = [note, to === 'datasets' ? '' : id].filter(Boolean).join(' · ');
  const item = completionItem(name, vscode.CompletionItemKind.Reference, detail || noun);
  const written = JSON.stringify(id);
  item.insertText = written;
  item.sortText = ` ${name}`;
  if (literal === undefined) {
    item.range = new vscode.Range(position, position);
    return item;
  }
  // Replace the quotes as well, because the closing quote may be missing.
  const text = document.getText();
  const isClosed = text[literal.end] === '"';
  const end = literal.end + (isClosed ? 1 : 0);
  item.range = offsetRange(document, { start: literal.start - 1, end });
  // Start with a quote, because VS Code matches it against the text between the range's start and the cursor.
  item.filterText = `"${name} ${id}`;
  return item;
}

async function referenceAt(
  context: Context,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<Found | undefined> {
  const address = readAddress(document.uri.query);
  if (address === undefined) return undefined;
  const at = findReferenceAt(address.kind, document.getText(), document.offsetAt(position));
  if (at === undefined) return undefined;
  const noun = at.to === 'datasets' ? 'dataset' : kinds[at.to].noun;
  return { ...at, address, noun, named: (await namedOf(context, address, at.to)) ?? [] };
}

/** Returns a deployment's resources of a kind; undefined if they cannot be listed. */
export async function namedOf(
  { deployments }: Context,
  { deployment }: DocumentAddress,
  to: PossibleReference['to'],
): Promise<readonly Named[] | undefined> {
  const profile = deployments.find(deployment);
  const service = profile && (await deployments.service(profile));
  if (!service?.ok) return undefined;
  if (to === 'datasets') {
    const answer = await service.value.call('listDatasets');
    if (!answer.ok) return undefined;
    return answer.value.typed.map(({ name }) => ({ id: name, name, note: '' }));
  }
  const answer = await listResources(service.value, to);
  return answer.ok ? answer.value : undefined;
}
