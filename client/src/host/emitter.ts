// Events for classes that don't import vscode, used like VS Code's `EventEmitter`.

export class Emitter<Value = void> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Calls the listener with each value until the result is disposed of. */
  readonly event = (listener: (value: Value) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** Calls the listeners, except for listeners that are added meanwhile. */
  fire(value: Value): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
