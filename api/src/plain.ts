// The part of the face that has no schemas. Schemas take longer to build than the extension may take to
// start, so what the client loads at its start imports values from here; `index.ts` has these too.
export * from './auth.ts';
export * from './edgeDeployments.ts';
export * from './limits.ts';
export { parseJson, stringifyJson } from './lossless.ts';
export * from './messageCodes.ts';
export { naturalOrder } from './naturalOrder.ts';
export { isQueryTime, isTimestamp } from './time.ts';
