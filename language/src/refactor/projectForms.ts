/** Converts between `project`, `project-keep` and `project-away`, and lists the columns that patterns match. */
import { replace } from '../edits.ts';
import { quoteName } from '../names.ts';
import type { ProjectOperator } from '../operators/project.ts';
import type { ProjectByPatternOperator } from '../operators/projectByPattern.ts';
import {
  boundStageOf,
  hasComment,
  type Place,
  type Refactoring,
  rewrite,
  stageOf,
} from './refactoring.ts';

/** The maximum number of columns listed in place of a pattern. */
const maxListed = 40;

export function projectForms(place: Place): readonly Refactoring[] {
  const operator = stageOf(place)?.operator;
  if (operator?.kind === 'ProjectOperator') return toKeep(operator);
  if (operator?.kind !== 'ProjectByPatternOperator' || operator.mode === 'reorder') return [];
  const simple = operator.items.every(({ wildcard, direction }) => !wildcard && !direction);
  if (operator.mode === 'keep' && simple && operator.items.length > 0) {
    const title = 'Convert to project (columns in the order written here)';
    return rewrite(title, replace(operator.keyword, 'project'));
  }
  return listed(place, operator);
}

/** Converts `project` to `project-keep`. Offered only for plain columns, because project-keep can't rename columns. */
function toKeep({ items, keyword }: ProjectOperator): readonly Refactoring[] {
  const plain = items.every(
    ({ name, expression }) => name === undefined && expression.kind === 'NameReference',
  );
  if (!plain || items.length === 0) return [];
  const title = "Convert to project-keep (columns in the dataset's order)";
  return rewrite(title, replace(keyword, 'project-keep'));
}

/** Offers to list the output columns of the stage explicitly, if all output columns are known. */
function listed(place: Place, operator: ProjectByPatternOperator): readonly Refactoring[] {
  const stage = stageOf(place);
  const bound = stage && boundStageOf(place, stage);
  if (bound === undefined || bound.input.open) return [];
  const { list } = bound.output;
  const body = { start: operator.keyword.start, end: operator.end };
  if (list.length === 0 || list.length > maxListed) return [];
  if (hasComment(place.analysis.tree, body)) return [];
  const names = list.map(({ name }) => quoteName(name)).join(', ');
  const name = operator.mode === 'keep' ? 'project' : 'project-keep';
  return rewrite(`Convert to ${name} with explicit columns`, replace(body, `${name} ${names}`));
}
