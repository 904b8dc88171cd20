/** Completes a compared field's values, as operands and in quotes. The values come from results or the deployment. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Comparison, Context } from '../../../../language/src/editing.ts';
import type { ScalarType } from '../../../../language/src/index.ts';
import type { SeenValue } from '../../protocol.ts';
import { item, valueItem } from './items.ts';
import type { Quote } from './quotes.ts';
import { ranks } from './ranking.ts';

/** Operators whose right operand is likely a known value or a part of one. */
const valueOperators =
  /^(?:==|!=|<>|=~|!~|!?in~?|has_any(?:_cs)?|!?(?:has|contains|startswith|endswith|hasprefix|hassuffix)(?:_cs)?)$/;

export interface KnownValues {
  of(dataset: string, field: string): readonly SeenValue[];
}

export interface ComparedField {
  readonly dataset: string;
  readonly field: string;
  readonly type: ScalarType;
}

export function comparedField(compared: Comparison | undefined): ComparedField | undefined {
  if (compared === undefined || !valueOperators.test(compared.operator)) return undefined;
  const { dataset, name: field, type } = compared.column;
  return dataset === undefined ? undefined : { dataset, field, type };
}

export function seenValues(
  compared: Comparison | undefined,
  seen: KnownValues | undefined,
): readonly SeenValue[] {
  const found = comparedField(compared);
  return found === undefined ? [] : (seen?.of(found.dataset, found.field) ?? []);
}

export function valueItems(values: readonly SeenValue[], quote: Quote): CompletionItem[] {
  return values.map((value, index) => valueItem(value, index, quote));
}

/** Creates items for constants that are often used in this context. */
export function likelyItems(constants: readonly string[]): CompletionItem[] {
  return constants.map((text, index) => {
    const order = ranks.here + String(index).padStart(3, '0');
    return item(text, CompletionItemKind.Value, order);
  });
}

type TextContext = Extract<Context, { kind: 'text' }>;

export function writerFor({ quote, verbatim, closed }: TextContext): (text: string) => string {
  const end = closed ? '' : quote;
  if (verbatim) return (text) => text.replaceAll(quote, quote + quote) + end;
  return (text) => {
    const escaped = text
      .replaceAll('\\', '\\\\')
      .replaceAll(quote, `\\${quote}`)
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\t', '\\t');
    return escaped + end;
  };
}

export function textItems(context: TextContext, seen: KnownValues | undefined): CompletionItem[] {
  const written = writerFor(context);
  const words = context.values.map((value, index) =>
    textItem(value, CompletionItemKind.EnumMember, index, written(value)),
  );
  const values = seenValues(context.compared, seen).filter((value) => typeof value === 'string');
  return [
    ...words,
    ...values.map((value, index) =>
      textItem(value, CompletionItemKind.Value, index, written(value)),
    ),
  ];
}

function textItem(
  value: string,
  kind: CompletionItemKind,
  index: number,
  insert: string,
): CompletionItem {
  const order = ranks.here + String(index).padStart(4, '0');
  return { ...item(value, kind, order, insert), filterText: insert };
}
