/** Replaces a user-defined function, which APL lacks, with its body wherever the query calls it. */
import { type Edit, type Fix, remove, replace } from '../edits.ts';
import type { Problem } from '../problems.ts';
import type { Token } from '../syntax/tokens.ts';
import type { Call, QueryTree } from '../syntax/tree.ts';
import { pathAt, walk } from '../syntax/visit.ts';

/** A function such as `let slow = (ms: long) { ms > 500 };`. Offsets are those of the query's text. */
interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  /** The tokens between the braces. */
  readonly body: readonly Token[];
  /** The parameters and the body, from `(` to `}`. */
  readonly value: { readonly start: number; readonly end: number };
  /** The entire `let` statement with its `;` and the line break after it. */
  readonly statement: { readonly start: number; readonly end: number };
}

/**
 * Returns the fix for a user-defined function. Without parameters, its body becomes the value of the `let` statement.
 * With parameters, the body replaces each call, and must be an expression. No fix if a parameter is a table or has a
 * default value.
 */
export function inlinedFunction(tree: QueryTree, problem: Problem): Fix[] {
  const found = definitionAt(tree, problem);
  if (found === undefined || found.body.length === 0) return [];
  const calls = callsOf(tree, found);
  if (calls === undefined) return [];
  const edits =
    found.parameters.length === 0 ? valueEdits(tree, found, calls) : bodyEdits(tree, found, calls);
  const title =
    found.parameters.length === 0
      ? `Make '${found.name}' a value`
      : `Replace calls of '${found.name}' with its body`;
  return edits === undefined ? [] : [{ title, edits }];
}

function definitionAt(tree: QueryTree, { start }: Problem): Definition | undefined {
  const { text, tokens } = tree;
  const statement = pathAt(tree, start).find(({ kind }) => kind === 'LetStatement');
  if (statement?.kind !== 'LetStatement' || statement.name.kind !== 'Name') return undefined;
  const open = tokens.findIndex((token) => token.start === start);
  const close = closeOf(tree, open);
  if (open < 0 || close === undefined || textOf(tree, close + 1) !== '{') return undefined;
  const end = closeOf(tree, close + 1);
  const after = end === undefined ? undefined : tokens[end + 1];
  if (end === undefined || after === undefined || text.slice(after.start, after.end) !== ';')
    return undefined;
  const parameters = parametersIn(tokens.slice(open + 1, close), text);
  if (parameters === undefined) return undefined;
  const gap = /^[ \t]*(?:\r?\n)?/.exec(text.slice(after.end))?.[0].length ?? 0;
  return {
    name: statement.name.name,
    parameters,
    body: tokens.slice(close + 2, end),
    value: { start, end: (tokens[end] as Token).end },
    statement: { start: statement.start, end: after.end + gap },
  };
}

/** Returns the names in `a: long, b: string`, or undefined if the list contains anything else. */
function parametersIn(tokens: readonly Token[], text: string): string[] | undefined {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return [];
  const names: string[] = [];
  for (const item of text.slice(first.start, last.end).split(',')) {
    const name = /^\s*([A-Za-z_]\w*)\s*(?::\s*[a-z]+\s*)?$/.exec(item)?.[1];
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

/** Returns all calls, or undefined if the name is also used in another way, such as in another function. */
function callsOf(tree: QueryTree, { name, parameters, statement }: Definition): Call[] | undefined {
  const calls: Call[] = [];
  walk(tree.statements, (node) => {
    if (node.kind === 'Call' && node.name.name === name) calls.push(node);
  });
  const isUsable = (call: Call) => call.closed && call.arguments.length === parameters.length;
  const uses = tree.tokens.filter(
    (token) =>
      tree.text.slice(token.start, token.end) === name &&
      (token.start < statement.start || token.start >= statement.end),
  );
  const areApart = calls.every(
    (call) => !calls.some((other) => other !== call && contains(call, other)),
  );
  return uses.length === calls.length && areApart && calls.every(isUsable) ? calls : undefined;
}

function valueEdits(
  { text }: QueryTree,
  { body, value }: Definition,
  calls: readonly Call[],
): Edit[] | undefined {
  if (body.some((token) => text.slice(token.start, token.end) === ';')) return undefined;
  return [
    replace(value, sourceOf(body, text)),
    ...calls.map(({ parentheses }) => remove(parentheses.start, parentheses.end)),
  ];
}

function bodyEdits(
  { text }: QueryTree,
  { body, parameters, statement }: Definition,
  calls: readonly Call[],
): Edit[] | undefined {
  // A pipeline or a nested `let` isn't an expression.
  if (body.some((token) => /^[;|]$/.test(text.slice(token.start, token.end)))) return undefined;
  const edits = calls.map((call) => {
    const values = new Map(
      parameters.map((name, index) => {
        const argument = call.arguments[index] as { readonly start: number; readonly end: number };
        const source = text.slice(argument.start, argument.end);
        return [name, isSimple(source) ? source : `(${source})`];
      }),
    );
    return replace(call, `(${withValues(body, text, values)})`);
  });
  return [remove(statement.start, statement.end), ...edits];
}

/** Returns the source of tokens in which the parameters are replaced. A name after a dot is a property. */
function withValues(
  tokens: readonly Token[],
  text: string,
  values: ReadonlyMap<string, string>,
): string {
  let result = '';
  let last = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    const value = values.get(text.slice(token.start, token.end));
    if (value === undefined || text.charAt(token.start - 1) === '.') continue;
    result += text.slice(last, token.start) + value;
    last = token.end;
  }
  return result + text.slice(last, tokens.at(-1)?.end);
}

function sourceOf(tokens: readonly Token[], text: string): string {
  return text.slice(tokens[0]?.start, tokens.at(-1)?.end);
}

const isSimple = (source: string) => /^(?:[\w.]+|\[?(?:'[^']*'|"[^"]*")\]?)$/.test(source);

function contains(outer: Call, inner: Call): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function textOf({ text, tokens }: QueryTree, index: number): string | undefined {
  const token = tokens[index];
  return token === undefined ? undefined : text.slice(token.start, token.end);
}

/** Returns the index of the bracket that closes the one at `open`. */
function closeOf(tree: QueryTree, open: number): number | undefined {
  let depth = 0;
  for (let index = open; index < tree.tokens.length; index++) {
    const text = textOf(tree, index) ?? '';
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text) && --depth === 0) return index;
  }
  return undefined;
}
