/**
 * Finds the datasets that a query, or a document with a query, is about. The result depends only on the text, not on
 * existing datasets, so that deleting a dataset does not change who may see a monitor.
 */
import { bindQuery, parseQuery, walk } from '../../../language/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';

/** Names of datasets and views. `everything`: the query may read any of them, or cannot be analyzed. */
export interface Subject {
  readonly names: readonly string[];
  readonly everything: boolean;
}

const anything: Subject = { names: [], everything: true };
const nothing: Subject = { names: [], everything: false };

const cachedByQuery = new Map<string, Subject>();
const CACHED_MAX = 2_000;

/** The maximum length of a query that is analyzed here. Longer queries would block other requests. */
const QUERY_CHARS_MAX = 20_000;

/** Returns the subject of a query. A query that is invalid or too long to analyze may read anything. */
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
  // Analyzing a deeply nested query may overflow the stack. Such a query may read anything.
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
        // A variable in the request may name the table, so the query may read anything.
        case 'TableCall':
          everything ||= node.argument.kind !== 'Literal';
          break;
      }
    });
    if (everything) return anything;
    // With an empty schema, every name is bound as a dataset.
    const names = bindQuery(tree, { datasets: [] }).references.flatMap(({ meaning }) =>
      meaning.kind === 'dataset' ? [meaning.name] : [],
    );
    return { names: [...new Set(names)], everything: false };
  } catch (error) {
    if (error instanceof RangeError) return anything;
    throw error;
  }
}

/** Functions for the subject of a document, by kind. A kind without an entry is about no dataset. */
const subjects: { readonly [Kind in ResourceKind]?: (document: Document) => Subject } = {
  // The datasets of an MPL query can't be determined, even if there is also an APL query.
  monitor: ({ aplQuery, mplQuery }) => {
    const isPlain = typeof mplQuery !== 'string' || mplQuery.trim() === '';
    return isPlain && typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything;
  },
  view: ({ aplQuery }) => (typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything),
  annotation: ({ datasets }) => subjectOfNames(datasets),
  'virtual field': ({ dataset }) => subjectOfNames([dataset]),
  // The dataset under which a saved query is listed does not restrict the datasets of its query.
  'saved query': ({ dataset, query }) => {
    const { apl } = (query ?? {}) as { readonly apl?: unknown };
    const read = typeof apl === 'string' ? subjectOfQuery(apl) : anything;
    return typeof dataset === 'string' ? { ...read, names: [dataset, ...read.names] } : read;
  },
};

/** Cached subjects by document. A changed document is a new object, so entries never become stale. */
const cachedByDocument = new WeakMap<Document, Subject>();

/** Returns the subject of a document, or of the body that it is created from. */
export function subjectOf(kind: ResourceKind, document: Document): Subject {
  let subject = cachedByDocument.get(document);
  if (subject === undefined) {
    subject = subjects[kind]?.(document) ?? nothing;
    cachedByDocument.set(document, subject);
  }
  return subject;
}

// Returns the subject of a list of names, which a document stored by another version may lack.
function subjectOfNames(names: unknown): Subject {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return anything;
  return { names, everything: false };
}
