// Endpoints of user-created resources: monitors, dashboards, views and so on.
import { DASHBOARD_PAGE_DEFAULT, DASHBOARD_PAGE_MAX } from '../limits.ts';
import * as R from '../resources.ts';
import { integer, list, object, optional, text, timestamp } from '../schema.ts';
import { del, get, post, put, resource, spec, unrestricted } from './row.ts';

const monitors = resource({
  path: '/v2/monitors',
  capability: 'monitors',
  document: 'monitor',
  record: R.Monitor,
  create: R.MonitorWrite,
  update: R.MonitorWrite,
});

const notifiers = resource({
  path: '/v2/notifiers',
  capability: 'notifiers',
  record: R.Notifier,
  create: R.NotifierWrite,
  update: R.NotifierWrite,
});

const views = resource({
  path: '/v2/views',
  capability: 'views',
  document: 'view',
  record: R.View,
  create: R.ViewWrite,
  update: R.ViewWrite,
});

const annotations = resource({
  path: '/v2/annotations',
  capability: 'annotations',
  document: 'annotation',
  record: R.Annotation,
  create: R.NewAnnotation,
  update: R.AnnotationUpdate,
});

const savedQueries = resource({
  path: '/v2/apl-starred-queries',
  capability: 'starredQueries',
  document: 'saved query',
  record: R.SavedQuery,
  create: R.SavedQueryWrite,
  update: R.SavedQueryWrite,
});

const virtualFields = resource({
  path: '/v2/vfields',
  capability: 'virtualFields',
  document: 'virtual field',
  record: R.VirtualField,
  create: R.VirtualFieldWrite,
  update: R.VirtualFieldWrite,
});

const dashboard = {
  scope: unrestricted,
  params: object({ uid: R.DashboardUid }),
  error: R.DashboardError,
} as const;

export const documentEndpoints = {
  listMonitors: monitors.list('List the monitors on datasets the token may query.', spec),
  createMonitor: monitors.create('Make a monitor.', {
    scope: { writes: 'monitor', creates: 'maxMonitors' },
  }),
  getMonitor: monitors.get('Get a monitor.'),
  getMonitorHistory: get(
    '/v2/monitors/{id}/history',
    'List the alerts of a monitor that opened or closed in a span of time.',
    list(R.MonitorCheck),
    {
      capability: 'monitors:read',
      scope: { document: 'monitor' },
      query: object({
        startTime: timestamp('Only checks from this time on.'),
        endTime: timestamp('Only checks before this time.'),
      }),
    },
  ),
  updateMonitor: monitors.update('Change a monitor.'),
  deleteMonitor: monitors.delete('Delete a monitor.'),

  listNotifiers: notifiers.list('List notifiers.'),
  createNotifier: notifiers.create('Make a notifier.'),
  getNotifier: notifiers.get('Get a notifier.'),
  updateNotifier: notifiers.update('Change a notifier.'),
  deleteNotifier: notifiers.delete('Delete a notifier.'),

  listDashboards: get('/v2/dashboards', 'List dashboards, whole.', list(R.Dashboard), {
    capability: 'dashboards:read',
    scope: unrestricted,
    query: object({
      limit: optional(
        integer('Dashboards in this page.', {
          minimum: 1,
          maximum: DASHBOARD_PAGE_MAX,
          default: DASHBOARD_PAGE_DEFAULT,
        }),
      ),
      offset: optional(integer('Dashboards to pass over.', { minimum: 0, default: 0 })),
    }),
  }),
  createDashboard: post(
    '/v2/dashboards',
    'Make a dashboard.',
    R.DashboardWrite,
    R.DashboardWriteResponse,
    {
      capability: 'dashboards:create',
      scope: unrestricted,
      status: [201, 200],
      error: R.DashboardError,
    },
  ),
  getDashboard: get('/v2/dashboards/uid/{uid}', 'Get a dashboard.', R.Dashboard, {
    ...dashboard,
    capability: 'dashboards:read',
  }),
  updateDashboard: put(
    '/v2/dashboards/uid/{uid}',
    'Change a dashboard, or make it under a chosen uid.',
    R.DashboardWrite,
    R.DashboardWriteResponse,
    { ...dashboard, ...spec, capability: 'dashboards:update', status: [200, 201] },
  ),
  deleteDashboard: del('/v2/dashboards/uid/{uid}', 'Delete a dashboard.', {
    ...dashboard,
    capability: 'dashboards:delete',
  }),

  listViews: views.list('List views.'),
  createView: views.create('Make a view.'),
  getView: views.get('Get a view.'),
  updateView: views.update('Change a view.', spec),
  deleteView: views.delete('Delete a view.'),

  listAnnotations: annotations.list('List annotations.', {
    ...spec,
    query: object({
      datasets: optional(list(text(), { description: 'Only annotations of these datasets.' })),
      start: optional(timestamp('Only annotations after this time.')),
      end: optional(timestamp('Only annotations before this time.')),
    }),
  }),
  createAnnotation: annotations.create('Make an annotation.', { status: [201] }),
  getAnnotation: annotations.get('Get an annotation.'),
  updateAnnotation: annotations.update('Change an annotation.'),
  deleteAnnotation: annotations.delete('Delete an annotation.'),

  listSavedQueries: savedQueries.list('List saved queries.', {
    query: object({
      limit: optional(integer('Queries in this page.', { minimum: 1 })),
      offset: optional(integer('Queries to pass over.', { minimum: 0 })),
      dataset: optional(text('Only queries about this dataset.')),
      who: optional(text('Only those of a user, of the team, or all; the own if absent.')),
      qs: optional(text('Only queries that contain this text.')),
    }),
  }),
  createSavedQuery: savedQueries.create('Save a query.'),
  getSavedQuery: savedQueries.get('Get a saved query.'),
  updateSavedQuery: savedQueries.update('Change a saved query.'),
  deleteSavedQuery: savedQueries.delete('Delete a saved query.'),

  listVirtualFields: virtualFields.list('List the virtual fields of a dataset.', {
    scope: { dataset: { in: 'query', need: 'virtualFields:read' } },
    query: object({ dataset: text('The dataset they belong to.', { minLength: 1 }) }),
  }),
  createVirtualField: virtualFields.create('Make a virtual field.'),
  getVirtualField: virtualFields.get('Get a virtual field.'),
  updateVirtualField: virtualFields.update('Change a virtual field.'),
  deleteVirtualField: virtualFields.delete('Delete a virtual field.'),
};
