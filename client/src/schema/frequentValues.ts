// Requests frequent values of fields for completion in the background: few at once, once per field of a hosted
// deployment, and none during a user's query. A failure is logged and pauses further requests.
import type {
  FieldValuesParams,
  FieldValuesResult,
  SeenValue,
} from '../../../server/src/protocol.ts';
import type { Profile } from '../deployments/profiles.ts';
import type { Failure, FailureKind, Outcome } from '../service/failure.ts';
import { Service } from '../service/service.ts';
import { askFieldValues, valueBounds } from './fieldValues.ts';

/** The maximum numbers of running and waiting requests to a deployment. */
const AT_ONCE = 2;
const WAITING_MAX = 8;

const HOSTED_FIELDS_MAX = 500;

const MINUTE_MS = 60_000;

/** The kinds of failure that may concern only one field. */
const ofField: ReadonlySet<string> = new Set<FailureKind>(['timeout', 'tooLarge', 'unreadable']);

/** The scope and duration of a pause after a failure. Without a duration, it ends when the deployment changes. */
interface Pause {
  readonly after: (failure: Failure) => boolean;
  readonly scope: 'deployment' | 'dataset' | 'field';
  readonly forMs?: number;
}

/** Pauses by failure. The first matching row applies. */
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
  /** Finds a deployment by its name; the active deployment if undefined. */
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

  /** Returns the values to offer; null if none are available now. Never rejects. */
  async of(params: FieldValuesParams): Promise<FieldValuesResult | null> {
    const profile = this.#parts.find(params.deployment);
    if (profile === undefined) return null;
    const known = this.#deployments.get(profile.name);
    const questions = known ?? new DeploymentQuestions(profile, this.#parts, () => this.#isBusy);
    this.#deployments.set(profile.name, questions);
    const values = await questions.of(params);
    return values === undefined ? null : { values: [...values] };
  }

  /** Whether a user's query is running. If so, no requests start, and those to the local deployment are cancelled. */
  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    if (isBusy) for (const questions of this.#deployments.values()) questions.giveWay();
  }

  /** Drops the values and pending requests of a deployment, or of all deployments. */
  forget(deployment: string | undefined): void {
    for (const [name, questions] of this.#deployments) {
      if (deployment !== undefined && name !== deployment) continue;
      this.#deployments.delete(name);
      questions.drop();
    }
  }
}

/** The requests to a deployment and their results, until the deployment changes. */
class DeploymentQuestions {
  readonly #profile: Profile;
  readonly #parts: FrequentValuesParts;
  readonly #isBusy: () => boolean;
  /** A hosted deployment's values. The local deployment is always queried again, because its events change. */
  readonly #known = new Map<string, readonly SeenValue[]>();
  readonly #asked = new Map<string, Promise<readonly SeenValue[] | undefined>>();
  /** The end of each pause in milliseconds since 1970, by scope. */
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
    // Wait for a finished request, which passes its slot to the next one.
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      // Check again: during the wait, another request may have failed or a user's query may have started.
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

/** Returns a service whose failures don't refresh the deployment's lists. */
function quiet({ connection }: Service): Service {
  return new Service({ ...connection, onUnreachable: () => undefined });
}

function scopeKey(scope: Pause['scope'], { dataset, field }: FieldValuesParams): string {
  const parts = { deployment: [], dataset: [dataset], field: [dataset, field] };
  return JSON.stringify(parts[scope]);
}
