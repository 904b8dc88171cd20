/** Problems of a document's queries as LSP diagnostics. */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { Severity } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function diagnostics(snapshot: Snapshot): Diagnostic[] {
  return snapshot.queries.flatMap((query) =>
    query.analysis.problems.map((problem) => ({
      range: toRange(snapshot.lines, problem, query.start),
      severity: severities[problem.severity],
      code: problem.code,
      source: 'APL',
      message: problem.message,
      ...(problem.suggestion === undefined ? {} : { data: { suggestion: problem.suggestion } }),
    })),
  );
}
