/** The functions of the planner's SQL, by name, each with its SQL in ClickHouse. */
import type { FunctionRow } from '../context.ts';
import { jsonFunctions } from './json.ts';
import { listFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { patternFunctions } from './patterns.ts';
import { plannerFunctions } from './planner.ts';
import { summaryFunctions } from './summaries.ts';
import { textFunctions } from './text.ts';
import { timeFunctions } from './times.ts';

export const functions: Readonly<Record<string, FunctionRow | undefined>> = {
  ...jsonFunctions,
  ...listFunctions,
  ...numberFunctions,
  ...patternFunctions,
  ...plannerFunctions,
  ...summaryFunctions,
  ...textFunctions,
  ...timeFunctions,
};
