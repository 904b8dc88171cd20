/** Determines which names a rename can change: the names that the query defines. Rejects other names with a reason. */
import type { BoundQuery, BoundStage, Column, Reference } from '../binding/bound.ts';
import { operatorNamed, scalarOperatorNamed } from '../catalog/index.ts';
import { inQuotes, quoteName } from '../names.ts';
import { factsOf } from '../operators/facts.ts';
import type { Assignment, ExternaldataSource } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { identitiesOf, type Use } from './identity.ts';
import { definitionsOf, usesAt } from './occurrences.ts';
import { tokenFrom } from './tokenSearch.ts';

/** The reason for rejecting a rename, in one or two sentences for the user. */
export interface Refusal {
  readonly refusal: string;
}

export interface RenameTarget {
  readonly span: Span;
  readonly name: string;
  /** The keys of the symbol, as in `Use.key`. A symbol has several keys if one of its columns replaces another. */
  readonly keys: ReadonlySet<string>;
  readonly uses: readonly Use[];
  /** Unnamed items that define the column. The rename gives them an explicit name. */
  readonly unnamed: readonly Assignment[];
}

export function renameTarget(bound: BoundQuery, offset: number): RenameTarget | Refusal {
  const here = usesAt(bound, offset);
  const use = here.find(({ reference }) => definitionsIn(reference).length > 0) ?? here[0];
  if (use === undefined) return { refusal: notAName(bound, offset) };
  const refusal = refusalOf(bound, use.reference, use.key);
  if (refusal !== undefined) return { refusal };
  return targetOf(bound, use, new Set([use.key]));
}

/**
 * Adds the columns of the same name that the target replaces or that replace it, as in `extend x = f(x)`. Renaming only
 * one of them would leave both in the result. Returns undefined if there are none.
 */
export function withReplaced(
  bound: BoundQuery,
  target: RenameTarget,
): RenameTarget | Refusal | undefined {
  const keys = new Set(target.keys);
  const links = replacements(bound, target.name);
  for (let before = 0; before < keys.size; ) {
    before = keys.size;
    for (const [left, right] of links) {
      if (keys.has(left) || keys.has(right)) keys.add(left).add(right);
    }
  }
  const use = target.uses.find(({ start }) => start === target.span.start);
  return keys.size === target.keys.size || use === undefined
    ? undefined
    : targetOf(bound, use, keys);
}

/** Returns pairs of keys: the key of a column, and the key of the column that replaces it under the same name. */
function replacements(bound: BoundQuery, name: string): [string, string][] {
  const identities = identitiesOf(bound);
  const links: [string, string][] = [];
  const named = identities.uses.filter(
    ({ reference }) => reference.definition && reference.name === name,
  );
  for (const { operator, input, output } of stagesAround(bound, named)) {
    if (factsOf(operator).columns !== 'added') continue;
    const [before, after] = [input, output].map(({ list }) =>
      list.find((one) => one.name === name),
    );
    if (before === undefined || after === undefined || before === after) continue;
    if (definitionsOf(before).length === 0 || definitionsOf(after).length === 0) continue;
    links.push([identities.keyOf(before), identities.keyOf(after)]);
  }
  return links;
}

/**
 * The maximum number of examined stages. Columns are computed on first access, so examining all stages would be slow.
 */
const maxStages = 100;

export function stagesAround({ stages }: BoundQuery, uses: readonly Use[]): Set<BoundStage> {
  const found = new Set<BoundStage>();
  for (const { start } of uses) {
    const stage = stages.findLast((one) => one.start <= start && start < one.end);
    if (stage !== undefined) found.add(stage);
    if (found.size === maxStages) break;
  }
  return found;
}

function targetOf(
  bound: BoundQuery,
  { reference, start, end }: Use,
  keys: ReadonlySet<string>,
): RenameTarget | Refusal {
  const uses = identitiesOf(bound).uses.filter(({ key }) => keys.has(key));
  const target = { span: { start, end }, name: reference.name, keys, uses };
  if (reference.meaning.kind !== 'column') return { ...target, unnamed: [] };
  const definitions = new Map(
    uses.flatMap((one) => definitionsIn(one.reference)).map((span) => [span.start, span]),
  );
  const unnamed: Assignment[] = [];
  for (const definition of definitions.values()) {
    if (uses.some((one) => one.reference.definition && one.start === definition.start)) continue;
    const item = unnamedItem(bound, definition);
    if (item === undefined) return { refusal: cannotName(bound, reference.name, definition) };
    unnamed.push(item);
  }
  const fixed = fixedName(bound, definitions);
  if (fixed !== undefined) return { refusal: fixed };
  if (madeName(uses) === reference.name) return { ...target, unnamed };
  const [made, name] = [madeName(uses), reference.name].map((one) => inQuotes(quoteName(one)));
  return {
    refusal: `A join renames ${made} to ${name} here. Rename ${made} where it is defined.`,
  };
}

/** Returns the column's explicit name, or else its shortest name, which has no number from a join. */
function madeName(uses: readonly Use[]): string {
  const written = uses.find((one) => one.reference.definition)?.reference.name;
  if (written !== undefined) return written;
  return uses.reduce(
    (a, b) => (b.reference.name.length < a.reference.name.length ? b : a),
    uses[0] as Use,
  ).reference.name;
}

function definitionsIn({ meaning }: Reference): Span[] {
  return meaning.kind === 'column' ? definitionsOf(meaning.column) : [];
}

function refusalOf(bound: BoundQuery, reference: Reference, key: string): string | undefined {
  const { meaning, name } = reference;
  const written = inQuotes(quoteName(name));
  switch (meaning.kind) {
    case 'function':
      return `${name}() is a built-in function and cannot be renamed.`;
    case 'dataset':
      return `${written} is a dataset and cannot be renamed.`;
    case 'unknown':
      if (key.startsWith('dataset ')) return `${written} is a dataset and cannot be renamed.`;
      if (key.startsWith('call ')) return `${name}() is a function and cannot be renamed.`;
      return `${written} is not defined in this query. Use project-rename to rename a field.`;
    case 'column':
      return columnRefusal(bound, meaning.column, key);
    case 'let':
    case 'parameter': {
      const declared = bound.references.filter(
        (one) => one.definition && one.name === name && one.meaning.kind !== 'column',
      );
      if (declared.length === 1) return undefined;
      return declared.length === 0
        ? `${written} is not declared in this query.`
        : `${written} is declared more than once, so the reference is ambiguous.`;
    }
  }
}

function columnRefusal(bound: BoundQuery, column: Column, key: string): string | undefined {
  const name = inQuotes(quoteName(column.name));
  if (definitionsOf(column).length === 0) {
    const where = column.dataset === undefined ? '' : ` of ${inQuotes(quoteName(column.dataset))}`;
    return `${name} is a field${where} and not defined in this query. Use project-rename to rename it.`;
  }
  if (identitiesOf(bound).isPartlyStored(key)) {
    return `${name} is defined in this query, but it is a stored field in another table of the union. It cannot be renamed.`;
  }
  return undefined;
}

function unnamedItem({ tree }: BoundQuery, definition: Span): Assignment | undefined {
  let found: Assignment | undefined;
  walk(tree.statements, (node) => {
    if (node.start > definition.start || node.end < definition.end) return false;
    if (node.kind !== 'Assignment' || node.name !== undefined) return true;
    const { start, end } = node.expression;
    if (start === definition.start && end === definition.end) found = node;
    return true;
  });
  return found;
}

function cannotName({ tree }: BoundQuery, name: string, { start, end }: Span): string {
  const written = tree.text.slice(start, end);
  if (operatorNamed(written) !== undefined) {
    return `The column name of the operator ${written} is fixed. Use summarize with a name, as in summarize n = count().`;
  }
  return `The name ${inQuotes(quoteName(name))} is derived from ${written} and cannot be set there. Use project-rename to rename it.`;
}

/** Formats of externaldata whose columns are identified by position, so any name is valid. */
const ordered = /^(?:csv|psv|scsv|sohsv|tsv|tsve|txt)$/i;

/** Refuses a column whose name is used to look up values, because a new name would find other values. */
function fixedName(
  { tree }: BoundQuery,
  definitions: ReadonlyMap<number, Span>,
): string | undefined {
  let refusal: string | undefined;
  walk(tree.statements, (node) => {
    if (node.kind !== 'ParseKvOperator' && node.kind !== 'ExternaldataSource') return;
    const [reader, declarations] =
      node.kind === 'ParseKvOperator' ? ['parse-kv', node.keys] : ['externaldata', node.columns];
    const found = declarations.find(({ name }) => definitions.has(name.start))?.name.name;
    if (found === undefined) return;
    if (node.kind === 'ExternaldataSource' && ordered.test(formatOf(node))) return;
    refusal = `${reader} looks up ${inQuotes(quoteName(found))} by its name. Use project-rename to rename it.`;
  });
  return refusal;
}

function formatOf({ properties }: ExternaldataSource): string {
  const value = properties.find(({ name }) => name.name === 'format')?.value;
  if (value?.kind === 'NameReference') return value.name;
  return value?.kind === 'Literal' ? String(value.value) : '';
}

function notAName({ tree }: BoundQuery, offset: number): string {
  const { text, tokens } = tree;
  const i = tokenFrom(tokens, offset);
  const at = tokens[i];
  const before = tokens[i - 1];
  const token =
    at !== undefined && at.start <= offset ? at : before?.end === offset ? before : undefined;
  const written = token === undefined ? '' : text.slice(token.start, token.end);
  const isWord = token?.kind === 'word' || scalarOperatorNamed(written) !== undefined;
  if (isWord) return `${inQuotes(written)} is a keyword and cannot be renamed.`;
  return 'There is no name here.';
}
