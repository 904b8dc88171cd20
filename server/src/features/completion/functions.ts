/** Functions, aggregates, values that are words, and types, as completion items made once. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import {
  accepts,
  aggregates,
  constantWords,
  type FunctionRow,
  functions,
  type ScalarType,
  types,
} from '../../../../language/src/index.ts';
import { item, showParameters, snippet } from './items.ts';
import { functionOrder, ranks } from './ranking.ts';

const made = new Map<string, readonly CompletionItem[]>();

function once(key: string, make: () => readonly CompletionItem[]): readonly CompletionItem[] {
  let items = made.get(key);
  if (items === undefined) {
    items = make();
    made.set(key, items);
  }
  return items;
}

/**
 * The scalar functions; those that give the expected type come first. `called` is whether the text goes
 * on with the arguments of a call, so that a name is all there is to insert.
 */
export function functionItems(
  expected: ScalarType | undefined,
  called: boolean,
): readonly CompletionItem[] {
  return once(`functions ${expected} ${called}`, () =>
    functions.map((row) => {
      const rank = gives(row, expected) ? ranks.function : ranks.otherFunction;
      return functionItem(row, rank, called);
    }),
  );
}

export function aggregateItems(called: boolean): readonly CompletionItem[] {
  return once(`aggregates ${called}`, () =>
    aggregates.map((row) => functionItem(row, ranks.aggregate, called)),
  );
}

function gives({ signatures }: FunctionRow, expected: ScalarType | undefined): boolean {
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
export function constantItems(
  expected: ScalarType | undefined,
  called: boolean,
): readonly CompletionItem[] {
  return once(`constants ${expected} ${called}`, () => [
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
  ]);
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
