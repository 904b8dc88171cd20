/** Renames a column, `let` statement or parameter. Rejects the rename if it would change the query's meaning. */
import { analyzeQuery, type QueryAnalysis } from '../analysis.ts';
import type { BoundQuery, NamedExpression } from '../binding/bound.ts';
import { derivedName } from '../binding/derivedNames.ts';
import { itemsOf } from '../binding/visit.ts';
import { applyEdits, type Edit, insert, replace } from '../edits.ts';
import { inQuotes, quoteName, quoteText } from '../names.ts';
import type { Schema } from '../schema.ts';
import { decodeString } from '../syntax/strings.ts';
import type { Assignment } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { identitiesOf, type Use } from './identity.ts';
import { usesAt } from './occurrences.ts';
import { difference, type Expected, renamed } from './renameCheck.ts';
import {
  type Refusal,
  type RenameTarget,
  renameTarget,
  stagesAround,
  withReplaced,
} from './renameTarget.ts';

/** Returns the name that a rename at an offset would change, without quotes, and the name's span. */
export function prepareRename(
  { bound }: QueryAnalysis,
  offset: number,
): { readonly span: Span; readonly name: string } | Refusal {
  const target = renameTarget(bound, offset);
  return 'refusal' in target ? target : { span: target.span, name: target.name };
}

/** Returns the edits of a rename. `written` is the new name, plain or quoted. `schema` is the analysis's schema. */
export function renameEdits(
  analysis: QueryAnalysis,
  offset: number,
  written: string,
  schema?: Schema,
): readonly Edit[] | Refusal {
  const { bound } = analysis;
  const target = renameTarget(bound, offset);
  if ('refusal' in target) return target;
  const name = plainName(written);
  if (name.trim() === '') return { refusal: 'A name cannot be empty.' };
  if (name === target.name) return [];
  const taken = takenBy(bound, target, name);
  if (taken !== undefined) return { refusal: taken };
  // Analyze the query again, because `analysis` may lack suppressed problems.
  const before = analyzeQuery(bound.tree.text, schema, { lets: bound.outer });
  const all = withReplaced(bound, target);
  const targets = all === undefined || 'refusal' in all ? [target] : [target, all];
  let found: string | undefined;
  for (const one of targets) {
    for (const numbered of ['kept', 'dropped'] as const) {
      const expected: Expected = { target: one, name, numbered };
      const edits = editsFor(bound, expected);
      const after = analyzeQuery(applyEdits(bound.tree.text, edits), schema, { lets: bound.outer });
      const other = difference(before, after, edits, expected);
      if (other === undefined) return edits;
      found ??= other;
    }
  }
  return { refusal: found ?? '' };
}

/** Removes brackets and quotes that the user may have added to a name. */
function plainName(written: string): string {
  const quoted = /^\s*\[\s*((['"]).*\2)\s*\]\s*$/s.exec(written);
  return quoted === null ? written.trim() : decodeString(quoted[1] as string);
}

/** Returns a message if the new name is already used. Other conflicts are found by analyzing the renamed query. */
function takenBy(
  bound: BoundQuery,
  { keys, uses }: RenameTarget,
  name: string,
): string | undefined {
  const written = inQuotes(quoteName(name));
  const [first] = uses;
  if (first?.reference.meaning.kind !== 'column') {
    const declared = bound.references.find(
      (one) => one.definition && one.name === name && one.meaning.kind !== 'column',
    );
    if (declared === undefined) return undefined;
    return `${written} is already declared in this query. Choose another name.`;
  }
  const identities = identitiesOf(bound);
  for (const { input, output } of stagesAround(bound, uses)) {
    for (const { list } of [input, output]) {
      if (!list.some((column) => column.name === name)) continue;
      const both = list.some((column) => column.definition && keys.has(identities.keyOf(column)));
      if (both) return `The column ${written} already exists. Choose another name.`;
    }
  }
  return undefined;
}

function editsFor(bound: BoundQuery, expected: Expected): Edit[] {
  const { target, name } = expected;
  const edits = new Map<number, Edit>();
  const texts = namesInTexts(bound);
  for (const use of target.uses) {
    if (!edits.has(use.start)) edits.set(use.start, useEdit(bound, use, expected, texts));
  }
  const { text } = bound.tree;
  const named = [
    ...target.unnamed.map((item) => ({ item, kept: name })),
    ...derivedItems(bound, expected),
  ];
  const insertions = named.map(({ item, kept }) => insert(item.start, `${quoteName(kept)} = `));
  return [...insertions, ...edits.values()].filter(
    (edit) => text.slice(edit.start, edit.end) !== edit.text,
  );
}

/** Maps the spans of names in quotes, such as `$left['name']`, to their string literals. Created once for all uses. */
function namesInTexts({ tree }: BoundQuery): Map<string, Span> {
  const found = new Map<string, Span>();
  walk(tree.statements, (node) => {
    const name = node.kind === 'Index' ? node.index : node;
    if (name.kind === 'Literal' && name.type === 'string') {
      found.set(`${node.start}:${node.end}`, name);
    }
  });
  return found;
}

/** Returns the edit that renames one use: a name, a string, or a join key, which becomes `$left.x == $right.y`. */
function useEdit(
  bound: BoundQuery,
  use: Use,
  expected: Expected,
  texts: ReadonlyMap<string, Span>,
): Edit {
  const { start, end, reference } = use;
  const to = renamed(reference.name, expected);
  const other = otherKey(bound, use, expected.target.keys);
  if (other !== undefined) {
    const sides = other.isLeft ? [other.use.reference.name, to] : [to, other.use.reference.name];
    const [left, right] = sides.map((side) => memberOf(side as string));
    return replace(use, `$left${left} == $right${right}`);
  }
  const name = texts.get(`${start}:${end}`);
  return name === undefined ? replace(use, quoteName(to)) : replace(name, quoteText(to));
}

/** Returns the column of a join key that the rename doesn't change. Returns undefined if it changes both columns. */
function otherKey(
  bound: BoundQuery,
  use: Use,
  keys: ReadonlySet<string>,
): { use: Use; isLeft: boolean } | undefined {
  const here = usesAt(bound, use.start).filter(({ end }) => end === use.end);
  const other = here.findIndex(({ key }) => !keys.has(key));
  const found = here[other];
  return found === undefined ? undefined : { use: found, isLeft: other === 0 };
}

function memberOf(name: string): string {
  const written = quoteName(name);
  return written.startsWith('[') ? written : `.${written}`;
}

/** Returns the unnamed items whose column names derive from the renamed symbol, each with the name to keep. */
function derivedItems(bound: BoundQuery, expected: Expected): { item: Assignment; kept: string }[] {
  const starts = new Map(expected.target.uses.map((use) => [use.start, use.reference.name]));
  const items = namedItems(bound);
  const found: { item: Assignment; kept: string }[] = [];
  walk(bound.tree.statements, (node) => {
    if (node.kind !== 'Assignment' || node.name !== undefined) return;
    if (expected.target.unnamed.includes(node)) return;
    const before = derivedName(node.expression);
    const after = derivedName(node.expression, ({ start, name }) =>
      starts.has(start) ? renamed(name, expected) : name,
    );
    if (before === undefined || before === after) return;
    const item = items.get(node.start);
    // A lone column's name is supposed to change, so don't preserve its old name.
    if (item?.expression.kind === 'column' && item.name === item.expression.name) return;
    if (item?.columns !== undefined) return;
    found.push({ item: node, kept: item?.name ?? before });
  });
  return found;
}

function namedItems({ stages }: BoundQuery): Map<number, NamedExpression> {
  const items = stages.flatMap(({ operator }) => itemsOf(operator));
  return new Map(items.map((item) => [item.start, item]));
}
