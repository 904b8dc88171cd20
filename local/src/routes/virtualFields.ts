/** Handles virtual fields. Validates an expression before storing its field. */
import type { VirtualField, VirtualFieldWrite } from '../../../api/src/index.ts';
import { EngineError } from '../engines/engineError.ts';
import { sourcesOf } from '../sources.ts';
import type { Store } from '../store/store.ts';
import { readVirtualField } from '../virtualFields.ts';
import { documentHandlers } from './documents.ts';
import type { Handlers } from './handler.ts';
import { queryError } from './queryErrors.ts';

const virtualFields = documentHandlers<VirtualField, VirtualFieldWrite>('virtual field', {
  check: async (body, { store }) => {
    await checkExpression(store, body);
    return [];
  },
  created: (body, id) => ({ ...body, id }),
  updated: (body, { id }) => ({ ...body, id }),
});

export const virtualFieldHandlers = {
  listVirtualFields: ({ visible, query }) =>
    visible
      .documents<VirtualField>('virtual field')
      .filter((field) => field.dataset === query.dataset),
  getVirtualField: virtualFields.get,
  createVirtualField: virtualFields.create,
  updateVirtualField: virtualFields.update,
  deleteVirtualField: virtualFields.remove,
} satisfies Handlers;

/** Checks an expression. Throws an ApiError if it is invalid or unsupported. The dataset may not exist yet. */
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
      earlierFields: virtualFieldsOf(dataset),
    },
  );
  if ('problem' in read) throw queryError(expression, [read.problem]);
  if (layout === undefined || read.unknown.length > 0) return;
  // The engine detects additional errors when it plans the statement.
  try {
    await store.answers.check(read.plan);
  } catch (error) {
    if (!(error instanceof EngineError) || !STATEMENT_ERRORS.has(error.kind)) throw error;
    const [message = ''] = error.message.split('\n');
    throw queryError(expression, [
      { code: 'invalid-argument', message, start: 0, end: expression.length },
    ]);
  }
}

const STATEMENT_ERRORS: ReadonlySet<string> = new Set(['input', 'value', 'statement']);
