// Validation rules that involve several members of an object. They are JSON Schema, so that editors can check them.
// `x-rule` is the message for a violation.

/** To apply a rule, spread it into the options of an object. */
export const rules = {
  monitorQuery: {
    anyOf: [{ required: ['aplQuery'] }, { required: ['mplQuery'] }],
    'x-rule': 'at least one of aplQuery and mplQuery must be given',
  },
  notifierKind: {
    oneOf: [
      { required: ['email'] },
      { required: ['slack'] },
      { required: ['discord'] },
      { required: ['discordWebhook'] },
      { required: ['pagerduty'] },
      { required: ['opsgenie'] },
      { required: ['microsoftTeams'] },
      { required: ['webhook'] },
      { required: ['customWebhook'] },
    ],
    'x-rule':
      'exactly one of email, slack, discord, discordWebhook, pagerduty, opsgenie, microsoftTeams, webhook and customWebhook must be given',
  },
  dashboardVersion: {
    if: { required: ['overwrite'], properties: { overwrite: { const: true } } },
    else: { required: ['version'] },
    'x-rule': 'version must be given unless overwrite is true',
  },
  batchRequest: {
    oneOf: [{ required: ['aplRequest'] }, { required: ['mplRequest'] }],
    'x-rule': 'exactly one of aplRequest and mplRequest must be given',
  },
} as const;

/** A violation is reported once for the entire object, not for each branch. */
export const RULE_KEYWORDS = ['anyOf', 'oneOf', 'if'] as const;
