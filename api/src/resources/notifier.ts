// Notifiers: where monitors send their alerts. Public and not in the spec.
import { ACCESS_NAME_LENGTH_MAX } from '../limits.ts';
import { rules } from '../rules.ts';
import {
  dictionary,
  flag,
  key,
  list,
  object,
  optional,
  type Static,
  text,
  timestamp,
  timestampOrNull,
} from '../schema.ts';

const setting = () => optional(text());

/** What each kind of notifier needs, by the member that holds it. */
const kinds = {
  email: object({ emails: list(text(), { description: 'Who is written to.' }) }),
  slack: object({ slackUrl: setting() }),
  discord: object({ discordChannel: setting(), discordToken: setting() }),
  discordWebhook: object({ discordWebhookUrl: setting() }),
  pagerduty: object({ routingKey: setting(), token: setting() }),
  opsgenie: object({ apiKey: setting(), isEU: optional(flag()) }),
  microsoftTeams: object({ microsoftTeamsUrl: setting() }),
  webhook: object({ url: setting() }),
  customWebhook: object({
    url: text('Where the request goes.'),
    body: text('The template of its body.'),
    headers: optional(dictionary(text(), 'Headers of the request.')),
    secretHeaders: optional(dictionary(text(), 'Headers whose values are secret.')),
  }),
};

export const NOTIFIER_KINDS = Object.keys(kinds) as (keyof typeof kinds)[];

type Kinds = typeof kinds;

const properties = object(
  Object.fromEntries(
    Object.entries(kinds).map(([name, schema]) => [name, optional(schema)]),
  ) as unknown as { [N in keyof Kinds]: ReturnType<typeof optional<Kinds[N]>> },
  rules.notifierKind,
);

const settings = {
  name: key(text('Its name.', { minLength: 1, maxLength: ACCESS_NAME_LENGTH_MAX })),
  properties,
  disabledUntil: optional(timestampOrNull('Until when it sends nothing.')),
};

/** A notifier as the service holds it. */
export const Notifier = object({
  id: key(text('Its identifier.')),
  ...settings,
  createdAt: optional(timestamp('When it was made.')),
  createdBy: optional(text('The identifier of the user who made it.')),
  updatedAt: optional(timestamp('When it was last changed.')),
});
export type Notifier = Static<typeof Notifier>;

/** A notifier as it is made or changed. */
export const NotifierWrite = object(settings);
export type NotifierWrite = Static<typeof NotifierWrite>;
