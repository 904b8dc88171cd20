/** Handles views. A view is stored under its name, which is also its identifier. */
import type { View, ViewWrite } from '../../../api/src/index.ts';
import { subjectOf, subjectOfQuery } from '../access/subjects.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { checkDocumentQueries, type Requester, replyWithNotices } from './documentQueries.ts';
import { addDocument, changeDocument, deleteDocument, getDocument } from './documents.ts';
import type { Call, Handlers } from './handler.ts';

export const viewHandlers = {
  listViews: ({ visible }) => visible.documents<View>('view'),
  getView: ({ store, params }) => getDocument<View>(store, 'view', params.id),
  createView: async (call) => {
    const messages = await readView(call.body, call);
    return replyWithNotices(await addView(call), messages);
  },
  updateView: async (call) => {
    const { store, params, body } = call;
    const messages = await readView(body, call);
    if (body.name === params.id) {
      const view = await changeDocument<View>(store, 'view', params.id, () => stored(body));
      return replyWithNotices(view, messages);
    }
    // The identifier is the name, so store the renamed view before deleting the old one.
    getDocument<View>(store, 'view', params.id);
    const view = await addView(call);
    await deleteDocument(store, 'view', params.id);
    return replyWithNotices(view, messages);
  },
  deleteView: ({ store, params }) => deleteDocument(store, 'view', params.id),
} satisfies Handlers;

const stored = (view: ViewWrite): View => ({ ...view, id: view.name });

const addView = ({ store, body }: Pick<Call<'createView'>, 'store' | 'body'>) =>
  addDocument<View>(store, 'view', body.name, stored(body));

/** Returns notices about the query. Throws an ApiError if the view reads itself or has a dataset's name. */
async function readView({ name, aplQuery }: ViewWrite, reader: Requester) {
  if (reader.store.datasets.get(name) !== undefined) {
    throw new ApiError('view-is-dataset', { name: JSON.stringify(name) });
  }
  if (refersToItself(name, aplQuery, reader.store)) {
    throw new ApiError('view-refers-to-itself', { name: JSON.stringify(name) });
  }
  return checkDocumentQueries(reader, [{ apl: aplQuery }]);
}

/** Whether a view reads itself, directly or through other views. */
function refersToItself(target: string, aplQuery: string, { datasets, resources }: Store): boolean {
  const visited = new Set<string>();
  const unvisited = [...subjectOfQuery(aplQuery).names];
  for (let name = unvisited.pop(); name !== undefined; name = unvisited.pop()) {
    if (name === target) return true;
    if (visited.has(name) || datasets.get(name) !== undefined) continue;
    visited.add(name);
    const view = resources.get<View>('view', name);
    if (view !== undefined) unvisited.push(...subjectOf('view', view).names);
  }
  return false;
}
