/** Formats findings as JSON (see docs/cli.md). Increment `version` after incompatible changes. */
import { countsOf, type Report } from './report.ts';

export function jsonReport({ files, errors }: Report): string {
  const { error, warning, info, hint } = countsOf(files);
  const report = {
    version: 1,
    files: files.map(({ path, findings }) => ({ path, problems: findings })),
    troubles: errors,
    summary: { files: files.length, errors: error, warnings: warning, infos: info, hints: hint },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
