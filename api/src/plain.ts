// Exports the parts of `index.ts` that don't use schemas. Building schemas takes too long for the extension's start, so
// modules that load at startup import from here.
export * from './auth.ts';
export * from './edgeDeployments.ts';
export * from './limits.ts';
export { parsedJson, parseJson, stringifyJson } from './lossless.ts';
export * from './messageCodes.ts';
export { naturalOrder } from './naturalOrder.ts';
export { isQueryTime, isTimestamp } from './time.ts';
