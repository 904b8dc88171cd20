/** Offers code actions that fix one problem, fix all problems with the same code, or suppress a problem. */
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver';
import { certainFix, fixableEverywhere, fixesFor, shifted } from '../../../language/src/editing.ts';
import {
  type Edit,
  type Fix,
  type Problem,
  type ProblemCode,
  problemsOfFile,
  type Span,
} from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import { type ActionRequest, type ActionSource, isOfKind } from './actionSource.ts';
import { quickFix, silencingAction } from './silencing.ts';

/** The kind of the action that applies every safe fix in the file. Clients must request the kind or a parent kind. */
const fixAllKind = `${CodeActionKind.SourceFixAll}.axiom-apl`;

/** Maximum number of problems fixed at once. Users couldn't review more edits. */
const maxFixesAtOnce = 500;

/** Maximum number of characters analyzed to verify fixes. Low, because every cursor move may request fixes. */
const maxLetters = 50_000;

export const quickFixes: ActionSource = {
  kinds: [CodeActionKind.QuickFix, fixAllKind],
  actions(request) {
    const { only } = request;
    const actions = only?.every((kind) => !isOfKind(CodeActionKind.QuickFix, kind))
      ? []
      : fixesHere(request);
    // Compute the fix-all action only if the request names its kind, because the light bulb menu doesn't show it.
    if (only?.some((kind) => isOfKind(fixAllKind, kind))) actions.push(...fixAll(request.snapshot));
    return actions;
  },
};

/** A problem. `base` is the document offset to which the problem's offsets are relative. */
interface Place {
  readonly problem: Problem;
  readonly base: number;
  /** The query that contains the problem. Undefined for problems in `problemsOfFile`. */
  readonly query?: QueryState;
}

function fixesHere({ snapshot, selection, shown }: ActionRequest): CodeAction[] {
  const fixes: CodeAction[] = [];
  const together = new Map<ProblemCode, CodeAction>();
  const silencing: CodeAction[] = [];
  for (const place of problemsAt(snapshot, selection)) {
    const { problem, base } = place;
    const diagnostics = shownAs(snapshot, place, shown);
    const found = fixesOf(snapshot, place);
    // A keyboard shortcut applies a preferred fix directly. The fix of a hint may be wrong, so don't prefer it.
    const preferred = found.length === 1 && problem.severity !== 'hint';
    for (const fix of found) {
      const action = quickFix(snapshot, fix.title, fix.edits, diagnostics, base);
      fixes.push(preferred ? { ...action, isPreferred: true } : action);
    }
    if (found.length > 0 && !together.has(problem.code)) {
      const all = fixAllOfKind(snapshot, problem.code, diagnostics);
      if (all !== undefined) together.set(problem.code, all);
    }
    if (problem.severity !== 'error' && !ofComments.has(problem.code))
      silencing.push(silencingAction(snapshot, base + problem.start, problem.code, diagnostics));
  }
  return [...fixes, ...together.values(), ...silencing];
}

/** Codes of problems in directives. No quick fix suppresses these problems by adding another directive. */
const ofComments: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'misplaced-directive',
  'unknown-code',
  'unknown-directive',
  'unused-directive',
]);

function fixesOf({ schema }: Snapshot, { problem, query }: Place): readonly Fix[] {
  if (query !== undefined) return fixesFor(query.analysis, problem, schema);
  const fix = certainFix(problem);
  return fix === undefined ? [] : [fix];
}

function* problemsAt(snapshot: Snapshot, { start, end }: Span): Iterable<Place> {
  const touches = (problem: Problem, base: number) =>
    base + problem.start <= end && base + problem.end >= start;
  for (const query of snapshot.queries) {
    if (query.end < start || query.start > end) continue;
    for (const problem of query.analysis.problems)
      if (touches(problem, query.start)) yield { problem, base: query.start, query };
  }
  for (const problem of problemsOfFile(snapshot.text, snapshot.queries, snapshot.disabled))
    if (touches(problem, 0)) yield { problem, base: 0 };
}

/** Returns the diagnostic to attach to a code action, so that the editor shows which problem the action fixes. */
function shownAs(
  { lines }: Snapshot,
  { base, problem }: Place,
  shown: readonly Diagnostic[],
): Diagnostic[] {
  const { start, end } = toRange(lines, problem, base);
  const same = shown.find(
    ({ code, range }) =>
      code === problem.code &&
      range.start.line === start.line &&
      range.start.character === start.character &&
      range.end.line === end.line &&
      range.end.character === end.character,
  );
  return same === undefined ? [] : [same];
}

/** Returns an action that fixes all problems with a code. Undefined if fewer than two can be fixed. */
function fixAllOfKind(
  snapshot: Snapshot,
  code: ProblemCode,
  diagnostics: Diagnostic[],
): CodeAction | undefined {
  const { edits, count } = firstFixes(snapshot, (one) => one.code === code);
  if (count < 2) return undefined;
  const title = `Fix all ${count} ${code} problems in this file`;
  return quickFix(snapshot, title, edits, diagnostics);
}

function fixAll(snapshot: Snapshot): CodeAction[] {
  const { edits, count } = firstFixes(snapshot, ({ code }) => fixableEverywhere.has(code));
  if (count === 0) return [];
  return [{ ...quickFix(snapshot, 'Fix all auto-fixable problems', edits, []), kind: fixAllKind }];
}

/** Returns the edits of each matching problem's first fix. Skips a fix that overlaps an earlier one. */
function firstFixes(
  { queries, schema }: Snapshot,
  wanted: (problem: Problem) => boolean,
): { readonly edits: readonly Edit[]; readonly count: number } {
  const edits: Edit[] = [];
  let count = 0;
  let letters = 0;
  for (const { start, analysis } of queries) {
    for (const problem of analysis.problems) {
      if (count >= maxFixesAtOnce || letters > maxLetters || !wanted(problem)) continue;
      if (certainFix(problem) === undefined) letters += analysis.tree.text.length;
      const [fix] = fixesFor(analysis, problem, schema);
      const moved = shifted(fix?.edits ?? [], start);
      if (moved.length === 0 || moved.some((edit) => edits.some((one) => overlap(one, edit))))
        continue;
      edits.push(...moved);
      count++;
    }
  }
  return { edits, count };
}

function overlap(a: Edit, b: Edit): boolean {
  return (a.start < b.end && b.start < a.end) || a.start === b.start;
}
