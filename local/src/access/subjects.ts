/**
 * Finds the subject of a query or document: the datasets and views that it reads. The subject depends only on the
 * query's text and not on which datasets exist, so deleting a dataset doesn't change who may see a monitor.
 */
import { bindQuery, parseQuery, walk } from '../../../language/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';

/** Names of datasets and views. `everything` is true if the query can't be analyzed or may read any dataset or view. */
export interface Subject {
  readonly names: readonly string[];
  readonly everything: boolean;
}

const anything: Subject = { names: [], everything: true };
const nothing: Subject = { names: [], everything: false };

const cachedByQuery = new Map<string, Subject>();
const CACHED_MAX = 2_000;

/** Maximum length of a query that is analyzed here. Analyzing a longer query would block other requests. */
const QUERY_CHARS_MAX = 20_000;

/** Returns the subject of a query. A query that is invalid or too long to analyze counts as reading everything. */
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
  // Analyzing a deeply nested query may overflow the stack. Such a query counts as reading everything.
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
        // `table()` may get the name from a variable in the request, so the query counts as reading everything.
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

/** By kind of document, a function that returns a document's subject. Other kinds don't use datasets. */
const subjects: { readonly [Kind in ResourceKind]?: (document: Document) => Subject } = {
  // The datasets of an MPL query are unknown, so a monitor with an MPL query counts as reading everything.
  monitor: ({ aplQuery, mplQuery }) => {
    const isPlain = typeof mplQuery !== 'string' || mplQuery.trim() === '';
    return isPlain && typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything;
  },
  view: ({ aplQuery }) => (typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything),
  annotation: ({ datasets }) => subjectOfNames(datasets),
  'virtual field': ({ dataset }) => subjectOfNames([dataset]),
  // A saved query is listed under one dataset but may read others. Include all of them.
  'saved query': ({ dataset, query }) => {
    const { apl } = (query ?? {}) as { readonly apl?: unknown };
    const read = typeof apl === 'string' ? subjectOfQuery(apl) : anything;
    return typeof dataset === 'string' ? { ...read, names: [dataset, ...read.names] } : read;
  },
};

/** Cached subjects, by document. A changed document is a new object, so entries never become stale. */
const cachedByDocument = new WeakMap<Document, Subject>();

/** Returns the subject of a stored document or of a request body. */
export function subjectOf(kind: ResourceKind, document: Document): Subject {
  let subject = cachedByDocument.get(document);
  if (subject === undefined) {
    subject = subjects[kind]?.(document) ?? nothing;
    cachedByDocument.set(document, subject);
  }
  return subject;
}

// Returns the subject for a stored list of names. A damaged list counts as reading everything.
function subjectOfNames(names: unknown): Subject {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return anything;
  return { names, everything: false };
}
