/**
 * The values that a page of the documentation shows and that follow from the query alone: the columns of a
 * query that are computed of constants, whatever rows they stand beside, and whether a value is the one shown.
 * Pages round, write thousands apart, and show a column under another name where there is only one.
 */
import type { BoundQuery } from '../../language/src/index.ts';
import type { Entry } from './documentation.ts';

/** Operators behind which a computed column holds what it held. */
const keeping = new Set(['limit', 'where', 'sort', 'top']);

/** The names of the columns of the last stage that hold the same in every row, whatever is stored. */
function constantColumns({ pipelines }: BoundQuery): ReadonlySet<string> {
  const [pipeline] = pipelines;
  let known: ReadonlySet<string> = new Set();
  if (pipeline === undefined) return known;
  const { source, stages } = pipeline;
  if (source.kind === 'print') known = computed(source.items, new Set(), new Set());
  for (const { operator } of stages) {
    if (operator.kind === 'extend') known = computed(operator.items, known, known);
    else if (operator.kind === 'project') known = computed(operator.items, known, new Set());
    else if (!keeping.has(operator.kind)) known = new Set();
  }
  return known;
}

function computed(
  items: readonly { readonly name: string; readonly expression: unknown }[],
  known: ReadonlySet<string>,
  others: ReadonlySet<string>,
): ReadonlySet<string> {
  const names = new Set(others);
  for (const { name, expression } of items) {
    if (readsRows(expression, known)) names.delete(name);
    else names.add(name);
  }
  return names;
}

/** Functions that answer by what the dataset holds, although a constant names it. */
const readers = new Set(['column_ifexists', 'ensure_field']);

function readsRows(of: unknown, known: ReadonlySet<string>): boolean {
  if (Array.isArray(of)) return of.some((item) => readsRows(item, known));
  if (typeof of !== 'object' || of === null) return false;
  const node = of as { kind?: string; name?: string; aggregate?: boolean };
  if (node.kind === 'column') return !known.has(node.name ?? '');
  if (node.kind === 'call' && (node.aggregate || readers.has(node.name ?? ''))) return true;
  return Object.values(of).some((inner) => readsRows(inner, known));
}

/** What a page shows for constant columns, by the column's name: texts of a table, or values of JSON. */
export function shownValues(entry: Entry, bound: BoundQuery): Map<string, unknown[]> {
  const columns = constantColumns(bound);
  const made = new Set(bound.pipelines[0]?.columns.list.map(({ name }) => name));
  const shown = new Map<string, unknown[]>();
  const { outputTable, outputJson } = entry;
  for (const name of columns) {
    if (outputTable !== undefined) {
      const named = outputTable.columns.indexOf(name);
      const last = outputTable.columns.length - 1;
      const isRenamed =
        named < 0 && columns.size === 1 && !made.has(outputTable.columns[last] ?? '');
      const place = isRenamed ? last : named;
      if (place >= 0)
        shown.set(
          name,
          outputTable.rows.map((row) => row[place]),
        );
    } else if (outputJson !== undefined) {
      shown.set(
        name,
        outputJson.map(({ text }) => unwrapped(JSON.parse(text), name)),
      );
    }
  }
  return shown;
}

/** A page shows a value alone, as a list of one row, or as a member with the column's name. */
function unwrapped(of: unknown, name: string): unknown {
  if (Array.isArray(of) && of.length === 1 && Array.isArray(of[0])) return of[0];
  const isRow = typeof of === 'object' && of !== null && Object.hasOwn(of, name);
  return isRow ? (of as Record<string, unknown>)[name] : of;
}

export function isShown(actual: unknown, shown: unknown): boolean {
  if (typeof shown === 'string' && typeof actual !== 'string') return isText(actual, shown);
  if (Array.isArray(actual) && Array.isArray(shown)) {
    return actual.length === shown.length && actual.every((item, i) => isShown(item, shown[i]));
  }
  if (isMap(actual) && isMap(shown)) {
    const keys = Object.keys(actual);
    return (
      keys.length === Object.keys(shown).length &&
      keys.every((key) => isShown(actual[key], shown[key]))
    );
  }
  return actual === shown;
}

/** Whether a cell's text reads as the value; a number counts to the digits that are shown. */
function isText(actual: unknown, shown: string): boolean {
  if (typeof actual === 'number') {
    const digits = shown.replaceAll(',', '');
    const places = digits.split('.')[1]?.length ?? 0;
    return digits !== '' && actual.toFixed(places) === Number(digits).toFixed(places);
  }
  try {
    return isShown(actual, JSON.parse(shown));
  } catch {
    const items = /^\[(.*)\]$/s.exec(shown)?.[1]?.split(',');
    if (Array.isArray(actual) && items !== undefined) {
      return isShown(
        actual,
        items.map((item) => item.trim()),
      );
    }
    return String(actual) === shown;
  }
}

function isMap(of: unknown): of is Record<string, unknown> {
  return typeof of === 'object' && of !== null && !Array.isArray(of);
}
