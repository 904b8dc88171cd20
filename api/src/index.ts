// The face of `api`: the service's contract as data. Everything others need is exported here.
export * from './auth.ts';
export * from './endpoints.ts';
export * from './limits.ts';
export { parseJson, stringifyJson } from './lossless.ts';
export * from './paths.ts';
export type { Problem } from './problem.ts';
export * from './queryString.ts';
export * from './resources.ts';
export type { Static, TObject, TSchema } from './schema.ts';
export { isQueryTime, isTimestamp } from './time.ts';
export { type Reading, readTolerant, type Tolerant } from './tolerant.ts';
export { checkStrict } from './validate.ts';
export { withoutNulls } from './withoutNulls.ts';
