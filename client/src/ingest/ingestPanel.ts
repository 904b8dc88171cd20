// The type of the ingest page's panel. A separate file, so that activation doesn't load the page.
export const ingestPanel = 'aplomb.ingest';
