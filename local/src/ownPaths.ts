/** Handles the paths that control this process, which aren't in the service's API. The caller checks token and host. */
import type { PageSessions } from './access/pageSessions.ts';
import type { OwnPaths } from './app.ts';
import { Backups } from './backup/backup.ts';
import type { Holds } from './holds.ts';
import { type HttpRequest, HttpResponse } from './http.ts';
import { answerResources, REFRESH_PATH, RESOURCES_PATH } from './primary/asked.ts';
import { rotateTokens } from './rotation.ts';
import { answerBackup } from './routes/backup.ts';
import { answerExport } from './routes/export.ts';
import { answerPlan } from './routes/plan.ts';
import type { Store } from './store/store.ts';

export function ownPaths(
  store: Store,
  folder: string,
  holds: Holds,
  sessions: PageSessions,
  stop: () => void,
  restart: () => void,
): OwnPaths {
  const backups = new Backups(store, folder);
  const answerRotation = async ({ url }: HttpRequest) => {
    const all = new URL(url).searchParams.get('all') === 'true';
    const deleted = await rotateTokens(store, folder, all);
    // A restart invalidates the old tokens and the sessions of the landing page.
    setTimeout(restart, 10);
    return HttpResponse.json({ deleted });
  };
  const refresh = async () => {
    await store.datasets.refresh(() => undefined);
    return HttpResponse.json({ refreshed: true });
  };
  return (path, request, now) => {
    switch (`${request.method} ${path}`) {
      case 'GET /_local/hold':
        return new HttpResponse(holds.hold(request.signal));
      case 'POST /_local/stop':
        // Send the response first.
        setTimeout(stop, 10);
        return HttpResponse.json({ stopping: true });
      case 'POST /_local/restart':
        setTimeout(restart, 10);
        return HttpResponse.json({ restarting: true });
      case 'POST /_local/rotate-tokens':
        return answerRotation(request);
      case 'POST /_local/page-code':
        return HttpResponse.json({ code: sessions.newCode() });
      case `GET ${RESOURCES_PATH}`:
        return answerResources(store.resources);
      case `POST ${REFRESH_PATH}`:
        return refresh();
      case 'POST /_local/plan':
        return answerPlan(request, store, now);
      case 'GET /_local/backup':
        return HttpResponse.json(backups.progress ?? {});
      case 'POST /_local/backup':
        return answerBackup(request, backups);
      case 'POST /_local/export':
        return answerExport(request, store, now);
      default:
        return undefined;
    }
  };
}
