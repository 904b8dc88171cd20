/** Describes a followed query for the results view and the status bar. */

import { counted, grouped } from '../../../formats/src/counts.ts';
import type { TabId } from '../answers/tabs.ts';
import type { ViewFollow } from '../results/pageContent.ts';
import { type FollowState, HIDDEN_MS } from './follower.ts';

interface FollowFacts {
  readonly tab: TabId;
  readonly state: FollowState;
  readonly events: number;
  readonly perSecond: number | undefined;
  readonly newestFirst: boolean;
  readonly skipped: boolean;
  /** Why and how often the query is run again; absent if new events are appended instead. */
  readonly again?: { readonly reason: string; readonly intervalMs: number };
  readonly now: number;
  /** When following started or was resumed, in milliseconds since 1970, like `now`. */
  readonly since: number;
}

export function followView(facts: FollowFacts): ViewFollow {
  const { tab, state, again, newestFirst } = facts;
  const notice = noticeOf(facts);
  return {
    tab,
    state: state.kind,
    label: labelOf(facts),
    counts: again ? [] : countsOf(facts),
    ...(notice && { notice }),
    appends: again === undefined,
    newestFirst,
  };
}

function labelOf({ state, again }: FollowFacts): string {
  if (state.kind === 'paused') return 'Paused';
  if (state.kind === 'stopped') return 'Stopped';
  if (again === undefined) return 'Following';
  return `Running again every ${seconds(again.intervalMs)}`;
}

function countsOf({ events, perSecond }: FollowFacts): string[] {
  return [counted(events, 'new event'), ...(perSecond === undefined ? [] : [rateText(perSecond)])];
}

/** Formats a rate, such as `0.4/s` or `2,000/s`. */
export function rateText(perSecond: number): string {
  const digits = perSecond > 0 && perSecond < 9.95 ? perSecond.toFixed(1) : undefined;
  return `${digits ?? grouped(Math.round(perSecond))}/s`;
}

/** The time without an event after which a notice explains that following still works. */
const QUIET_MS = 10_000;

function noticeOf(facts: FollowFacts): ViewFollow['notice'] {
  const { state, again, skipped, events, now, since } = facts;
  if (state.kind === 'stopped' && state.why === 'failed')
    return { severity: 'error', message: state.failure.message };
  if (state.kind === 'stopped' && state.why === 'hidden') {
    const minutes = HIDDEN_MS / 60_000;
    return { severity: 'info', message: `The result was not in view for ${minutes} minutes.` };
  }
  if (state.kind === 'following' && state.failure) {
    const { failure, retryAt } = state.failure;
    const wait = seconds(Math.max(0, retryAt - now));
    return { severity: 'warning', message: `${failure.message} Trying again in ${wait}.` };
  }
  if (skipped) {
    const message = 'More events arrived than can be kept. Some were skipped.';
    return { severity: 'warning', message };
  }
  if (again) {
    const message = `The query is run again at an interval, because ${again.reason}.`;
    return { severity: 'info', message };
  }
  if (state.kind === 'following' && events === 0 && now - since >= QUIET_MS) {
    const message = 'No new events yet. They appear here as the deployment receives them.';
    return { severity: 'info', message };
  }
  return undefined;
}

function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} s`;
}
