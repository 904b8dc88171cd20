// The panel types for dashboards and monitors, in a separate file so that activation doesn't load the pages' code.
export const dashboardPanel = 'aplomb.dashboardPage';
export const monitorPanel = 'aplomb.monitorPage';
