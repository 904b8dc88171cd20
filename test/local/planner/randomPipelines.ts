/** Random queries: a pipeline over one or two random tables, and what the documents say that it answers. */
import { random as seeded } from '../random.ts';
import { type Table, withImpliedOrder } from './evaluator.ts';
import { attempted, randomStage, type Stage } from './randomStages.ts';
import { letText, randomSource, type Source, tableOf } from './randomTables.ts';

export interface Case {
  readonly sources: readonly Source[];
  readonly stages: readonly Stage[];
}

/** The query's text: a `let` for every table that is not stored, then the pipeline. */
export function queryOf({ sources, stages }: Case): string {
  const lets = sources.filter(({ stored }) => !stored).map(letText);
  const [first] = sources;
  return [...lets, first?.name ?? '', ...stages.map(({ text }) => `| ${text}`)].join('\n');
}

/** What the documents say that a case answers. Throws `Ambiguous` or `Unfit` where it is no case. */
export function answerOf({ sources, stages }: Case): Table {
  const [first] = sources as readonly [Source, ...Source[]];
  return withImpliedOrder(stages.reduce((table, stage) => stage.run(table), tableOf(first)));
}

export function randomCase(seed: number): Case {
  const random = seeded(seed);
  const sources = [randomSource('T', random), randomSource('U', random)];
  const stages: Stage[] = [];
  let table = tableOf(sources[0] as Source);
  const wanted = 1 + random(6);
  for (let tries = 0; stages.length < wanted && tries < 40; tries++) {
    const stage = randomStage(table, sources, random, 0);
    const next = stage && attempted(stage, table);
    if (stage === undefined || next === undefined) continue;
    stages.push(stage);
    table = next;
  }
  const used = stages.some(({ text }) => /\bU\b/.test(text));
  return { sources: used ? sources : sources.slice(0, 1), stages };
}
