/** Adds conditions on result values to the query that returned them, and quotes the paths of values. */
import type { GenericRequestHandler } from 'vscode-languageserver';
import { addFilters, quotePath } from '../../../language/src/editing.ts';
import { analyzeQuery, queryAt } from '../../../language/src/index.ts';
import { toOffset } from '../convert.ts';
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
  { position, part, conditions }: AddFilterParams,
): AddFilterResult {
  const { lines, schema, queries } = snapshot;
  const at = toOffset(lines, position);
  const query = queryAt(queries, at);
  if (query === undefined) return { refusal: 'The query of this result is no longer there.' };
  const lets = query.analysis.bound.outer;
  const analysis = part === undefined ? query.analysis : analyzeQuery(part, schema, { lets });
  const start = part === undefined ? query.start : at;
  const added = addFilters(analysis, conditions, schema);
  if (typeof added === 'string') return { refusal: added };
  return { ...added, start: lines.positionAt(start) };
}
