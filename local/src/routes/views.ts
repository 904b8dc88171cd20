/** Views: stored under their name, which is their identifier. */
import type { View, ViewWrite } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { addDocument, changeDocument, deleteDocument, getDocument } from './documents.ts';
import type { Handlers } from './handler.ts';

export const viewHandlers: Handlers = {
  listViews: ({ seen }) => seen.documents<View>('view'),
  getView: ({ store, params }) => getDocument<View>(store, 'view', params.id),
  createView: ({ store, body }) => addDocument<View>(store, 'view', body.name, stored(body)),
  updateView: async ({ store, params, body }) => {
    if (body.name === params.id) {
      return changeDocument<View>(store, 'view', params.id, () => stored(body));
    }
    // A new name is a new identifier: the view is made under it before the old one goes.
    getDocument<View>(store, 'view', params.id);
    if (store.resources.get('view', body.name) !== undefined) {
      throw new ApiError('resource-exists', { kind: 'view', id: JSON.stringify(body.name) });
    }
    const view = await addDocument<View>(store, 'view', body.name, stored(body));
    await deleteDocument(store, 'view', params.id);
    return view;
  },
  deleteView: ({ store, params }) => deleteDocument(store, 'view', params.id),
};

function stored(view: ViewWrite): View {
  return { ...view, id: view.name };
}
