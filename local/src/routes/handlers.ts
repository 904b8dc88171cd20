/** The handlers of all endpoints. An endpoint without one is refused with a coded 501. */

import { annotationHandlers } from './annotations.ts';
import { bulkHandlers } from './bulk.ts';
import { dashboardHandlers } from './dashboards.ts';
import { datasetHandlers } from './datasets.ts';
import { fieldHandlers } from './fields.ts';
import { groupHandlers } from './groups.ts';
import type { Handlers } from './handler.ts';
import { historyHandlers } from './history.ts';
import { identityHandlers } from './identity.ts';
import { ingestHandlers } from './ingest.ts';
import { monitorHandlers } from './monitors.ts';
import { otlpHandlers } from './otlp.ts';
import { queryHandlers } from './query.ts';
import { roleHandlers } from './roles.ts';
import { savedQueryHandlers } from './savedQueries.ts';
import { tokenHandlers } from './tokens.ts';
import { userHandlers } from './users.ts';
import { viewHandlers } from './views.ts';
import { virtualFieldHandlers } from './virtualFields.ts';

export const handlers: Handlers = {
  ...ingestHandlers,
  ...otlpHandlers,
  ...bulkHandlers,
  ...queryHandlers,
  ...historyHandlers,
  ...datasetHandlers,
  ...fieldHandlers,
  ...monitorHandlers,
  ...dashboardHandlers,
  ...viewHandlers,
  ...annotationHandlers,
  ...savedQueryHandlers,
  ...virtualFieldHandlers,
  ...identityHandlers,
  ...userHandlers,
  ...roleHandlers,
  ...groupHandlers,
  ...tokenHandlers,
};
