/** Reports a document's problems to clients that pull diagnostics. `main.ts` pushes them to other clients. */
import {
  type ClientCapabilities,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  type Position,
} from 'vscode-languageserver';
import {
  type Problem,
  type ProblemTag,
  type Severity,
  tagOf,
} from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { Diagnosed, QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const tags: Readonly<Record<ProblemTag, DiagnosticTag>> = {
  unnecessary: DiagnosticTag.Unnecessary,
  deprecated: DiagnosticTag.Deprecated,
};

/** Returns a document's diagnostics. A query that didn't move keeps its diagnostic objects. */
export function diagnostics(snapshot: Snapshot): Diagnostic[] {
  snapshot.diagnosed ??= diagnosed(snapshot);
  const { list } = snapshot.diagnosed;
  return list.concat(snapshot.problemsOfFile.map((problem) => diagnosticOf(snapshot, problem, 0)));
}

function diagnosed(snapshot: Snapshot): Diagnosed {
  const { queries, shared } = snapshot;
  const ends = new Uint32Array(queries.length);
  const [kept, rest] = shared ? [shared.kept, shared.rest] : [0, 0];
  const before = shared?.diagnosed;
  const head = before === undefined || kept === 0 ? 0 : (before.ends[kept - 1] as number);
  const list = before?.list.slice(0, head) ?? [];
  if (before !== undefined) ends.set(before.ends.subarray(0, kept));
  // Without a previous snapshot, no diagnostics can be reused.
  const below = before === undefined ? 0 : before.ends.length - rest;
  for (let i = kept; i < queries.length - below; i++) {
    for (const one of diagnosticsOf(snapshot, queries[i] as QueryState)) list.push(one);
    ends[i] = list.length;
  }
  if (before === undefined || below === 0) return { list, ends };
  const from = rest === 0 ? 0 : (before.ends[rest - 1] as number);
  const by = list.length - from;
  for (let i = 0; i < below; i++)
    ends[queries.length - below + i] = (before.ends[rest + i] as number) + by;
  return { list: list.concat(before.list.slice(from)), ends };
}

function diagnosticsOf(snapshot: Snapshot, query: QueryState): readonly Diagnostic[] {
  if (!query.checked) return [];
  const { memory, position } = query;
  const then = memory.position;
  if (then === position) return memory.diagnostics;
  if (then !== undefined && then.character === position.character) {
    const down = position.line - then.line;
    if (down !== 0) memory.diagnostics = memory.diagnostics.map((one) => lower(one, down));
  } else {
    const { analysis, start } = query;
    memory.diagnostics = analysis.problems.map((problem) => diagnosticOf(snapshot, problem, start));
  }
  memory.position = position;
  return memory.diagnostics;
}

function lower(diagnostic: Diagnostic, lines: number): Diagnostic {
  const down = ({ line, character }: Position) => ({ line: line + lines, character });
  const { start, end } = diagnostic.range;
  return { ...diagnostic, range: { start: down(start), end: down(end) } };
}

function diagnosticOf({ lines }: Snapshot, problem: Problem, base: number): Diagnostic {
  const { code, severity, message, suggestion } = problem;
  const tag = tagOf(code);
  return {
    range: toRange(lines, problem, base),
    severity: severities[severity],
    code,
    source: 'APL',
    message,
    ...(tag === undefined ? {} : { tags: [tags[tag]] }),
    ...(suggestion === undefined ? {} : { data: { suggestion } }),
  };
}

export function pullsDiagnostics({ textDocument, workspace }: ClientCapabilities): boolean {
  return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true;
}

function sameDiagnostics(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => one === b[i] || JSON.stringify(one) === JSON.stringify(b[i]))
  );
}

/** Answers diagnostic requests. If the diagnostics equal those last sent to the client, answers "unchanged". */
export class DiagnosticReports {
  readonly #last = new Map<string, { id: string; items: readonly Diagnostic[] }>();
  #count = 0;

  report(snapshot: Snapshot, known: string | undefined): DocumentDiagnosticReport {
    const items = diagnostics(snapshot);
    const last = this.#last.get(snapshot.uri);
    if (last !== undefined && last.id === known && sameDiagnostics(items, last.items))
      return { kind: 'unchanged', resultId: last.id };
    const id = String(++this.#count);
    this.#last.set(snapshot.uri, { id, items });
    return { kind: 'full', resultId: id, items };
  }

  forget(uri: string): void {
    this.#last.delete(uri);
  }
}

export const diagnosticsFeature: Feature = {
  capabilities: {
    diagnosticProvider: {
      identifier: 'aplomb',
      interFileDependencies: false,
      workspaceDiagnostics: false,
    },
  },
  register(connection, workspace) {
    const reports = new DiagnosticReports();
    connection.languages.diagnostics.on(
      workspace.answering<
        DocumentDiagnosticParams,
        DocumentDiagnosticReport,
        DocumentDiagnosticReport
      >({ kind: 'full', items: [] }, (now, { previousResultId }) =>
        reports.report(now, previousResultId),
      ),
    );
    workspace.open.onDidClose(({ document }) => reports.forget(document.uri));
  },
};
