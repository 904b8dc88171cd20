/**
 * What a page and its host say to each other, declared once per page: requests of the page with their
 * replies, events of the page, and events of the host. A page imports the type of its contract only;
 * the host has the checks.
 */
import type { Method } from '../rpc/calls.ts';
import type { Check, Checked } from './checks.ts';

/** One request: the check of its parameters, and the type of its reply. */
export interface RequestRow<Params, Reply> {
  readonly params: Check<Params>;
  /** Carries the type alone. */
  readonly reply?: Reply;
}

export interface PageContract {
  readonly requests: Readonly<Record<string, RequestRow<unknown, unknown>>>;
  /** Events of the page, with the checks of their content. */
  readonly fromPage: Readonly<Record<string, Check<unknown>>>;
  /** Carries the types of the host's events alone. */
  readonly toPage?: object;
}

export function request<Reply>(): <Params>(params: Check<Params>) => RequestRow<Params, Reply> {
  return (params) => ({ params });
}

/** Declares a contract; the type argument maps the host's events to their content. */
export function contract<ToPage extends object>(): <
  Requests extends PageContract['requests'],
  FromPage extends PageContract['fromPage'],
>(rows: {
  readonly requests: Requests;
  readonly fromPage: FromPage;
}) => { readonly requests: Requests; readonly fromPage: FromPage; readonly toPage?: ToPage } {
  return (rows) => rows;
}

export type RequestName<C extends PageContract> = keyof C['requests'] & string;
export type RequestParams<C extends PageContract, Name extends RequestName<C>> = Checked<
  C['requests'][Name]['params']
>;
export type RequestReply<C extends PageContract, Name extends RequestName<C>> =
  C['requests'][Name] extends RequestRow<infer _, infer Reply> ? Reply : never;

type HostEvents<C extends PageContract> = NonNullable<C['toPage']>;
export type HostEventName<C extends PageContract> = keyof HostEvents<C> & string;
export type HostEvent<C extends PageContract, Name extends HostEventName<C>> = HostEvents<C>[Name];

/** The requests of a contract as a table of methods. */
export type PageMethods<C extends PageContract> = {
  readonly [Name in RequestName<C>]: Method<RequestParams<C, Name>, RequestReply<C, Name>>;
};
export type PageEvents<C extends PageContract> = {
  readonly [Name in keyof C['fromPage'] & string]: Checked<C['fromPage'][Name]>;
};

export type {
  ToClient as ToPageMessage,
  ToServer as FromPageMessage,
} from '../rpc/calls.ts';
