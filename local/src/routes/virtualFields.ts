/** Virtual fields: stored once their expression is known to be usable, and listed by dataset. */
import type { VirtualField, VirtualFieldWrite } from '../../../api/src/index.ts';
import { sourcesOf } from '../sources.ts';
import { EngineError } from '../store/duckdb.ts';
import type { Store } from '../store/store.ts';
import { readVirtualField } from '../virtualFields.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';
import { queryError } from './queryErrors.ts';

export const virtualFieldHandlers: Handlers = {
  listVirtualFields: ({ seen, query }) =>
    seen
      .documents<VirtualField>('virtual field')
      .filter((field) => field.dataset === query.dataset),
  getVirtualField: ({ store, params }) =>
    getDocument<VirtualField>(store, 'virtual field', params.id),
  createVirtualField: async ({ store, body }) => {
    await checkExpression(store, body);
    const id = newId();
    return addDocument<VirtualField>(store, 'virtual field', id, { ...body, id });
  },
  updateVirtualField: async ({ store, params, body }) => {
    await checkExpression(store, body);
    return changeDocument<VirtualField>(store, 'virtual field', params.id, ({ id }) => ({
      ...body,
      id,
    }));
  },
  deleteVirtualField: ({ store, params }) => deleteDocument(store, 'virtual field', params.id),
};

/**
 * Throws an ApiError with the line and column in the expression where it cannot be used. Its dataset and the
 * fields that it names need not be there yet.
 */
async function checkExpression(store: Store, body: VirtualFieldWrite): Promise<void> {
  const { expression, dataset } = body;
  const { schema, virtualFieldsOf } = sourcesOf(store);
  const stored = schema.datasets.find(({ name }) => name === dataset);
  const layout = store.datasets.get(dataset)?.layout;
  const read = readVirtualField(
    { ...body, id: '' },
    {
      schema: { name: dataset, fields: stored?.fields ?? [], complete: false },
      layout: layout ?? { name: dataset, table: 'events.none', numbering: 1, fields: [] },
      before: virtualFieldsOf(dataset),
    },
  );
  if ('problem' in read) throw queryError(expression, [read.problem]);
  if (layout === undefined || read.unknown.length > 0) return;
  // DuckDB has the last word on whether the statement can run.
  await store.engine.makeMacros(read.plan.macros);
  try {
    await store.engine.use((session) => session.rows(`EXPLAIN ${read.plan.main.sql}`));
  } catch (error) {
    if (!(error instanceof EngineError) || !REFUSALS.has(error.kind)) throw error;
    const [message = ''] = error.message.split('\n');
    throw queryError(expression, [
      { code: 'invalid-argument', message, start: 0, end: expression.length },
    ]);
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['input', 'value', 'statement']);
