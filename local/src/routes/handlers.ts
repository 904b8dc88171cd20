/** The handlers of all endpoints. */
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
import { maintenanceHandlers } from './maintenance.ts';
import { monitorHandlers } from './monitors.ts';
import { notifierHandlers } from './notifiers.ts';
import { otlpHandlers } from './otlp.ts';
import { queryHandlers } from './query.ts';
import { roleHandlers } from './roles.ts';
import { savedQueryHandlers } from './savedQueries.ts';
import { structuredHandlers } from './structured.ts';
import { tokenHandlers } from './tokens.ts';
import { userHandlers } from './users.ts';
import { viewHandlers } from './views.ts';
import { virtualFieldHandlers } from './virtualFields.ts';

/** The handlers that use only the event store and the caller's access, apart from views and virtual fields. */
export const eventHandlers = {
  ...ingestHandlers,
  ...otlpHandlers,
  ...bulkHandlers,
  ...queryHandlers,
  ...structuredHandlers,
  ...datasetHandlers,
  ...fieldHandlers,
  ...maintenanceHandlers,
} satisfies Handlers;

export const handlers: Required<Handlers> = {
  ...eventHandlers,
  ...historyHandlers,
  ...monitorHandlers,
  ...notifierHandlers,
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
