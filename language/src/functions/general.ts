/** Conditional and hash functions, metadata of events and datasets, and functions for SQL strings. */
import { area, bool, dynamic, fn, long, optional, scalar, string } from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

const branches = [bool('condition'), scalar('then'), scalar('otherwise')];
const branchType = { sameAs: 'then', and: 'otherwise' };

export const generalFunctions = {
  ...area('conditional', {
    case: fn(branches, branchType, { repeating: 2 }),
    iff: fn(branches, branchType),
    iif: fn(branches, branchType, { aliasOf: 'iff' }),
  }),
  ...area('hash', {
    hash: fn([scalar('value'), optional(long('salt'))], 'long'),
    hash_md5: fn([scalar('value')], 'string'),
    hash_sha1: fn([scalar('value')], 'string'),
    hash_sha256: fn([scalar('value')], 'string'),
    hash_sha512: fn([scalar('value')], 'string'),
  }),
  ...area('metadata', {
    column_ifexists: fn([string('column', { names: 'column' }), scalar('fallback')], 'unknown'),
    cursor_current: fn([], 'string'),
    ingestion_time: fn([], 'datetime'),
  }),
  ...area('sql', {
    format_sql: fn([dynamic('model')], 'string'),
    parse_sql: fn([string('statement')], 'dynamic'),
  }),
};

const nullBranchNote = 'All results must have the same type. To return null, use dynamic(null).';

export const generalProse: Readonly<Record<keyof typeof generalFunctions, ProseRow>> = {
  case: [
    'Returns the value of the first condition that is true, or the last argument if there is none.',
    "case(status >= 500, 'error', status >= 400, 'warning', 'ok')",
    nullBranchNote,
  ],
  iff: [
    'Returns the second argument if the condition is true, or else the third.',
    "iff(duration_ms > 1000, 'slow', 'fast')",
    nullBranchNote,
  ],
  iif: [
    'Returns the second argument if the condition is true, or else the third.',
    "iif(is_tls, 'https', 'http')",
    nullBranchNote,
  ],
  hash: [
    'Returns a signed 64-bit hash of a value, with an optional salt.',
    'hash(user_id)',
    'Unlike in Kusto, the second argument is a salt, not a modulus.',
  ],
  hash_md5: ['Returns the MD5 hash of a value in hexadecimal.', 'hash_md5(email)'],
  hash_sha1: ['Returns the SHA-1 hash of a value in hexadecimal.', 'hash_sha1(email)'],
  hash_sha256: ['Returns the SHA-256 hash of a value in hexadecimal.', 'hash_sha256(email)'],
  hash_sha512: ['Returns the SHA-512 hash of a value in hexadecimal.', 'hash_sha512(email)'],
  column_ifexists: [
    'Returns a column if it exists, or a default value.',
    "column_ifexists('region', 'unknown')",
  ],
  cursor_current: [
    'Returns the cursor of an event, which is its position in the order of ingestion.',
    'cursor_current()',
  ],
  ingestion_time: ['Returns the time at which an event was ingested.', 'ingestion_time()'],
  format_sql: [
    'Converts a parsed SQL statement back to a string.',
    "format_sql(parse_sql('SELECT id FROM logs'))",
  ],
  parse_sql: ['Parses a SQL statement into a bag.', "parse_sql('SELECT id FROM logs')"],
};
