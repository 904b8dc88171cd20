// Splits a file of the workspace into its queries.
import { findSnippets } from '../../formats/src/snippets.ts';
import { LineTable, splitQueries } from '../../language/src/index.ts';
import type { WorkspaceQuery } from './context.ts';

/** Returns the queries of an APL or Markdown file. `name` is the file's name without folders. */
export function fileQueries(name: string, text: string): WorkspaceQuery[] {
  const lines = new LineTable(text);
  return findSnippets({ name, text }).flatMap((snippet) =>
    splitQueries(snippet.text).map(({ start, end }) => {
      const line = lines.positionAt(snippet.start + start).line + 1;
      return { name: `${name}:${line}`, apl: snippet.text.slice(start, end) };
    }),
  );
}
