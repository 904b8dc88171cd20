/** The messages between the host and dashboard or monitor pages. Answers use a separate channel. */
import {
  boolean,
  type Checked,
  either,
  integer,
  list,
  literal,
  nothing,
  object,
  oneOf,
  record,
  text,
} from '../webview/checks.ts';
import { contract } from '../webview/pageContract.ts';
import type { CardState, PageView, StatusView, TestView } from './boardContent.ts';

/** The names of the channels that share a page's pipe. */
export const pipeParts = ['answers', 'board'] as const;

const id = text(1_000);
const value = text(10_000);

export const keptBoard = object(
  { kind: oneOf('dashboard', 'monitor'), deployment: text(1_000), id, name: text(10_000) },
  {
    window: text(1_000),
    refreshSeconds: integer(0, 86_400),
    againstMinutes: integer(0, 5_256_000),
    annotations: boolean,
    filters: record(value, 1_000),
  },
);
export type KeptBoard = Checked<typeof keptBoard>;

export const boardsContract = contract<{
  page: PageView;
  card: CardState;
  status: StatusView;
  test: TestView;
  /** The state that the page stores to survive a reload. */
  keep: KeptBoard;
}>()({
  requests: {},
  fromPage: {
    ready: nothing,
    /** The IDs of the visible cards, from top to bottom. */
    inView: list(id, 1_000),
    refresh: nothing,
    refreshCard: object({ card: id }),
    chooseWindow: nothing,
    resetWindow: nothing,
    setRefresh: object({ seconds: integer(0, 86_400) }),
    setAgainst: object({ minutes: integer(0, 5_256_000) }),
    setAnnotations: object({ shown: boolean }),
    setFilter: object({ filter: id, value }),
    openQuery: object({ card: id }),
    openDocument: nothing,
    openMonitor: object({ id }),
    /** The address of a link that was clicked in a note. */
    openLink: object({ address: value }),
    /** The clicked button of a card, or of the page if `card` is null. */
    action: object({ card: either(literal(null), id), command: text(200) }),
    setEnabled: object({ enabled: boolean }),
    disableUntil: nothing,
    /** The test's time range in hours, or null to prompt for one. */
    test: object({ hours: either(literal(null), integer(1, 24 * 366)) }),
    cancelTest: nothing,
  },
});

export type BoardsContract = typeof boardsContract;
