/** Conditions, hashes, what is known about an event or a dataset, and SQL held in text. */
import { area, bool, dynamic, fn, long, optional, scalar, string } from '../build.ts';

const nullBranchNote = 'All branches have one type; for a null branch write dynamic(null).';

export const conditionalFunctions = area('conditional', {
  case: fn(
    [bool('condition'), scalar('then'), scalar('otherwise')],
    { sameAs: 'then', and: 'otherwise' },
    'Gives the value after the first condition that holds, or else the last argument.',
    "case(status >= 500, 'error', status >= 400, 'warning', 'ok')",
    { repeating: 2, note: nullBranchNote },
  ),
  iff: fn(
    [bool('condition'), scalar('then'), scalar('otherwise')],
    { sameAs: 'then', and: 'otherwise' },
    'Gives the second argument when the condition holds, or else the third.',
    "iff(duration_ms > 1000, 'slow', 'fast')",
    { note: nullBranchNote },
  ),
  iif: fn(
    [bool('condition'), scalar('then'), scalar('otherwise')],
    { sameAs: 'then', and: 'otherwise' },
    'Gives the second argument when the condition holds, or else the third.',
    "iif(is_tls, 'https', 'http')",
    { aliasOf: 'iff', note: nullBranchNote },
  ),
});

export const hashFunctions = area('hash', {
  hash: fn(
    [scalar('value'), optional(long('salt'))],
    'long',
    'Gives a signed 64-bit hash of a value, with an optional salt.',
    'hash(user_id)',
    { note: 'The second argument is a salt, not a modulus as in Kusto.' },
  ),
  hash_md5: fn(
    [scalar('value')],
    'string',
    'Gives the MD5 hash of a value in hexadecimal.',
    'hash_md5(email)',
  ),
  hash_sha1: fn(
    [scalar('value')],
    'string',
    'Gives the SHA-1 hash of a value in hexadecimal.',
    'hash_sha1(email)',
  ),
  hash_sha256: fn(
    [scalar('value')],
    'string',
    'Gives the SHA-256 hash of a value in hexadecimal.',
    'hash_sha256(email)',
  ),
  hash_sha512: fn(
    [scalar('value')],
    'string',
    'Gives the SHA-512 hash of a value in hexadecimal.',
    'hash_sha512(email)',
  ),
});

export const metadataFunctions = area('metadata', {
  column_ifexists: fn(
    [string('column', { names: 'column' }), scalar('fallback')],
    'unknown',
    'Gives a column when there is one of that name, and the fallback otherwise.',
    "column_ifexists('region', 'unknown')",
  ),
  cursor_current: fn(
    [],
    'string',
    'Gives a cursor: the place of the event in the order of ingest.',
    'cursor_current()',
  ),
  ingestion_time: fn(
    [],
    'datetime',
    'Gives the time at which an event was ingested.',
    'ingestion_time()',
  ),
});

export const sqlFunctions = area('sql', {
  format_sql: fn(
    [dynamic('model')],
    'string',
    'Writes a parsed SQL statement as text again.',
    "format_sql(parse_sql('SELECT id FROM logs'))",
  ),
  parse_sql: fn(
    [string('statement')],
    'dynamic',
    'Reads an SQL statement into a bag of its parts.',
    "parse_sql('SELECT id FROM logs')",
  ),
});
