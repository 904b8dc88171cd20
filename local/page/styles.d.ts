/** Style sheets are imported only so that esbuild bundles them into one file. */
declare module '*.css';
