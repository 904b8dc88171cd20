/**
 * Which datasets a query, or a document that holds one, is about. It is read off the text alone, so that it does
 * not depend on what there is: whether somebody may see a monitor does not change because a dataset was deleted.
 */
import { bindQuery, parseQuery, walk } from '../../../language/src/index.ts';
import type { Document, ResourceKind } from '../store/resources.ts';

/** Names of datasets and views; `everything` where the text may read any, or cannot be understood. */
export interface Subject {
  readonly names: readonly string[];
  readonly everything: boolean;
}

const anything: Subject = { names: [], everything: true };
const nothing: Subject = { names: [], everything: false };

/** The subjects of queries that were read before. */
const cachedByQuery = new Map<string, Subject>();
const CACHED_MAX = 2_000;

/** Characters of a query that is read here: longer ones would hold up other requests. */
const QUERY_CHARS_MAX = 20_000;

/** What a query reads; one that is too long to be read at once may read anything. */
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
  // Reading nested texts may take more stack than there is.
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
        // What it names may come with the request.
        case 'TableCall':
          everything ||= node.argument.kind !== 'Literal';
          break;
      }
    });
    if (everything) return anything;
    // Of datasets that are not listed, each name is taken for one.
    const names = bindQuery(tree, { datasets: [] }).references.flatMap(({ meaning }) =>
      meaning.kind === 'dataset' ? [meaning.name] : [],
    );
    return { names: [...new Set(names)], everything: false };
  } catch (error) {
    if (error instanceof RangeError) return anything;
    throw error;
  }
}

/** What the documents of each kind are about; a kind without an entry is about no dataset. */
const subjects: { readonly [Kind in ResourceKind]?: (document: Document) => Subject } = {
  // What an MPL query reads is unknown, whatever the APL next to it reads.
  monitor: ({ aplQuery, mplQuery }) => {
    const isPlain = typeof mplQuery !== 'string' || mplQuery.trim() === '';
    return isPlain && typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything;
  },
  view: ({ aplQuery }) => (typeof aplQuery === 'string' ? subjectOfQuery(aplQuery) : anything),
  annotation: ({ datasets }) => subjectOfNames(datasets),
  'virtual field': ({ dataset }) => subjectOfNames([dataset]),
  // The dataset that it is listed under restricts nothing in its query.
  'saved query': ({ dataset, query }) => {
    const { apl } = (query ?? {}) as { readonly apl?: unknown };
    const read = typeof apl === 'string' ? subjectOfQuery(apl) : anything;
    return typeof dataset === 'string' ? { ...read, names: [dataset, ...read.names] } : read;
  },
};

/** The subjects of documents that were asked about before. One is replaced when it changes. */
const cachedByDocument = new WeakMap<Document, Subject>();

/** What a document, or the body that it is made of, is about. */
export function subjectOf(kind: ResourceKind, document: Document): Subject {
  let subject = cachedByDocument.get(document);
  if (subject === undefined) {
    subject = subjects[kind]?.(document) ?? nothing;
    cachedByDocument.set(document, subject);
  }
  return subject;
}

// A document of another version may lack what it is about.
function subjectOfNames(names: unknown): Subject {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return anything;
  return { names, everything: false };
}
