/** Formats an offset from UTC in minutes: `UTC+02:00`. */
export declare function utcOffset(minutes: number): string;
