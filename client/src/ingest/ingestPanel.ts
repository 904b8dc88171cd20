// The type of the ingest page's panel. Apart from the page, which the start of a window does not load.
export const ingestPanel = 'aplomb.ingest';
