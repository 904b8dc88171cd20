// Select, add, edit and sign out of deployments, and change a token. What is described goes to settings,
// what is secret to secret storage.
import * as vscode from 'vscode';
import { TOKEN_PREFIXES } from '../../../api/src/index.ts';
import type { Context } from '../context.ts';
import { askForToken } from '../deployments/askToken.ts';
import {
  address,
  type DeploymentSetting,
  type HostedProfile,
  originsOf,
  type Profile,
  readProfile,
  regions,
} from '../deployments/profiles.ts';
import { showFailure } from '../notify.ts';
import { deploymentLayers, writeDeployments } from '../settings.ts';

export function activate(context: Context): vscode.Disposable {
  const command = (id: string, run: (...args: unknown[]) => Promise<unknown>): vscode.Disposable =>
    vscode.commands.registerCommand(id, run);
  return vscode.Disposable.from(
    command('aplomb.selectDeployment', (name) => select(context, name)),
    command('aplomb.addDeployment', () => add(context)),
    command('aplomb.editDeployment', () => edit(context)),
    command('aplomb.changeToken', () => changeToken(context)),
    command('aplomb.signOut', () => signOut(context)),
  );
}

interface ProfileItem extends vscode.QuickPickItem {
  readonly profile?: Profile;
  readonly command?: string;
}

/** With a name, as from a key binding, nothing is asked. Returns the name of the active deployment. */
async function select({ deployments }: Context, name: unknown): Promise<string> {
  if (typeof name === 'string') {
    const profile = deployments.find(name);
    if (!profile) throw new Error(`There is no deployment "${name}" in the settings.`);
    await deployments.select(profile.name);
    return profile.name;
  }
  const items: ProfileItem[] = [
    ...deployments.profiles.map((profile) => profileItem(profile, deployments.active)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(add) Add deployment…', command: 'aplomb.addDeployment' },
  ];
  if (deployments.active.kind === 'hosted') {
    items.push(
      { label: '$(edit) Edit deployment…', command: 'aplomb.editDeployment' },
      { label: '$(sign-out) Sign out of deployment…', command: 'aplomb.signOut' },
    );
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Deployment',
    placeHolder: 'Where queries run',
    matchOnDescription: true,
  });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
  else if (chosen?.profile) await deployments.select(chosen.profile.name);
  return deployments.active.name;
}

function profileItem(profile: Profile, active: Profile): ProfileItem {
  const mark = profile.name === active.name ? '$(check)' : '$(blank)';
  const about =
    profile.kind === 'local'
      ? 'on this machine, without an account'
      : `${new URL(profile.edge).host}${profile.from === 'workspace' ? ', from this workspace' : ''}`;
  return { label: `${mark} ${profile.name}`, description: about, profile };
}

async function add(context: Context): Promise<string | undefined> {
  const { deployments } = context;
  const name = await vscode.window.showInputBox({
    title: 'Add Deployment (1 of 3)',
    prompt: 'What it is called here.',
    placeHolder: 'Production',
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return 'It needs a name.';
      return deployments.find(text.trim()) ? 'There is one of that name already.' : undefined;
    },
  });
  if (!name?.trim()) return undefined;
  const place = await askForPlace();
  if (!place) return undefined;
  const setting: DeploymentSetting = { name: name.trim(), ...place };
  const profile = readProfile(setting, 'user');
  if (typeof profile === 'string') throw new Error(profile);
  const step = 'Add Deployment (3 of 3): Token';
  if (!(await askForToken(deployments, profile, originsOf(profile), step))) return undefined;
  const organization = await askForOrganization(context, profile);
  await writeEntries('user', (entries) => [
    ...entries,
    organization ? { ...setting, organization } : setting,
  ]);
  await deployments.select(profile.name);
  await check(context, profile);
  return profile.name;
}

type Where = Pick<DeploymentSetting, 'region' | 'url' | 'edgeUrl'>;

async function askForPlace(): Promise<Where | undefined> {
  const items = Object.entries(regions).map(([region, { label, edge }]) => ({
    label,
    description: new URL(edge).host,
    where: { region } as Where | undefined,
  }));
  const chosen = await vscode.window.showQuickPick(
    [...items, { label: 'Another address…', description: '', where: undefined }],
    { title: 'Add Deployment (2 of 3)', placeHolder: 'Its region', ignoreFocusOut: true },
  );
  if (!chosen || chosen.where) return chosen?.where;
  const url = await askForAddress('Its general address.', 'https://api.example.com');
  if (!url) return undefined;
  const edgeUrl = await askForAddress('Its edge address, for ingest and queries.', url, url);
  return edgeUrl ? { url, edgeUrl } : undefined;
}

async function askForAddress(
  prompt: string,
  placeHolder: string,
  value = '',
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'Add Deployment (2 of 3)',
    prompt,
    placeHolder,
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const read = address(typed);
      return typed === '' || typeof read === 'object' ? undefined : `The address ${read}.`;
    },
  });
  return text?.trim() || undefined;
}

/** A personal token may reach several organisations; which one is meant goes with every request. */
async function askForOrganization(
  { deployments }: Context,
  profile: HostedProfile,
): Promise<string | undefined> {
  const token = await deployments.credentials.token(originsOf(profile)[0] as string, profile.name);
  if (!token?.startsWith(TOKEN_PREFIXES.personal)) return undefined;
  const service = await deployments.service(profile);
  const answer = service.ok ? await service.value.call('listOrganizations') : service;
  if (!answer.ok || answer.value.typed.length < 2) {
    return answer.ok ? answer.value.typed[0]?.id : undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    answer.value.typed.map(({ id, name }) => ({ label: name, description: id, id })),
    { title: 'Organisation', placeHolder: 'The one to work in', ignoreFocusOut: true },
  );
  return chosen?.id;
}

/** Says at once if the token is not accepted, rather than at the first query. */
async function check({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const service = await deployments.service(profile);
  const answer = service.ok ? await service.value.call('listDatasets') : service;
  // A token that may only query or ingest is refused the list and is none the worse for it.
  if (answer.ok || answer.failure.status === 403) return;
  showFailure(`${profile.name} is set up, but does not answer as it should`, answer.failure, {
    local: false,
  });
}

async function edit(context: Context): Promise<void> {
  const profile = await pickHosted(context, 'Edit Deployment');
  if (!profile) return;
  const actions = [
    { label: '$(key) Change token…', run: () => askForToken(context.deployments, profile) },
    {
      label: '$(settings-gear) Change name, address or organisation in the settings',
      run: () =>
        vscode.commands.executeCommand(
          profile.from === 'user'
            ? 'workbench.action.openSettingsJson'
            : 'workbench.action.openWorkspaceSettingsFile',
          { revealSetting: { key: 'aplomb.deployments' } },
        ),
    },
    {
      label: profile.production
        ? '$(circle-slash) Not production'
        : '$(warning) Mark as production',
      run: () => rewrite(profile, (entry) => ({ ...entry, production: !profile.production })),
    },
    { label: '$(trash) Remove…', run: () => remove(context, profile) },
  ];
  const chosen = await vscode.window.showQuickPick(actions, { title: `Edit ${profile.name}` });
  await chosen?.run();
}

async function remove({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const yes = 'Remove';
  const answer = await vscode.window.showWarningMessage(
    `Remove the deployment ${profile.name} from the settings, and its token from this machine?`,
    { modal: true, detail: 'The deployment itself and its data stay as they are.' },
    yes,
  );
  if (answer !== yes) return;
  await deployments.credentials.forget(originsOf(profile), profile.name);
  await rewrite(profile, () => undefined);
}

async function changeToken(context: Context): Promise<boolean> {
  const { deployments } = context;
  const { active } = deployments;
  const profile = active.kind === 'hosted' ? active : await pickHosted(context, 'Change Token');
  return profile !== undefined && askForToken(deployments, profile);
}

async function signOut(context: Context): Promise<void> {
  const profile = await pickHosted(context, 'Sign Out of Deployment');
  if (!profile) return;
  await context.deployments.credentials.forget(originsOf(profile), profile.name);
  void vscode.window.showInformationMessage(
    `The token of ${profile.name} is deleted from this machine.`,
  );
}

async function pickHosted(
  { deployments }: Context,
  title: string,
): Promise<HostedProfile | undefined> {
  const hosted = deployments.profiles.filter((profile) => profile.kind === 'hosted');
  if (hosted.length === 0) {
    const addOne = 'Add Deployment';
    const answer = await vscode.window.showInformationMessage(
      'There is no hosted deployment. The local one needs no token and no address.',
      addOne,
    );
    if (answer === addOne) await vscode.commands.executeCommand('aplomb.addDeployment');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    hosted.map((profile) => ({ ...profileItem(profile, deployments.active), hosted: profile })),
    { title },
  );
  return chosen?.hosted;
}

/** Changes or, with undefined, removes a deployment's entry where it stands. */
async function rewrite(
  profile: HostedProfile,
  change: (entry: DeploymentSetting) => DeploymentSetting | undefined,
): Promise<void> {
  await writeEntries(profile.from, (entries) =>
    entries.flatMap((entry) => (entry?.name === profile.name ? (change(entry) ?? []) : entry)),
  );
}

async function writeEntries(
  level: 'user' | 'workspace',
  change: (entries: readonly DeploymentSetting[]) => readonly DeploymentSetting[],
): Promise<void> {
  const now = deploymentLayers()[level];
  await writeDeployments(level, change(Array.isArray(now) ? now : []));
}
