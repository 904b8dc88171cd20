/** Classifies DuckDB's errors by the messages of DuckDB and the operating system. */
import { open } from 'node:fs/promises';
import { EngineError, type EngineErrorKind } from '../../engineError.ts';
import { DamagedError } from './recovery.ts';

// Error kinds by the DuckDB error class at the start of a message.
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
 * Opens the file to find out whether another process has it open, because the reason in DuckDB's message is in the
 * system's language.
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

/** Messages that are more specific than their error class. The most serious messages come first. */
const SPECIFIC_KINDS: readonly (readonly [RegExp, EngineErrorKind])[] = [
  // If a checkpoint fails to write, the database rejects all statements until it is reopened, so this is fatal.
  [/has been invalidated/, 'fatal'],
  [/set lock on file|used by another process/, 'locked'],
  // DuckDB rolls back a commit that it can't write to the log.
  [/^Failed to commit: Could not (?:write|sync|truncate)|No space left on device/, 'disk'],
  // DuckDB also rolls back a commit without enough memory. This message doesn't start with the memory error class.
  [/^Failed to commit: (?:could not allocate|failed to (?:allocate|pin))/i, 'memory'],
];

export function isDamage(error: unknown): boolean {
  const { kind, message } = engineError(error);
  return kind === 'disk' && DAMAGE_MESSAGE.test(message);
}

const DAMAGE_MESSAGE =
  /^Corrupt database file|not a valid DuckDB database file|Could not read enough bytes/;
