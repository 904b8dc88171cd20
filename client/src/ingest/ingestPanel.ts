// The ingest page's panel type. In a separate file, so that activation doesn't load the page.
export const ingestPanel = 'aplomb.ingest';
