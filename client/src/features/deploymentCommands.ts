// The commands that select, add, edit and sign out of deployments, change a token, and show the token's account.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askForToken } from '../deployments/askToken.ts';
import { deploymentLineOf } from '../deployments/fileDeployment.ts';
import { type HostedProfile, originsOf, type Profile } from '../deployments/profiles.ts';
import { documentScheme } from '../deployments/resourceAddress.ts';
import { languageId } from '../host/languageId.ts';
import { showWithActions } from '../host/notify.ts';
import { addFileLine, removeFileLine, writeFileLine } from '../query/writeFileLine.ts';
import { registerCommands } from '../ui/commands.ts';
import { type PickItem, showQuickPick } from '../ui/inputs.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { Icon, withIcons } from '../ui/plain.ts';

export function activate(context: Context): vscode.Disposable {
  const { deployments } = context;
  const ui = () => import('../account/accountUi.ts');
  return registerCommands({
    'aplomb.selectDeployment': (name) => select(context, name),
    'aplomb.addDeployment': async () => (await ui()).addDeployment(context),
    'aplomb.editDeployment': async (name) => {
      const profile = hostedNamed(context, name) ?? (await pickHosted(context, 'Edit Deployment'));
      return profile && (await ui()).editDeployment(context, profile);
    },
    'aplomb.whoAmI': async (name) => {
      const known = typeof name === 'string' ? deployments.find(name)?.name : undefined;
      return (await ui()).whoAmI(context, known);
    },
    'aplomb.changeToken': (name) => changeToken(context, name),
    'aplomb.signOut': () => signOut(context),
  });
}

interface Item extends PickItem {
  readonly run?: () => Promise<unknown> | Thenable<unknown>;
}

/** Returns the active file and its line that names a deployment. */
function namingFile() {
  const document = vscode.window.activeTextEditor?.document;
  const line = document && deploymentLineOf(document);
  return document && line && { document, line };
}

/**
 * Selects the deployment with the given name for the window, or shows a list. In an APL file, the list can also write a
 * `// deployment:` comment. Returns the name of the deployment that then applies to the active file.
 */
async function select(context: Context, name: unknown): Promise<string> {
  const { deployments } = context;
  if (typeof name === 'string') {
    const profile = deployments.find(name);
    if (!profile) throw new Error(`The settings have no deployment '${name}'.`);
    await deployments.select(profile.name);
    return profile.name;
  }
  const chosen = await showQuickPick(items(context), {
    title: 'Select Deployment',
    placeHolder: 'Select a deployment',
    matchOnDescription: true,
  });
  await chosen?.run?.();
  return namingFile()?.line.text ?? deployments.active.name;
}

function items(context: Context): readonly Item[] {
  const { deployments } = context;
  const { active, profiles } = deployments;
  const file = namingFile();
  const current = (file && deployments.find(file.line.text)) ?? active;
  const run = (command: string) => () => vscode.commands.executeCommand(command, current.name);
  const ofWindow = profiles.map((profile) => ({
    ...profileItem(profile, active.name),
    run: () => deployments.select(profile.name),
  }));
  const ofFile = fileItems(context, file);
  return [
    // Put the file's items first, because changing the window's deployment doesn't affect a file that names one.
    ...(file ? ofFile : []),
    ...(ofFile.length > 0 ? [separator('For This Window')] : []),
    ...ofWindow,
    ...(file ? [] : ofFile),
    separator(''),
    { label: withIcons`$(account) Who Am I`, run: run('aplomb.whoAmI') },
    { label: withIcons`$(add) Add Deployment…`, run: run('aplomb.addDeployment') },
    ...(current.kind === 'hosted'
      ? [
          { label: withIcons`$(edit) Edit Deployment…`, run: run('aplomb.editDeployment') },
          { label: withIcons`$(sign-out) Sign Out of Deployment…`, run: run('aplomb.signOut') },
        ]
      : []),
  ];
}

/** Returns the items for the active file; empty if it isn't an APL file or belongs to a resource. */
function fileItems({ deployments }: Context, file: ReturnType<typeof namingFile>): readonly Item[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== languageId || document.uri.scheme === documentScheme) return [];
  const write = (name: string) =>
    file
      ? writeFileLine(document, file.line, name)
      : addFileLine(document, `// deployment: ${name}`);
  const follow = `Same as the window, ${deployments.active.name}`;
  return [
    separator('For This File'),
    {
      label: withIcons`${new Icon(file ? 'blank' : 'check')} ${follow}`,
      run: async () => file && removeFileLine(document, file.line),
    },
    ...deployments.profiles.map((profile) => ({
      ...profileItem(profile, file?.line.text),
      run: () => write(profile.name),
    })),
  ];
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function profileItem(profile: Profile, current: string | undefined): PickItem {
  const mark = profile.name === current ? 'check' : 'blank';
  const about =
    profile.kind === 'local'
      ? 'on this machine, no account required'
      : `${new URL(profile.edge).host}${profile.production ? ', production' : ''}${profile.from === 'workspace' ? ', workspace settings' : ''}`;
  return { label: withIcons`${new Icon(mark)} ${profile.name}`, description: about };
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
  void showInformationMessage(
    `Signed out of ${profile.name}. The token was deleted from this machine.`,
  );
}

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
    const message =
      'No hosted deployments are configured. The local deployment does not need a token.';
    const add = { label: 'Add Deployment', command: 'aplomb.addDeployment' };
    showWithActions(message, [add], showInformationMessage);
    return undefined;
  }
  const { name } = deployments.active;
  const items = hosted.map((profile) => ({ ...profileItem(profile, name), profile }));
  return (await showQuickPick(items, { title }))?.profile;
}
