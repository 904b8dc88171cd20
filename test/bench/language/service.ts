/** What is measured of a language service, so that two of them are measured alike. */

export interface Service {
  parse(text: string): void;
  analyze(text: string): void;
  /** Analyses a query and lists what is wrong with it; how many. */
  diagnose(text: string): number;
  /** Analyses a query and lists what may be typed at an offset; how many. */
  complete(text: string, offset: number): number;
  /** Analyses a query and answers what lists what may be typed in it. */
  analyzed(text: string): (offset: number) => number;
  open(text: string): OpenFile;
}

/** A file in an editor, of which the service keeps what it can from one edit to the next. */
export interface OpenFile {
  edit(start: number, end: number, by: string): void;
  /** All diagnostics of the file as it is now. */
  diagnose(): number;
  complete(offset: number): number;
}
