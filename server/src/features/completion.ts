/** Completes names and keywords at the cursor, the likeliest first. Details are resolved when an item is selected. */
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  TextEdit,
} from 'vscode-languageserver';
import { type Context, contextAt, joinSides } from '../../../language/src/editing.ts';
import { analyzeQuery, type Span } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature, Workspace } from '../feature.ts';
import { fieldsNeeded } from '../fieldsNeeded.ts';
import type { SchemaStore } from '../schemas.ts';
import { columnItems, memberItems } from './completion/columns.ts';
import { operandItems, typeItems, typeofItems } from './completion/functions.ts';
import { valueItem, words } from './completion/items.ts';
import {
  operatorItems,
  operatorNameItems,
  scalarOperatorItems,
  sourceItems,
  statementItems,
} from './completion/operators.ts';
import { quoteUsed } from './completion/quotes.ts';
import { rangeItems } from './completion/rangeLine.ts';
import { datasetItems, datasetTexts, letItems } from './completion/tables.ts';
import { triggerCharacters, wanted } from './completion/triggers.ts';
import {
  comparedField,
  type KnownValues,
  likelyItems,
  seenValues,
  textItems,
  valueItems,
  writerFor,
} from './completion/values.ts';
import { isWide } from './completion/wideRows.ts';
import { resolveCompletion } from './completionResolve.ts';

export const completionFeature: Feature = {
  capabilities: {
    completionProvider: { triggerCharacters: [...triggerCharacters], resolveProvider: true },
  },
  register(connection, workspace) {
    // The schema store of the last completed document, because an item to resolve doesn't name its document.
    let shown: SchemaStore | undefined;
    connection.onCompletion((params) => {
      shown = workspace.schemasOf(params.textDocument.uri);
      return answer(workspace, params, shown);
    });
    connection.onCompletionResolve((chosen) => resolveCompletion(chosen, shown?.schema));
  },
};

async function answer(
  workspace: Workspace,
  { textDocument, position, context }: CompletionParams,
  schemas: SchemaStore,
): Promise<CompletionList | null> {
  const before = workspace.snapshot(textDocument.uri);
  if (before === undefined) return null;
  await fieldsNeeded(schemas, before, before.lines.offsetAt(position));
  const trigger = context?.triggerCharacter;
  const isLate = await valuesNeeded(workspace, textDocument.uri, position, trigger);
  const now = workspace.snapshot(textDocument.uri);
  if (now === undefined) return null;
  const offset = now.lines.offsetAt(position);
  if (!now.isCode(offset)) return null;
  const found = completion(now, offset, {
    seen: knownValues(workspace, workspace.deploymentOf(textDocument.uri)),
    ...(trigger === undefined ? {} : { trigger }),
  });
  const list = isLate ? { ...found, isIncomplete: true } : found;
  const defaults = workspace.client.textDocument?.completion?.completionList?.itemDefaults;
  return defaults?.includes('editRange') ? list : withEdits(list);
}

/** Requests the compared field's frequent values and waits briefly. Returns true if the values are still missing. */
async function valuesNeeded(
  workspace: Workspace,
  uri: string,
  position: CompletionParams['position'],
  trigger: string | undefined,
): Promise<boolean> {
  const snapshot = workspace.snapshot(uri);
  if (snapshot === undefined) return false;
  const offset = snapshot.lines.offsetAt(position);
  const found = snapshot.isCode(offset) ? snapshot.at(offset) : undefined;
  if (found === undefined) return false;
  const context = contextAt(found.query.analysis.bound, found.at);
  const isOffered = context.kind === 'expression' || context.kind === 'text';
  if (!isOffered || !wanted(context, trigger)) return false;
  const compared = comparedField(context.compared);
  if (compared === undefined) return false;
  const { dataset, field, type } = compared;
  const deployment = workspace.deploymentOf(uri);
  return workspace.frequentValues.need({ deployment, dataset, field }, type);
}

/** The values seen in results come first. */
function knownValues(workspace: Workspace, deployment: string | undefined): KnownValues {
  const seen = workspace.valuesSeen.of(deployment);
  return {
    of: (dataset, field) => {
      const frequent = workspace.frequentValues.of({ deployment, dataset, field });
      return [...new Set([...seen.of(dataset, field), ...frequent])];
    },
  };
}

export interface CompletionOptions {
  readonly trigger?: string;
  readonly seen?: KnownValues;
}

export function completion(
  snapshot: Snapshot,
  offset: number,
  { trigger, seen }: CompletionOptions = {},
): CompletionList {
  const range = rangeItems(snapshot, offset);
  if (range) return listOf(snapshot, { start: range.start, end: offset }, 0, range.items);
  const found = snapshot.at(offset);
  if (found === undefined) {
    const here = { start: offset, end: offset };
    // Bind an empty query, whose result contains the `let` statements of the cells above.
    const { bound } = analyzeQuery('', undefined, { lets: snapshot.scope?.outer ?? [] });
    const lets = letItems(bound, 0, { tables: true, values: false });
    const items =
      trigger === undefined ? [...datasetItems(snapshot.schema), ...lets, ...starts] : [];
    return listOf(snapshot, here, 0, items);
  }
  const { query, at } = found;
  const context = contextAt(query.analysis.bound, at);
  if (context.kind === 'nothing' || !wanted(context, trigger)) {
    return listOf(snapshot, { start: offset, end: offset }, 0, []);
  }
  const place: Place = { snapshot, query, offset: at, seen };
  const replace = context.kind === 'member' ? context.whole : context.replace;
  const list = listOf(snapshot, replace, query.start, itemsFor(context, place));
  const wide = 'columns' in context && isWide(context.columns);
  const wideRight = context.kind === 'expression' && isWide(context.right);
  return { ...list, isIncomplete: wide || wideRight };
}

function listOf(
  snapshot: Snapshot,
  replace: Span,
  base: number,
  items: CompletionItem[],
): CompletionList {
  const editRange = toRange(snapshot.lines, replace, base);
  return { isIncomplete: false, itemDefaults: { editRange }, items };
}

/** Converts a list for clients that need the edit range in each item. */
export function withEdits({ isIncomplete, itemDefaults, items }: CompletionList): CompletionList {
  const range = itemDefaults?.editRange;
  if (range === undefined || 'insert' in range) return { isIncomplete, items };
  return {
    isIncomplete,
    items: items.map(({ textEditText, ...item }) => ({
      ...item,
      textEdit: TextEdit.replace(range, textEditText ?? item.label),
    })),
  };
}

interface Place {
  readonly snapshot: Snapshot;
  readonly query: QueryState;
  readonly offset: number;
  readonly seen: KnownValues | undefined;
}

type Offered<Kind extends Context['kind']> = Extract<Context, { kind: Kind }>;

/** Items offered at the start of a query or statement, in addition to datasets and `let` names. */
const starts: readonly CompletionItem[] = [...sourceItems, ...statementItems];

function itemsFor(context: Exclude<Context, { kind: 'nothing' }>, place: Place): CompletionItem[] {
  const { snapshot, query, offset } = place;
  const after = behind(place, context.replace.end);
  const { bound } = query.analysis;
  const begun = bound.tree.text.slice(context.replace.start, offset);
  switch (context.kind) {
    case 'source':
      return [
        ...datasetItems(snapshot.schema),
        ...letItems(bound, offset, { tables: true, values: false }),
        ...(context.statements ? starts : sourceItems),
      ];
    case 'dataset':
      return [
        ...datasetItems(snapshot.schema),
        ...letItems(bound, offset, { tables: true, values: false }),
        ...words(context.words, after.gap),
      ];
    case 'operator':
      return [...(after.operand ? operatorNameItems : operatorItems)];
    case 'expression':
      return operands(context, place, after.called);
    case 'afterExpression':
      return [
        ...words(context.words, after.gap),
        ...(context.operators
          ? scalarOperatorItems(context.type, context.lone, after.operand)
          : []),
      ];
    case 'column':
      // If all columns are known, a comma accepts the selected item, because only a listed column is valid.
      return columnItems(context.columns, begun, undefined, context.columns.open ? [] : [',']);
    case 'member': {
      const typed = bound.tree.text.slice(context.whole.start, context.replace.start);
      return memberItems(context.path, { typed, begun }, context.columns, context.keys);
    }
    case 'word':
      return words(context.words, after.gap);
    case 'type':
      return [...typeItems];
    case 'text':
      return [
        ...textItems(context, place.seen),
        ...(context.tables ? datasetTexts(snapshot.schema, writerFor(context)) : []),
      ];
  }
}

function operands(context: Offered<'expression'>, place: Place, called: boolean): CompletionItem[] {
  const { amount, call, columns, compared, following, likely, right, tables } = context;
  const { snapshot, query, offset } = place;
  const begun = query.analysis.tree.text.slice(context.replace.start, offset);
  // Conditions rarely start with a boolean, so prefer booleans only in call arguments and comparisons.
  const asked = context.expected === 'bool' && !call && !compared ? undefined : context.expected;
  const expected = following ?? asked;
  const isAggregate = context.aggregates === 'allowed';
  const seen = seenValues(compared, place.seen);
  const taken = call?.parameter?.values ?? [];
  const quote = seen.length + taken.length === 0 ? "'" : quoteUsed(snapshot);
  const own = [
    ...valueItems(seen, quote),
    ...taken.map((value, index) => ({
      ...valueItem(value, index, quote),
      kind: CompletionItemKind.EnumMember,
    })),
    ...(call?.parameter?.type === 'type' ? typeofItems : []),
    ...likelyItems(likely),
    ...words(context.words, false),
    ...(isAggregate ? [] : columnItems(columns, begun, expected)),
    ...(right === undefined ? [] : otherSide(context, right, begun)),
    ...letItems(query.analysis.bound, offset, { tables, values: true }),
    ...(tables ? datasetItems(snapshot.schema) : []),
  ];
  if (amount) return own;
  // Append the catalog's items with a single `concat`, because the catalog has many items.
  return own.concat(operandItems({ expected, aggregates: isAggregate, called }));
}

/** Offers `$left`, `$right`, and the columns that only the right side has. */
function otherSide(
  { columns, expected }: Offered<'expression'>,
  right: Offered<'expression'>['columns'],
  begun: string,
): CompletionItem[] {
  const known = new Set(columns.list.map(({ name }) => name));
  const others = right.list.filter(({ name }) => !known.has(name));
  return [
    ...columnItems({ list: others, open: right.open }, begun, expected),
    ...words(joinSides, false).map((side) => ({ ...side, commitCharacters: ['.'] })),
  ];
}

/** Describes the code after the replaced text: whether it starts with call arguments, an operand or whitespace. */
interface Behind {
  readonly called: boolean;
  readonly operand: boolean;
  readonly gap: boolean;
}

const operand = /^[ \t]*[^\s|;)]/;

/** Maximum number of characters to search for an operand after whitespace. */
const ahead = 100;

function behind({ snapshot, query }: Place, end: number): Behind {
  const at = query.start + end;
  const text = snapshot.lines.slice(at, at + ahead);
  const next = text.charAt(0);
  return { called: next === '(', operand: operand.test(text), gap: /[ \t]/.test(next) };
}
