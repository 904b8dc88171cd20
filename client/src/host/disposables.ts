/** A base for classes that own event emitters, subscriptions and parts. Does not import vscode. */

interface Disposable {
  dispose(): unknown;
}

export class Disposables {
  readonly #owned: (Disposable | undefined)[] = [];

  /** Adds objects to dispose of, in this order. */
  protected own(...owned: readonly (Disposable | undefined)[]): void {
    this.#owned.push(...owned);
  }

  dispose(): void {
    for (const owned of this.#owned.splice(0)) owned?.dispose();
  }
}
