/** Style sheets are imported only for their side effects. esbuild bundles them into one file. */
declare module '*.css';
