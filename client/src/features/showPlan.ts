// Show Plan: shows the interpreted query, the relational plan and the SQL of the query at the cursor, on the local
// deployment or another process on this machine. With timings, it also runs the query and shows measurements.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { attemptOn } from '../deployments/askDeployment.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { deploymentNamed } from '../deployments/fileDeployment.ts';
import { isOnThisMachine, LOCAL_NAME, type Profile } from '../deployments/profiles.ts';
import { fileName } from '../deployments/resourceAddress.ts';
import { showFailure } from '../host/notify.ts';
import { queryTimeoutMs, resultsTimeZone } from '../host/settings.ts';
import { TextDocuments } from '../host/textDocuments.ts';
import { goToError } from '../query/goToError.ts';
import { queryAt } from '../query/inEditor.ts';
import type { Query } from '../query/query.ts';
import type { Outcome } from '../service/failure.ts';
import { orAborted } from '../service/orAborted.ts';
import { askForPlan } from '../service/plan.ts';
import { rangeParameters } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { showCancellable } from '../ui/progress.ts';

const missing = 'This plan is no longer available. Run Show Plan again.\n';

/** The delay in milliseconds before progress is shown. */
const QUIET_MS = 500;

export function activate(context: Context): vscode.Disposable {
  const plans = new TextDocuments('aplomb-plan', missing);
  const show = async (at: unknown, analyze: boolean): Promise<vscode.Uri | undefined> => {
    const query = await queryAt(context.language, at);
    const profile = query && (await profileFor(context.deployments, query));
    if (query === undefined || profile === undefined) return undefined;
    context.marks.clear(query);
    const title = analyze ? 'Running the query with timings' : 'Planning the query';
    const plan = await withProgress(title, (signal) =>
      ask(context, query, profile, analyze, signal),
    );
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    if (plan.ok) return plans.show(placeOf(query), plan.value, 'sql', beside);
    const { failure } = plan;
    context.marks.show(query, failure);
    return showFailure(
      'Cannot show the plan',
      failure,
      attemptOn(profile),
      goToError(query, failure),
    );
  };

  return vscode.Disposable.from(
    plans,
    registerCommand('aplomb.showPlan', (uri?: unknown) => show(uri, false)),
    registerCommand('aplomb.showPlanWithTimings', (uri?: unknown) => show(uri, true)),
  );
}

/** Returns the same place for a document's queries with the same first line, so that an edited query replaces its plan. */
function placeOf({ text, place }: Query) {
  const of = place === undefined ? '' : place.uri.toString();
  const [first = ''] = text.trim().split(/\r\n|\r|\n/);
  return { path: `/Plan of ${fileName(first)}`, query: new URLSearchParams({ of }).toString() };
}

/** Returns the query's deployment if it runs on this machine. If not, offers to switch to the local one. */
async function profileFor(deployments: Deployments, query: Query): Promise<Profile | undefined> {
  const found = deploymentNamed(deployments, query.deployment);
  if (found.ok && isOnThisMachine(found.value)) return found.value;
  const only = 'Show Plan is available only for deployments on this machine.';
  if (query.deployment !== undefined) {
    void showInformationMessage(`${only} This file names ${query.deployment}.`);
    return undefined;
  }
  const { active } = deployments;
  const change = 'Switch to Local';
  const answer = await showInformationMessage(
    `${only} ${active.name} is a hosted deployment.`,
    change,
  );
  if (answer !== change) return undefined;
  await deployments.select(LOCAL_NAME);
  return deployments.active;
}

async function ask(
  { deployments, timeRange }: Context,
  { text }: Query,
  profile: Profile,
  analyze: boolean,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const service = await orAborted(deployments.service(profile), signal);
  if (service === undefined) {
    const message = 'The request was cancelled.';
    return { ok: false, failure: { kind: 'cancelled', host: profile.name, message } };
  }
  if (!service.ok) return service;
  return askForPlan(
    { apl: text, ...rangeParameters(timeRange.value, Date.now(), resultsTimeZone()), analyze },
    { service: service.value, timeoutMs: queryTimeoutMs(), signal },
  );
}

/** Shows progress with Cancel if the work takes a while. */
async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const working = work(controller.signal);
  const quick = await Promise.race([working.then(() => true), sleep(QUIET_MS, false)]);
  if (quick) return working;
  return showCancellable(title, (signal) => {
    signal.addEventListener('abort', () => controller.abort());
    return working;
  });
}
