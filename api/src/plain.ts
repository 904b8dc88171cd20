// The exports of `index.ts` that need no schemas. Building schemas takes longer than the extension may take to start,
// so modules that the client loads at startup import values from here.
export * from './auth.ts';
export * from './edgeDeployments.ts';
export * from './limits.ts';
export { parseJson, stringifyJson } from './lossless.ts';
export * from './messageCodes.ts';
export { naturalOrder } from './naturalOrder.ts';
export { isQueryTime, isTimestamp } from './time.ts';
