/** Declares style sheets as modules. The page's modules import them, so that esbuild bundles them into one file. */
declare module '*.css';
