// Actions on resources: create, create from a query, duplicate, rename, delete, and undo a deletion.

import * as vscode from 'vscode';
import { plural } from '../../../../formats/src/counts.ts';
import { creationBody, documentOf } from '../../../../resources/src/documents.ts';
import {
  type Draft,
  idOf,
  type KindName,
  kindNames,
  kinds,
} from '../../../../resources/src/kinds.ts';
import { maskSecrets } from '../../../../resources/src/secrets.ts';
import { type Members, without, withValueAt } from '../../../../resources/src/value.ts';
import type { DrawnAs } from '../../../../server/src/protocol.ts';
import type { Context } from '../../context.ts';
import { askDeployment } from '../../deployments/askDeployment.ts';
import { askForMissingToken } from '../../deployments/askToken.ts';
import { deploymentNamed } from '../../deployments/fileDeployment.ts';
import { withoutTitle } from '../../deployments/fileLines.ts';
import { isProduction, type Profile } from '../../deployments/profiles.ts';
import {
  type DocumentAddress,
  documentScheme,
  whereOf,
} from '../../deployments/resourceAddress.ts';
import { languageId } from '../../host/languageId.ts';
import { showFailure } from '../../host/notify.ts';
import { queriesToRun, queryAt } from '../../query/inEditor.ts';
import type { Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { askName, confirmByTyping, showQuickPick } from '../../ui/inputs.ts';
import { confirm, showInformationMessage } from '../../ui/notifications.ts';
import { Icon, withIcons } from '../../ui/plain.ts';
import { showProgress } from '../../ui/progress.ts';
import { capitalized, inWords } from '../../words/lists.ts';
import { changeRecord, createRecord, deleteRecord, getRecord, getWhole } from '../calls.ts';
import { titleOf } from '../commands.ts';
import { type Resource, resourceOf } from '../resource.ts';
import { allTabs, isOf } from './editors.ts';
import {
  type Referrer,
  type Referrers,
  refer,
  referrersInWords,
  referrersOf,
  referringKinds,
} from './referrers.ts';
import type { ResourceFiles } from './resourceFiles.ts';

const NAME_CHARACTERS_MAX = 200;

export type DraftOptions = Partial<Omit<Draft, 'now'>>;

const chartTypes: Readonly<Record<DrawnAs, string>> = {
  logStream: 'LogStream',
  timeSeries: 'TimeSeries',
  topList: 'TopK',
  statistic: 'Statistic',
  table: 'Table',
};

export class ResourceActions {
  readonly #context: Context;
  readonly #files: ResourceFiles;
  #drafts = 0;

  constructor(context: Context, files: ResourceFiles) {
    this.#context = context;
    this.#files = files;
  }

  async create(
    kind: KindName,
    options: DraftOptions = {},
    profile: Profile = this.#context.deployments.active,
  ): Promise<vscode.Uri | undefined> {
    const { noun, draft } = kinds[kind];
    if (draft === undefined) return undefined;
    const title = `New ${titleOf(noun)} on ${profile.name}`;
    const prompt = `Name of the ${noun}. Nothing is sent until you save it.`;
    const asked = { title, prompt, value: options.name ?? '' };
    const name = await askName(asked, NAME_CHARACTERS_MAX);
    if (name === undefined) return undefined;
    const given = { ...(await this.#ofEditor(kind)), ...options };
    return this.#openDraft(profile, kind, name, draft({ ...given, name, now: Date.now() }));
  }

  /** Returns the dataset of the query at the cursor, for kinds that have a dataset but no query. */
  async #ofEditor(kind: KindName): Promise<DraftOptions> {
    const { datasets = [], apl } = kinds[kind];
    const editor = vscode.window.activeTextEditor;
    if (datasets.length === 0 || apl.length > 0 || editor?.document.languageId !== languageId) {
      return {};
    }
    const [query] = await queriesToRun(this.#context.language, editor, undefined);
    const [dataset] = query?.datasets ?? [];
    return dataset === undefined ? {} : { dataset };
  }

  /** Opens a draft of a monitor, view, dashboard or saved query for the query at the cursor. */
  async createFromQuery(uri?: unknown): Promise<vscode.Uri | undefined> {
    const query = await queryAt(this.#context.language, uri);
    if (query === undefined) return undefined;
    const profile = deploymentNamed(this.#context.deployments, query.deployment);
    if (!profile.ok) return showFailure('Nothing was created', profile.failure, { local: false });
    const items = kindNames
      .filter(
        (kind) => kinds[kind].draft && kinds[kind].apl.some((apl) => apl.language === 'query'),
      )
      .map((kind) => {
        const { noun, icon, about } = kinds[kind];
        return { label: withIcons`${new Icon(icon)} ${titleOf(noun)}`, detail: about, made: kind };
      });
    const chosen = await showQuickPick(items, {
      title: 'Create from Query',
      placeHolder: 'Select what to create',
    });
    if (!chosen) return undefined;
    const { apl, title, about } = withoutTitle(query.text);
    const { stages, unlimited, drawnAs } = await this.#context.language.queryFacts(apl);
    const dataset = datasetName(stages?.[0]);
    const options = {
      apl,
      name: title ?? query.title,
      givesEvents: unlimited !== undefined,
      chartType: chartTypes[drawnAs],
      ...(about !== undefined && { about }),
      ...(dataset !== undefined && { dataset }),
    };
    return this.create(chosen.made, options, profile.value);
  }

  async duplicate(resource: Resource): Promise<vscode.Uri | undefined> {
    const { kind, id, name } = resource;
    const profile = this.#context.deployments.active;
    const problem = `Cannot duplicate the ${kinds[kind].noun} '${name}'`;
    const record = await this.#ask(profile, kind, problem, (service) =>
      getRecord(service, kind, id),
    );
    if (record === undefined) return undefined;
    const copy = `${name} copy`;
    return this.#openDraft(profile, kind, copy, copyOf(kind, record, copy));
  }

  /** Asks for a new name, and renames a resource, its tabs and its tree item. */
  async rename(resource: Resource): Promise<boolean> {
    const { kind, id } = resource;
    const { noun, name: path } = kinds[kind];
    const profile = this.#context.deployments.active;
    const title = `Rename '${resource.name}' on ${profile.name}`;
    const asked = { title, prompt: `New name of the ${noun}.`, value: resource.name };
    const name = await askName(asked, NAME_CHARACTERS_MAX);
    if (path.length === 0 || name === undefined || name === resource.name) return false;
    const problem = `The ${noun} '${resource.name}' was not renamed`;
    const change = (document: Members) => withValueAt(document, path, name) as Members;
    const renamed = await this.#ask(profile, kind, problem, (service) =>
      changeRecord(service, kind, id, change),
    );
    if (renamed === undefined) return false;
    const stored = { profile, kind, record: renamed };
    this.#files.notify(stored);
    this.#files.tabs.rename(stored, id);
    return true;
  }

  /** Deletes a resource after a confirmation, and offers to restore it. Returns whether it was deleted. */
  async delete(resource: Resource): Promise<boolean> {
    const { kind, id, name } = resource;
    const { noun } = kinds[kind];
    const profile = this.#context.deployments.active;
    const referrers = await this.#referrers(profile, resource);
    if (!(await confirmDeletion(profile, noun, name, referrers))) return false;
    const endpoint = kinds[kind].endpoints.delete;
    if (isProduction(profile) && endpoint !== undefined) {
      this.#context.deployments.writes.confirmed(profile, endpoint);
    }
    const problem = `The ${noun} '${name}' was not deleted`;
    const record = await this.#ask(profile, kind, problem, async (service) => {
      // Fetch the current record for Undo, because the tree's record may be outdated.
      const found = await getWhole(service, kind, id);
      const deleted = found.ok ? await deleteRecord(service, kind, id) : found;
      return deleted.ok ? found : deleted;
    });
    if (record === undefined) return false;
    this.#files.notify({ profile, kind, record: maskSecrets(kind, record) });
    await closeTabs(profile, resource);
    void this.#offerUndo(profile, kind, record, referrers.found);
    return true;
  }

  async #referrers(profile: Profile, { kind, id }: Resource): Promise<Referrers> {
    const { deployments } = this.#context;
    const kindsToRead = referringKinds(kind);
    if (kindsToRead.length === 0) return { found: [], unread: [] };
    await askForMissingToken(deployments, profile);
    const title = `Reading ${inWords(kindsToRead.map((one) => kinds[one].plural))}`;
    return showProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
      const service = await deployments.service(profile);
      return service.ok ? referrersOf(service.value, kind, id) : { found: [], unread: kindsToRead };
    });
  }

  async #offerUndo(
    profile: Profile,
    kind: KindName,
    record: Members,
    referrers: readonly Referrer[],
  ): Promise<void> {
    const { noun } = kinds[kind];
    const { id, name } = resourceOf(kind, record, Date.now());
    const undo = 'Undo';
    const chosen = await showInformationMessage(
      `Deleted the ${noun} '${name}' from ${profile.name}.`,
      undo,
    );
    if (chosen !== undo) return;
    const body = creationBody(kind, documentOf(kind, record));
    const problem = `The ${noun} '${name}' was not restored`;
    const made = await this.#ask(profile, kind, problem, (service) =>
      createRecord(service, kind, body),
    );
    if (made === undefined) {
      // Open a draft, so that the user can change the record before creating it.
      await this.#openDraft(profile, kind, name, documentOf(kind, maskSecrets(kind, record)));
      return;
    }
    this.#files.notify({ profile, kind, record: made });
    const fresh = idOf(kind, made);
    if (fresh !== id) {
      await this.#files.tabs.moveChanges({ ...whereOf(profile), kind, id, form: 'json' }, made);
    }
    const changed =
      fresh === id || fresh === undefined
        ? ''
        : ` ${await this.#reconnect(profile, kind, referrers, { from: id, fresh })}`;
    const copy = 'Copy Identifier';
    const pressed = await showInformationMessage(
      `Restored the ${noun} '${name}' on ${profile.name}.${changed}`,
      ...(changed === '' ? [] : [copy]),
    );
    if (pressed === copy && fresh !== undefined) await vscode.env.clipboard.writeText(fresh);
  }

  /** Replaces a restored resource's old identifier in other resources. Returns a report. */
  async #reconnect(
    profile: Profile,
    to: KindName,
    referrers: readonly Referrer[],
    ids: { readonly from: string; readonly fresh: string },
  ): Promise<string> {
    const { deployments, log } = this.#context;
    const service = await deployments.service(profile);
    const [changed, failed]: [Referrer[], Referrer[]] = [[], []];
    let isDeclined = false;
    for (const referrer of referrers) {
      const answer: Outcome<Members | undefined> | undefined =
        service.ok && !isDeclined ? await refer(service.value, referrer, to, ids) : undefined;
      if (answer?.ok === true) {
        if (answer.value === undefined) continue;
        this.#files.notify({ profile, kind: referrer.kind, record: answer.value });
        changed.push(referrer);
        continue;
      }
      failed.push(referrer);
      // Ask about production only once: the answer applies to all resources.
      isDeclined ||= answer?.failure.kind === 'cancelled';
      if (answer !== undefined)
        log.warn(`The ${kinds[referrer.kind].noun} ${referrer.name}: ${answer.failure.message}`);
    }
    const used = changed.length === 0 ? '' : ` ${refers(changed)} to it.`;
    const left = failed.length === 0 ? '' : `${referrersInWords(failed)} and `;
    const others = changed.length + failed.length === 0 ? 'everything' : 'everything else';
    return `Its identifier is now ${ids.fresh}.${used} Update ${left}${others} that refers to ${ids.from}.`;
  }

  #openDraft(
    profile: Profile,
    kind: KindName,
    name: string,
    document: Members,
  ): Promise<vscode.Uri> {
    this.#drafts += 1;
    const draft = `${Date.now()}-${this.#drafts}`;
    const address = { ...whereOf(profile), kind, id: '', draft, form: 'json' as const };
    return this.#files.tabs.openDraft(address, name, document);
  }

  #ask<T>(
    profile: Profile,
    kind: KindName,
    problem: string,
    work: (service: Service) => Promise<Outcome<T>>,
  ): Promise<T | undefined> {
    const needs = `access to ${kinds[kind].plural}`;
    return askDeployment(this.#context.deployments, profile, { problem, needs }, work);
  }
}

/** Asks before a deletion. On production, the user must type the name, so that a stray keystroke deletes nothing. */
async function confirmDeletion(
  profile: Profile,
  noun: string,
  name: string,
  { found, unread }: Referrers,
): Promise<boolean> {
  const names = inWords(unread.map((kind) => kinds[kind].plural));
  const used = [
    found.length === 0 ? '' : `${refers(found)} to it. `,
    unread.length === 0 ? '' : `The ${names} that may refer to it could not be read. `,
  ].join('');
  const undo = 'You can undo this until you dismiss the message that follows.';
  if (isProduction(profile)) {
    return confirmByTyping(name, {
      title: `Delete the ${noun} '${name}' from ${profile.name}`,
      prompt: `${used}${profile.name} is marked as production. Type '${name}' to delete the ${noun}. ${undo}`,
    });
  }
  const message = `Delete the ${noun} '${name}' from ${profile.name}?`;
  return confirm(message, `${used}${undo}`, 'Delete');
}

function refers(referrers: readonly Referrer[]): string {
  return `${capitalized(referrersInWords(referrers))} ${plural(referrers.length, 'refers', 'refer')}`;
}

function copyOf(kind: KindName, record: Members, name: string): Members {
  const row = kinds[kind];
  const named = withValueAt(documentOf(kind, record), row.name, name) as Members;
  // Remove the identifier, except for a view: its identifier is its name, which is already different.
  const ids = row.id.map(([member]) => String(member)).filter((member) => member !== row.name[0]);
  const fresh = without(named, ids);
  const inner = row.responseMember === undefined ? undefined : fresh[row.responseMember];
  if (row.responseMember === undefined || inner === undefined) return fresh;
  return { ...fresh, [row.responseMember]: without(inner as Members, ids) };
}

async function closeTabs(profile: Profile, { kind, id }: Resource): Promise<void> {
  const address: DocumentAddress = { ...whereOf(profile), kind, id, form: 'json' };
  const tabs = allTabs().filter(({ input, isDirty }) => {
    if (isDirty || !(input instanceof vscode.TabInputText)) return false;
    return input.uri.scheme === documentScheme && isOf(input.uri, address);
  });
  await vscode.window.tabGroups.close(tabs);
}

/** Returns the dataset in a query's first stage if the stage is only a name. */
function datasetName(stage: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^(?:\[['"](.+)['"]\]|([\p{L}\p{N}_.-]+))$/u.exec(stage?.trim() ?? '') ?? [];
  return quoted ?? plain;
}
