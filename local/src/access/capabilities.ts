/** Immutable sets of capabilities (`capability:action`) in the organization, on each dataset and on each view. */
import {
  DATASET_CAPABILITY_ACTIONS,
  EVERY_NAME,
  ORG_CAPABILITY_ACTIONS,
  VIEW_CAPABILITY_ACTIONS,
} from '../../../api/src/index.ts';

export interface Grants {
  readonly orgCapabilities?: object;
  readonly datasetCapabilities?: object;
  readonly viewCapabilities?: object;
}

type Actions = ReadonlySet<string>;
type ByName = ReadonlyMap<string, Actions>;

/** Reports whether a capability, such as `query:read`, applies to datasets. */
export function isOfDatasets(capability: string): boolean {
  return Object.hasOwn(DATASET_CAPABILITY_ACTIONS, capability.split(':')[0]!);
}

export class Capabilities {
  readonly #org: Actions;
  readonly #datasets: ByName;
  readonly #views: ByName;

  private constructor(org: Actions, datasets: ByName, views: ByName) {
    this.#org = org;
    this.#datasets = datasets;
    this.#views = views;
  }

  /** Combines the capabilities of tokens or roles. Unknown names and actions grant nothing. */
  static of(grants: readonly Grants[]): Capabilities {
    const org = new Set<string>();
    const datasets = new Map<string, Set<string>>();
    const views = new Map<string, Set<string>>();
    for (const { orgCapabilities, datasetCapabilities, viewCapabilities } of grants) {
      addActions(org, orgCapabilities, ORG_CAPABILITY_ACTIONS);
      addByName(datasets, datasetCapabilities, DATASET_CAPABILITY_ACTIONS);
      addByName(views, viewCapabilities, VIEW_CAPABILITY_ACTIONS);
    }
    return new Capabilities(org, datasets, views);
  }

  inOrganization(capability: string): boolean {
    return this.#org.has(capability);
  }

  onDataset(name: string, capability: string): boolean {
    return holds(this.#datasets, name, capability);
  }

  /** Whether the capability is granted on all datasets, including future ones. */
  onEveryDataset(capability: string): boolean {
    return holds(this.#datasets, EVERY_NAME, capability);
  }

  /** The capabilities in the form in which tokens and roles store them. */
  get grants(): Grants {
    const byName = (actions: ByName) =>
      Object.fromEntries([...actions].map(([name, each]) => [name, byResource(each)]));
    return {
      orgCapabilities: byResource(this.#org),
      datasetCapabilities: byName(this.#datasets),
      viewCapabilities: byName(this.#views),
    };
  }

  list(): string[] {
    return [...this.#org, ...(this.#datasets.get(EVERY_NAME) ?? [])].sort();
  }

  onView(name: string, capability: string): boolean {
    return holds(this.#views, name, capability);
  }

  anywhere(capability: string): boolean {
    if (this.#org.has(capability)) return true;
    return [...this.#datasets.values(), ...this.#views.values()].some((actions) =>
      actions.has(capability),
    );
  }

  /** Describes the first capability in `others` that this object lacks. */
  missingFrom(others: Capabilities): string | undefined {
    const org = [...others.#org].find((capability) => !this.#org.has(capability));
    return (
      org ??
      missingFrom(others.#datasets, this.#datasets) ??
      missingFrom(others.#views, this.#views)
    );
  }
}

/** All capabilities, for the owner of the data folder. */
export const EVERYTHING: Grants = {
  orgCapabilities: ORG_CAPABILITY_ACTIONS,
  datasetCapabilities: { [EVERY_NAME]: DATASET_CAPABILITY_ACTIONS },
  viewCapabilities: { [EVERY_NAME]: VIEW_CAPABILITY_ACTIONS },
};

function holds(byName: ByName, name: string, capability: string): boolean {
  return (
    byName.get(EVERY_NAME)?.has(capability) === true || byName.get(name)?.has(capability) === true
  );
}

function byResource(actions: Actions): Readonly<Record<string, readonly string[]>> {
  const byName: Record<string, string[]> = {};
  for (const each of actions) {
    const [resource, action] = each.split(':') as [string, string];
    byName[resource] = [...(byName[resource] ?? []), action];
  }
  return byName;
}

function missingFrom(wanted: ByName, available: ByName): string | undefined {
  for (const [name, actions] of wanted) {
    for (const capability of actions) {
      if (!holds(available, name, capability)) return `${capability} on ${JSON.stringify(name)}`;
    }
  }
  return undefined;
}

type Table = Readonly<Record<string, readonly string[]>>;

function addActions(to: Set<string>, from: object | undefined, table: Table): void {
  for (const [name, actions] of Object.entries(from ?? {})) {
    if (!Object.hasOwn(table, name) || !Array.isArray(actions)) continue;
    for (const action of actions) if (table[name]!.includes(action)) to.add(`${name}:${action}`);
  }
}

function addByName(to: Map<string, Set<string>>, from: object | undefined, table: Table): void {
  for (const [name, capabilities] of Object.entries(from ?? {})) {
    const actions = to.get(name) ?? new Set<string>();
    to.set(name, actions);
    addActions(actions, capabilities as object, table);
  }
}
