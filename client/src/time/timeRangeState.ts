// The window's time range: the range last chosen in the workspace, or else the setting. Ranges are stored as text, so
// that `today` is evaluated each day.
import * as vscode from 'vscode';
import { Disposables } from '../host/disposables.ts';
import { defaultTimeRange, onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import { parseTimeRange } from './parseTimeRange.ts';
import { withRecent } from './recentTimeRanges.ts';
import { fallbackTimeRange, rangeLabel, type TimeRange } from './timeRange.ts';

const CURRENT_KEY = 'timeRange';
const RECENT_KEY = 'recentTimeRanges';

export class TimeRangeState extends Disposables {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<TimeRange>();
  readonly onDidChange = this.#changed.event;
  /** Ranges chosen for single documents, by URI. They last until the window or an untitled document closes. */
  readonly #ofDocuments = new Map<string, TimeRange>();

  constructor(memory: vscode.Memento) {
    super();
    this.#memory = memory;
    this.own(
      onSettingChanged(['timeRange.default', 'results.timeZone'], () =>
        this.#changed.fire(this.value),
      ),
      // Forget the range, because another untitled document may reuse the URI.
      vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
        if (isUntitled) this.#ofDocuments.delete(uri.toString());
      }),
      this.#changed,
    );
  }

  /** Returns the range for queries that set none: their document's range, or the window's. */
  of(uri: string | undefined): TimeRange {
    return this.ownOf(uri) ?? this.value;
  }

  ownOf(uri: string | undefined): TimeRange | undefined {
    return uri === undefined ? undefined : this.#ofDocuments.get(uri);
  }

  /** Sets the range for a document's queries. Undefined or the window's own range makes them follow the window. */
  setOf(uri: string, range: TimeRange | undefined): void {
    const follows = range === undefined || rangeLabel(range) === rangeLabel(this.value);
    if (follows) this.#ofDocuments.delete(uri);
    else this.#ofDocuments.set(uri, range);
    this.#changed.fire(this.value);
  }

  get value(): TimeRange {
    // Parse stored text in UTC, but the setting in the user's time zone.
    const stored = this.#memory.get<unknown>(CURRENT_KEY);
    const chosen = typeof stored === 'string' ? parseTimeRange(stored, Date.now()) : undefined;
    if (typeof chosen === 'object') return chosen;
    const usual = parseTimeRange(defaultTimeRange(), Date.now(), resultsTimeZone());
    return typeof usual === 'object' ? usual : fallbackTimeRange;
  }

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

  get #recentLabels(): readonly string[] {
    const labels = this.#memory.get<unknown>(RECENT_KEY);
    return Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
  }
}
