/** Style sheets are imported for their effect alone. esbuild bundles them into one file. */
declare module '*.css';
