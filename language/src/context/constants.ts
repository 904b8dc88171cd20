/** Common constants by purpose. Completion offers them in calls and after keywords. */

export const rowCounts: readonly string[] = ['10', '100', '1000'];

export const shares: readonly string[] = ['0.1', '0.01', '0.001'];

export const widths: readonly string[] = ['1m', '5m', '15m', '1h', '1d'];
