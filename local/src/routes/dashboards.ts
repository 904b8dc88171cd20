/** Handles dashboards. A change must name the stored version or ask to overwrite any version. */
import {
  checkStrict,
  DASHBOARD_PAGE_DEFAULT,
  type Dashboard,
  DashboardUid,
  DashboardUpdate,
  type DashboardWrite,
  type DashboardWriteResponse,
} from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { formatTime } from '../time.ts';
import {
  checkDocumentQueries,
  type DocumentQuery,
  type Requester,
  replyWithNotices,
} from './documentQueries.ts';
import { deleteDocument, getDocument, newId } from './documents.ts';
import type { Call, Handlers } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';

export const dashboardHandlers = {
  listDashboards: ({ visible, query }) => {
    const offset = query.offset ?? 0;
    return visible
      .documents<Dashboard>('dashboard')
      .slice(offset, offset + (query.limit ?? DASHBOARD_PAGE_DEFAULT));
  },
  getDashboard: ({ store, params }) => getDocument<Dashboard>(store, 'dashboard', params.uid),
  createDashboard: async (call) => {
    const uid = call.body.uid ?? innerUid(call.body);
    checkUids(call.body, uid, 'of the body');
    return write(call, uid ?? newId());
  },
  updateDashboard: async (call) => {
    checkUids(call.body, call.params.uid, 'of the path');
    return write(call, call.params.uid);
  },
  deleteDashboard: ({ store, params }) => deleteDocument(store, 'dashboard', params.uid),
} satisfies Handlers;

function innerUid({ dashboard }: DashboardWrite): string | undefined {
  return dashboard.uid === undefined || dashboard.uid === '' ? undefined : dashboard.uid;
}

/** Checks the uids in the body. Throws an ApiError if one is invalid or differs from `uid`. */
function checkUids(body: DashboardWrite, uid: string | undefined, whose: string): void {
  for (const [member, given] of [
    ['uid', body.uid],
    ['dashboard.uid', innerUid(body)],
  ]) {
    if (given === undefined) continue;
    const problems = checkStrict(DashboardUid, given, member).map(({ message }) => message);
    if (given !== uid) problems.push(`${member} ${JSON.stringify(given)} is not the one ${whose}`);
    if (problems.length > 0) throw new ApiError('bad-request', { problems: problems.join('; ') });
  }
}

function queriesOf({ dashboard }: DashboardWrite): DocumentQuery[] {
  return (dashboard.charts ?? []).map(({ id, name, query }) => ({
    apl: query?.apl,
    location: `The chart ${JSON.stringify((name || id).slice(0, 100))}`,
  }));
}

async function write(call: Requester & Pick<Call<'updateDashboard'>, 'body'>, uid: string) {
  const { store, body } = call;
  const messages = await checkDocumentQueries(call, queriesOf(body));
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
  return replyWithNotices(answer, messages, created ? 201 : 200);
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
