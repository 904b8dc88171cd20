// The command Edit Deployment, which changes one property at a time.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askForToken } from '../deployments/askToken.ts';
import {
  type DeploymentSetting,
  type HostedProfile,
  isProduction,
  originsOf,
} from '../deployments/profiles.ts';
import { accessInWords } from '../service/tokenAccess.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { confirm, showInformationMessage, showWarningMessage } from '../ui/notifications.ts';
import { withIcons } from '../ui/plain.ts';
import { tell } from './addDeployment.ts';
import { askAboutProblems, askForDeployment, remedies, testDeployment } from './deploymentForm.ts';
import { rewriteEntry } from './entries.ts';
import { askText, back } from './steps.ts';
import { whoAmI } from './whoAmI.ts';

export async function editDeployment(context: Context, profile: HostedProfile): Promise<void> {
  const { name, production } = profile;
  const actions = [
    {
      label: withIcons`$(key) Change Token…`,
      run: () => askForToken(context.deployments, profile),
    },
    { label: withIcons`$(plug) Test Connection`, run: () => test(context, profile) },
    { label: withIcons`$(account) Who Am I`, run: () => whoAmI(context, name) },
    {
      label: withIcons`$(globe) Change Region or Address…`,
      run: () => changePlace(context, profile),
    },
    { label: withIcons`$(edit) Rename…`, run: () => rename(context, profile) },
    {
      label: production
        ? withIcons`$(circle-slash) Unmark as Production`
        : withIcons`$(warning) Mark as Production`,
      detail: production
        ? 'Changes are made without confirmation.'
        : 'The status bar shows a warning, and you are asked before anything is written.',
      run: () => setProduction(context, profile, !production),
    },
    {
      label: profile.agents
        ? withIcons`$(circle-slash) Disallow Agents`
        : withIcons`$(hubot) Allow Agents`,
      detail: profile.agents
        ? 'Assistants can no longer use this deployment.'
        : 'Assistants may read fields and events of this deployment with the tools of Aplomb.',
      run: () => setAgents(context, profile, !profile.agents),
    },
    { label: withIcons`$(settings-gear) Open in Settings`, run: () => openSettings(profile) },
    { label: withIcons`$(trash) Remove…`, run: () => remove(context, profile) },
  ];
  const chosen = await showQuickPick(actions, { title: `Edit ${name}` });
  await chosen?.run();
}

async function setProduction(
  { deployments }: Context,
  profile: HostedProfile,
  production: boolean,
): Promise<void> {
  const { name } = profile;
  await rewriteEntry(profile, (entry) => ({ ...entry, production }));
  const now = deployments.find(name);
  if (production || now === undefined || !isProduction(now)) return;
  const open = 'Open User Settings';
  const chosen = await showWarningMessage(
    `${name} is still marked as production by its entry in your user settings, which workspace settings cannot override. Remove the mark in your user settings.`,
    open,
  );
  if (chosen === open) await openSettings({ from: 'user' });
}

async function setAgents(
  { deployments }: Context,
  profile: HostedProfile,
  agents: boolean,
): Promise<void> {
  const { name } = profile;
  await rewriteEntry(profile, ({ agents: _, ...entry }) => ({
    ...entry,
    ...(agents && { agents }),
  }));
  const now = deployments.find(name);
  if (now?.kind !== 'hosted' || (now.agents === true) === agents) return;
  const open = 'Open User Settings';
  const chosen = await showWarningMessage(
    `Only your user settings can ${agents ? 'allow agents to use' : 'keep agents from'} ${name}. ${agents ? 'Add the deployment there, with "agents": true' : 'Remove "agents" from its entry there'}.`,
    open,
  );
  if (chosen === open) await openSettings({ from: 'user' });
}

async function test(context: Context, profile: HostedProfile): Promise<void> {
  const { deployments } = context;
  const [home] = originsOf(profile);
  const token = await deployments.credentials.token(home as string, profile.name);
  if (token === undefined) {
    await askForToken(deployments, profile);
    return;
  }
  for (let chosen: string | undefined = remedies.again; chosen === remedies.again; ) {
    const report = await testDeployment(deployments, profile, token);
    if (report === undefined) return;
    const { problems, access } = report;
    if (problems.length === 0 && access !== undefined) {
      const words = accessInWords(access);
      void showInformationMessage(`The connection to ${profile.name} works. ${words}`);
      return;
    }
    chosen = await askAboutProblems(profile, problems);
    if (chosen === remedies.token) await askForToken(deployments, profile);
    if (chosen === remedies.address) await changePlace(context, profile);
  }
}

/** Changes the addresses and asks for a token again, because the stored token must not be sent to other addresses. */
async function changePlace({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const { name, organization, general, edge } = profile;
  const entered = await askForDeployment({
    deployments,
    title: `Edit ${name}`,
    isNew: false,
    known: {
      name,
      place: { url: general, edgeUrl: edge },
      ...(organization !== undefined && { organization }),
    },
  });
  if (entered === undefined) return;
  const { setting, token, report } = entered;
  const origins = originsOf(entered.profile);
  const abandoned = originsOf(profile).filter((origin) => !origins.includes(origin));
  await deployments.credentials.store(origins, name, token);
  await rewriteEntry(profile, (entry) => {
    const { region: _, url: __, edgeUrl: ___, organization: ____, ...others } = entry;
    return { ...others, ...setting };
  });
  await deployments.credentials.forget(abandoned, name);
  tell(`${name} was changed.`, report);
}

async function rename({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const { name } = profile;
  const renamed = await askText({
    title: `Rename ${name}`,
    step: 1,
    steps: 1,
    prompt: 'New name. Files that name the deployment in a comment keep the old one.',
    value: name,
    check: (text) =>
      text !== name && deployments.find(text)
        ? 'A deployment with this name already exists.'
        : undefined,
  });
  if (renamed === undefined || renamed === back || renamed === name) return;
  const isActive = deployments.active.name === name;
  const origins = originsOf(profile);
  for (const origin of origins) {
    const token = await deployments.credentials.token(origin, name);
    if (token !== undefined) await deployments.credentials.store([origin], renamed, token);
  }
  await rewriteEntry(profile, (entry): DeploymentSetting => ({ ...entry, name: renamed }));
  if (isActive) await deployments.select(renamed);
  await deployments.credentials.forget(origins, name);
}

function openSettings({ from }: Pick<HostedProfile, 'from'>): Thenable<unknown> {
  return vscode.commands.executeCommand(
    from === 'user'
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceSettingsFile',
    { revealSetting: { key: 'aplomb.deployments' } },
  );
}

async function remove({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const isConfirmed = await confirm(
    `Remove the deployment ${profile.name}?`,
    'The entry in the settings and the token on this machine are deleted. The deployment and its data are not changed.',
    'Remove',
  );
  if (!isConfirmed) return;
  await deployments.credentials.forget(originsOf(profile), profile.name);
  await rewriteEntry(profile, () => undefined);
}
