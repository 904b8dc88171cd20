/** Formatting options that depend on user or editor preferences. */

export interface FormatOptions {
  /** The width of one indentation step and of a tab, in columns. At least 1. */
  readonly tabSize: number;
  readonly insertSpaces: boolean;
  /** The preferred maximum line width in columns. Unbreakable text may exceed it. */
  readonly width: number;
  /** Whether a formatted document always ends with a line break. If false, it ends with one only if the input does. */
  readonly finalNewline: boolean;
}

export const defaultFormatOptions: FormatOptions = {
  tabSize: 4,
  insertSpaces: true,
  width: 100,
  finalNewline: true,
};

export function indentation(options: FormatOptions, level: number): string {
  return options.insertSpaces ? ' '.repeat(options.tabSize * level) : '\t'.repeat(level);
}

export function lineBreakOf(text: string): string {
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (at < 0) return '\n';
  return text[at - 1] === '\r' && text[at] === '\n' ? '\r\n' : (text[at] as string);
}
