/** Documentation of conditional, hash, metadata and SQL functions. */
import type {
  conditionalFunctions,
  hashFunctions,
  metadataFunctions,
  sqlFunctions,
} from '../../catalog/functions/general.ts';
import { type Prose, says } from '../says.ts';

const nullBranchNote = 'All results must have the same type. To return null, use dynamic(null).';

export const conditionalProse = {
  case: says(
    'Returns the value of the first condition that is true, or the last argument if there is none.',
    "case(status >= 500, 'error', status >= 400, 'warning', 'ok')",
    nullBranchNote,
  ),
  iff: says(
    'Returns the second argument if the condition is true, or else the third.',
    "iff(duration_ms > 1000, 'slow', 'fast')",
    nullBranchNote,
  ),
  iif: says(
    'Returns the second argument if the condition is true, or else the third.',
    "iif(is_tls, 'https', 'http')",
    nullBranchNote,
  ),
} satisfies Record<keyof typeof conditionalFunctions, Prose>;

export const hashProse = {
  hash: says(
    'Returns a signed 64-bit hash of a value, with an optional salt.',
    'hash(user_id)',
    'Unlike in Kusto, the second argument is a salt, not a modulus.',
  ),
  hash_md5: says('Returns the MD5 hash of a value in hexadecimal.', 'hash_md5(email)'),
  hash_sha1: says('Returns the SHA-1 hash of a value in hexadecimal.', 'hash_sha1(email)'),
  hash_sha256: says('Returns the SHA-256 hash of a value in hexadecimal.', 'hash_sha256(email)'),
  hash_sha512: says('Returns the SHA-512 hash of a value in hexadecimal.', 'hash_sha512(email)'),
} satisfies Record<keyof typeof hashFunctions, Prose>;

export const metadataProse = {
  column_ifexists: says(
    'Returns a column if it exists, or a default value.',
    "column_ifexists('region', 'unknown')",
  ),
  cursor_current: says(
    'Returns the cursor of an event, which is its position in the order of ingestion.',
    'cursor_current()',
  ),
  ingestion_time: says('Returns the time at which an event was ingested.', 'ingestion_time()'),
} satisfies Record<keyof typeof metadataFunctions, Prose>;

export const sqlProse = {
  format_sql: says(
    'Converts a parsed SQL statement back to a string.',
    "format_sql(parse_sql('SELECT id FROM logs'))",
  ),
  parse_sql: says('Parses a SQL statement into a bag.', "parse_sql('SELECT id FROM logs')"),
} satisfies Record<keyof typeof sqlFunctions, Prose>;
