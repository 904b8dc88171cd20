// The time range of this window: what was last chosen in the workspace, or else the setting's.
import * as vscode from 'vscode';
import { defaultTimeRange, onSettingChanged } from './settings.ts';
import { fallbackTimeRange, parseTimeRange, rangeText, type TimeRange } from './timeRange.ts';

const KEY = 'timeRange';

export class TimeRangeState implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<TimeRange>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    this.#subscription = onSettingChanged(['timeRange.default'], () =>
      this.#changed.fire(this.value),
    );
  }

  get value(): TimeRange {
    for (const text of [this.#memory.get<string>(KEY), defaultTimeRange()]) {
      const range = text === undefined ? undefined : parseTimeRange(text);
      if (typeof range === 'object') return range;
    }
    return fallbackTimeRange;
  }

  async set(range: TimeRange): Promise<void> {
    await this.#memory.update(KEY, rangeText(range));
    this.#changed.fire(range);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
