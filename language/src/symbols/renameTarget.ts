/**
 * What rename may change: names that the query itself gives. Everything else is refused with the reason
 * and, where there is one, the way to have it all the same.
 */
import type { BoundQuery, Column, Reference } from '../binding/bound.ts';
import { operatorNamed, scalarOperatorNamed } from '../catalog/index.ts';
import { quoteName } from '../names.ts';
import type { Assignment } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { identitiesOf, type Use } from './identity.ts';
import { definitionsOf, usesAt } from './occurrences.ts';
import { tokenFrom } from './tokenSearch.ts';

/** Why something is not renamed: a sentence or two for whoever asked. */
export interface Refusal {
  readonly refusal: string;
}

/** A name that can be changed. */
export interface RenameTarget {
  /** The name under the cursor. */
  readonly span: Span;
  readonly name: string;
  readonly key: string;
  /** Every name in the text that means the same. */
  readonly uses: readonly Use[];
  /** Items without a written name that make the column: they are given one. */
  readonly unnamed: readonly Assignment[];
}

/** What is to be renamed at an offset of a query, or why nothing is. */
export function renameTarget(bound: BoundQuery, offset: number): RenameTarget | Refusal {
  const here = usesAt(bound, offset);
  const use = here.find(({ reference }) => definitionsIn(reference).length > 0) ?? here[0];
  if (use === undefined) return { refusal: notAName(bound, offset) };
  const { reference, key, start, end } = use;
  const refusal = refusalOf(bound, reference, key);
  if (refusal !== undefined) return { refusal };
  const identities = identitiesOf(bound);
  const uses = identities.uses.filter((one) => one.key === key);
  const definitions = new Map(
    uses.flatMap((one) => definitionsIn(one.reference)).map((span) => [span.start, span]),
  );
  const target = { span: { start, end }, name: reference.name, key, uses };
  if (reference.meaning.kind !== 'column') return { ...target, unnamed: [] };
  const unnamed: Assignment[] = [];
  for (const definition of definitions.values()) {
    if (uses.some((one) => one.reference.definition && one.start === definition.start)) continue;
    const item = unnamedItem(bound, definition);
    if (item === undefined) return { refusal: cannotName(bound, reference.name, definition) };
    unnamed.push(item);
  }
  const fixed = fixedName(bound, definitions);
  if (fixed !== undefined) return { refusal: fixed };
  const made = madeName(uses);
  if (made !== reference.name) {
    return {
      refusal: `A join calls ${quoteName(made)} ${quoteName(reference.name)} here. Rename ${quoteName(made)} where it is made.`,
    };
  }
  return { ...target, unnamed };
}

/** The name that a column was made under: where it is written or, for a derived one, before any number. */
function madeName(uses: readonly Use[]): string {
  const written = uses.find((one) => one.reference.definition)?.reference.name;
  if (written !== undefined) return written;
  return uses.reduce(
    (a, b) => (b.reference.name.length < a.reference.name.length ? b : a),
    uses[0] as Use,
  ).reference.name;
}

function definitionsIn({ meaning }: Reference): Span[] {
  if (meaning.kind === 'column') return definitionsOf(meaning.column);
  return [];
}

function refusalOf(bound: BoundQuery, reference: Reference, key: string): string | undefined {
  const { meaning, name } = reference;
  const written = quoteName(name);
  switch (meaning.kind) {
    case 'function':
      return `${name}() is a function of APL and keeps its name.`;
    case 'dataset':
      return `${written} is a dataset and keeps its name.`;
    case 'unknown':
      return `${written} is not made in this query. project-rename gives a field another name from there on.`;
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
        : `${written} is declared more than once, so that it cannot be told which is meant.`;
    }
  }
}

function columnRefusal(bound: BoundQuery, column: Column, key: string): string | undefined {
  const name = quoteName(column.name);
  if (definitionsOf(column).length === 0) {
    const where = column.dataset === undefined ? '' : ` of ${quoteName(column.dataset)}`;
    return `${name} is a field${where}, not made in this query. project-rename gives it another name from there on.`;
  }
  if (identitiesOf(bound).isPartlyStored(key)) {
    return `${name} is made in this query, and it is a stored field of another table of the union. It keeps its name.`;
  }
  return undefined;
}

/** The item without a written name whose expression a column is called after. */
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

/** Why a column that has no written name cannot be given one. */
function cannotName({ tree }: BoundQuery, name: string, { start, end }: Span): string {
  const written = tree.text.slice(start, end);
  if (operatorNamed(written) !== undefined) {
    return `The operator ${written} names its column itself. Use summarize with a name, as in summarize n = count().`;
  }
  return `${quoteName(name)} is named after ${written}, where no name can be written. project-rename gives it another from there on.`;
}

/** Names by which an operator finds its values, so that another name would read something else. */
function fixedName(
  { tree }: BoundQuery,
  definitions: ReadonlyMap<number, Span>,
): string | undefined {
  let refusal: string | undefined;
  walk(tree.statements, (node) => {
    if (node.kind !== 'ParseKvOperator' && node.kind !== 'ExternaldataSource') return;
    const declarations = node.kind === 'ParseKvOperator' ? node.keys : node.columns;
    const found = declarations.find(({ name }) => definitions.has(name.start))?.name.name;
    if (found === undefined) return;
    const reader = node.kind === 'ParseKvOperator' ? 'parse-kv' : 'externaldata';
    refusal = `${reader} finds ${quoteName(found)} by this name. project-rename gives it another from there on.`;
  });
  return refusal;
}

/** What stands at an offset where no name is. */
function notAName({ tree }: BoundQuery, offset: number): string {
  const { text, tokens } = tree;
  const i = tokenFrom(tokens, offset);
  const at = tokens[i];
  const before = tokens[i - 1];
  const token =
    at !== undefined && at.start <= offset ? at : before?.end === offset ? before : undefined;
  const written = token === undefined ? '' : text.slice(token.start, token.end);
  const isWord = token?.kind === 'word' || scalarOperatorNamed(written) !== undefined;
  if (isWord) return `${written} is a word of APL and keeps its name.`;
  return 'There is no name here.';
}
