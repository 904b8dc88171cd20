// The type of the ingest page's panel. A separate file, so that the start of a window doesn't load the page.
export const ingestPanel = 'aplomb.ingest';
