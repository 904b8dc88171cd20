/** Functions, aggregates, values that are words, and types, as completion items made once. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { constantWords } from '../../../../language/src/editing.ts';
import {
  accepts,
  aggregates as aggregateRows,
  type FunctionRow,
  functions,
  type ParameterType,
  types,
} from '../../../../language/src/index.ts';
import { item, showParameters, snippet } from './items.ts';
import { functionOrder, ranks } from './ranking.ts';

/** What an operand may be wherever it stands: functions, values that are words, and aggregates or not. */
export interface Wanted {
  /** Functions that give this type come first. */
  readonly expected: ParameterType | undefined;
  readonly aggregates: boolean;
  /** Whether the text goes on with the arguments of a call, so that a name is all there is to insert. */
  readonly called: boolean;
}

const made = new Map<ParameterType | undefined, Map<number, readonly CompletionItem[]>>();

/** The operands that the catalog has, made once for each kind of place. */
export function operandItems(wanted: Wanted): readonly CompletionItem[] {
  const { expected, aggregates, called } = wanted;
  const key = (aggregates ? 2 : 0) + (called ? 1 : 0);
  let ofType = made.get(expected);
  if (ofType === undefined) {
    ofType = new Map();
    made.set(expected, ofType);
  }
  let items = ofType.get(key);
  if (items === undefined) {
    items = makeOperands(wanted);
    ofType.set(key, items);
  }
  return items;
}

function makeOperands({ expected, aggregates, called }: Wanted): CompletionItem[] {
  return [
    ...(aggregates ? aggregateRows.map((row) => functionItem(row, ranks.aggregate, called)) : []),
    ...functions.map((row) => {
      return functionItem(row, rankOf(row, expected), called);
    }),
    ...constantItems(expected, called),
  ];
}

/** A time is mostly told from now, and seldom by another column. */
const times: ReadonlySet<string> = new Set(['ago', 'now']);

function rankOf(row: FunctionRow, expected: ParameterType | undefined): string {
  if (expected === 'datetime' && times.has(row.name)) return ranks.here;
  return gives(row, expected) ? ranks.function : ranks.otherFunction;
}

function gives({ signatures }: FunctionRow, expected: ParameterType | undefined): boolean {
  if (expected === undefined) return true;
  return signatures.some(
    ({ returns }) => typeof returns !== 'string' || accepts(expected, returns),
  );
}

function functionItem(row: FunctionRow, rank: string, called: boolean): CompletionItem {
  const { name, kind, category, signatures } = row;
  const takesNothing = signatures.every(({ parameters }) => parameters.length === 0);
  const sortText = rank + functionOrder(name);
  const description = kind === 'aggregate' ? 'aggregate' : category;
  const shared = { labelDetails: { description }, data: 'function' };
  if (called || takesNothing) {
    const insert = called ? name : `${name}()`;
    const plain = item(name, CompletionItemKind.Function, sortText, insert);
    return { ...plain, filterText: name, ...shared };
  }
  const call = snippet(name, CompletionItemKind.Function, sortText, `${name}($0)`);
  return { ...call, command: showParameters, ...shared };
}

const calledTypes = ['datetime', 'dynamic', 'timespan', 'typeof'] as const;

/** Words that are values, and the types whose values are written as calls. */
function constantItems(expected: ParameterType | undefined, called: boolean): CompletionItem[] {
  return [
    ...constantWords.map(({ name, summary }) => ({
      ...item(
        name,
        CompletionItemKind.Constant,
        (expected === 'bool' && name !== 'null' ? ranks.here : ranks.constant) + name,
      ),
      documentation: summary,
    })),
    ...calledTypes.map((name) =>
      called
        ? item(name, CompletionItemKind.Constant, ranks.constant + name)
        : snippet(name, CompletionItemKind.Constant, ranks.constant + name, `${name}($0)`),
    ),
  ];
}

/** The names of types; other spellings of them come behind. */
export const typeItems: readonly CompletionItem[] = types.flatMap(({ name, aliases, summary }) => [
  { ...item(name, CompletionItemKind.TypeParameter, ranks.here + name), documentation: summary },
  ...aliases.map((alias) => ({
    ...item(alias, CompletionItemKind.TypeParameter, ranks.constant + alias),
    labelDetails: { description: name },
    documentation: summary,
  })),
]);

/** `typeof(long)` and its like, for a parameter that takes a type. */
export const typeofItems: readonly CompletionItem[] = types.map(({ name, summary }) => ({
  ...item(`typeof(${name})`, CompletionItemKind.TypeParameter, ranks.here + name),
  documentation: summary,
}));
