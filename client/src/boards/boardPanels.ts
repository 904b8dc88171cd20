// The types of the panels of dashboards and monitors. Apart from the pages, which the start of a window does not
// load.
export const dashboardPanel = 'aplomb.dashboardPage';
export const monitorPanel = 'aplomb.monitorPage';
