/**
 * Writes a planned query as text for performance tuning: the bound query, the relational plan, and the SQL. Everything
 * but the SQL is a comment, so that an editor can highlight the output as a script.
 */
import type { BoundQuery } from '../../../language/src/index.ts';
import { queryLines } from './explain/query.ts';
import { relationLines } from './explain/relation.ts';
import { visible } from './explain/text.ts';
import type { Plan } from './plan.ts';

/** Returns the explanation of a plan. The text is deterministic and ends with a newline. */
export function explainPlan(bound: BoundQuery, plan: Plan): string {
  const { main, counts } = plan;
  const merged = plan.merges !== undefined;
  const totals = merged ? undefined : plan.totals;
  const sections = [
    commented('Query: as it was understood. → the columns that leave a stage', queryLines(bound)),
    commented('Plan: from the rows that are read to those that are answered', [
      ...sharedLines(plan),
      ...relationLines(main.relation),
      ...(plan.defaultLimit === undefined
        ? []
        : ['(the query has no limit, so the default one is put on it)']),
    ]),
    totals &&
      commented('Plan of the totals: the groups without the time', relationLines(totals.relation)),
    `-- SQL\n${main.sql};`,
    totals && `-- SQL of the totals\n${totals.sql};`,
    merged &&
      '-- The totals are made of the rows of the answer, or recomputed where a sum in them is null.',
    counts &&
      (counts.matched || !main.hasRowCount) &&
      `-- SQL that counts the rows of the range\n${counts.examined.sql};`,
    counts?.matched &&
      !main.hasRowCount &&
      `-- SQL that counts the rows that the first filters let through\n${counts.matched.sql};`,
  ].filter((section) => section);
  return `${sections.join('\n\n')}\n`;
}

/** Returns a comment with a title. Escapes line breaks, so that each entire line stays a comment. */
export function commented(title: string, lines: readonly string[]): string {
  return [title, '', ...lines.map((line) => `  ${line}`)]
    .map((line) => `-- ${visible(line)}`.trimEnd())
    .join('\n');
}

function sharedLines({ shared }: Plan): string[] {
  return shared.flatMap(({ name, relation }) =>
    relation === undefined
      ? [`${name}: as the SQL says`]
      : [`${name}:`, ...relationLines(relation).map((line) => `  ${line}`)],
  );
}
