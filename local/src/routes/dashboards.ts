/**
 * Dashboards: stored under their uid with a version. A change must start from the version that is
 * stored, unless it says to write over it.
 */
import {
  checkStrict,
  DASHBOARD_PAGE_DEFAULT,
  type Dashboard,
  DashboardUpdate,
  type DashboardWrite,
  type DashboardWriteResponse,
} from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { formatTime } from '../time.ts';
import { deleteDocument, getDocument, newId } from './documents.ts';
import { type Handlers, Reply } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

export const dashboardHandlers: Handlers = {
  listDashboards: ({ seen, query }) => {
    const offset = query.offset ?? 0;
    return seen
      .documents<Dashboard>('dashboard')
      .slice(offset, offset + (query.limit ?? DASHBOARD_PAGE_DEFAULT));
  },
  getDashboard: ({ store, params }) => getDocument<Dashboard>(store, 'dashboard', params.uid),
  createDashboard: ({ store, body }) => write(store, body.uid ?? newId(), body),
  updateDashboard: ({ store, params, body }) => {
    if (body.uid !== undefined && body.uid !== params.uid) {
      throw new ApiError('bad-request', {
        problems: `the uid of the body, ${JSON.stringify(body.uid)}, is not the one of the path`,
      });
    }
    return write(store, params.uid, body);
  },
  deleteDashboard: ({ store, params }) => deleteDocument(store, 'dashboard', params.uid),
};

async function write(store: Store, uid: string, body: DashboardWrite): Promise<Reply> {
  let overwritten = false;
  let created = false;
  const dashboard = await store.resources.change<Dashboard>('dashboard', uid, (current) => {
    created = current === undefined;
    if (current !== undefined) {
      const stale = body.version !== current.version;
      checkVersion(body, current, stale);
      overwritten = stale;
    }
    const now = formatTime(Date.now());
    return {
      id: current?.id ?? newId(),
      uid,
      dashboard: body.dashboard,
      version: (current?.version ?? 0) + 1,
      createdAt: current?.createdAt ?? now,
      createdBy: current?.createdBy ?? LOCAL_USER_ID,
      updatedAt: now,
      updatedBy: LOCAL_USER_ID,
    };
  });
  const answer: DashboardWriteResponse = {
    dashboard,
    status: created ? 'created' : 'updated',
    overwritten,
  };
  return new Reply(created ? 201 : 200, answer);
}

function checkVersion(body: DashboardWrite, current: Dashboard, stale: boolean): void {
  const about = { uid: current.uid, currentVersion: current.version };
  const problems = checkStrict(DashboardUpdate, body, 'the body');
  if (problems.length > 0) {
    const problem = `${JSON.stringify(current.uid)} exists, and ${problems[0]!.message}`;
    throw new ApiError('dashboard-exists', { problem }, about);
  }
  if (stale && body.overwrite !== true) {
    throw new ApiError(
      'version-conflict',
      { uid: current.uid, current: current.version, version: body.version ?? 0 },
      about,
    );
  }
}
