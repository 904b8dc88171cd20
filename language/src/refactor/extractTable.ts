/** Extracts a pipeline's source and first stages to a `let` statement, including a trailing comment. */
import type { Pipeline } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import {
  commentEnd,
  extraction,
  freeName,
  isLimit,
  isTimeSeries,
  type Place,
  type Refactoring,
} from './refactoring.ts';

export function extractTable(place: Place): readonly Refactoring[] {
  const [statement] = place.path;
  const found = prefixAt(place);
  if (found === undefined || statement === undefined) return [];
  const { pipeline, end, isWhole, limited } = found;
  // Don't extract a time series before a limit: the limit counts groups, but would count rows after the new name.
  if (limited || (isWhole && isValueOfLet(place.path, pipeline))) return [];
  const { text } = place;
  const name = freeName(place, 'rows');
  const comment = commentEnd(text, end);
  const declaration = `let ${name} = ${text.slice(pipeline.start, end)};${text.slice(end, comment)}`;
  const title = `Extract ${isWhole ? 'query' : 'query up to here'} to let ${name}`;
  const use = { start: pipeline.start, end: comment, text: name };
  return extraction(place, title, statement.start, declaration, use);
}

interface Prefix {
  readonly pipeline: Pipeline;
  readonly end: number;
  readonly isWhole: boolean;
  readonly limited: boolean;
}

/** Returns the innermost pipeline up to the stage at the cursor or at the selection's end. */
function prefixAt(place: Place): Prefix | undefined {
  const { path, span } = place;
  const pipeline = path.findLast((node) => node.kind === 'Pipeline');
  if (pipeline === undefined || pipeline.stages.length === 0) return undefined;
  const { source, stages } = pipeline;
  // A selection must start where the pipeline starts. Any other selection inside the pipeline is treated as a value.
  if (span.start < span.end && span.start > pipeline.start) return undefined;
  const last =
    span.start < span.end
      ? stages.findIndex(({ end }) => end === span.end)
      : stages.findIndex((stage) => path.includes(stage));
  const stage = stages[last];
  if (stage === undefined || source.kind === 'Missing' || source.kind === 'ExpressionSource') {
    return undefined;
  }
  const limited = isTimeSeries(place, stage) && isLimit(stages[last + 1]);
  return { pipeline, end: stage.end, isWhole: last === stages.length - 1, limited };
}

function isValueOfLet(path: readonly AnyNode[], pipeline: Pipeline): boolean {
  return path.some((node) => node.kind === 'LetStatement' && node.value === pipeline);
}
