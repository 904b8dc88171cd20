/** Style sheets are imported without a value, and esbuild bundles them. */
declare module '*.css';
