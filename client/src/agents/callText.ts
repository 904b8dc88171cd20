// Describes a call of a tool to the person: what runs, where, and over which time range. Independent of VS Code.
import { rangeOf, type Tool } from '../../../agents/src/index.ts';
import { analyzeQuery } from '../../../language/src/index.ts';
import { isProduction, type Profile, whereRuns } from '../deployments/profiles.ts';

/** Maximum number of characters of a query in a question. */
const QUERY_CHARACTERS_MAX = 2_000;

/** A longer query is refused, so its time range isn't looked for. */
const ANALYZED_CHARACTERS_MAX = 50_000;

interface CallDetails {
  readonly lines: readonly string[];
  /** The query to run, if the call has one. */
  readonly query?: string;
}

/** Returns the question before a call, such as `Run Query on Staging?`. */
export function callTitle({ title }: Tool, { name }: Profile): string {
  return `${title} on ${name}?`;
}

/** Describes what a model may do on a hosted deployment during a task. */
export function taskDetails(profile: Profile): string {
  const access = 'It can read fields, and run queries whose rows it receives.';
  if (!isProduction(profile)) return access;
  return `${profile.name} is marked as production. ${access} You are asked before each call.`;
}

export function callDetails(profile: Profile, input: unknown): CallDetails {
  const { query, from, to, dataset } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const where =
    profile.kind === 'local'
      ? 'An agent wants to use the local deployment.'
      : `An agent wants to use ${profile.name} (${whereRuns(profile)})${isProduction(profile) ? ', which is marked as production' : ''}.`;
  return {
    lines: [
      where,
      ...(typeof dataset === 'string' ? [`Dataset: ${shortened(dataset)}`] : []),
      ...(typeof query === 'string' ? [`Time range: ${rangeText(query, from, to)}`] : []),
    ],
    ...(typeof query === 'string' && { query: shortened(query) }),
  };
}

/** Describes a call in progress in one line, such as `Run Query on Local, now-1h to now`. */
export function progressText({ title }: Tool, profile: Profile, input: unknown): string {
  const { query, from, to } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const range = typeof query === 'string' ? `, ${rangeText(query, from, to)}` : '';
  return `${title} on ${profile.name}${range}`;
}

/** Returns the range that a run would have. */
function rangeText(query: string, from: unknown, to: unknown): string {
  if (query.length > ANALYZED_CHARACTERS_MAX) return 'not known, because the query is too long';
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const { bound } = analyzeQuery(query, { datasets: [] });
  const range = rangeOf(bound, text(from), text(to));
  return typeof range === 'string' ? 'not valid' : `${range.from} to ${range.to}`;
}

function shortened(text: string): string {
  if (text.length <= QUERY_CHARACTERS_MAX) return text;
  return `${text.slice(0, QUERY_CHARACTERS_MAX)}… (${text.length} characters)`;
}
