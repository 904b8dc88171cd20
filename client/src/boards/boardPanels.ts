// The types of the panels of dashboards and monitors. In a separate file, because activation doesn't load the pages.
export const dashboardPanel = 'aplomb.dashboardPage';
export const monitorPanel = 'aplomb.monitorPage';
