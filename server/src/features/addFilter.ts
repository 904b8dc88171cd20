/** Handles requests to filter by result values: adds conditions to the query, and writes a value's path as APL. */
import { addFilters, quotePath } from '../../../language/src/editing.ts';
import { analyzeQuery } from '../../../language/src/index.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  type AddFilterParams,
  type AddFilterResult,
  addFilterRequest,
  type QuotePathParams,
  quotePathRequest,
} from '../protocol.ts';

export const addFilterFeature: Feature = {
  capabilities: {},
  register(connection, workspace) {
    const closed = { refusal: 'The document is not open.' };
    const handle = workspace.answering(closed, addFilter);
    connection.onRequest<AddFilterResult, void>(addFilterRequest, handle);
    connection.onRequest(quotePathRequest, ({ column, path }: QuotePathParams) =>
      quotePath(column, path),
    );
  },
};

export function addFilter(
  snapshot: Snapshot,
  { position, part, conditions }: AddFilterParams,
): AddFilterResult {
  const { lines, schema } = snapshot;
  const offset = lines.offsetAt(position);
  const query = snapshot.at(offset)?.query;
  if (query === undefined) return { refusal: 'The query of this result is no longer there.' };
  const lets = query.analysis.bound.outer;
  const analysis = part === undefined ? query.analysis : analyzeQuery(part, schema, { lets });
  const start = part === undefined ? query.start : offset;
  const added = addFilters(analysis, conditions, schema);
  if (typeof added === 'string') return { refusal: added };
  return { ...added, start: lines.positionAt(start) };
}
