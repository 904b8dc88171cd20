/** The documentation of a completion item, made when the item is looked at. */
import { type CompletionItem, MarkupKind } from 'vscode-languageserver';
import { functionNamed, operatorNamed, scalarOperatorNamed } from '../../../language/src/index.ts';
import {
  functionMarkdown,
  operatorMarkdown,
  scalarOperatorMarkdown,
  signatureLabel,
} from '../markdown.ts';
import type { ItemData } from './completionItems.ts';

/** Fills in the documentation of an item that was looked at. */
export function resolveCompletion(chosen: CompletionItem): CompletionItem {
  const data = chosen.data as ItemData | undefined;
  const documentation = data && documentationOf(data);
  if (data === undefined || documentation === undefined) return chosen;
  const row = data.kind === 'function' ? functionNamed(data.name) : undefined;
  const signature = row?.signatures[0];
  return {
    ...chosen,
    ...(row !== undefined && signature !== undefined
      ? { detail: signatureLabel(row, signature) }
      : {}),
    documentation: { kind: MarkupKind.Markdown, value: documentation },
  };
}

function documentationOf(data: ItemData): string | undefined {
  switch (data.kind) {
    case 'function': {
      const row = functionNamed(data.name);
      return row && functionMarkdown(row);
    }
    case 'operator': {
      const row = operatorNamed(data.name);
      return row && operatorMarkdown(row);
    }
    case 'scalarOperator': {
      const row = scalarOperatorNamed(data.name);
      return row && scalarOperatorMarkdown(row);
    }
  }
}
