/** The handlers of all endpoints. An endpoint without one is refused with a coded 501. */

import { annotationHandlers } from './annotations.ts';
import { dashboardHandlers } from './dashboards.ts';
import { datasetHandlers } from './datasets.ts';
import { fieldHandlers } from './fields.ts';
import type { Handlers } from './handler.ts';
import { historyHandlers } from './history.ts';
import { identityHandlers } from './identity.ts';
import { ingestHandlers } from './ingest.ts';
import { monitorHandlers } from './monitors.ts';
import { queryHandlers } from './query.ts';
import { savedQueryHandlers } from './savedQueries.ts';
import { viewHandlers } from './views.ts';
import { virtualFieldHandlers } from './virtualFields.ts';

export const handlers: Handlers = {
  ...ingestHandlers,
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
};
