/** Paths of the process itself, which the service does not have. Token and host are checked before. */
import type { PageSessions } from './access/pageSessions.ts';
import type { OwnPaths } from './app.ts';
import type { Holds } from './holds.ts';
import { HttpResponse } from './http.ts';
import { answerPlan } from './routes/plan.ts';
import type { Store } from './store/store.ts';

/** `stop` ends the process, `restart` replaces it in place. */
export function ownPaths(
  store: Store,
  holds: Holds,
  sessions: PageSessions,
  stop: () => void,
  restart: () => void,
): OwnPaths {
  return (path, request, now) => {
    switch (`${request.method} ${path}`) {
      case 'GET /_local/hold':
        return new HttpResponse(holds.hold(request.signal));
      case 'POST /_local/stop':
        // After the answer has gone out.
        setTimeout(stop, 10);
        return HttpResponse.json({ stopping: true });
      case 'POST /_local/restart':
        setTimeout(restart, 10);
        return HttpResponse.json({ restarting: true });
      case 'POST /_local/page-code':
        return HttpResponse.json({ code: sessions.newCode() });
      case 'POST /_local/plan':
        return answerPlan(request, store, now);
      default:
        return undefined;
    }
  };
}
