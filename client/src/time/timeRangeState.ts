// The time range of this window: the one last chosen in the workspace, or else the setting's. Ranges are
// stored in words, which parse to the same range, so `today` is another day tomorrow.
import * as vscode from 'vscode';
import { defaultTimeRange, onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import { parseTimeRange } from './parseTimeRange.ts';
import { withRecent } from './recentTimeRanges.ts';
import { fallbackTimeRange, rangeLabel, type TimeRange } from './timeRange.ts';

const CURRENT_KEY = 'timeRange';
const RECENT_KEY = 'recentTimeRanges';

export class TimeRangeState implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<TimeRange>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** The ranges that were chosen in charts of a document's queries, by its URI. They do not survive the window. */
  readonly #ofDocuments = new Map<string, TimeRange>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    this.#subscription = vscode.Disposable.from(
      onSettingChanged(['timeRange.default', 'results.timeZone'], () =>
        this.#changed.fire(this.value),
      ),
      // Another untitled document may get its name.
      vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
        if (isUntitled) this.#ofDocuments.delete(uri.toString());
      }),
    );
  }

  /** The range of a document's queries, where they do not state one: its own, or that of the window. */
  of(uri: string | undefined): TimeRange {
    return this.ownOf(uri) ?? this.value;
  }

  /** The range of a document's queries that is not that of the window. */
  ownOf(uri: string | undefined): TimeRange | undefined {
    return uri === undefined ? undefined : this.#ofDocuments.get(uri);
  }

  /** Gives a document's queries a range; that of the window, or undefined, makes them follow the window again. */
  setOf(uri: string, range: TimeRange | undefined): void {
    const follows = range === undefined || rangeLabel(range) === rangeLabel(this.value);
    if (follows) this.#ofDocuments.delete(uri);
    else this.#ofDocuments.set(uri, range);
    this.#changed.fire(this.value);
  }

  get value(): TimeRange {
    // What is stored has its times in UTC; a person writes the setting in the zone of their choice.
    const stored = this.#memory.get<unknown>(CURRENT_KEY);
    const chosen = typeof stored === 'string' ? parseTimeRange(stored, Date.now()) : undefined;
    if (typeof chosen === 'object') return chosen;
    const usual = parseTimeRange(defaultTimeRange(), Date.now(), resultsTimeZone());
    return typeof usual === 'object' ? usual : fallbackTimeRange;
  }

  /** The ranges chosen in this workspace, the latest first. */
  get recent(): readonly TimeRange[] {
    return this.#recentLabels
      .map((label) => parseTimeRange(label, Date.now()))
      .filter((range) => typeof range === 'object');
  }

  async set(range: TimeRange): Promise<void> {
    const label = rangeLabel(range);
    await this.#memory.update(CURRENT_KEY, label);
    await this.#memory.update(RECENT_KEY, withRecent(this.#recentLabels, label));
    this.#changed.fire(range);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get #recentLabels(): readonly string[] {
    const labels = this.#memory.get<unknown>(RECENT_KEY);
    return Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
  }
}
