// The worker thread that reads files, so that they don't block the extension host. The entry point of dist/ingest.cjs.
import { serveParent } from '../../rpc/thread.ts';
import { failureOf } from './failures.ts';
import { events, handlers } from './handlers.ts';

serveParent({ handlers, events, failureOf });
