/**
 * Suppresses the problems named by directive comments (`directives.ts`) or by a list of codes. Errors can be suppressed
 * too, because the author decides. Suppressed problems are returned separately, so that they can be checked before a
 * query is run.
 *
 * A next-line directive applies to the next line that isn't a comment, so several directives can follow each other. A
 * file directive must precede the first query.
 */
import { none } from './append.ts';
import type { BoundPipeline, BoundQuery } from './binding/bound.ts';
import {
  covers,
  type Directive,
  directiveMark,
  directivesIn,
  problemsOfDirective,
  unusedDirective,
} from './directives.ts';
import { type Problem, type ProblemCode, problem, problemCodes } from './problems.ts';
import { maxProblems } from './syntax/limits.ts';
import { endOfLine, lineBelow } from './syntax/lines.ts';
import type { Token } from './syntax/tokens.ts';
import { inTextOrder, type Span } from './text.ts';

export interface Silence {
  readonly problems: readonly Problem[];
  readonly silenced: readonly Problem[];
  readonly directives: readonly Directive[];
}

/**
 * Splits a query's problems into reported and suppressed ones. `disabled` must include the codes from disable-file
 * comments.
 */
export function silence(
  bound: BoundQuery,
  found: readonly Problem[],
  disabled: readonly string[],
): Silence {
  const { text, tokens } = bound.tree;
  const directives = text.includes(directiveMark) ? directivesAmong(text, tokens) : none;
  if (directives.length > 0) return obeyed(bound, directives, found, disabled);
  if (disabled.length === 0 || found.length === 0)
    return { problems: found, silenced: none, directives };
  return { ...parted(found, ({ code }) => disabled.includes(code)), directives };
}

function directivesAmong(text: string, tokens: readonly Token[]): Directive[] {
  const found: Directive[] = [];
  let end = 0;
  for (const token of tokens) {
    if (token.start - end > directiveMark.length)
      for (const one of directivesIn(text, { start: end, end: token.start })) found.push(one);
    end = token.end;
  }
  return found;
}

function obeyed(
  bound: BoundQuery,
  directives: readonly Directive[],
  found: readonly Problem[],
  disabled: readonly string[],
): Silence {
  const { text } = bound.tree;
  const about = directives.filter(({ kind }) => kind === 'next-line');
  const lines = nextLines(text, about);
  const uses = about.map((directive, i) => ({
    directive,
    line: lines[i] as Span,
    codes: new Set<ProblemCode>(),
  }));
  const { problems, silenced } = parted(found, ({ code, start }) => {
    let silent = false;
    for (const { directive, line, codes } of uses) {
      if (start < line.start || start > line.end || !covers(directive, code)) continue;
      codes.add(code);
      silent = true;
    }
    return silent || disabled.includes(code);
  });
  const known = knowsColumns(bound);
  const own = [
    ...directives.flatMap(problemsOfDirective),
    ...uses.flatMap(({ directive, codes }) => (known ? idleOf(text, directive, codes) : [])),
  ];
  const told = own.filter(({ code }) => !disabled.includes(code)).slice(0, maxProblems);
  return { problems: inTextOrder([...problems, ...told]), silenced, directives };
}

/**
 * Returns, for each directive, the span of the next line that isn't a comment. Starts with the last directive, so that
 * many consecutive directives take linear time.
 */
function nextLines(text: string, directives: readonly Span[]): Span[] {
  const lines: Span[] = [];
  for (let i = directives.length - 1; i >= 0; i--) {
    const below = i + 1 < directives.length ? (directives[i + 1] as Span).start : text.length;
    let start = lineBelow(text, endOfLine(text, (directives[i] as Span).end));
    while (start <= below && isComment(text, start))
      start = lineBelow(text, endOfLine(text, start));
    lines[i] = start > below ? (lines[i + 1] as Span) : { start, end: endOfLine(text, start) };
  }
  return lines;
}

const comment = /[ \t]*\/\//y;

function isComment(text: string, line: number): boolean {
  comment.lastIndex = line;
  return comment.test(text);
}

/**
 * Returns whether all columns of a query are known. If not, directives aren't reported as unused, because they may
 * suppress a problem that can't be detected yet.
 */
function knowsColumns({ stages, pipelines }: BoundQuery): boolean {
  const known = ({ source }: BoundPipeline): boolean => !source.columns.open;
  return pipelines.every(known) && stages.every(({ input, output }) => !input.open && !output.open);
}

/** Returns the problem of an unused directive. Doesn't report unknown codes, which have their own problem. */
function idleOf(text: string, directive: Directive, used: ReadonlySet<ProblemCode>): Problem[] {
  const { codes, unknown } = directive;
  const idle = codes.filter((code) => !used.has(code));
  const useless = codes.length > 0 ? idle.length > 0 : used.size === 0 && unknown.length === 0;
  return useless ? [unusedDirective(text, directive, idle)] : [];
}

function parted(problems: readonly Problem[], silent: (problem: Problem) => boolean) {
  const told: Problem[] = [];
  const silenced: Problem[] = [];
  for (const one of problems) (silent(one) ? silenced : told).push(one);
  return { problems: told, silenced };
}

/** Returns the codes that file directives above the document's first query suppress. */
export function disabledInFile(source: string): readonly ProblemCode[] {
  if (!source.startsWith('//', source.search(/\S/))) return [];
  const head = { start: 0, end: headEnd(source) };
  const codes = new Set<ProblemCode>();
  for (const directive of directivesIn(source, head)) {
    if (directive.kind !== 'file') continue;
    for (const code of problemCodes) if (covers(directive, code)) codes.add(code);
  }
  return [...codes];
}

function headEnd(source: string): number {
  let line = 0;
  while (line < source.length) {
    const end = endOfLine(source, line);
    if (!isComment(source, line) && source.slice(line, end).trim() !== '') break;
    line = lineBelow(source, end);
  }
  return line;
}

export interface PlacedQuery extends Span {
  readonly analysis: Silence & { readonly bound: BoundQuery };
}

/** Returns the problems in file directives and in directives between queries. */
export function problemsOfFile(
  source: string,
  queries: readonly PlacedQuery[],
  disabled: readonly string[],
): readonly Problem[] {
  if (!source.includes(directiveMark)) return [];
  const head = headEnd(source);
  const silenced = new Set(queries.flatMap((query) => query.analysis.silenced.map(codeOf)));
  const certain = queries.every(({ analysis }) => knowsColumns(analysis.bound));
  const aboutFile = (directive: Directive): Problem[] => {
    if (directive.kind !== 'file') return [];
    if (directive.start >= head) return [problem('misplaced-directive', directive)];
    return certain ? idleOf(source, directive, silenced) : [];
  };
  const found: Problem[] = [];
  const gaps: Span[] = [];
  let end = 0;
  for (const query of queries) {
    gaps.push({ start: end, end: query.start });
    for (const { kind, start } of query.analysis.directives) {
      if (kind !== 'file') continue;
      const at = query.start + start;
      const line = { start: at, end: endOfLine(source, at) };
      for (const one of directivesIn(source, line).flatMap(aboutFile)) found.push(one);
    }
    end = query.end;
  }
  gaps.push({ start: end, end: source.length });
  const between = gaps.flatMap((gap) => problemsBetween(source, gap, aboutFile));
  const told = [...found, ...between].filter(({ code }) => !disabled.includes(code));
  return inTextOrder(told).slice(0, maxProblems);
}

function codeOf({ code }: Problem): ProblemCode {
  return code;
}

/** Returns the problems of the directives between two queries, where a next-line directive is always unused. */
function problemsBetween(
  source: string,
  gap: Span,
  aboutFile: (directive: Directive) => Problem[],
): Problem[] {
  return directivesIn(source, gap).flatMap((directive) => [
    ...problemsOfDirective(directive),
    ...aboutFile(directive),
    ...(directive.kind === 'next-line' ? idleOf(source, directive, new Set()) : []),
  ]);
}
