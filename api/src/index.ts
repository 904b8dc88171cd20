// The face of `api`: the service's contract as data. Everything others need is exported here.
export * from './auth.ts';
export * from './endpoints.ts';
export * from './limits.ts';
export * from './paths.ts';
export * from './queryString.ts';
export * from './resources.ts';
export type { Static, TObject, TSchema } from './schema.ts';
export type { Tolerant } from './tolerant.ts';
