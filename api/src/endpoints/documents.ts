// Endpoints for resources that users create, such as monitors, dashboards and views.
import { DASHBOARD_PAGE_DEFAULT } from '../limits.ts';
import * as R from '../resources.ts';
import { integer, list, object, optional, text, timestamp } from '../schema.ts';
import { del, get, post, put, resource, spec, unrestricted } from './row.ts';

const monitors = resource('/v2/monitors', 'monitors', R.Monitor, R.MonitorWrite, {
  document: 'monitor',
});

const notifiers = resource('/v2/notifiers', 'notifiers', R.Notifier, R.NotifierWrite);

const views = resource('/v2/views', 'views', R.View, R.ViewWrite, { document: 'view' });

const annotations = resource('/v2/annotations', 'annotations', R.Annotation, R.NewAnnotation, {
  document: 'annotation',
  update: R.AnnotationUpdate,
});

const savedQueries = resource(
  '/v2/apl-starred-queries',
  'starredQueries',
  R.SavedQuery,
  R.SavedQueryWrite,
  { document: 'saved query' },
);

const virtualFields = resource(
  '/v2/vfields',
  'virtualFields',
  R.VirtualField,
  R.VirtualFieldWrite,
  { document: 'virtual field' },
);

const dashboard = {
  scope: unrestricted,
  params: object({ uid: R.DashboardUid }),
  error: R.DashboardError,
} as const;

export const documentEndpoints = {
  listMonitors: monitors.list('List the monitors whose datasets the token may query.', spec),
  createMonitor: monitors.create('Create a monitor.', {
    scope: { writes: 'monitor', creates: 'maxMonitors' },
  }),
  getMonitor: monitors.get('Get a monitor.'),
  getMonitorHistory: get(
    '/v2/monitors/{id}/history',
    'List the alerts of a monitor that opened or closed within a time range.',
    list(R.MonitorCheck),
    {
      capability: 'monitors:read',
      scope: { document: 'monitor' },
      query: object({
        startTime: timestamp('Start of the time range, inclusive.'),
        endTime: timestamp('End of the time range, exclusive.'),
      }),
    },
  ),
  updateMonitor: monitors.update('Update a monitor.'),
  deleteMonitor: monitors.delete('Delete a monitor.'),

  listNotifiers: notifiers.list('List notifiers.'),
  createNotifier: notifiers.create('Create a notifier.'),
  getNotifier: notifiers.get('Get a notifier.'),
  updateNotifier: notifiers.update('Update a notifier.'),
  deleteNotifier: notifiers.delete('Delete a notifier.'),

  listDashboards: get(
    '/v2/dashboards',
    'List dashboards with their documents.',
    list(R.Dashboard),
    {
      capability: 'dashboards:read',
      scope: unrestricted,
      query: object({
        limit: optional(
          integer('Maximum number of dashboards to return.', {
            minimum: 1,
            maximum: 1_000,
            default: DASHBOARD_PAGE_DEFAULT,
          }),
        ),
        offset: optional(integer('Number of dashboards to skip.', { minimum: 0, default: 0 })),
      }),
    },
  ),
  createDashboard: post(
    '/v2/dashboards',
    'Create a dashboard.',
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
    'Update a dashboard, or create it with the given uid.',
    R.DashboardWrite,
    R.DashboardWriteResponse,
    { ...dashboard, ...spec, capability: 'dashboards:update', status: [200, 201] },
  ),
  deleteDashboard: del('/v2/dashboards/uid/{uid}', 'Delete a dashboard.', {
    ...dashboard,
    capability: 'dashboards:delete',
  }),

  listViews: views.list('List views.'),
  createView: views.create('Create a view.'),
  getView: views.get('Get a view.'),
  updateView: views.update('Update a view.', spec),
  deleteView: views.delete('Delete a view.'),

  listAnnotations: annotations.list('List annotations.', {
    ...spec,
    query: object({
      datasets: optional(
        list(text(), { description: 'Return only annotations of these datasets.' }),
      ),
      start: optional(timestamp('Return only annotations after this time.')),
      end: optional(timestamp('Return only annotations before this time.')),
    }),
  }),
  createAnnotation: annotations.create('Create an annotation.', { status: [201] }),
  getAnnotation: annotations.get('Get an annotation.'),
  updateAnnotation: annotations.update('Update an annotation.'),
  deleteAnnotation: annotations.delete('Delete an annotation.'),

  listSavedQueries: savedQueries.list('List saved queries.', {
    query: object({
      limit: optional(integer('Maximum number of queries to return.', { minimum: 1 })),
      offset: optional(integer('Number of queries to skip.', { minimum: 0 })),
      dataset: optional(text('Return only queries of this dataset.')),
      who: optional(
        text(
          'Return the queries of this user, of the team, or all. Default: the queries of the current user.',
        ),
      ),
      qs: optional(text('Return only queries that contain this string.')),
    }),
  }),
  createSavedQuery: savedQueries.create('Save a query.'),
  getSavedQuery: savedQueries.get('Get a saved query.'),
  updateSavedQuery: savedQueries.update('Update a saved query.'),
  deleteSavedQuery: savedQueries.delete('Delete a saved query.'),

  listVirtualFields: virtualFields.list('List the virtual fields of a dataset.', {
    scope: { dataset: { in: 'query', need: 'virtualFields:read' } },
    query: object({ dataset: text('Dataset of the virtual fields.', { minLength: 1 }) }),
  }),
  createVirtualField: virtualFields.create('Create a virtual field.'),
  getVirtualField: virtualFields.get('Get a virtual field.'),
  updateVirtualField: virtualFields.update('Update a virtual field.'),
  deleteVirtualField: virtualFields.delete('Delete a virtual field.'),
};
