// The guided form for a deployment: region or addresses, name, token and organization. It tests the connection and
// reports problems before anything is stored.
import * as vscode from 'vscode';
import { tokenKind } from '../../../api/src/plain.ts';
import { tokenInput, tokenMessage } from '../deployments/askToken.ts';
import type { Deployments } from '../deployments/deployments.ts';
import {
  address,
  type DeploymentSetting,
  type HostedProfile,
  LOCAL_NAME,
  readProfile,
  regions,
  soundsLikeProduction,
} from '../deployments/profiles.ts';
import {
  type ConnectionProblem,
  type ConnectionReport,
  type Remedy,
  testConnection,
} from '../service/connectionTest.ts';
import { ask } from '../ui/notifications.ts';
import { showCancellable } from '../ui/progress.ts';
import {
  type Answered,
  askChoice,
  askSteps,
  askText,
  back,
  type Step,
  type StepFrame,
} from './steps.ts';
import { testDialog } from './testDialog.ts';

interface Entered {
  readonly place?: Place;
  readonly name?: string;
  readonly token?: string;
  readonly organization?: string;
  readonly production?: boolean;
}

type Ask = Step<Entered>['ask'];

/** A region of the hosted service, or a pair of custom addresses. */
type Place = Pick<DeploymentSetting, 'region' | 'url' | 'edgeUrl'>;

export interface Completed {
  readonly setting: DeploymentSetting;
  readonly profile: HostedProfile;
  readonly token: string;
  readonly report: ConnectionReport;
}

interface FormParts {
  readonly deployments: Deployments;
  readonly title: string;
  /** Initial values. If they include a name, the form doesn't ask for it. */
  readonly known?: Entered;
  readonly isNew: boolean;
}

/** Asks for a deployment. Returns undefined if the user closes the form. */
export async function askForDeployment(parts: FormParts): Promise<Completed | undefined> {
  const { title, deployments, known = {}, isNew } = parts;
  const steps: readonly Step<Entered>[] = [
    { title: `${title}: Region`, ask: askForPlace },
    { title: `${title}: Name`, ask: askForName(deployments), applies: () => isNew },
    { title: `${title}: Production`, ask: askForProduction, applies: () => isNew },
    { title: `${title}: Token`, ask: askForToken },
    {
      title: `${title}: Organization`,
      ask: askForOrganization(deployments),
      applies: ({ token = '' }) => tokenKind(token) === 'personal',
    },
  ];
  let state: Entered = known;
  for (let start = 0; ; ) {
    const entered = await askSteps(state, steps, start);
    if (entered === undefined || entered === back) return undefined;
    const next = await tested(entered, parts);
    if (next === undefined || 'setting' in next) return next;
    state = next.state;
    start = next.start;
  }
}

async function askForPlace(state: Entered, frame: StepFrame): Promise<Answered<Entered>> {
  const known = Object.entries(regions).map(([region, { label, edge }]) => ({
    label,
    description: new URL(edge).host,
    value: region,
  }));
  const other = { label: 'Other address…', description: '', value: 'other' };
  const { place } = state;
  for (;;) {
    const chosen = await askChoice({
      ...frame,
      placeHolder: 'Select the region of the hosted service, or enter addresses',
      choices: [...known, other],
      active: place?.url === undefined ? place?.region : 'other',
    });
    if (chosen === undefined || chosen === back) return chosen;
    if (chosen !== 'other') return { ...state, place: { region: chosen } };
    const addresses = await askForAddresses(place, frame.title.replace('Region', 'Address'));
    if (addresses === undefined) return undefined;
    if (addresses !== back) return { ...state, place: addresses };
  }
}

async function askForAddresses(place: Place | undefined, title: string): Promise<Answered<Place>> {
  const check = (text: string): string | undefined => {
    const read = address(text);
    return typeof read === 'string' ? `The URL ${read}.` : undefined;
  };
  const question = (key: 'url' | 'edgeUrl', prompt: string): Step<Place> => ({
    title,
    ask: async (state, frame) => {
      const { url = '', [key]: value = url } = state;
      const placeHolder = key === 'edgeUrl' ? url : 'https://api.example.com';
      const entered = await askText({ ...frame, hasBack: true, prompt, placeHolder, value, check });
      return typeof entered === 'string' ? { ...state, [key]: entered } : entered;
    },
  });
  return askSteps<Place>(place?.url === undefined ? {} : place, [
    question('url', 'URL of the API'),
    question('edgeUrl', 'URL of the edge deployment, for ingest and queries'),
  ]);
}

const askForName =
  (deployments: Deployments): Ask =>
  async (state, frame) => {
    const name = await askText({
      ...frame,
      prompt: 'Name of the deployment',
      placeHolder: 'Production',
      value: state.name ?? freeName(state.place, deployments),
      check: (text) => {
        if (text === LOCAL_NAME) return `'${LOCAL_NAME}' is the built-in deployment.`;
        return deployments.find(text) ? 'A deployment with this name already exists.' : undefined;
      },
    });
    return typeof name === 'string' ? { ...state, name } : name;
  };

/** Asks whether the deployment is production. Preselects the answer that the name suggests. */
async function askForProduction(state: Entered, frame: StepFrame): Promise<Answered<Entered>> {
  const production = await askChoice({
    ...frame,
    placeHolder: 'Is this a production deployment?',
    choices: [
      { label: 'No', detail: 'Changes are made without confirmation.', value: false },
      {
        label: 'Yes, mark as production',
        detail: 'You are asked before anything is written, and its results are marked.',
        value: true,
      },
    ],
    active: state.production ?? soundsLikeProduction(state.name ?? ''),
  });
  return typeof production === 'boolean' ? { ...state, production } : production;
}

function freeName(place: Place | undefined, deployments: Deployments): string {
  const label = place?.region === undefined ? '' : (regions[place.region]?.label ?? '');
  return deployments.find(label) ? '' : label;
}

async function askForToken(state: Entered, frame: StepFrame): Promise<Answered<Entered>> {
  const token = await askText({
    ...frame,
    ...tokenInput(profileOf(state)),
    value: state.token ?? '',
    check: tokenMessage,
  });
  if (typeof token !== 'string') return token;
  const { organization: _, ...others } = state;
  return token === state.token ? state : { ...others, token };
}

/** Asks for the organization in which a personal token is used, if the token has access to several. */
const askForOrganization =
  (deployments: Deployments): Ask =>
  async (state, frame) => {
    const answer = await showCancellable('Listing the organizations', async (signal) => {
      const service = await deployments.probe(profileOf(state), state.token as string);
      return service.call('listOrganizations', { signal, timeoutMs: 15_000 });
    });
    if (!answer.ok && answer.failure.kind === 'cancelled') return back;
    // Continue without the list: a valid token may lack access to it. The connection test reports other errors.
    const organizations = answer.ok ? answer.value.typed : [];
    const [first, ...others] = organizations;
    if (first === undefined) return state;
    if (others.length === 0) return { ...state, organization: first.id };
    const organization = await askChoice({
      ...frame,
      placeHolder: 'Select the organization to work in',
      choices: organizations.map(({ id, name }) => ({ label: name, description: id, value: id })),
      active: state.organization,
    });
    return typeof organization === 'string' ? { ...state, organization } : organization;
  };

/** The answers so far and the step to resume from after a failed test. */
interface Again {
  readonly state: Entered;
  readonly start: number;
}

const ADDRESS_STEP = 0;
const TOKEN_STEP = 3;

/** Tests the connection. Returns the deployment, or the step to resume from; undefined if the user cancels. */
async function tested(
  state: Entered,
  { deployments, isNew }: Pick<FormParts, 'deployments' | 'isNew'>,
): Promise<Completed | Again | undefined> {
  const profile = profileOf(state);
  const token = state.token as string;
  for (;;) {
    const report = await testDeployment(deployments, profile, token);
    if (report === undefined) return { state, start: TOKEN_STEP };
    const completed: Completed = { setting: settingOf(state), profile, token, report };
    const { problems, otherRegion } = report;
    if (problems.length === 0) return completed;
    const region = otherRegion && `Use ${otherRegion.name}`;
    const chosen = await askAboutProblems(
      profile,
      problems,
      region ? [region] : [],
      isNew ? ['Add Anyway'] : ['Save Anyway'],
    );
    switch (chosen) {
      case undefined:
      case remedies.proxy:
        return undefined;
      case region: {
        const place = { region: otherRegion?.id.split('.')[1] as string };
        return { state: { ...state, place }, start: TOKEN_STEP };
      }
      case remedies.token:
        return { state, start: TOKEN_STEP };
      case remedies.address:
        return { state, start: ADDRESS_STEP };
      case remedies.again:
        break;
      default:
        return completed;
    }
  }
}

export const remedies = {
  token: 'Change Token',
  address: 'Change Address',
  again: 'Test Again',
  proxy: 'Open Proxy Settings',
} as const satisfies Record<Remedy, string>;

/** The dialog's buttons, by the first problem's remedy. The first button is the default. */
const remedyButtons: Readonly<Record<Remedy, readonly string[]>> = {
  token: [remedies.token],
  address: [remedies.address, remedies.again],
  proxy: [remedies.again, remedies.proxy],
  again: [remedies.again, remedies.address],
};

/** Tests the connection and shows progress. Returns undefined if the user cancels. */
export function testDeployment(
  deployments: Deployments,
  profile: HostedProfile,
  token: string,
): Thenable<ConnectionReport | undefined> {
  return showCancellable(`Testing ${profile.name}`, async (signal) =>
    testConnection(await deployments.probe(profile, token), token, signal),
  );
}

/** Shows problems with buttons for the first one's remedy. Returns the pressed button. Applies a proxy remedy. */
export async function askAboutProblems(
  profile: HostedProfile,
  problems: readonly ConnectionProblem[],
  first: readonly string[] = [],
  last: readonly string[] = [],
): Promise<string | undefined> {
  const { message, detail } = testDialog(profile, problems);
  const buttons = [...first, ...remedyButtons[problems[0]?.remedy ?? 'again'], ...last];
  const chosen = await ask(message, detail, ...buttons);
  if (chosen === remedies.proxy)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
  return chosen;
}

function settingOf({ place, name, organization, production }: Entered): DeploymentSetting {
  return {
    name: name as string,
    ...place,
    ...(organization && { organization }),
    ...(production && { production }),
  };
}

function profileOf(state: Entered): HostedProfile {
  const profile = readProfile(settingOf(state), 'user');
  if (typeof profile === 'string') throw new Error(profile);
  return profile;
}
