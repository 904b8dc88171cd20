/** Parses a pipeline: a source and its stages. The window of a stage ends at the next pipe. */
import { packed } from '../../append.ts';
import { operatorCores } from '../../operators/index.ts';
import { isTransformName } from '../../operators/names.ts';
import type { NameRules, OperatorNode } from '../../operators/operator.ts';
import type { UnknownOperator } from '../../operators/unknown.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { Operator, Pipeline, Source, Stage } from '../tree.ts';
import { atMissingPipe, operatorNameHere, operatorNameLength } from './keywords.ts';
import { tabularOperatorMeant } from './misspelt.ts';
import { atOperatorWithoutSource, source } from './sources.ts';

const pipe = 124;

export function pipeline(c: Cursor): Pipeline {
  const end = c.find(pipe);
  const first: Source = c.within(end, pipelineSource);
  const found = stages(c);
  return { kind: 'Pipeline', source: first, stages: found, start: first.start, end: c.lastEnd };
}

function pipelineSource(c: Cursor): Source {
  if (c.atEnd || atOperatorWithoutSource(c)) {
    // Report the problem at the pipe, because comments may precede the pipe.
    const behind = c.atPipeBehind ? c.tokens[c.index] : undefined;
    c.report('expected-source', behind ?? c.here(), { after: c.after, found: c.found });
    return c.missing();
  }
  const { start } = c.token;
  const found = source(c);
  if (!c.atEnd && !atMissingPipe(c)) leftover(c, start);
  return found;
}

export function stages(c: Cursor): readonly Stage[] {
  const found: Stage[] = [];
  while (!c.atEnd) {
    const pipeToken = c.token;
    const piped = c.at('|');
    if (piped) c.advance();
    // `leftover` stops only at an operator whose pipe is missing.
    else c.expected('missing-pipe');
    const operator = c.within(c.find(pipe), stageOperator);
    const { start } = pipeToken;
    const span = piped ? pipeToken : { start, end: start };
    found.push({ kind: 'Stage', pipe: span, operator, start, end: c.lastEnd });
  }
  return packed(found);
}

/** Parses a stage's operator. Consumes the rest of the window, up to an operator whose pipe is missing. */
function stageOperator(c: Cursor): Operator {
  const length = operatorNameLength(c);
  if (length === 0) return missingOperator(c);
  const name = operatorNameHere(c);
  const meant = isTransformName(name) ? undefined : tabularOperatorMeant(name);
  const known = meant ?? name;
  const keyword = { start: c.token.start, end: c.peek(length - 1).end };
  for (let i = 0; i < length; i++) c.advance();
  if (!isTransformName(known)) return unknownOperator(c, name, keyword);
  const { start } = c.here();
  const found = parsedOperator(operatorCores[known], c, keyword);
  if (!c.atEnd && !atMissingPipe(c)) leftover(c, start);
  return meant === undefined ? found : { ...found, misspelt: name };
}

export function parsedOperator<N extends OperatorNode>(
  { parse }: NameRules<N>,
  c: Cursor,
  keyword: Span,
): N {
  const own = parse(c, keyword);
  return { ...own, keyword, start: keyword.start, end: c.lastEnd } as unknown as N;
}

/** Reports and skips unexpected tokens, up to an operator whose pipe is missing. */
function leftover(c: Cursor, start: number): void {
  if (!c.eatStrayClosing(start)) c.unexpected();
  while (!c.atEnd && !atMissingPipe(c)) c.jumpOver();
}

function missingOperator(c: Cursor): UnknownOperator {
  const start = c.lastEnd;
  c.report(c.atPipeBehind ? 'double-pipe' : 'missing-operator', c.here(), { found: c.found });
  return unknownOperator(c, '', { start, end: start });
}

/** Parses an unsupported or missing operator or source. The returned node extends to the end of the window. */
export function unknownOperator(c: Cursor, name: string, keyword: Span): UnknownOperator {
  c.skipRest();
  return { kind: 'UnknownOperator', name, keyword, start: keyword.start, end: c.lastEnd };
}
