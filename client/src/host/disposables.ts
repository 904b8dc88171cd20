interface Disposable {
  dispose(): unknown;
}

/** The base of classes with event emitters, subscriptions and parts that are disposed of with their object. */
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
