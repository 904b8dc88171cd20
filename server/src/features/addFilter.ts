/** Adds a condition on a value of a result to the query that gave it, and writes the paths of values. */
import type { GenericRequestHandler } from 'vscode-languageserver';
import { filterEdits, quotePath } from '../../../language/src/editing.ts';
import { queryAt } from '../../../language/src/index.ts';
import { toOffset, toTextEdits } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  type AddFilterParams,
  type AddFilterResult,
  addFilterRequest,
  type QuotePathParams,
  type QuotePathResult,
  quotePathRequest,
} from '../protocol.ts';

export const addFilterFeature: Feature = {
  capabilities: {},
  register(connection, workspace) {
    const handle: GenericRequestHandler<AddFilterResult, void> = (params: AddFilterParams) => {
      const now = workspace.snapshot(params.uri);
      return now ? addFilter(now, params) : { refusal: 'The document is not open.' };
    };
    connection.onRequest(addFilterRequest, handle);
    connection.onRequest(
      quotePathRequest,
      ({ column, path }: QuotePathParams): QuotePathResult => quotePath(column, path),
    );
  },
};

export function addFilter(
  snapshot: Snapshot,
  { position, condition }: AddFilterParams,
): AddFilterResult {
  const query = queryAt(snapshot.queries, toOffset(snapshot.lines, position));
  if (query === undefined) return { refusal: 'The query of this result is no longer there.' };
  const edits = filterEdits(query.analysis, condition, snapshot.schema);
  if (typeof edits === 'string') return { refusal: edits };
  return { edits: toTextEdits(snapshot.lines, edits, query.start) };
}
