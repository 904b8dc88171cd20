/** Virtual fields: stored, and listed by dataset. */
import type { VirtualField } from '../../../api/src/index.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const virtualFieldHandlers: Handlers = {
  listVirtualFields: ({ store, query }) =>
    store.resources
      .list<VirtualField>('virtual field')
      .filter((field) => field.dataset === query.dataset),
  getVirtualField: ({ store, params }) =>
    getDocument<VirtualField>(store, 'virtual field', params.id),
  createVirtualField: ({ store, body }) => {
    const id = newId();
    return addDocument<VirtualField>(store, 'virtual field', id, { ...body, id });
  },
  updateVirtualField: ({ store, params, body }) =>
    changeDocument<VirtualField>(store, 'virtual field', params.id, ({ id }) => ({ ...body, id })),
  deleteVirtualField: ({ store, params }) => deleteDocument(store, 'virtual field', params.id),
};
