// The frequent values of fields that completion offers, asked for in the background: few at once, a hosted deployment
// once for each field, and none while a person's query runs. A failure is logged and pauses further requests.
import type {
  FieldValuesParams,
  FieldValuesResult,
  SeenValue,
} from '../../../server/src/protocol.ts';
import type { Failure, FailureKind, Outcome } from '../api/failure.ts';
import { Service } from '../api/service.ts';
import type { Profile } from '../deployments/profiles.ts';
import { askFieldValues, valueBounds } from '../query/fieldValues.ts';

/** The maximum number of requests to a deployment under way, and of those that wait for them. */
const AT_ONCE = 2;
const WAITING_MAX = 8;

/** The maximum number of fields that a hosted deployment is asked about. */
const HOSTED_FIELDS_MAX = 500;

const MINUTE_MS = 60_000;

/** Kinds of failure that another field may not have. */
const ofField: ReadonlySet<string> = new Set<FailureKind>(['timeout', 'tooLarge', 'unreadable']);

/** How far a failure reaches, and for how long nothing is asked there; without a duration, until the deployment changes. */
interface Pause {
  readonly after: (failure: Failure) => boolean;
  readonly scope: 'deployment' | 'dataset' | 'field';
  readonly forMs?: number;
}

/** The first row that fits counts. */
const pauses: readonly Pause[] = [
  { after: ({ kind, status }) => kind === 'token' || status === 401, scope: 'deployment' },
  { after: ({ status }) => status === 403, scope: 'dataset' },
  {
    after: ({ kind, status }) => kind === 'routing' || status === 404,
    scope: 'dataset',
    forMs: 10 * MINUTE_MS,
  },
  {
    after: ({ kind, status }) => ofField.has(kind) || status === 400 || status === 422,
    scope: 'field',
    forMs: 10 * MINUTE_MS,
  },
  { after: () => true, scope: 'deployment', forMs: MINUTE_MS },
];

interface FrequentValuesParts {
  /** Finds a deployment by its name, or the active one; undefined if the settings have none of that name. */
  find(deployment: string | undefined): Profile | undefined;
  service(profile: Profile): Promise<Outcome<Service>>;
  warn(message: string): void;
}

export class FrequentValues {
  readonly #parts: FrequentValuesParts;
  readonly #deployments = new Map<string, DeploymentQuestions>();
  #isBusy = false;

  constructor(parts: FrequentValuesParts) {
    this.#parts = parts;
  }

  /** Returns the values to offer; null where there is no answer now. Never rejects. */
  async of(params: FieldValuesParams): Promise<FieldValuesResult | null> {
    const profile = this.#parts.find(params.deployment);
    if (profile === undefined) return null;
    const known = this.#deployments.get(profile.name);
    const questions = known ?? new DeploymentQuestions(profile, this.#parts, () => this.#isBusy);
    this.#deployments.set(profile.name, questions);
    const values = await questions.of(params);
    return values === undefined ? null : { values: [...values] };
  }

  /** Whether a query of a person runs. Then nothing is asked, and the local deployment drops the requests under way. */
  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    if (isBusy) for (const questions of this.#deployments.values()) questions.giveWay();
  }

  /** Forgets all of a deployment, or of every one, and drops the requests under way. */
  forget(deployment: string | undefined): void {
    for (const [name, questions] of this.#deployments) {
      if (deployment !== undefined && name !== deployment) continue;
      this.#deployments.delete(name);
      questions.drop();
    }
  }
}

/** The requests to one deployment, from one change of it to the next. */
class DeploymentQuestions {
  readonly #profile: Profile;
  readonly #parts: FrequentValuesParts;
  readonly #isBusy: () => boolean;
  /** What a hosted deployment has answered. The local one is asked again, since its events change at hand. */
  readonly #known = new Map<string, readonly SeenValue[]>();
  readonly #asked = new Map<string, Promise<readonly SeenValue[] | undefined>>();
  /** When something may be asked again, in milliseconds, by the key of its scope. */
  readonly #pausedUntil = new Map<string, number>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #stop = new AbortController();
  #isDropped = false;

  constructor(profile: Profile, parts: FrequentValuesParts, isBusy: () => boolean) {
    this.#profile = profile;
    this.#parts = parts;
    this.#isBusy = isBusy;
  }

  /** Undefined where there is no answer now. */
  of(params: FieldValuesParams): Promise<readonly SeenValue[] | undefined> {
    const key = scopeKey('field', params);
    const known = this.#known.get(key);
    if (known !== undefined) return Promise.resolve(known);
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      if (!this.#mayAsk(params)) return Promise.resolve(undefined);
      asked = this.#inTurn(params).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }

  giveWay(): void {
    if (this.#profile.kind === 'hosted') return;
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  drop(): void {
    this.#isDropped = true;
    this.#stop.abort();
  }

  #mayAsk(params: FieldValuesParams): boolean {
    if (this.#isDropped || this.#isBusy() || this.#isPaused(params)) return false;
    return this.#waiting.length < WAITING_MAX && this.#known.size < HOSTED_FIELDS_MAX;
  }

  #isPaused(params: FieldValuesParams): boolean {
    return (['deployment', 'dataset', 'field'] as const).some(
      (scope) => (this.#pausedUntil.get(scopeKey(scope, params)) ?? 0) > Date.now(),
    );
  }

  async #inTurn(params: FieldValuesParams): Promise<readonly SeenValue[] | undefined> {
    if (this.#running < AT_ONCE) this.#running += 1;
    // The place of the one that ends goes to the one that waits.
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      // While it waited, another request may have failed, or a person's query may have begun.
      if (!this.#mayAsk(params)) return undefined;
      return await this.#ask(params);
    } catch (error) {
      this.#parts.warn(`Cannot read the values of '${params.field}'. ${String(error)}`);
      return undefined;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #ask(params: FieldValuesParams): Promise<readonly SeenValue[] | undefined> {
    const { signal } = this.#stop;
    const { kind } = this.#profile;
    const service = await this.#parts.service(this.#profile);
    const answer = service.ok
      ? await askFieldValues(quiet(service.value), params, valueBounds[kind], signal)
      : service;
    if (this.#isDropped) return undefined;
    if (answer.ok) {
      if (kind === 'hosted') this.#known.set(scopeKey('field', params), answer.value);
      return answer.value;
    }
    if (answer.failure.kind !== 'cancelled') this.#pause(params, answer.failure);
    return undefined;
  }

  #pause(params: FieldValuesParams, failure: Failure): void {
    const { dataset, field } = params;
    this.#parts.warn(`Cannot read the values of '${field}' in '${dataset}'. ${failure.message}`);
    const { scope, forMs = Number.POSITIVE_INFINITY } = pauses.find(({ after }) =>
      after(failure),
    ) as Pause;
    const asked = (failure.retryAfterSeconds ?? 0) * 1_000;
    this.#pausedUntil.set(scopeKey(scope, params), Date.now() + Math.max(forMs, asked));
  }
}

/** The same service, whose failures here do not have the lists of the deployment fetched again. */
function quiet({ connection }: Service): Service {
  return new Service({ ...connection, onUnreachable: () => undefined });
}

function scopeKey(scope: Pause['scope'], { dataset, field }: FieldValuesParams): string {
  const parts = { deployment: [], dataset: [dataset], field: [dataset, field] };
  return JSON.stringify(parts[scope]);
}
