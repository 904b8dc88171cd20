/** Builds a completion item's documentation when the item is selected. */
import { type CompletionItem, MarkupKind } from 'vscode-languageserver';
import { shapes } from '../../../language/src/editing.ts';
import {
  columnOfField,
  functionNamed,
  operatorNamed,
  type Schema,
  scalarOperatorNamed,
} from '../../../language/src/index.ts';
import {
  code,
  columnMarkdown,
  datasetMarkdown,
  functionMarkdown,
  operatorMarkdown,
  scalarOperatorMarkdown,
} from '../markdown.ts';
import type { ItemData } from './completion/items.ts';

export function resolveCompletion(chosen: CompletionItem, schema?: Schema): CompletionItem {
  const documentation = documentationOf(chosen, schema);
  if (documentation === undefined) return chosen;
  return {
    ...chosen,
    documentation: { kind: MarkupKind.Markdown, value: documentation },
  };
}

function documentationOf(
  { label, data }: CompletionItem,
  schema: Schema | undefined,
): string | undefined {
  const found = data as ItemData | undefined;
  switch (found) {
    case undefined:
      return undefined;
    case 'function': {
      const row = functionNamed(label);
      return row && functionMarkdown(row);
    }
    case 'operator': {
      const row = operatorNamed(label);
      return row && operatorMarkdown(row);
    }
    case 'scalarOperator': {
      const row = scalarOperatorNamed(label);
      return row && scalarOperatorMarkdown(row);
    }
    case 'shape': {
      const row = shapes.find(({ name }) => name === label);
      return row && `${row.summary}\n\n${code(withoutPlaces(row.snippet))}`;
    }
    default:
      if ('table' in found) return schema && datasetMarkdown(found.table, schema);
      return fieldMarkdown(found.dataset, label, schema);
  }
}

function fieldMarkdown(
  dataset: string,
  label: string,
  schema: Schema | undefined,
): string | undefined {
  const fields = schema?.datasets.find(({ name }) => name === dataset)?.fields;
  const field = fields?.find(({ name }) => name === label);
  return field && columnMarkdown(columnOfField(field, dataset));
}

/** Replaces a snippet's placeholders with their default text. */
export function withoutPlaces(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|}]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\$\d+/g, '');
}
