/** What is said of conditions, hashes, what is known about an event or a dataset, and SQL held in text. */
import type {
  conditionalFunctions,
  hashFunctions,
  metadataFunctions,
  sqlFunctions,
} from '../../catalog/functions/general.ts';
import { type Prose, says } from '../says.ts';

const nullBranchNote = 'All branches have one type; for a null branch write dynamic(null).';

export const conditionalProse = {
  case: says(
    'Gives the value after the first condition that holds, or else the last argument.',
    "case(status >= 500, 'error', status >= 400, 'warning', 'ok')",
    nullBranchNote,
  ),
  iff: says(
    'Gives the second argument when the condition holds, or else the third.',
    "iff(duration_ms > 1000, 'slow', 'fast')",
    nullBranchNote,
  ),
  iif: says(
    'Gives the second argument when the condition holds, or else the third.',
    "iif(is_tls, 'https', 'http')",
    nullBranchNote,
  ),
} satisfies Record<keyof typeof conditionalFunctions, Prose>;

export const hashProse = {
  hash: says(
    'Gives a signed 64-bit hash of a value, with an optional salt.',
    'hash(user_id)',
    'The second argument is a salt, not a modulus as in Kusto.',
  ),
  hash_md5: says('Gives the MD5 hash of a value in hexadecimal.', 'hash_md5(email)'),
  hash_sha1: says('Gives the SHA-1 hash of a value in hexadecimal.', 'hash_sha1(email)'),
  hash_sha256: says('Gives the SHA-256 hash of a value in hexadecimal.', 'hash_sha256(email)'),
  hash_sha512: says('Gives the SHA-512 hash of a value in hexadecimal.', 'hash_sha512(email)'),
} satisfies Record<keyof typeof hashFunctions, Prose>;

export const metadataProse = {
  column_ifexists: says(
    'Gives a column when there is one of that name, and the fallback otherwise.',
    "column_ifexists('region', 'unknown')",
  ),
  cursor_current: says(
    'Gives a cursor: the place of the event in the order of ingest.',
    'cursor_current()',
  ),
  ingestion_time: says('Gives the time at which an event was ingested.', 'ingestion_time()'),
} satisfies Record<keyof typeof metadataFunctions, Prose>;

export const sqlProse = {
  format_sql: says(
    'Writes a parsed SQL statement as text again.',
    "format_sql(parse_sql('SELECT id FROM logs'))",
  ),
  parse_sql: says(
    'Reads an SQL statement into a bag of its parts.',
    "parse_sql('SELECT id FROM logs')",
  ),
} satisfies Record<keyof typeof sqlFunctions, Prose>;
