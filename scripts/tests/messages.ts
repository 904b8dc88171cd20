// What a process that runs test files and the runner say to each other.

export interface Counts {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

export const noCounts: Readonly<Counts> = {
  tests: 0,
  suites: 0,
  pass: 0,
  fail: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
};

export interface Failure {
  /** Names of the suites and the case, outermost first. */
  readonly name: string;
  /** The error with its stack, as Node prints it. */
  readonly error: string;
}

export type WorkerMessage =
  | { readonly type: 'case'; readonly name: string }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'diagnostic'; readonly message: string }
  | { readonly type: 'done'; readonly counts: Counts };

/** Asks the process of plain files to run one of them. */
export interface RunRequest {
  readonly file: string;
}

/** Name of the case that ends a plain file. It is neither counted nor shown, unless it fails. */
export const endOfFile = 'leaves no global changed';
