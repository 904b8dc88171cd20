// Public entry point of `api`: the service's API, described as data.
export * from './endpoints.ts';
export * from './paths.ts';
export * from './plain.ts';
export type { Problem } from './problem.ts';
export * from './queryString.ts';
export * from './resources.ts';
export {
  anyObject,
  integer,
  key,
  object,
  optional,
  type Static,
  type TObject,
  type TSchema,
  text,
  timestamp,
  timestampOrNull,
} from './schema.ts';
export { goDurationNanos } from './time.ts';
export { type ReadResult, readTolerant, type Tolerant } from './tolerant.ts';
export { checkStrict } from './validate.ts';
export { withDeclaredNames } from './withDeclaredNames.ts';
export { withoutNulls } from './withoutNulls.ts';
export { isZeroTime, withoutZeroTimes } from './withoutZeroTimes.ts';
