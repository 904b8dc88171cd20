/** Paths of the process itself, which the service does not have. Token and host are checked before. */
import type { OwnPaths } from './app.ts';
import type { Holds } from './holds.ts';
import { answerPlan } from './routes/plan.ts';
import type { Store } from './store/store.ts';

/** `stop` ends the process. */
export function ownPaths(store: Store, holds: Holds, stop: () => void): OwnPaths {
  return (path, request, now) => {
    switch (`${request.method} ${path}`) {
      case 'GET /_local/health':
        return Response.json({ pid: process.pid });
      case 'GET /_local/hold':
        return new Response(holds.hold(request.signal));
      case 'POST /_local/stop':
        // After the answer has gone out.
        setTimeout(stop, 10);
        return Response.json({ stopping: true });
      case 'POST /_local/plan':
        return answerPlan(request, store, now);
      default:
        return undefined;
    }
  };
}
