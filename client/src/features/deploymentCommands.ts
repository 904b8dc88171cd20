// Select, add, edit and sign out of deployments, and change a token. What is described goes to settings,
// what is secret to secret storage.
import * as vscode from 'vscode';
import { TOKEN_PREFIXES } from '../../../api/src/plain.ts';
import { accessInWords, fetchTokenAccess } from '../api/tokenAccess.ts';
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
    command('aplomb.editDeployment', (name) => edit(context, name)),
    command('aplomb.changeToken', (name) => changeToken(context, name)),
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
    if (!profile) throw new Error(`The settings have no deployment "${name}".`);
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
    title: 'Select Deployment',
    placeHolder: 'Select a deployment',
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
      ? 'on this machine, no account required'
      : `${new URL(profile.edge).host}${profile.from === 'workspace' ? ', workspace settings' : ''}`;
  return { label: `${mark} ${profile.name}`, description: about, profile };
}

async function add(context: Context): Promise<string | undefined> {
  const { deployments } = context;
  const name = await vscode.window.showInputBox({
    title: 'Add Deployment: Name',
    prompt: 'Name of the deployment',
    placeHolder: 'Production',
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return 'Enter a name.';
      return deployments.find(text.trim())
        ? 'A deployment with this name already exists.'
        : undefined;
    },
  });
  if (!name?.trim()) return undefined;
  const place = await askForPlace();
  if (!place) return undefined;
  const setting: DeploymentSetting = { name: name.trim(), ...place };
  const profile = readProfile(setting, 'user');
  if (typeof profile === 'string') throw new Error(profile);
  const step = 'Add Deployment: Token';
  if (!(await askForToken(deployments, profile, originsOf(profile), step))) return undefined;
  const organization = await askForOrganization(context, profile);
  await writeEntries('user', (entries) => [
    ...entries,
    organization ? { ...setting, organization } : setting,
  ]);
  await deployments.select(profile.name);
  // The command has done its work; the test of the token reports by itself.
  void check(context, profile);
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
    [...items, { label: 'Other address…', description: '', where: undefined }],
    { title: 'Add Deployment: Region', placeHolder: 'Select a region', ignoreFocusOut: true },
  );
  if (!chosen || chosen.where) return chosen?.where;
  const url = await askForAddress('URL of the API', 'https://api.example.com');
  if (!url) return undefined;
  const edgeUrl = await askForAddress(
    'URL of the edge deployment, for ingest and queries',
    url,
    url,
  );
  return edgeUrl ? { url, edgeUrl } : undefined;
}

async function askForAddress(
  prompt: string,
  placeHolder: string,
  value = '',
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'Add Deployment: Address',
    prompt,
    placeHolder,
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const read = address(typed);
      return typed === '' || typeof read === 'object' ? undefined : `The URL ${read}.`;
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
    { title: 'Organization', placeHolder: 'Select an organization', ignoreFocusOut: true },
  );
  return chosen?.id;
}

/** Reports at once what the token can do, or that it is rejected, rather than at the first query. */
async function check({ deployments }: Context, profile: HostedProfile): Promise<void> {
  const service = await deployments.service(profile);
  if (!service.ok) return;
  const token = await deployments.credentials.token(new URL(profile.edge).origin, profile.name);
  const title = `Testing the token for ${profile.name}`;
  const location = vscode.ProgressLocation.Notification;
  const access = await vscode.window.withProgress({ location, title }, () =>
    fetchTokenAccess(service.value, token),
  );
  if (!access.ok) {
    showFailure(`${profile.name} was added, but the test of its token failed`, access.failure, {
      local: false,
    });
    return;
  }
  const message = `${profile.name} was added. ${accessInWords(access.value)}`;
  const { list, query, ingest } = access.value;
  if (list && query === 'yes' && ingest === 'yes')
    void vscode.window.showInformationMessage(message);
  else {
    const changeToken = 'Change Token';
    void vscode.window.showWarningMessage(message, changeToken).then((chosen) => {
      if (chosen === changeToken) void vscode.commands.executeCommand('aplomb.changeToken');
    });
  }
}

async function edit(context: Context, name: unknown): Promise<void> {
  const profile = hostedNamed(context, name) ?? (await pickHosted(context, 'Edit Deployment'));
  if (!profile) return;
  const actions = [
    { label: '$(key) Change token…', run: () => askForToken(context.deployments, profile) },
    {
      label: '$(settings-gear) Edit name, URL or organization in settings',
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
        ? '$(circle-slash) Unmark as production'
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
    `Remove the deployment ${profile.name}?`,
    {
      modal: true,
      detail:
        'The entry in the settings and the token on this machine are deleted. The deployment and its data are not changed.',
    },
    yes,
  );
  if (answer !== yes) return;
  await deployments.credentials.forget(originsOf(profile), profile.name);
  await rewrite(profile, () => undefined);
}

async function changeToken(context: Context, name: unknown): Promise<boolean> {
  const { deployments } = context;
  const named = hostedNamed(context, name) ?? hostedNamed(context, deployments.active.name);
  const profile = named ?? (await pickHosted(context, 'Change Token'));
  return profile !== undefined && askForToken(deployments, profile);
}

async function signOut(context: Context): Promise<void> {
  const profile = await pickHosted(context, 'Sign Out of Deployment');
  if (!profile) return;
  await context.deployments.credentials.forget(originsOf(profile), profile.name);
  void vscode.window.showInformationMessage(
    `Signed out of ${profile.name}. The token was deleted from this machine.`,
  );
}

/** The deployment that a button of a failure names, if it is still in the settings. */
function hostedNamed({ deployments }: Context, name: unknown): HostedProfile | undefined {
  const profile = typeof name === 'string' ? deployments.find(name) : undefined;
  return profile?.kind === 'hosted' ? profile : undefined;
}

async function pickHosted(
  { deployments }: Context,
  title: string,
): Promise<HostedProfile | undefined> {
  const hosted = deployments.profiles.filter((profile) => profile.kind === 'hosted');
  if (hosted.length === 0) {
    const addOne = 'Add Deployment';
    const answer = await vscode.window.showInformationMessage(
      'No hosted deployments are configured. The local deployment does not need a token.',
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
