// The worker thread that reads files, so that the extension host never waits for them: the entry of dist/ingest.cjs.
import { serveParent } from '../../rpc/thread.ts';
import { failureOf } from './failures.ts';
import { events, handlers } from './handlers.ts';

serveParent({ handlers, events, failureOf });
