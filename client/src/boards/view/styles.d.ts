/** Style sheets are imported only for their side effect: esbuild combines them into one file. */
declare module '*.css';
