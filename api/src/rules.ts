// Rules across several members of one object. Each is JSON Schema, so editors check it too, with the message for a
// violation (`x-rule`).

/** The rules as keywords to spread into an object's options. */
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

/**
 * The keywords of rules. The validator reports a violation for the object with the rule, not for the rule's branches.
 */
export const RULE_KEYWORDS = ['anyOf', 'oneOf', 'if'] as const;
