/** The errors of an engine, by the kinds that callers distinguish. */
export type EngineErrorKind =
  | 'interrupted'
  | 'memory'
  | 'time'
  | 'input'
  | 'value'
  | 'statement'
  | 'depth'
  | 'transaction'
  | 'disk'
  | 'locked'
  /** The database file or a log is damaged, or a log exists without the database file. No file was changed. */
  | 'damaged'
  | 'fatal'
  | 'other';

export class EngineError extends Error {
  readonly kind: EngineErrorKind;

  constructor(message: string, kind: EngineErrorKind) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}
