// Notifiers: destinations to which monitors send their alerts. Not in the spec, but from public sources.
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

/** The settings for each kind, by the member that contains them. */
const kinds = {
  email: object({ emails: list(text(), { description: 'Email addresses of the recipients.' }) }),
  slack: object({ slackUrl: setting() }),
  discord: object({ discordChannel: setting(), discordToken: setting() }),
  discordWebhook: object({ discordWebhookUrl: setting() }),
  pagerduty: object({ routingKey: setting(), token: setting() }),
  opsgenie: object({ apiKey: setting(), isEU: optional(flag()) }),
  microsoftTeams: object({ microsoftTeamsUrl: setting() }),
  webhook: object({ url: setting() }),
  customWebhook: object({
    url: text('Address to send the request to.'),
    body: text('Template of the request body.'),
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
  name: key(text('Name of the notifier.', { minLength: 1, maxLength: ACCESS_NAME_LENGTH_MAX })),
  properties,
  disabledUntil: optional(timestampOrNull('Time until which the notifier is disabled.')),
};

export const Notifier = object({
  id: key(text('Identifier of the notifier.')),
  ...settings,
  createdAt: optional(timestamp('Time of creation.')),
  createdBy: optional(text('Identifier of the user who created it.')),
  updatedAt: optional(timestamp('Time of the last change.')),
});
export type Notifier = Static<typeof Notifier>;

export const NotifierWrite = object(settings);
export type NotifierWrite = Static<typeof NotifierWrite>;
