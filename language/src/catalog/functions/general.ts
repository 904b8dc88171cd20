/** Conditional and hash functions, metadata of events and datasets, and functions for SQL strings. */
import { area, bool, dynamic, fn, long, optional, scalar, string } from '../build.ts';

export const conditionalFunctions = area('conditional', {
  case: fn(
    [bool('condition'), scalar('then'), scalar('otherwise')],
    { sameAs: 'then', and: 'otherwise' },
    { repeating: 2 },
  ),
  iff: fn([bool('condition'), scalar('then'), scalar('otherwise')], {
    sameAs: 'then',
    and: 'otherwise',
  }),
  iif: fn(
    [bool('condition'), scalar('then'), scalar('otherwise')],
    { sameAs: 'then', and: 'otherwise' },
    { aliasOf: 'iff' },
  ),
});

export const hashFunctions = area('hash', {
  hash: fn([scalar('value'), optional(long('salt'))], 'long'),
  hash_md5: fn([scalar('value')], 'string'),
  hash_sha1: fn([scalar('value')], 'string'),
  hash_sha256: fn([scalar('value')], 'string'),
  hash_sha512: fn([scalar('value')], 'string'),
});

export const metadataFunctions = area('metadata', {
  column_ifexists: fn([string('column', { names: 'column' }), scalar('fallback')], 'unknown'),
  cursor_current: fn([], 'string'),
  ingestion_time: fn([], 'datetime'),
});

export const sqlFunctions = area('sql', {
  format_sql: fn([dynamic('model')], 'string'),
  parse_sql: fn([string('statement')], 'dynamic'),
});
