/**
 * Makes mistakes in queries and measures how they are found: whether an error is at or next to each mistake, and
 * whether the stages before and after the broken one keep their columns for completion.
 */
import { contextAt } from '../../../language/src/editing.ts';
import {
  analyzeQuery,
  type DatasetSchema,
  type QueryAnalysis,
  type Schema,
  type Span,
  walk,
} from '../../../language/src/index.ts';
import { seeded } from '../random.ts';
import { type Mistake, type MistakeKind, makeMistake, mistakeKinds } from './mistakes.ts';

/** A query without errors, with a schema that lists every name it uses. */
export interface Sound {
  readonly query: QueryAnalysis;
  readonly schema: Schema;
}

export interface Row {
  readonly kind: MistakeKind;
  made: number;
  valid: number;
  found: number;
  /** The number of stages around broken ones; `kept` counts those that kept their columns. */
  stages: number;
  kept: number;
}

export interface Miss extends Mistake {
  readonly why: string;
}

export interface Survey {
  readonly rows: readonly Row[];
  readonly misses: readonly Miss[];
}

/**
 * Returns a schema in which each dataset that a query names has exactly the fields that the query uses but does
 * not create.
 */
export function schemaOf(text: string): Schema {
  const { tree, bound } = analyzeQuery(text);
  const { references } = bound;
  const fields = new Set(['_time', '_sysTime']);
  const names = new Set<string>();
  for (const { name, meaning, definition } of references) {
    if (meaning.kind === 'dataset') names.add(name);
    if (meaning.kind === 'unknown' && !definition) fields.add(name);
  }
  walk(tree.statements, (node) => {
    if (node.kind === 'DatasetPattern' && node.wildcard) names.add(node.name.replaceAll('*', 'x'));
  });
  const list = [...fields].map((name) => ({
    name,
    type: name === '_time' ? 'datetime' : 'unknown',
  }));
  const datasets = [...names].map(
    (name): DatasetSchema => ({ name, fields: list, complete: true }),
  );
  return { datasets, complete: true };
}

/**
 * Analyzes the query with a schema of all its names. Returns undefined if the query still has an error.
 */
export function soundOf(text: string): Sound | undefined {
  const schema = schemaOf(text);
  const query = analyzeQuery(text, schema);
  const isWrong = query.problems.some(({ severity }) => severity === 'error');
  return isWrong ? undefined : { query, schema };
}

/**
 * Makes `count` mistakes, evenly by kind if the queries allow, not counting those that are still valid.
 */
export function survey(queries: readonly Sound[], count: number, seed: number): Survey {
  const random = seeded(seed);
  const rows = mistakeKinds.map(
    (kind): Row => ({ kind, made: 0, valid: 0, found: 0, stages: 0, kept: 0 }),
  );
  const misses: Miss[] = [];
  for (let made = 0; made < count; ) {
    for (const row of rows) {
      const sound = random.pick(queries);
      const mistake = makeMistake(row.kind, sound.query, random);
      if (mistake === undefined) continue;
      made++;
      row.made++;
      if (mistake.valid !== undefined) {
        row.valid++;
        continue;
      }
      const broken = analyzeQuery(mistake.text, sound.schema);
      if (isFound(broken, mistake)) row.found++;
      else misses.push({ ...mistake, why: 'no error' });
      const { stages, lost } = lostColumns(sound.query, broken, mistake);
      row.stages += stages;
      row.kept += stages - lost.length;
      if (lost[0] !== undefined) misses.push({ ...mistake, why: lost[0] });
    }
  }
  return { rows, misses };
}

/** Reports whether an error touches the mistake or a token next to it. */
function isFound({ tree, problems }: QueryAnalysis, { at }: Mistake): boolean {
  const before = tree.tokens.findLast(({ end, kind }) => end <= at.start && kind !== 'end');
  const after = tree.tokens.find(({ start, kind }) => start >= at.end && kind !== 'end');
  const from = before?.start ?? 0;
  const to = after?.end ?? tree.text.length;
  return problems.some(({ severity, start, end }) => {
    return severity === 'error' && start <= to && end >= from;
  });
}

/** Counts the stages around the broken one and describes those that lost columns. */
function lostColumns(
  sound: QueryAnalysis,
  broken: QueryAnalysis,
  mistake: Mistake,
): { stages: number; lost: string[] } {
  const { at, was } = mistake;
  const lost: string[] = [];
  let stages = 0;
  const named = sound.bound.references.find(
    ({ start, end }) => start <= was.start && was.end <= end,
  );
  for (const { start, end, input } of sound.bound.stages) {
    // Another operator changes the columns of the stages after it.
    if (mistake.replaces === 'operator' && start >= was.start) continue;
    // The broken stage and the stages around it still know their input columns.
    const ahead = start < was.start;
    const offset = (ahead ? start : start + at.end - at.start - (was.end - was.start)) + 1;
    const context = contextAt(broken.bound, offset);
    stages++;
    const has = context.kind === 'operator' ? context.columns.list : [];
    const names = new Set(has.map(({ name }) => name));
    const wanted = input.list.filter(({ name, definition }) => {
      if (ahead) return true;
      return name !== named?.name && (definition === undefined || !touches(definition, was));
    });
    const missing = wanted.find(({ name }) => !names.has(name));
    if (missing !== undefined) {
      const stage = sound.tree.text.slice(start, Math.min(end, start + 30));
      lost.push(`${missing.name} lost at ${stage}`);
    }
  }
  return { stages, lost };
}

function touches(one: Span, other: Span): boolean {
  return one.start <= other.end && other.start <= one.end;
}

/** Formats the survey as a table for reading. */
export function table({ rows }: Survey): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => cell.padEnd(i === 0 ? 22 : 9)).join('');
  const percent = (part: number, of: number) =>
    of === 0 ? '-' : `${((100 * part) / of).toFixed(1)}%`;
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all = {
    made: sum((row) => row.made),
    valid: sum((row) => row.valid),
    found: sum((row) => row.found),
    stages: sum((row) => row.stages),
    kept: sum((row) => row.kept),
  };
  const show = (name: string, row: typeof all) =>
    line([
      name,
      String(row.made),
      percent(row.valid, row.made),
      percent(row.found, row.made - row.valid),
      percent(row.kept, row.stages),
    ]);
  return [
    line(['mistake', 'made', 'valid', 'found', 'columns']),
    ...rows.map((row) => show(row.kind, row)),
    show('all', all),
  ].join('\n');
}
