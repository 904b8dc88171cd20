/** Style sheets are imported for their effect, and esbuild combines them. */
declare module '*.css';
