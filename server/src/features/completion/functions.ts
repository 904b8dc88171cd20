/** Completion items for functions, aggregates, constant words and types, created once. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { constantWords } from '../../../../language/src/editing.ts';
import {
  accepts,
  aggregates as aggregateRows,
  type FunctionRow,
  functions,
  getOrCreate,
  type ParameterType,
  types,
} from '../../../../language/src/index.ts';
import { item, showParameters, snippet } from './items.ts';
import { functionOrder, ranks } from './ranking.ts';

export interface Wanted {
  /** The expected type. Functions that return this type come first. */
  readonly expected: ParameterType | undefined;
  readonly aggregates: boolean;
  /** Whether call arguments already follow the cursor, so that items insert only the name. */
  readonly called: boolean;
}

const made = new Map<string, readonly CompletionItem[]>();

export function operandItems(wanted: Wanted): readonly CompletionItem[] {
  const { expected, aggregates, called } = wanted;
  return getOrCreate(made, `${expected} ${aggregates} ${called}`, () => [
    ...(aggregates ? aggregateRows.map((row) => functionItem(row, ranks.aggregate, called)) : []),
    ...functions.map((row) => functionItem(row, rankOf(row, expected), called)),
    ...constantItems(expected, called),
  ]);
}

/** Functions often compared with datetimes. They come first where a datetime is expected. */
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

/** Returns items for constants such as `true`, and for types whose values are written like calls. */
function constantItems(expected: ParameterType | undefined, called: boolean): CompletionItem[] {
  return [
    ...constantWords.map(({ name, summary }) => {
      const rank = expected === 'bool' && name !== 'null' ? ranks.here : ranks.constant;
      return { ...item(name, CompletionItemKind.Constant, rank + name), documentation: summary };
    }),
    ...calledTypes.map((name) =>
      called
        ? item(name, CompletionItemKind.Constant, ranks.constant + name)
        : snippet(name, CompletionItemKind.Constant, ranks.constant + name, `${name}($0)`),
    ),
  ];
}

/** Items for type names. Aliases come last. */
export const typeItems: readonly CompletionItem[] = types.flatMap(({ name, aliases, summary }) => [
  { ...item(name, CompletionItemKind.TypeParameter, ranks.here + name), documentation: summary },
  ...aliases.map((alias) => ({
    ...item(alias, CompletionItemKind.TypeParameter, ranks.constant + alias),
    labelDetails: { description: name },
    documentation: summary,
  })),
]);

/** Items such as `typeof(long)`, for a parameter that takes a type. */
export const typeofItems: readonly CompletionItem[] = types.map(({ name, summary }) => ({
  ...item(`typeof(${name})`, CompletionItemKind.TypeParameter, ranks.here + name),
  documentation: summary,
}));
