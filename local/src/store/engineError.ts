/** Errors of the engine, classified by the messages of DuckDB and the system. */
import { open } from 'node:fs/promises';
import { DamagedError } from './recovery.ts';

export type EngineErrorKind =
  | 'interrupted'
  | 'memory'
  | 'input'
  | 'value'
  | 'statement'
  | 'depth'
  | 'transaction'
  | 'disk'
  | 'locked'
  /** The database file or a log is damaged, or the file is missing next to its log. No file was changed. */
  | 'damaged'
  | 'fatal'
  | 'other';

// Error kinds by DuckDB's error class, which is at the start of its messages.
const KIND_BY_CLASS: Readonly<Record<string, EngineErrorKind>> = {
  'INTERRUPT Error': 'interrupted',
  'Out of Memory Error': 'memory',
  'Invalid Input Error': 'input',
  'Conversion Error': 'value',
  'Out of Range Error': 'value',
  'Mismatch Type Error': 'value',
  'Binder Error': 'statement',
  'Catalog Error': 'statement',
  'Parser Error': 'statement',
  'Not implemented Error': 'statement',
  'TransactionContext Error': 'transaction',
  'IO Error': 'disk',
  'FATAL Error': 'fatal',
  'INTERNAL Error': 'fatal',
};

export class EngineError extends Error {
  readonly kind: EngineErrorKind;

  constructor(message: string, kind: EngineErrorKind) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

/** Classifies an error of DuckDB, by the class and words in its message, or of the file system. */
export function engineError(error: unknown): EngineError {
  if (error instanceof DamagedError) return new EngineError(error.message, 'damaged');
  if (isInUse(error)) return new EngineError((error as Error).message, 'locked');
  const text = error instanceof Error ? error.message : String(error);
  const end = text.indexOf(': ');
  const kind = KIND_BY_CLASS[text.slice(0, Math.max(end, 0))];
  if (/^[\w ]+: Max expression depth limit /.test(text)) return new EngineError(text, 'depth');
  if (kind === undefined) return new EngineError(text, 'other');
  const message = text.slice(end + 2);
  const specific = SPECIFIC_KINDS.find(([cause]) => cause.test(message))?.[1];
  return new EngineError(message, specific ?? kind);
}

/** Reports whether the system refused to open a file because another process has it open, as Windows does. */
const isInUse = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'EBUSY';

/**
 * Returns the error for a failure to open the database. DuckDB's reason is in the system's language, so this opens the
 * file to find out whether another process has it open.
 */
export async function openingError(error: unknown, file: string): Promise<EngineError> {
  const found = engineError(error);
  if (found.kind !== 'disk') return found;
  const reason = await open(file).then(
    (handle) => handle.close(),
    (refusal: unknown) => refusal,
  );
  return isInUse(reason) ? new EngineError(found.message, 'locked') : found;
}

/** Messages that are more specific than their error class, most serious first. */
const SPECIFIC_KINDS: readonly (readonly [RegExp, EngineErrorKind])[] = [
  // After a checkpoint fails to write, the database answers nothing until it is reopened.
  [/has been invalidated/, 'fatal'],
  [/set lock on file|used by another process/, 'locked'],
  // A commit that could not write to the log is rolled back.
  [/^Failed to commit: Could not (?:write|sync|truncate)|No space left on device/, 'disk'],
  // A commit without memory for its blocks is rolled back too. Its error lacks the class of other memory errors.
  [/^Failed to commit: (?:could not allocate|failed to (?:allocate|pin))/i, 'memory'],
];

export function isDamage(error: unknown): boolean {
  const { kind, message } = engineError(error);
  return kind === 'disk' && DAMAGE_MESSAGE.test(message);
}

const DAMAGE_MESSAGE =
  /^Corrupt database file|not a valid DuckDB database file|Could not read enough bytes/;
