// Adds a deployment: tests the connection, then stores the deployment in the settings and its token in secret storage.
import type { Context } from '../context.ts';
import { originsOf } from '../deployments/profiles.ts';
import { showWithActions } from '../host/notify.ts';
import { accessInWords } from '../service/tokenAccess.ts';
import { showInformationMessage, showWarningMessage } from '../ui/notifications.ts';
import { askForDeployment, type Completed } from './deploymentForm.ts';
import { writeEntries } from './entries.ts';

/** Returns the added deployment's name; undefined if the user cancels. */
export async function addDeployment({ deployments }: Context): Promise<string | undefined> {
  const entered = await askForDeployment({ deployments, title: 'Add Deployment', isNew: true });
  if (entered === undefined) return undefined;
  const { setting, profile, token, report } = entered;
  await deployments.credentials.store(originsOf(profile), profile.name, token);
  await writeEntries('user', (entries) => [...entries, setting]);
  await deployments.select(profile.name);
  tell(`${profile.name} was added.`, report);
  return profile.name;
}

/** Shows the token's permissions. The caller must already have shown problems. */
export function tell(done: string, { access, problems }: Completed['report']): void {
  const words = access === undefined ? '' : ` ${accessInWords(access)}`;
  const actions = [{ label: 'Show Details', command: 'aplomb.whoAmI' }];
  const show = problems.length === 0 ? showInformationMessage : showWarningMessage;
  showWithActions(`${done}${words}`, actions, show);
}
