/** Declares style sheets as modules, because they are imported so that esbuild bundles them into one file. */
declare module '*.css';
