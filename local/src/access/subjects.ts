/**
 * Finds the subject of a query or document: the datasets and views that it reads. It is derived from the query's text
 * alone, so deleting a dataset doesn't change who may see a monitor.
 */
import { bindQuery, parseQuery, walk } from '../../../language/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';

/** The names that a query or document reads. `everything` is true if it can't be analyzed or may read any dataset. */
export interface Subject {
  readonly names: readonly string[];
  readonly everything: boolean;
}

const anything: Subject = { names: [], everything: true };
const nothing: Subject = { names: [], everything: false };

const cachedByQuery = new Map<string, Subject>();
const CACHED_MAX = 2_000;

/** Analyzing longer queries would block other requests. */
const QUERY_CHARS_MAX = 20_000;

/** Returns the subject of a query. A query that can't be analyzed counts as reading everything. */
export function subjectOfQuery(apl: string): Subject {
  if (apl.length > QUERY_CHARS_MAX) return anything;
  const before = cachedByQuery.get(apl);
  if (before !== undefined) return before;
  const found = analyze(apl);
  if (cachedByQuery.size >= CACHED_MAX) cachedByQuery.clear();
  cachedByQuery.set(apl, found);
  return found;
}

function analyze(apl: string): Subject {
  // Analyzing a deeply nested query may overflow the stack.
  try {
    const tree = parseQuery(apl);
    if (tree.problems.length > 0) return anything;
    let everything = false;
    walk(tree.statements, (node) => {
      switch (node.kind) {
        case 'DatasetPattern':
          everything ||= node.wildcard || node.name.includes('*');
          break;
        case 'Pipeline':
          everything ||= node.source.kind === 'SearchOperator' && node.source.tables.length === 0;
          break;
        // The argument of `table()` may be a variable in the request.
        case 'TableCall':
          everything ||= node.argument.kind !== 'Literal';
          break;
      }
    });
    if (everything) return anything;
    // Bind with an empty schema, so that every unknown table name counts as a dataset.
    const names = bindQuery(tree, { datasets: [] }).references.flatMap(({ meaning }) =>
      meaning.kind === 'dataset' ? [meaning.name] : [],
    );
    return { names: [...new Set(names)], everything: false };
  } catch (error) {
    if (error instanceof RangeError) return anything;
    throw error;
  }
}

const subjects: { readonly [Kind in ResourceKind]?: (document: Document) => Subject } = {
  // The datasets of an MPL query are unknown.
  monitor: ({ aplQuery, mplQuery }) => {
    const isPlain = typeof mplQuery !== 'string' || mplQuery.trim() === '';
    return isPlain && typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything;
  },
  view: ({ aplQuery }) => (typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything),
  annotation: ({ datasets }) => subjectOfNames(datasets),
  'virtual field': ({ dataset }) => subjectOfNames([dataset]),
  // A saved query is listed under one dataset but may read others.
  'saved query': ({ dataset, query }) => {
    const { apl } = (query ?? {}) as { readonly apl?: unknown };
    const read = typeof apl === 'string' ? subjectOfQuery(apl) : anything;
    return typeof dataset === 'string' ? { ...read, names: [dataset, ...read.names] } : read;
  },
};

/** A changed document is a new object, so entries never become stale. */
const cachedByDocument = new WeakMap<Document, Subject>();

export function subjectOf(kind: ResourceKind, document: Document): Subject {
  let subject = cachedByDocument.get(document);
  if (subject === undefined) {
    subject = subjects[kind]?.(document) ?? nothing;
    cachedByDocument.set(document, subject);
  }
  return subject;
}

// Returns the subject for a document's list of names. A damaged list counts as reading everything.
function subjectOfNames(names: unknown): Subject {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return anything;
  return { names, everything: false };
}
