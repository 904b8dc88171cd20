/** Style sheets are imported for their effect alone; esbuild gathers them into one file. */
declare module '*.css';
