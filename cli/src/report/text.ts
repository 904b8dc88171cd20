/** Formats findings as lines of the form `file:line:column: severity message (code)`, for users and tools. */
import { styleText } from 'node:util';
import { plural } from '../../../formats/src/counts.ts';
import { printable, type Severity } from '../../../language/src/index.ts';
import { type CheckedFile, countsOf, type Finding, type Report } from './report.ts';

const colors = {
  error: 'red',
  warning: 'yellow',
  info: 'blue',
  hint: 'gray',
} as const satisfies Record<Severity, string>;

const nouns: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'hint',
};

/** Formats a report. `hasColor` adds colors for terminals. */
export function textReport({ files }: Report, hasColor: boolean): string {
  const lines = files.flatMap(({ path, findings }) =>
    findings.map((finding) => lineOf(path, finding, hasColor)),
  );
  return [...lines, ...(lines.length > 0 ? [''] : []), summary(files), ''].join('\n');
}

function lineOf(path: string, finding: Finding, hasColor: boolean): string {
  const { start, severity, message, code } = finding;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColor ? styleText(style, text, { validateStream: false }) : text;
  const location = paint('bold', `${printable(path)}:${start.line}:${start.column}`);
  return `${location}: ${paint(colors[severity], severity)} ${printable(message)} ${paint('gray', `(${code})`)}`;
}

function summary(files: readonly CheckedFile[]): string {
  const counts = countsOf(files);
  const parts = (['error', 'warning', 'info', 'hint'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => countText(counts[severity], nouns[severity]));
  const checked = `${countText(files.length, 'file')} checked`;
  return `${checked}: ${parts.length === 0 ? 'no problems' : parts.join(', ')}.`;
}

/** Formats a count with its noun. Omits thousands separators, so that scripts can parse the count. */
const countText = (count: number, noun: string): string => `${count} ${plural(count, noun)}`;
