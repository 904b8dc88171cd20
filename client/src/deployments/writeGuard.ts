// Asks for confirmation of writes to production deployments, once per window and kind of operation.
import { type HostedProfile, isProduction, type Profile } from './profiles.ts';
import { type WriteQuestion, writeKind, writeQuestion } from './writeWords.ts';

export class WriteGuard {
  readonly #ask: (question: WriteQuestion) => Promise<boolean>;
  /** Confirmed and pending questions, by deployment and by kind of operation. */
  readonly #confirmed = new Map<string, Promise<boolean>>();

  /** `ask` asks the user. It rejects if nobody can be asked. */
  constructor(ask: (question: WriteQuestion) => Promise<boolean>) {
    this.#ask = ask;
  }

  /**
   * Returns whether a writing endpoint may be called. The first call in this window asks about production. `question`
   * replaces the default text, and `covers` lists other endpoints that the answer applies to.
   */
  async confirm(
    profile: Profile,
    endpoint: string,
    { covers = [], ...question }: Partial<WriteQuestion> & { covers?: readonly string[] } = {},
  ): Promise<boolean> {
    if (!isProduction(profile)) return true;
    const ids = [endpoint, ...covers].map((each) => idOf(profile, each));
    const unasked = ids.filter((id) => !this.#confirmed.has(id));
    if (unasked.length > 0) {
      const asking = this.#ask(writeQuestion(profile.name, endpoint, question));
      for (const id of unasked) this.#confirmed.set(id, asking);
    }
    const answers = await Promise.all(
      ids.map(async (id) => {
        const asked = this.#confirmed.get(id);
        let isConfirmed = false;
        try {
          isConfirmed = (await asked) === true;
        } finally {
          // Ask again at the next write, even if this question could not be shown.
          if (!isConfirmed && this.#confirmed.get(id) === asked) this.#confirmed.delete(id);
        }
        return isConfirmed;
      }),
    );
    return answers.every(Boolean);
  }

  /** Records that the user confirmed an operation of the same kind in another dialog. */
  confirmed(profile: HostedProfile, endpoint: string): void {
    this.#confirmed.set(idOf(profile, endpoint), Promise.resolve(true));
  }
}

function idOf({ name, general }: HostedProfile, endpoint: string): string {
  return JSON.stringify([name, general, writeKind(endpoint)]);
}
