/**
 * What the pages of dashboards and monitors say to their host, next to the channel of the answers that they show,
 * which is that of the outputs of notebooks.
 */
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
import { contract } from '../webview/contract.ts';
import type { CardState, PageView, StatusView, TestView } from './messages.ts';

/** The parts of the pipe of a page. */
export const pipeParts = ['answers', 'board'] as const;

const id = text(1_000);
const value = text(10_000);

/** What a page is restored from after a reload of the window. */
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
  /** To be kept by the page. */
  keep: KeptBoard;
}>()({
  requests: {},
  fromPage: {
    ready: nothing,
    /** The cards that can be seen, from the top. */
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
    /** An address of a note that a person has clicked. */
    openLink: object({ address: value }),
    /** A button of a card, or of the page where there is no card. */
    action: object({ card: either(literal(null), id), command: text(200) }),
    setEnabled: object({ enabled: boolean }),
    disableUntil: nothing,
    /** The span in hours, or null to choose one. */
    test: object({ hours: either(literal(null), integer(1, 24 * 366)) }),
    cancelTest: nothing,
  },
});

export type BoardsContract = typeof boardsContract;
