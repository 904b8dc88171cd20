/** Finds links: URLs in comments and the files that `externaldata` reads. */
import type { DocumentLink } from 'vscode-languageserver';
import { type Link, linksInComments, linksOf } from '../../../language/src/editing.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const documentLinksFeature: Feature = {
  capabilities: { documentLinkProvider: {} },
  register(connection, workspace) {
    connection.onDocumentLinks(workspace.answering([], documentLinks));
  },
};

export function documentLinks({ text, lines, queries }: Snapshot): DocumentLink[] {
  const links: DocumentLink[] = [];
  const add = (found: readonly Link[], base: number) => {
    for (const link of found) links.push({ range: toRange(lines, link, base), target: link.url });
  };
  // Comments between queries aren't part of any query, so search them separately.
  let end = 0;
  for (const query of queries) {
    add(linksInComments(text, { start: end, end: query.start }), 0);
    add(linksOf(query.analysis.tree), query.start);
    end = query.end;
  }
  add(linksInComments(text, { start: end, end: text.length }), 0);
  return links;
}
