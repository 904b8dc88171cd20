/** Parses a bulk request. Each action is a line, followed by a line with its document, except for deletions. */
import { INGEST_EVENTS_MAX } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';

type ActionName = 'index' | 'create' | 'update' | 'delete';

export interface Action {
  readonly name: ActionName;
  readonly index: string | undefined;
  readonly id: string | undefined;
  readonly document?: Buffer;
}

const hasDocument: Readonly<Record<ActionName, boolean>> = {
  index: true,
  create: true,
  update: true,
  delete: false,
};

const NEWLINE = 0x0a;

/** Returns the actions of a request, in order. Throws an ApiError if an action or a document is not valid. */
export function readActions(bytes: Buffer): Action[] {
  const actions: Action[] = [];
  const lines = linesOf(bytes);
  for (const { line, number } of lines) {
    if (isBlank(line)) continue;
    const action = readAction(line, number);
    if (actions.length === INGEST_EVENTS_MAX) {
      throw new ApiError('events-too-many', { limit: INGEST_EVENTS_MAX });
    }
    if (!hasDocument[action.name]) {
      actions.push(action);
      continue;
    }
    const next = lines.next();
    if (next.done === true || isBlank(next.value.line)) {
      throw malformedError(number, `a document has to follow the action ${action.name}`);
    }
    actions.push({ ...action, document: next.value.line });
  }
  return actions;
}

function* linesOf(bytes: Buffer): Generator<{ line: Buffer; number: number }> {
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    yield { line: bytes.subarray(start, end), number };
    start = end + 1;
  }
}

function isBlank(line: Buffer): boolean {
  return line.length < BLANK_BYTES_MAX && line.toString('latin1').trim() === '';
}

const BLANK_BYTES_MAX = 1_024;
/** Index names and identifiers have at most 512 bytes each. */
const ACTION_BYTES_MAX = 16_384;

function readAction(line: Buffer, number: number): Action {
  if (line.length > ACTION_BYTES_MAX) throw malformedError(number, 'it is too long for an action');
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch {
    throw malformedError(number, 'it is not valid JSON, and an action has to be here');
  }
  const [name, ...more] = isObject(value) ? Object.keys(value) : [];
  if (name === undefined || !Object.hasOwn(hasDocument, name) || more.length > 0) {
    throw malformedError(number, 'it must be an object with index, create, update or delete alone');
  }
  const members = (value as Record<string, unknown>)[name];
  if (!isObject(members)) throw malformedError(number, `${name} must be an object`);
  return {
    name: name as ActionName,
    index: stringOf(members['_index']),
    id: stringOf(members['_id']),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

function malformedError(line: number, problem: string): ApiError {
  return new ApiError('bulk-malformed', { line, problem });
}
