// Select, add, edit and sign out of deployments, change a token, and show who a token acts as. What is seldom needed is
// loaded when it is.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askForToken } from '../deployments/askToken.ts';
import { type HostedProfile, originsOf, type Profile } from '../deployments/profiles.ts';
import { languageId } from '../languageClient.ts';
import { deploymentLineOf } from '../query/fileDeployment.ts';
import type { FileLine } from '../query/fileLines.ts';
import { addFileLine, removeFileLine, writeFileLine } from '../query/writeFileLine.ts';
import { documentScheme } from '../resources/documents.ts';
import { registerCommand } from '../ui/commands.ts';
import { type PickItem, showQuickPick } from '../ui/inputs.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { Icon, withIcons } from '../ui/plain.ts';

export function activate(context: Context): vscode.Disposable {
  const { deployments } = context;
  const ui = () => import('../account/accountUi.ts');
  const command = (id: string, run: (...args: unknown[]) => Promise<unknown>): vscode.Disposable =>
    registerCommand(id, run);
  return vscode.Disposable.from(
    command('aplomb.selectDeployment', (name) => select(context, name)),
    command('aplomb.addDeployment', async () => (await ui()).addDeployment(context)),
    command('aplomb.editDeployment', async (name) => {
      const profile = hostedNamed(context, name) ?? (await pickHosted(context, 'Edit Deployment'));
      return profile && (await ui()).editDeployment(context, profile);
    }),
    command('aplomb.whoAmI', async (name) => {
      const known = typeof name === 'string' ? deployments.find(name)?.name : undefined;
      return (await ui()).whoAmI(context, known);
    }),
    command('aplomb.changeToken', (name) => changeToken(context, name)),
    command('aplomb.signOut', () => signOut(context)),
  );
}

interface Item extends PickItem {
  readonly run?: () => Promise<unknown> | Thenable<unknown>;
}

/** The active file with the line that names its deployment. */
interface NamingFile {
  readonly document: vscode.TextDocument;
  readonly line: FileLine;
}

function namingFile(): NamingFile | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const line = document && deploymentLineOf(document);
  return document && line && { document, line };
}

/**
 * With a name, as from a key binding, nothing is asked. A file that names its deployment has its line changed.
 * Returns the name of the deployment that is in use.
 */
async function select(context: Context, name: unknown): Promise<string> {
  const { deployments } = context;
  const file = namingFile();
  const use = async (chosen: string): Promise<string> => {
    if (file) await writeFileLine(file.document, file.line, chosen);
    else await deployments.select(chosen);
    return chosen;
  };
  if (typeof name === 'string') {
    const profile = deployments.find(name);
    if (!profile) throw new Error(`The settings have no deployment "${name}".`);
    return use(profile.name);
  }
  const current = (file && deployments.find(file.line.text)) ?? deployments.active;
  const chosen = await showQuickPick(items(context, current, file, use), {
    title: file ? 'Deployment of This File' : 'Select Deployment',
    placeHolder: file
      ? 'Select the deployment that the queries of this file go to'
      : 'Select a deployment',
    matchOnDescription: true,
  });
  await chosen?.run?.();
  return namingFile()?.line.text ?? deployments.active.name;
}

function items(
  { deployments }: Context,
  current: Profile,
  file: NamingFile | undefined,
  use: (name: string) => Promise<unknown>,
): readonly Item[] {
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const run = (command: string) => () => vscode.commands.executeCommand(command, current.name);
  const editor = vscode.window.activeTextEditor;
  const isApl =
    editor?.document.languageId === languageId && editor.document.uri.scheme !== documentScheme;
  const ofFile: Item[] = file
    ? [
        {
          label: withIcons`$(window) Use the deployment of the window, ${deployments.active.name}`,
          run: () => removeFileLine(file.document, file.line),
        },
      ]
    : isApl
      ? [
          {
            label: withIcons`$(file) Use ${current.name} for this file, in every window`,
            run: () => addFileLine(editor.document, `// deployment: ${current.name}`),
          },
        ]
      : [];
  return [
    ...deployments.profiles.map((profile) => ({
      ...profileItem(profile, current),
      run: () => use(profile.name),
    })),
    separator,
    ...ofFile,
    { label: withIcons`$(account) Who am I`, run: run('aplomb.whoAmI') },
    { label: withIcons`$(add) Add deployment…`, run: run('aplomb.addDeployment') },
    ...(current.kind === 'hosted'
      ? [
          { label: withIcons`$(edit) Edit deployment…`, run: run('aplomb.editDeployment') },
          { label: withIcons`$(sign-out) Sign out of deployment…`, run: run('aplomb.signOut') },
        ]
      : []),
  ];
}

interface ProfileItem extends Item {
  readonly profile: Profile;
}

function profileItem(profile: Profile, active: Profile): ProfileItem {
  const mark = profile.name === active.name ? 'check' : 'blank';
  const about =
    profile.kind === 'local'
      ? 'on this machine, no account required'
      : `${new URL(profile.edge).host}${profile.production ? ', production' : ''}${profile.from === 'workspace' ? ', workspace settings' : ''}`;
  return { label: withIcons`${new Icon(mark)} ${profile.name}`, description: about, profile };
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
    const answer = await showInformationMessage(
      'No hosted deployments are configured. The local deployment does not need a token.',
      addOne,
    );
    if (answer === addOne) await vscode.commands.executeCommand('aplomb.addDeployment');
    return undefined;
  }
  const chosen = await showQuickPick(
    hosted.map((profile) => ({ ...profileItem(profile, deployments.active), hosted: profile })),
    { title },
  );
  return chosen?.hosted;
}
