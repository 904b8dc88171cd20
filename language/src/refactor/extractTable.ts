/**
 * The beginning of a pipeline, up to the stage at the place, → a `let` before the statement. A comment
 * behind the last stage goes along with it.
 */
import type { Pipeline } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import {
  boundStageOf,
  commentEnd,
  freeName,
  indentAt,
  newlineOf,
  type Place,
  type Refactoring,
} from './refactoring.ts';

export function extractTable(place: Place): readonly Refactoring[] {
  const [statement] = place.path;
  const found = prefixAt(place);
  if (found === undefined || statement === undefined) return [];
  const { pipeline, end, isWhole, limited } = found;
  // A limit behind a time series counts its groups, and would count rows behind a name.
  if (limited || (isWhole && isValueOfLet(place.path, pipeline))) return [];
  const { text } = place;
  const name = freeName(place, 'rows');
  const comment = commentEnd(text, end);
  const declaration = `let ${name} = ${text.slice(pipeline.start, end)};${text.slice(end, comment)}`;
  const lineBreak = newlineOf(text) + indentAt(text, statement.start);
  const title = `Extract ${isWhole ? 'query' : 'query up to here'} to let ${name}`;
  const rename = { offset: statement.start, behind: 'let '.length };
  if (pipeline.start === statement.start) {
    const edit = { start: statement.start, end: comment, text: declaration + lineBreak + name };
    return [{ kind: 'extract', title, rename, edits: [edit] }];
  }
  return [
    {
      kind: 'extract',
      title,
      rename,
      edits: [
        { start: statement.start, end: statement.start, text: declaration + lineBreak },
        { start: pipeline.start, end: comment, text: name },
      ],
    },
  ];
}

interface Prefix {
  readonly pipeline: Pipeline;
  readonly end: number;
  readonly isWhole: boolean;
  readonly limited: boolean;
}

/** The innermost pipeline around the place, up to the stage that the place, or the selection's end, is in. */
function prefixAt(place: Place): Prefix | undefined {
  const { path, span } = place;
  const pipeline = path.findLast((node) => node.kind === 'Pipeline');
  if (pipeline === undefined || pipeline.stages.length === 0) return undefined;
  const { source, stages } = pipeline;
  // A selection counts when it is a whole beginning of the pipeline; anything else inside it is a value.
  if (span.start < span.end && span.start > pipeline.start) return undefined;
  const last =
    span.start < span.end
      ? stages.findIndex(({ end }) => end === span.end)
      : stages.findIndex((stage) => path.includes(stage));
  const stage = stages[last];
  if (stage === undefined || source.kind === 'Missing' || source.kind === 'ExpressionSource') {
    return undefined;
  }
  const bound = boundStageOf(place, stage);
  const next = stages[last + 1]?.operator.kind;
  const limited =
    bound?.operator.kind === 'summarize' &&
    bound.operator.timeGroup !== undefined &&
    (next === 'LimitOperator' || next === 'TopOperator');
  return { pipeline, end: stage.end, isWhole: last === stages.length - 1, limited };
}

function isValueOfLet(path: readonly AnyNode[], pipeline: Pipeline): boolean {
  return path.some((node) => node.kind === 'LetStatement' && node.value === pipeline);
}
