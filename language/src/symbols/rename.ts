/**
 * Renaming a column, let or parameter of a query. What has to change is worked out, and then the new
 * query is analysed: where anything but the name would become different, the rename is refused.
 */
import type { QueryAnalysis } from '../analysis.ts';
import { analyzeQuery } from '../analysis.ts';
import type { BoundQuery, NamedExpression } from '../binding/bound.ts';
import { derivedName } from '../binding/derivedNames.ts';
import { applyEdits, type Edit } from '../edits.ts';
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

/** The name at an offset that a rename would change: its span and the name without quotes. */
export function prepareRename(
  { bound }: QueryAnalysis,
  offset: number,
): { readonly span: Span; readonly name: string } | Refusal {
  const target = renameTarget(bound, offset);
  return 'refusal' in target ? target : { span: target.span, name: target.name };
}

/**
 * The edits that give what is named at an offset another name, everywhere in the query. `written` is the
 * new name, plain or as a query quotes it; quotes are added where they are needed. The schema is the one
 * that the analysis was made with.
 */
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
  // Problems are compared with those of the whole query: of this analysis some may have been silenced.
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

/** A name as somebody types it, who may have put the brackets and quotes around it already. */
function plainName(written: string): string {
  const quoted = /^\s*\[\s*((['"]).*\2)\s*\]\s*$/s.exec(written);
  return quoted === null ? written.trim() : decodeString(quoted[1] as string);
}

/**
 * Says that a name means something already where the renamed one is known, as far as that is cheap to see;
 * what is not seen here is found when the new query is compared.
 */
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
  const insertions = target.unnamed.map(({ start }) => insertion(start, name));
  for (const { item, kept } of derivedItems(bound, expected)) {
    insertions.push(insertion(item.start, kept));
  }
  return [...insertions, ...edits.values()].filter(
    (edit) => text.slice(edit.start, edit.end) !== edit.text,
  );
}

function insertion(start: number, name: string): Edit {
  return { start, end: start, text: `${quoteName(name)} = ` };
}

/**
 * By the span of what names something: the text inside it that is the name, as in `$left['name']` and in
 * `column_ifexists('name', 0)`. Found in one walk, since a name may be used thousands of times.
 */
function namesInTexts({ tree }: BoundQuery): Map<string, Span> {
  const found = new Map<string, Span>();
  walk(tree.statements, (node) => {
    const name = node.kind === 'Index' ? node.index : node;
    if (name.kind === 'Literal' && name.type === 'string') {
      found.set(`${node.start}:${node.end}`, { start: name.start, end: name.end });
    }
  });
  return found;
}

/** A name rewritten as it is written there: plain or in brackets, as a text, or for both sides of a join. */
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
    return { start, end, text: `$left${left} == $right${right}` };
  }
  const name = texts.get(`${start}:${end}`);
  return name === undefined
    ? { start, end, text: quoteName(to) }
    : { start: name.start, end: name.end, text: quoteText(to) };
}

/** The other column that a join's key names, when it is not renamed too. */
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

/** Items whose column is called after the renamed name, with the name that they are to keep. */
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
    // A column that is only passed on takes its new name along.
    if (item?.expression.kind === 'column' && item.name === item.expression.name) return;
    if (item?.columns !== undefined) return;
    found.push({ item: node, kept: item?.name ?? before });
  });
  return found;
}

/** The items of all stages by where they start. */
function namedItems(bound: BoundQuery): Map<number, NamedExpression> {
  const found = new Map<number, NamedExpression>();
  const add = (items: readonly NamedExpression[]) => {
    for (const item of items) found.set(item.start, item);
  };
  for (const { operator } of bound.stages) {
    switch (operator.kind) {
      case 'extend':
      case 'project':
      case 'distinct':
        add(operator.items);
        break;
      case 'summarize':
        add(operator.aggregates);
        add(operator.groups);
        break;
      case 'make-series':
        add(operator.aggregates.map(({ item }) => item));
        add(operator.groups);
        break;
      case 'mv-expand':
        add(operator.items.map(({ item }) => item));
        break;
    }
  }
  return found;
}
